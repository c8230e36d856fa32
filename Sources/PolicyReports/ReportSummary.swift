internal import StoragePolicy
internal import TextOutput

/// The summary at the end of the text report.
struct ReportSummary {
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    /// The number of findings of each severity. A failed run does not count as a run without findings.
    var findings: String {
        let report = run.report
        if report.findings.isEmpty { return run.failures.isEmpty ? "No findings" : "No result" }
        return Severity.allCases.map { Quantity.count(report.count(of: $0), $0.rawValue) }.joined(separator: ", ")
    }

    /// The number of items, their size, that included in backups, and the omitted parts.
    var extent: String {
        let report = run.report
        let seen = "\(Quantity.count(report.items, "item")), \(Quantity.bytes(report.bytes))"
        let left =
            (report.suppressed > 0 ? " \(Quantity.count(report.suppressed, "finding")) suppressed." : "")
            + (report.baselined > 0 ? " \(Quantity.count(report.baselined, "finding")) accepted by the baseline." : "")
        return
            "\(seen); \(Quantity.bytes(report.backedUpBytes)) included in backups.\(left)\(run.isComplete ? "" : " Some items could not be read.")"
    }
}
