package import AppContainer
internal import Foundation
internal import HTMLReports
package import SourceCode
package import StoragePolicy
internal import TextOutput

/// A run of the linter for all report formats: the findings, the rules, and the failures.
package struct LintRun {
    /// The failure of an input or of the run.
    package struct Failure: Sendable {
        /// The reason, in one sentence. It contains no paths of this machine except those on the command line.
        let reason: String
        /// The reason with the path as on the command line, for the terminal.
        package let message: String
    }

    let report: LintReport
    /// All rules by number, including disabled ones.
    let rules: [Rule]
    /// The version of the tool.
    let version: String
    /// The lowest severity that fails the run; nil if no finding does.
    let failOn: Severity?
    /// The time from which ages were computed, in UTC, such as `2026-01-31T12:00:00`: the given time or that of the
    /// run.
    let moment: String
    /// The time from which ages were computed, if it was given.
    let givenMoment: String?
    let failures: [Failure]
    /// The ids of the rules that were not evaluated, for each input.
    let disabled: [Set<String>]
    /// The notes on the merging of reports.
    var mergeNotes: [String] = []
    /// False for a merged run with an incomplete report.
    var isRecordedComplete = true
    let anchors: Anchors
    /// The location of the complete list, for formats that show only a part of the findings.
    package var fullList = LintRun.defaultList
    /// The location of the complete list if there is no summary of a job.
    static let defaultList = "the output of `sandboxlint lint`"
    /// True if the output has only findings and gaps, without a summary.
    package var isBrief = false
    /// True if the text report lists every item with its evidence and remedy, instead of a few.
    package var isVerbose = false
    /// True if the text report has a block for every cause, however many lines that takes.
    package var showsAll = false
    /// The time that each input took, in seconds; empty for a report that does not depend on it.
    package var seconds: [Double] = []
    /// The notes on the configuration, one sentence each.
    package var configurationNotes: [String] { report.patternNotes }
    /// True if a baseline is applied.
    package var hasBaseline = false
    /// The changes since an earlier run, if it was compared.
    var comparison: RunComparison?
    let linters: [Linter]
    /// True if nobody has used the app of any input, as `--fresh-install` says.
    var isFreshInstall: Bool { report.inputs.allSatisfy(\.isFreshInstall) }

    /// A run.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - linters: The linter of each input of the report.
    ///   - rules: All rules, including disabled ones.
    ///   - failures: The failures of inputs and of the run.
    ///   - failOn: The lowest severity that fails the run; nil if no finding does.
    ///   - version: The version of the tool.
    ///   - now: The time from which ages are computed, if it was given.
    ///   - code: The source code of each input's app, which is searched for the findings; empty to search none.
    package init(
        _ report: LintReport, by linters: [Linter], rules: [Rule], failures: [Failure], failOn: Severity?,
        version: String, now: Int64? = nil, code: [AppSource] = []
    ) {
        self.report = report
        self.linters = linters
        self.rules = rules.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
        self.failures = failures
        self.failOn = failOn
        self.version = version
        givenMoment = (now ?? linters.first?.now).map(Self.moment)
        moment = givenMoment ?? Self.moment(Int64(Date().timeIntervalSince1970))
        disabled = linters.map { linter in
            Set(rules.lazy.map(\.id).filter { !linter.evaluatedRuleIDs.contains($0) })
        }
        anchors = Anchors(report, configurations: linters.map(\.configuration), code: code)
        anchors.searchSourceCode()
    }

    /// The number of items that a map of a container lists at least, for the formats that show it.
    package static let mapLimit = HTMLPage.mostItems

    /// A run that earlier reports record.
    ///
    /// - Parameters:
    ///   - merged: The reports.
    ///   - rules: All rules of this version.
    ///   - failures: The reports that could not be read.
    ///   - failOn: The lowest severity that fails the run; nil if no finding does.
    ///   - version: The version of the tool.
    package init(
        _ merged: MergedReports, rules: [Rule], failures: [Failure], failOn: Severity?, version: String
    ) {
        report = merged.report
        linters = []
        self.rules = rules.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
        self.failures = merged.failures.map { Failure(reason: $0, message: $0) } + failures
        self.failOn = failOn
        self.version = version
        givenMoment = merged.moment
        moment = givenMoment ?? Self.moment(Int64(Date().timeIntervalSince1970))
        disabled = merged.disabled
        anchors = Anchors(report, configurations: [])
        (mergeNotes, isRecordedComplete) = (merged.notes, merged.isComplete)
    }

    /// A run that one earlier report records, for a comparison.
    ///
    /// - Parameters:
    ///   - report: The findings.
    ///   - disabled: The ids of the rules that were not evaluated, for each input.
    ///   - rules: All rules of this version.
    ///   - moment: The time from which ages were computed, if it was given.
    ///   - version: The version of the tool.
    init(recorded report: LintReport, disabled: [Set<String>], rules: [Rule], moment: String?, version: String) {
        self.report = report
        linters = []
        self.rules = rules.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
        (failures, failOn, self.version, self.disabled) = ([], nil, version, disabled)
        givenMoment = moment
        self.moment = moment ?? Self.moment(Int64(Date().timeIntervalSince1970))
        anchors = Anchors(report, configurations: [])
    }

    private static func moment(_ seconds: Int64) -> String {
        String(Date(timeIntervalSince1970: TimeInterval(seconds)).ISO8601Format().dropLast())
    }

    /// True if the run consists of earlier reports.
    var isMerged: Bool { linters.isEmpty && !report.inputs.isEmpty }

    /// True if anything was linted at all.
    package var hasResult: Bool { !report.inputs.isEmpty }

    /// True if the run is complete.
    package var isComplete: Bool { failures.isEmpty && report.isComplete && isRecordedComplete }

    /// The note on inputs that cannot have extended attributes, in one paragraph; nil if all can.
    var exclusionNote: String? {
        let names = report.inputs.indices.filter { !report.inputs[$0].carriesAttributes }
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(3).map { anchors.label(of: $0) ?? report.inputs[$0].label ?? "the container" }
        let list = shown.joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
        return
            "backup exclusions of \(list) are unknown, because the input has no extended attributes; findings about backups "
            + "are notes. To keep attributes, archive with `ditto -c -k --sequesterRsrc` or `bsdtar` on macOS, or with "
            + "`tar --xattrs` on Linux."
    }

    /// True if any finding fails the run.
    package var hasFailingFindings: Bool { report.findings.contains(where: fails) }

    /// Returns true if a finding fails the run.
    func fails(_ finding: Finding) -> Bool { failOn.map { finding.severity >= $0 } ?? false }

    /// Returns a message, with the name of the input at the end if the report is about several.
    func message(_ message: String, in input: Int) -> String {
        anchors.label(of: input).map { "\(message) (in \($0))" } ?? message
    }

    /// Returns the remedy for findings of one rule: its help and, on a separate line, the fix and the way to apply it,
    /// if any.
    func remedy(_ findings: some Collection<Finding>) -> String {
        guard let rule = findings.first?.rule else { return "" }
        let help = "help: \(findings.first?.help ?? rule.help)"
        guard let fix = rule.fix, let label = findings.fixLabel else { return help }
        let option = label == "needs --unsafe" ? " --unsafe" : ""
        let command = label == "by hand" ? "" : "; `sandboxlint fix\(option)` applies it"
        return "\(help)\nfix (\(label)): \(fix.title)\(command)"
    }

    /// Returns the rules evaluated for an input.
    func rules(puttingTo input: Int) -> [Rule] {
        rules.filter { !disabled[input].contains($0.id) }
    }

    /// The failures and incidents, one sentence each.
    var gaps: [Gap] {
        failures.map { Gap(input: nil, path: nil, reason: "failed", text: "failed: \($0.reason)") }
            + report.incidents.map { incident in
                let path = incident.path.isEmpty ? "the container itself" : incident.displayPath
                return Gap(
                    input: incident.input, path: incident.path, reason: incident.reason.rawValue,
                    text: message("not read: \(path): \(incident.reason.rawValue)", in: incident.input))
            }
    }

    /// A part that an incomplete run did not read.
    struct Gap {
        let input: Int?
        /// The path as bytes relative to the container; nil if the part is not an item.
        let path: [UInt8]?
        let reason: String
        let text: String
    }
}

extension LintRun.Failure {
    /// An input that could not be opened or read.
    package init(_ error: ContainerError, of input: String) { self.init(error.description, of: input) }

    /// An input that could not be opened or read, with the reason in one or two sentences.
    package init(_ reason: String, of input: String) {
        self.init(reason: Repository.current.renaming(input, in: reason), message: reason)
    }

    /// Returns the error that ended the run before linting: an error in a configuration or a rule.
    package init(_ error: any Error) {
        let text: String =
            switch error {
            case let error as SourceError: "\(Repository.current.name(of: error.file)):\(error.line): \(error.message)"
            case let error as UnreadableSource: "\(Repository.current.name(of: error.path)): \(error.reason)"
            case let error as UnknownRule: error.description
            default: "the configuration or the rules could not be read"
            }
        let reason = ByteText.escaped(Array(text.utf8))
        self.init(reason: reason, message: reason)
    }
}
