package import PolicyRecords
internal import StoragePolicy
internal import TextOutput

/// The changes of a run since an earlier one: findings, causes, and bytes by their treatment in backups.
package struct RunComparison {
    /// A cause of both runs, or of one of them.
    struct Entry {
        let change: CauseChange
        /// The cause in the later run; in the earlier one if it is fixed.
        let cause: ComparedCause
        /// The findings that only the later run has.
        let new: [ReportSnapshot.Line]
        /// The findings that only the earlier run has.
        let fixed: [ReportSnapshot.Line]
        /// The findings of both runs with more bytes or another severity than before.
        let changed: [ReportDifference.Changed]
        /// True for a cause without a problem that is new or larger.
        var isBetter: Bool { change.change == .fixed || change.change == .smaller }
    }

    package let difference: ReportDifference
    /// The causes: by their change in the order of `CauseChange.Kind`, then the most severe, then those that grew most.
    let entries: [Entry]
    /// Facts about the comparison that a reader must know, one sentence each.
    let notes: [String]
    /// The name of the earlier run.
    let name: String

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - difference: The changes of findings and sizes.
    ///   - before: The causes of the earlier run.
    ///   - after: The causes of the later run.
    ///   - notes: The notes.
    ///   - name: The name of the earlier run.
    init(
        _ difference: ReportDifference, causes before: [ComparedCause], _ after: [ComparedCause], notes: [String],
        since name: String
    ) {
        (self.difference, self.notes, self.name) = (difference, notes, name)
        let new = Dictionary(difference.new.map { ($0.fingerprint, $0) }) { first, _ in first }
        let gone = Dictionary(difference.gone.map { ($0.fingerprint, $0) }) { first, _ in first }
        let changed = Dictionary(difference.changed.map { ($0.after.fingerprint, $0) }) { first, _ in first }
        let entries = CauseMatching(before, after).groups.map { group in
            let (old, current) = (group.before.map { before[$0] }, group.after.map { after[$0] })
            let (oldPrints, prints) = (old.flatMap(\.fingerprints), current.flatMap(\.fingerprints))
            let (added, removed) = (prints.compactMap { new[$0] }, oldPrints.compactMap { gone[$0] })
            let all = current + old
            let first = all[0]
            var ids: Set<String> = []
            let change = CauseChange(
                (first.name, first.title, first.path),
                rules: (current.isEmpty ? old : current).flatMap(\.rules).filter { ids.insert($0).inserted },
                severities: (old.map(\.severity).max(), current.map(\.severity).max()),
                from: .sum(of: old.map(\.extent)), to: .sum(of: current.map(\.extent)), new: added.count,
                fixed: removed.count)
            return Entry(
                change: change, cause: first, new: added, fixed: removed, changed: prints.compactMap { changed[$0] })
        }
        let ranks = Dictionary(uniqueKeysWithValues: CauseChange.Kind.allCases.enumerated().map { ($1, $0) })
        self.entries = entries.sorted { left, right in
            let (one, other) = (left.change, right.change)
            if one.change != other.change { return ranks[one.change, default: 0] < ranks[other.change, default: 0] }
            if one.severity != other.severity { return one.severity > other.severity }
            if one.growth != other.growth { return one.growth > other.growth }
            return (one.name, one.path) < (other.name, other.path)
        }
    }

    /// The causes that changed.
    var shown: [Entry] { entries.filter { $0.change.change != .unchanged } }

    /// The numbers of causes by their change: “1 new, 2 fixed, 3 unchanged causes”, or “no causes”.
    var causes: String {
        guard let last = counts.last else { return "no causes" }
        return numbersOfCauses + (last.count == 1 ? " cause" : " causes")
    }

    /// The numbers of causes by their change: “1 new, 2 fixed, 3 unchanged”, or “none”.
    var numbersOfCauses: String {
        counts.isEmpty
            ? "none" : counts.map { "\(Quantity.grouped($0.count)) \($0.kind.rawValue)" }.joined(separator: ", ")
    }

    private var counts: [(count: Int, kind: CauseChange.Kind)] {
        CauseChange.Kind.allCases.compactMap { kind in
            let count = entries.count { $0.change.change == kind }
            return count > 0 ? (count, kind) : nil
        }
    }

    /// The numbers of findings by their change.
    var findings: String {
        "\(Quantity.count(difference.new.count, "new finding")), \(Quantity.grouped(difference.gone.count)) fixed, "
            + "\(Quantity.grouped(difference.kept)) unchanged"
    }

    /// The bytes by their treatment in backups: those that either run has, and the sums of backups and of everything.
    var sizes: [(label: String, before: UInt64, after: UInt64)] {
        let (before, after) = (difference.before, difference.after)
        let all = ClassSizes.Name.allCases.map { ($0.label, before.sizes[$0], after.sizes[$0]) }
        return all.filter { $0.1 > 0 || $0.2 > 0 } + [
            ("All in backups", before.whole.backedUpBytes, after.whole.backedUpBytes),
            ("All content", before.whole.bytes, after.whole.bytes),
        ]
    }

    /// Returns the change of a size with its sign.
    static func change(_ before: UInt64, _ after: UInt64) -> String {
        if before == after { return "±0" }
        return after > before ? "+\(Quantity.bytes(after - before))" : "−\(Quantity.bytes(before - after))"
    }

    /// Returns both sizes and the change.
    static func growth(_ before: UInt64, _ after: UInt64) -> String {
        before == after
            ? "\(Quantity.bytes(after)) unchanged"
            : "\(Quantity.bytes(before)) → \(Quantity.bytes(after)) (\(change(before, after)))"
    }

    /// The changes of findings by fingerprint: `new`, `grown` or `changed`.
    var changes: [String: String] {
        var changes = Dictionary(difference.new.map { ($0.fingerprint, "new") }) { first, _ in first }
        for line in difference.changed { changes[line.after.fingerprint] = line.isGrown ? "grown" : "changed" }
        return changes
    }
}
