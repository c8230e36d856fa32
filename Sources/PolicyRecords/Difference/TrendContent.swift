internal import StoragePolicy
internal import TextOutput

/// The JSON of the totals of several reports, `sandboxlint-trend/1`.
///
/// This is the only declaration of its keys: `TrendReport` writes them, and `RecordSchema` records them. Later versions may add
/// keys.
package struct TrendContent: Codable {
    /// The formats.
    package enum Format: String, CaseIterable, Sendable { case current = "sandboxlint-trend/1" }

    /// The program that wrote it.
    struct Tool: Codable {
        @Word var name: ReportContent.Tool.Name
        let version: String
    }

    /// The bytes with one treatment in backups.
    struct ClassSize: Codable, Sendable {
        @Word var name: ClassSizes.Name
        let bytes: UInt64
    }

    /// The totals of a report. Every text is safe to show.
    package struct Point: Codable, Sendable {
        /// The path of the report as given.
        package let name: String
        /// The time from which ages were computed, in UTC; null for the time of the run.
        @Nullable package private(set) var now: String?
        /// The version of the tool that wrote the report.
        package let version: String
        /// True if the run was complete.
        package let complete: Bool
        @Count package private(set) var items: Int
        package let bytes: UInt64
        package let backedUpBytes: UInt64
        let findings: ReportContent.Counts
        /// The sizes of all treatments, which add up to the bytes.
        let classes: [ClassSize]

        /// The totals of a report.
        package init(_ report: EarlierReport) {
            let (content, snapshot) = (report.content, ReportSnapshot(report))
            name = ByteText.printable(report.path)
            version = ByteText.printable(content.tool.version.prefix(40))
            complete = content.complete
            (bytes, backedUpBytes) = (content.summary.bytes, content.summary.backedUpBytes)
            findings = content.summary.findings
            classes = ClassSizes.Name.allCases.map { ClassSize(name: $0, bytes: snapshot.sizes[$0]) }
            _now = Nullable(wrappedValue: content.now.map { ByteText.printable($0.prefix(40)) })
            _items = Count(wrappedValue: content.summary.items)
        }

        /// The numbers of errors, warnings and notes.
        package var counts: (errors: Int, warnings: Int, notes: Int) {
            (findings.error, findings.warning, findings.note)
        }

        package subscript(name: ClassSizes.Name) -> UInt64 { classes.first { $0.name == name }?.bytes ?? 0 }
    }

    @Word var schema: Format
    let tool: Tool
    /// The reports in the order in which they were given.
    let reports: [Point]

    package init(_ points: [Point], version: String) {
        (tool, reports) = (Tool(name: .sandboxlint, version: version), points)
        _schema = Word(wrappedValue: .current)
    }
}
