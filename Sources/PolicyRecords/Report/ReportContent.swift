internal import AppContainer
internal import ContainerLifecycle
internal import StoragePolicy

/// The JSON report of a run, `sandboxlint-report/1`.
///
/// This is the only declaration of its keys: `JSONReport` writes them, `EarlierReport` reads them, and `RecordSchema`
/// records them. Keys are written in the order of the properties. A key with a `Nullable` value is always present; a
/// key with an optional value is omitted if the value is nil. Sizes are bytes of content, not of blocks on a disk.
/// Later versions may add keys. The texts of a report that was read are not safe to show.
package enum ReportContent {
    /// The whole report.
    package typealias Report = Joined<Run, Lists>
    /// The content of a location, without the locations below it.
    package typealias Location = Joined<LocationPath, Content>
    /// A finding that is suppressed or accepted.
    package typealias SuppressedFinding = Joined<Finding, Suppression>

    /// The formats.
    package enum Format: String, CaseIterable, Sendable { case current = "sandboxlint-report/1" }

    /// A run, without the lists of incidents and findings.
    package struct Run: Codable, Sendable {
        /// The format of the report.
        @Word var schema: Format
        let tool: Tool
        /// The time from which ages were computed, in UTC, such as `2026-01-31T12:00:00`.
        @Nullable var now: String?
        /// The containers, in the order in which they were given.
        let inputs: [Input]
        let summary: Summary
        /// The totals of each app. Containers whose app is unknown come last.
        let apps: [App]
        /// The content of each location of all containers.
        let locations: [Location]
        /// The positions of the configured suppressions that were used.
        let usedSuppressions: [String]
        /// True if every container was opened, and every rule that rests on proof was evaluated on all of it.
        let complete: Bool
        /// The inputs that could not be read, and other failures, one sentence each.
        let failures: [String]
        /// Facts about the run that a reader must know, one sentence each.
        let notes: [String]?
    }

    /// The lists of a report. The findings are worst first, then by rule and path.
    package struct Lists: Codable {
        /// The parts of the containers that could not be read or evaluated.
        package let incidents: Records<Incident>
        package let findings: Records<Finding>
        /// The findings that the configuration or items suppress.
        package let suppressed: Records<SuppressedFinding>
        /// The findings that the baseline accepts.
        package let accepted: Records<SuppressedFinding>
    }

    /// The program that wrote the report.
    package struct Tool: Codable, Sendable {
        /// The names of the program.
        package enum Name: String, CaseIterable, Sendable { case sandboxlint }

        @Word var name: Name
        let version: String
        /// The digest of all rules, with which other runs are compared.
        @HexDigits var rules: String
    }

    /// A container.
    package struct Input: Codable, Hashable, Sendable {
        /// The sources that show whether an item is excluded from backups: extended attributes, the manifest of a
        /// device backup, or nothing.
        package enum ExclusionEvidence: String, CaseIterable, Sendable { case xattr, manifest, none }

        /// The path as given, or of the container that was found in it.
        let path: String
        /// `directory`.
        let kind: String
        /// The bundle identifier, if the container records it.
        @Nullable var bundleID: String?
        @Word var exclusionEvidence: ExclusionEvidence
        /// The name of a container that was found in an input.
        let label: String?
        /// The bundle identifier of the app that the container belongs to.
        @Nullable var app: String?
        /// Files, directories, links and special files.
        @Count var items: Int
        let bytes: UInt64
        let backedUpBytes: UInt64
        /// The bytes in backups of which neither proof nor weighed evidence says what they are.
        let undecidedBackedUpBytes: UInt64
        /// The findings of items that the configuration ignores.
        @Count var ignored: Int
        /// The findings that the baseline accepts.
        @Count var baselined: Int
        /// True for the lint of a new installation.
        let freshInstall: Bool?
        /// The ids of the rules that were not evaluated.
        let disabled: [String]
        /// The content of each location of the container.
        let locations: [Location]
    }

    /// The path of a location.
    package struct LocationPath: Codable, Hashable, Sendable {
        /// The path relative to the container.
        let location: String
    }

    /// The number and size of items.
    package struct Content: Codable, Hashable, Sendable {
        @Count var items: Int
        let bytes: UInt64
        let backedUpBytes: UInt64
    }

    /// The totals of all containers.
    package struct Summary: Codable, Sendable {
        @Count var items: Int
        let bytes: UInt64
        let backedUpBytes: UInt64
        /// The bytes in backups that the app can download or compute again, according to the findings.
        let regenerableBackedUpBytes: UInt64
        let undecidedBackedUpBytes: UInt64
        let findings: Counts
        /// The findings that the configuration or items suppress.
        @Count var suppressed: Int
        /// The findings that the baseline accepts.
        @Count var baselined: Int
        /// The findings with a safe fix.
        @Count var fixable: Int
    }

    /// The numbers of findings by severity.
    package struct Counts: Codable, Sendable {
        @Count var error: Int
        @Count var warning: Int
        @Count var note: Int
    }

    /// The totals of the containers of an app.
    package struct App: Codable, Sendable {
        /// The bundle identifier; null for containers whose app is unknown.
        @Nullable var bundleID: String?
        @Count var containers: Int
        @Count var items: Int
        let bytes: UInt64
        let backedUpBytes: UInt64
        let findings: Counts
    }

    /// A part of a container that could not be read or evaluated.
    package struct Incident: Codable, Hashable, Sendable {
        /// The index of the container.
        @Count var input: Int
        /// The path relative to the container, percent-escaped.
        let path: String
        let reason: String
    }

    /// A problem that a rule reports about an item, or about several items of one directory.
    package struct Finding: Codable, Hashable, Sendable {
        /// The id of the rule.
        let rule: String
        @Word var group: RuleGroup
        @Word var severity: Severity
        /// The index of the container.
        @Count var input: Int
        /// The path relative to the container, percent-escaped: of the item, or of the directory of several.
        let path: String
        /// The key in the file that the finding is about, as a JSON pointer.
        @Nullable var pointer: String?
        @Count var items: Int
        let bytes: UInt64
        let message: String
        /// The event of a device that causes the problem; null for a problem that the container has already.
        @Nullable var after: Word<LifecycleEvent>?
        /// The probability that the finding is right; null where it rests on proof.
        @Nullable var confidence: Probability?
        let evidence: [Evidence]
        let exclusion: Exclusion
        /// The path of the location, relative to the container.
        let location: String
        /// True if the item is included in backups.
        let backedUp: Bool
        /// The path of the largest of several files, percent-escaped.
        @Nullable var largest: String?
        /// Digits that are the same for the same problem in another run.
        @HexDigits var fingerprint: String
        /// The part of the path that the finding is about, if it is not the item.
        let part: String?
        /// The number of earlier findings with the same rule, path and part, if there are any.
        let ordinal: UInt32?
        /// The position in the configuration that the finding is about.
        let declared: String?
        /// The line that a reviewer can change, if it is not in the container.
        let anchor: Anchor?
        /// The line of the app's source that wrote the item.
        @Nullable var source: Line?
        /// The lines of the app's source code that probably write the item, the likeliest first, where `source` is
        /// null.
        let writtenBy: [ProbableLine]?
        /// The system or the SDK that writes the item.
        let writer: String?
        /// The name of the cause, which the findings with one remedy have in common; none for a suppressed finding.
        let cause: String?
        @Nullable var fix: Fix?
    }

    /// Something that decided a rule.
    package struct Evidence: Codable, Hashable, Sendable {
        let kind: String
        let value: String
        /// The contribution in log-odds, where the finding rests on weighed evidence.
        let weight: Double?
    }

    /// The backup exclusion of an item.
    package struct Exclusion: Codable, Hashable, Sendable {
        /// The mark that excludes an item from backups, or `none`.
        package struct Mark: RawRepresentable, CaseIterable, Hashable, Sendable {
            let mark: ExclusionMark?

            init(_ mark: ExclusionMark?) { self.mark = mark }

            package init?(rawValue: String) {
                mark = ExclusionMark(rawValue: rawValue)
                guard mark != nil || rawValue == Self.none else { return nil }
            }

            private static let none = "none"
            package var rawValue: String { mark?.rawValue ?? Self.none }
            package static let allCases = ExclusionMark.allCases.map { Self($0) } + [Self(nil)]
        }

        @Word var state: BackupState
        @Word var decidedBy: Mark
        /// The path of the item that carries the mark, percent-escaped.
        @Nullable var at: String?
    }

    /// A line of a file.
    package struct Line: Codable, Hashable, Sendable {
        /// The path relative to the repository, or the module and the file; percent-escaped.
        let file: String
        @LineNumber var line: UInt
    }

    /// A line that probably writes an item.
    package struct ProbableLine: Codable, Hashable, Sendable {
        /// The path relative to the repository, percent-escaped.
        let file: String
        @LineNumber var line: UInt
        let confidence: Probability

        package init(file: String, line: UInt, confidence: Double) {
            (self.file, self.confidence) = (file, Probability(confidence))
            _line = LineNumber(wrappedValue: line)
        }
    }

    /// A line that a finding points at.
    package struct Anchor: Codable, Hashable, Sendable {
        /// The kind of the file: `source` or `configuration`.
        let kind: String
        let file: String
        @LineNumber var line: UInt

        package init(kind: String, file: String, line: UInt) { (self.kind, self.file, self.line) = (kind, file, line) }
    }

    /// The fix of a rule.
    package struct Fix: Codable, Hashable, Sendable {
        /// The safety for the item, or for the least safe of several.
        @Word var safety: RuleFix.Safety
        let title: String
    }

    /// The suppression of a finding.
    package struct Suppression: Codable, Hashable, Sendable {
        /// The origin.
        @Word var by: StoragePolicy.Finding.Suppression.Kind
        /// The line of the configuration, the path of the item that carries it, or the baseline's file.
        let place: String
        let reason: String
        /// The person to ask about it.
        @Nullable var owner: String?
        /// The day or time at which it expires, in UTC, such as `2026-06-30`.
        @Nullable var until: String?
    }
}
