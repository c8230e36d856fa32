internal import AppContainer
package import StoragePolicy

/// The compared data of a run: the findings and the sizes of locations. Created from a run or from an earlier report.
package struct ReportSnapshot: Sendable {
    /// A finding of a report. Every text is safe to show.
    package struct Line: Codable, Sendable, Hashable {
        package let rule: String
        @Word package private(set) var severity: Severity
        package let path: String
        @Count package private(set) var items: Int
        package let bytes: UInt64
        package let message: String
        package let fingerprint: String
    }

    /// By fingerprint; of several with one the first.
    package let findings: [String: Line]
    package let whole: LintReport.Content
    /// By the location's path.
    package let locations: [String: LintReport.Content]
    /// Findings that are not among these, since a baseline or a suppression holds them.
    package let hidden: Int
    /// True if the run is complete.
    package let isComplete: Bool
    /// The bytes by their treatment in backups.
    package let sizes: ClassSizes

    package init(_ report: LintReport) {
        let lines = report.findings.map { finding in
            Line(
                rule: finding.rule.id, severity: finding.severity, path: finding.displayPath, items: finding.items,
                bytes: finding.bytes, message: finding.message, fingerprint: finding.fingerprint)
        }
        let locations = Dictionary(uniqueKeysWithValues: report.locations.map { ($0.key.path, $0.value) })
        self.init(
            lines, whole: report.content, locations: locations, hidden: report.suppressed + report.baselined,
            isComplete: report.isComplete,
            sizes: ClassSizes(
                whole: report.content, regenerable: report.regenerableBackedUpBytes,
                undecided: report.undecidedBackedUpBytes, locations: locations))
    }

    package init(
        _ lines: [Line], whole: LintReport.Content, locations: [String: LintReport.Content], hidden: Int,
        isComplete: Bool, sizes: ClassSizes
    ) {
        findings = Dictionary(lines.map { ($0.fingerprint, $0) }) { first, _ in first }
        (self.whole, self.locations, self.hidden, self.isComplete) = (whole, locations, hidden, isComplete)
        self.sizes = sizes
    }

    /// Returns the run without the findings of some rules.
    package func without(_ rules: Set<String>) -> ReportSnapshot {
        ReportSnapshot(
            findings.values.filter { !rules.contains($0.rule) }, whole: whole, locations: locations, hidden: hidden,
            isComplete: isComplete, sizes: sizes)
    }
}

/// The changes between two runs.
package struct ReportDifference: Sendable {
    /// A finding of both runs whose bytes or severity changed.
    package struct Changed: Sendable {
        package let before: ReportSnapshot.Line
        package let after: ReportSnapshot.Line
        /// True if the item has more bytes than before.
        package var isGrown: Bool { after.bytes > before.bytes }
    }

    /// Only in the later one; worst first, then by rule and path.
    package let new: [ReportSnapshot.Line]
    /// Only in the earlier one.
    package let gone: [ReportSnapshot.Line]
    /// In both.
    package let kept: Int
    /// The findings of the later one that the earlier one has with fewer bytes or another severity, in the order of `new`.
    package let changed: [Changed]
    package let before: ReportSnapshot
    package let after: ReportSnapshot

    package init(from before: ReportSnapshot, to after: ReportSnapshot) {
        (self.before, self.after) = (before, after)
        new = Self.lines(of: after, not: before)
        gone = Self.lines(of: before, not: after)
        kept = after.findings.count - new.count
        changed = Self.sorted(after.findings.values).compactMap { line in
            guard let old = before.findings[line.fingerprint], line.bytes > old.bytes || line.severity != old.severity
            else { return nil }
            return Changed(before: old, after: line)
        }
    }

    /// The number of added bytes; 0 if there are fewer than before.
    package var growth: UInt64 { after.whole.bytes > before.whole.bytes ? after.whole.bytes - before.whole.bytes : 0 }

    /// Every location whose bytes or items are others than before, by path.
    package var locations: [(path: String, before: LintReport.Content, after: LintReport.Content)] {
        let (old, new) = (before.locations, after.locations)
        return Set(old.keys).union(new.keys).sorted().map { ($0, old[$0] ?? .init(), new[$0] ?? .init()) }
            .filter { $0.1 != $0.2 }
    }

    private static func lines(of one: ReportSnapshot, not other: ReportSnapshot) -> [ReportSnapshot.Line] {
        sorted(one.findings.values.filter { other.findings[$0.fingerprint] == nil })
    }

    private static func sorted(_ lines: some Sequence<ReportSnapshot.Line>) -> [ReportSnapshot.Line] {
        lines.sorted { left, right in
            if left.severity != right.severity { return left.severity > right.severity }
            return (left.rule, left.path, left.fingerprint) < (right.rule, right.path, right.fingerprint)
        }
    }
}
