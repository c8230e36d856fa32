package import ContainerTree
internal import Foundation
package import PolicyRecords
package import StoragePolicy
internal import TextOutput

/// One of two runs that are compared: a run of this process, or the report of an earlier one.
package struct ComparedRun {
    /// The maximum number of rules and containers in a note.
    private static let mostNames = 3

    private let run: LintRun
    private let snapshot: ReportSnapshot
    /// The findings of rules that this version does not have.
    private let others: [ReportSnapshot.Line]
    /// The name, for notes and titles.
    package let name: String
    private let version: String
    private let rules: String
    /// True if it is an earlier report.
    package let isReport: Bool

    /// A run of this process.
    package init(_ run: LintRun, name: String) {
        (self.run, self.name, version) = (run, name, run.version)
        (snapshot, others, isReport) = (ReportSnapshot(run.report), [], false)
        rules = RuleDigest(run.rules).text
    }

    /// The report of an earlier run.
    ///
    /// - Parameters:
    ///   - path: The path of the report.
    ///   - rules: The rules that findings may have. Those of other rules are listed by rule, without a remedy.
    ///   - version: The version of this tool.
    /// - Throws: `UnreadableSource` for what cannot be read, is no such report or is damaged.
    package init(reading path: String, rules: [Rule], version: String) throws(UnreadableSource) {
        let report = try EarlierReport(reading: path)
        let (known, others) = report.restricted(to: Set(rules.map(\.id)))
        let recorded = try RecordedRun(known, rules: Dictionary(rules.map { ($0.id, $0) }) { first, _ in first })
        run = LintRun(recorded, rules: rules, version: version)
        (snapshot, self.others, isReport) = (ReportSnapshot(report), others, true)
        (self.version, self.rules) = (recorded.version, recorded.rules)
        name = ByteText.printable(path.split(separator: "/").last.map(String.init) ?? path)
    }

    /// The map of the only container; nil for a report.
    package var map: StorageMap? { run.report.maps.count == 1 ? run.report.maps.first : nil }

    /// Compares a run with an earlier one.
    package func compared(to before: ComparedRun) -> RunComparison {
        // A rule that only one of the runs evaluated says nothing about the change.
        let ignored = notEvaluated.symmetricDifference(before.notEvaluated)
        let left = (before.snapshot, snapshot)
        let (old, new) = (left.0.without(ignored), left.1.without(ignored))
        let dropped = left.0.findings.count - old.findings.count + left.1.findings.count - new.findings.count
        var notes = versionNotes(before)
        for run in [before, self] where !run.others.isEmpty {
            notes.append(
                "\(Quantity.count(run.others.count, "finding")) of \(run.name) \(run.others.count == 1 ? "is" : "are") of "
                    + "rules that sandboxlint \(self.run.version) does not have: "
                    + "\(Self.list(Set(run.others.map(\.rule)).sorted())).")
        }
        if dropped > 0 {
            let rules = (left.0.findings.values.map(\.rule) + left.1.findings.values.map(\.rule)).filter(
                ignored.contains)
            notes.append(
                "\(Quantity.count(dropped, "finding")) \(dropped == 1 ? "is" : "are") not compared, because only one of the "
                    + "runs evaluated the rules: \(Self.list(Set(rules).sorted())).")
        }
        let hidden = max(old.hidden, new.hidden)
        if hidden > 0 {
            notes.append("\(Quantity.count(hidden, "finding")) accepted by a baseline or suppressed, not compared.")
        }
        return RunComparison(
            ReportDifference(from: old, to: new), causes: before.causes(without: ignored, besides: new),
            causes(without: ignored, besides: old), notes: notes, since: before.name)
    }

    private func versionNotes(_ before: ComparedRun) -> [String] {
        if before.version != version {
            return [
                "\(before.name) is of sandboxlint \(before.version), \(name) of \(version): other rules may be the reason for "
                    + "new and fixed findings."
            ]
        }
        guard before.rules != rules else { return [] }
        return [
            "\(before.name) and \(name) are of runs with different rules, which may be the reason for new and fixed findings."
        ]
    }

    /// The ids of the rules that were evaluated for no container.
    private var notEvaluated: Set<String> {
        guard let first = run.disabled.first else { return [] }
        return run.disabled.dropFirst().reduce(first) { $0.intersection($1) }
    }

    /// Returns the causes without the findings of ignored rules. A finding of an unknown rule that the other run has too is
    /// unchanged.
    private func causes(without ignored: Set<String>, besides other: ReportSnapshot) -> [ComparedCause] {
        var report = run.report
        report.findings.removeAll { ignored.contains($0.rule.id) }
        let notes = FindingNotes(run)
        let known = Cause.all(of: report).map { cause in
            let label = run.anchors.label(of: cause.first.input).map { "\($0): " } ?? ""
            return ComparedCause(
                cause, path: label + cause.location, reason: notes.reason(of: cause),
                remedy: run.remedy(cause.parts[0].findings))
        }
        let unknown = Dictionary(
            grouping: others.filter { !ignored.contains($0.rule) && other.findings[$0.fingerprint] == nil }, by: \.rule)
        return known
            + unknown.sorted { $0.key < $1.key }.map { ComparedCause(ofUnknownRule: $0.key, $0.value) }
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(mostNames).joined(separator: ", ")
        return names.count > mostNames ? "\(shown) and \(names.count - mostNames) more" : shown
    }
}

extension LintRun {
    /// A run that one earlier report records.
    fileprivate init(_ recorded: RecordedRun, rules: [Rule], version: String) {
        self.init(
            recorded: recorded.report, disabled: recorded.disabled, rules: rules, moment: recorded.now,
            version: version)
    }

    /// Adds the changes since an earlier run to the report of this one.
    package mutating func compare(to before: ComparedRun) {
        comparison = ComparedRun(self, name: "this run").compared(to: before)
    }
}
