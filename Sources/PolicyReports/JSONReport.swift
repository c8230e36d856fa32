internal import PolicyRecords
internal import StoragePolicy
internal import TextOutput

/// The report as one JSON object, `ReportContent.Report`.
///
/// As JSON lines: one object per finding and incident, then an object with everything else, each with its `type`.
struct JSONReport {
    private let run: LintRun
    /// Found once: the search looks at each directory above the working directory.
    private let repository = Repository.current
    private let causes: CauseNames

    init(_ run: LintRun) {
        self.run = run
        causes = CauseNames(run.report)
    }

    func write(to output: @escaping (String) -> Void) {
        RecordEncoder.write(ReportContent.Report(frame, lists), to: output)
        output("\n")
    }

    func writeLines(to output: @escaping (String) -> Void) {
        struct Line: Codable { let type: String }
        func write(_ type: String, record: some Codable) {
            RecordEncoder.write(Joined(Line(type: type), record), to: output)
            output("\n")
        }
        let lists = lists
        for finding in lists.findings { write("finding", record: finding) }
        for incident in lists.incidents { write("incident", record: incident) }
        for finding in lists.suppressed { write("suppressed", record: finding) }
        for finding in lists.accepted { write("accepted", record: finding) }
        write("run", record: frame)
    }

    private var frame: ReportContent.Run {
        ReportContent.Run(
            run.report, by: ReportContent.Tool(version: run.version, rules: RuleDigest(run.rules)),
            now: run.givenMoment, disabled: run.disabled,
            usedSuppressions: Set(run.report.usedSuppressions.map(name)).sorted(), isComplete: run.isComplete,
            failures: run.failures.map(\.reason),
            notes: [run.exclusionNote].compactMap(\.self) + run.mergeNotes + run.configurationNotes)
    }

    private var lists: ReportContent.Lists { ReportContent.Lists(run.report, record) }

    private func record(_ finding: Finding, at position: Int?) -> ReportContent.Finding {
        let anchor = run.anchors.anchorOutside(of: finding).map {
            ReportContent.Anchor(kind: $0.kind.rawValue, file: $0.shown, line: UInt(clamping: $0.line))
        }
        let writers = run.anchors.writers(of: finding)
        return ReportContent.Finding(
            finding, anchor: anchor,
            writtenBy: writers.lines.map {
                ReportContent.ProbableLine(
                    file: $0.anchor.shown, line: UInt(clamping: $0.anchor.line),
                    confidence: EvidenceJSON.confidence($0.confidence))
            }, writer: writers.writer, cause: causes[position], name: name)
    }

    /// Returns the identifier of a position in a configuration, without paths of this machine.
    private func name(of position: String) -> String {
        guard !run.isMerged, let end = position.split(separator: ":").dropLast(2).last?.endIndex else {
            return position
        }
        return repository.name(of: String(position[..<end])) + position[end...]
    }
}
