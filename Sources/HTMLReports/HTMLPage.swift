package import ContainerTree
internal import TextOutput

/// A report as one HTML file without references to other files: figures, maps, findings and tables.
///
/// The page runs without network access and only its own script. Findings and tables are in the markup, so they can be read
/// without the script, which adds the maps and the filter.
package struct HTMLPage: Sendable {
    /// The severity of a finding or a figure.
    package enum Severity: String, Sendable, CaseIterable { case error, warning, note }

    /// A number that is shown large.
    package struct Figure: Sendable {
        let value: String
        let label: String
        /// The severity that the number counts.
        let severity: Severity?

        package init(_ value: String, label: String, severity: Severity? = nil) {
            (self.value, self.label, self.severity) = (value, label, severity)
        }
    }

    /// A map of a container with its title.
    package struct Map: Sendable {
        let title: String
        let map: StorageMap

        package init(_ title: String, map: StorageMap) { (self.title, self.map) = (title, map) }
    }

    /// A table below the map.
    package struct Table: Sendable {
        let title: String
        /// The columns.
        let columns: [Column]
        let rows: [[String]]

        /// The name of a column, and the alignment of its cells.
        package struct Column: Sendable {
            let name: String
            let isNumber: Bool

            package init(_ name: String, isNumber: Bool = false) { (self.name, self.isNumber) = (name, isNumber) }
        }

        /// Creates a table of the first rows, with the number of the others in the last one.
        package init(_ title: String, columns: [Column], rows: [[String]], atMost most: Int = 1_000, others: Int = 0) {
            let more = max(0, rows.count - most) + others
            let last = ["\(Quantity.grouped(more)) more"] + Array(repeating: "", count: columns.count - 1)
            (self.title, self.columns, self.rows) = (title, columns, rows.prefix(most) + (more > 0 ? [last] : []))
        }
    }

    /// The findings with one remedy: those of a rule, or of several about the same items.
    package struct Rule: Sendable {
        /// Code that is a remedy.
        package struct Remedy: Sendable {
            package let title: String
            /// The same remedy with different modules.
            package let codes: [(module: String, text: String)]

            package init(title: String, codes: [(module: String, text: String)]) {
                (self.title, self.codes) = (title, codes)
            }
        }

        package let id: String
        /// The ids of the other rules that report the items.
        package var others: [String] = []
        package let severity: Severity
        package let title: String
        /// The directory that contains the items; nil if it is not shown.
        package var location: String?
        /// The address of the documentation.
        package let page: String?
        /// The reason for the findings in one sentence.
        package var reason: String?
        package let help: String
        /// The fix and its safety.
        package let fix: String?
        /// The command that applies the fix.
        package let command: String?
        /// The remedies in Swift.
        package var remedies: [Remedy] = []
        /// The number and size of all findings, also of those that are not shown.
        package let count: Int
        package let bytes: UInt64
        package let findings: [Finding]

        package init(
            id: String, severity: Severity, title: String, page: String?, help: String, fix: String?, command: String?,
            count: Int, bytes: UInt64, findings: [Finding]
        ) {
            (self.id, self.severity, self.title, self.page) = (id, severity, title, page)
            (self.help, self.fix, self.command) = (help, fix, command)
            (self.count, self.bytes, self.findings) = (count, bytes, findings)
        }
    }

    /// A finding.
    package struct Finding: Sendable {
        package let severity: Severity
        /// The path of the item in its map, as bytes; nil for a finding about something else.
        package var path: [UInt8]?
        /// The index of the map.
        package var map = 0
        /// The path to show, percent-escaped.
        package let shownPath: String
        package let message: String
        package let items: Int
        package let bytes: UInt64
        /// The names and values of evidence and other details.
        package var details: [(name: String, value: String)] = []
        /// The change since an earlier report, such as “new”.
        package var change: String?

        package init(
            severity: Severity, path: [UInt8]?, shownPath: String, message: String, items: Int, bytes: UInt64
        ) {
            (self.severity, self.path, self.shownPath) = (severity, path, shownPath)
            (self.message, self.items, self.bytes) = (message, items, bytes)
        }
    }

    /// The name of the tool with its version.
    package let tool: String
    package let title: String
    /// The facts below the title.
    package let subtitle: String
    package var figures: [Figure] = []
    /// The lines of the verdict with their labels.
    package var verdict: [(label: String, text: String)] = []
    /// Sentences on missing parts and on limits of the page.
    package var notices: [String] = []
    package var maps: [Map] = []
    /// The rules with findings; nil for a page that is not about findings.
    package var rules: [Rule]?
    /// The text in place of an empty list of findings.
    package var noFindings = "No findings."
    package var tables: [Table] = []
    /// The charts above the tables.
    package var charts: [Chart] = []

    package init(tool: String, title: String, subtitle: String) {
        (self.tool, self.title, self.subtitle) = (tool, title, subtitle)
    }

    /// The maximum number of listed items of all maps of a page.
    package static let mostItems = 2_000
    /// The maximum number of findings on a page, of one section, and of sections.
    package static let (mostFindings, mostFindingsOfRule, mostSections) = (2_000, 250, 500)
    /// The maximum number of characters of a path or a value.
    static let mostCharacters = 600
}
