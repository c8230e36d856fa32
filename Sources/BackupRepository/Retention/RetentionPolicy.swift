package import FileSystem
internal import Foundation
internal import TextOutput

/// The policy that decides which snapshots `forget` keeps.
///
/// A number counts periods that have a snapshot, and the last snapshot of each period is kept; while fewer periods exist,
/// the oldest snapshot is kept as well. Periods are in UTC, and weeks begin on Monday (ISO 8601). The rules are those of
/// restic 0.17.3 (restic 0.14 does not keep the oldest snapshot): https://restic.readthedocs.io/en/stable/060_forget.html
package struct RetentionPolicy: Sendable {
    /// A period of which one snapshot is kept.
    package enum Period: String, Sendable, CaseIterable {
        case hour, day, week, month, year
    }

    /// The number that keeps all snapshots, or that of all periods.
    package static let unlimited = Int.max

    package var last = 0
    /// The numbers of periods to keep.
    package var counts: [Period: Int] = [:]
    /// Snapshots that are younger than this, measured from the last one of their group, are kept.
    package var within: TimeSpan?
    /// The time, measured from the last snapshot of a group, in which the last snapshot of each period is kept.
    package var periodsWithin: [Period: TimeSpan] = [:]
    /// Snapshots that have all tags of one of these lists are kept.
    package var tags: [[String]] = []
    /// True if all snapshots of a group may be removed. Otherwise the last one is kept.
    package var allowsEmptyGroups = false

    package init() {}

    /// True if the policy keeps nothing.
    package var isEmpty: Bool {
        last <= 0 && counts.values.allSatisfy { $0 <= 0 } && within == nil && periodsWithin.isEmpty && tags.isEmpty
    }

    /// The decision on a snapshot.
    package struct Decision: Sendable {
        package let snapshot: Snapshot
        /// The reasons to keep the snapshot, such as `last of its day`; empty if it is removed.
        package fileprivate(set) var reasons: [String] = []
        /// True if the snapshot is removed.
        package var isRemoved: Bool { reasons.isEmpty }
    }

    /// Returns the decision on each snapshot, the oldest first. The policy applies to each view of each container.
    /// Snapshots without a bundle identifier, whose containers cannot be distinguished, and snapshots dated ahead of
    /// `now` are kept and not counted.
    ///
    /// - Throws: `notFound` if a list of tags matches no snapshot.
    package func decisions(on snapshots: [Snapshot], now: Timestamp) throws(BackupError) -> [Decision] {
        for list in tags { try Self.require(list, in: snapshots) }
        var decisions: [Decision] = []
        for (group, members) in Dictionary(grouping: snapshots, by: SnapshotGroup.init) {
            let ahead = members.filter { $0.isAhead(of: now) }
            decisions += ahead.map { Decision(snapshot: $0, reasons: ["dated ahead of the system clock"]) }
            let counted = members.filter { !$0.isAhead(of: now) }
            guard group.bundleIdentifier != nil else {
                decisions += counted.map { Decision(snapshot: $0, reasons: ["without a bundle identifier"]) }
                continue
            }
            let newestFirst = counted.sorted { $1.isOlder(than: $0, now: now) }
            var decided = newestFirst.map { Decision(snapshot: $0) }
            apply(to: &decided)
            if !allowsEmptyGroups, !decided.isEmpty, decided.allSatisfy(\.isRemoved) {
                decided[0].reasons = ["the last one of its app, without --allow-empty"]
            }
            decisions += decided
        }
        return decisions.sorted { $0.snapshot.isOlder(than: $1.snapshot, now: now) }
    }

    /// Adds the reasons to keep the snapshots of a group, the newest first.
    private func apply(to decisions: inout [Decision]) {
        guard let newest = decisions.first?.snapshot.taken else { return }
        for index in decisions.indices.prefix(max(0, last)) {
            let number = last == Self.unlimited ? "all" : "\(index + 1) of the last \(last)"
            decisions[index].reasons.append(number)
        }
        if let within {
            let start = within.start(before: newest)
            for index in decisions.indices where decisions[index].snapshot.taken > start {
                decisions[index].reasons.append("within \(within) of the last")
            }
        }
        for period in Period.allCases {
            if let count = counts[period] { mark(count, period, in: &decisions) }
            guard let span = periodsWithin[period] else { continue }
            mark(
                Self.unlimited, period, since: span.start(before: newest), " within \(span) of the last", in: &decisions
            )
        }
        for index in decisions.indices {
            for list in tags where Self.has(decisions[index].snapshot, tags: list) {
                decisions[index].reasons.append("tag\(list.count == 1 ? "" : "s") \(list.joined(separator: ", "))")
            }
        }
    }

    /// Keeps the last snapshot of each of `count` periods, the newest first, and the oldest snapshot if there are fewer.
    private func mark(
        _ count: Int, _ period: Period, since start: Timestamp? = nil, _ addition: String = "",
        in decisions: inout [Decision]
    ) {
        var (left, seen): (Int, Int?) = (count, nil)
        for index in decisions.indices where left > 0 {
            let snapshot = decisions[index].snapshot
            if let start, snapshot.taken <= start { return }
            let value = period.number(of: snapshot.taken)
            guard value != seen || index == decisions.count - 1 else { continue }
            decisions[index].reasons.append(
                value == seen ? "oldest, while \(period)s are left to keep" : "last of its \(period)\(addition)")
            seen = value
            if left != Self.unlimited { left -= 1 }
        }
    }

    private static func has(_ snapshot: Snapshot, tags: [String]) -> Bool {
        tags.allSatisfy(snapshot.labels.tags.contains)
    }

    /// Refuses tags that no snapshot has, since a mistyped tag would keep nothing.
    private static func require(_ list: [String], in snapshots: [Snapshot]) throws(BackupError) {
        guard !snapshots.contains(where: { has($0, tags: list) }) else { return }
        let known = Set(snapshots.flatMap(\.labels.tags))
        let hint: String
        if let wrong = list.first(where: { !known.contains($0) }) {
            let nearest = NearestName.of(wrong, among: known)
            hint =
                nearest.map { "did you mean “\(ByteText.printable($0))”?" }
                ?? "`sandboxbackup snapshots` lists the tags"
        } else {
            hint = "tags joined by a comma must all match; repeat --keep-tag for alternatives"
        }
        let name = list.map(ByteText.printable).joined(separator: ",")
        throw BackupError(.notFound, what: "no snapshot has the tag “\(name)”; nothing was removed", hint: hint)
    }
}

extension RetentionPolicy.Period {
    /// Returns a number that increases with each period.
    fileprivate func number(of time: Timestamp) -> Int {
        func quotient(_ length: Double) -> Int { Int((Double(time.seconds) / length).rounded(.down)) }
        func component(_ component: Calendar.Component) -> Int {
            Calendar.utc.component(component, from: Date(timeIntervalSince1970: Double(time.seconds)))
        }
        return switch self {
        case .hour: quotient(3_600)
        case .day: quotient(86_400)
        // 1970-01-01 was a Thursday.
        case .week: Int((Double(quotient(86_400) + 3) / 7).rounded(.down))
        case .month: component(.year) * 12 + component(.month)
        case .year: component(.year)
        }
    }
}

/// The snapshots to which a retention policy applies together: one view of one container.
private struct SnapshotGroup: Hashable {
    let bundleIdentifier: String?
    let kind: String
    let view: String

    init(of snapshot: Snapshot) {
        (bundleIdentifier, kind, view) = (snapshot.bundleIdentifier, snapshot.kind, snapshot.view)
    }
}

extension RetentionPolicy {
    /// Returns the decisions of a removal by number: on the named snapshots, and on the others of their groups.
    ///
    /// - Throws: `failed` if the removal would leave a group without snapshots and `allowsEmptyGroups` is false.
    package func decisions(
        removing numbers: Set<Int64>, of snapshots: [Snapshot], now: Timestamp
    ) throws(BackupError) -> [Decision] {
        var decisions: [Decision] = []
        for (group, members) in Dictionary(grouping: snapshots, by: SnapshotGroup.init) {
            guard members.contains(where: { numbers.contains($0.number) }) else { continue }
            if !allowsEmptyGroups, members.allSatisfy({ numbers.contains($0.number) }) {
                let app = group.bundleIdentifier.map { "of “\(ByteText.escaped(Array($0.utf8)))”" }
                let count =
                    members.count == 1 ? "snapshot \(members[0].number) is" : "these \(members.count) snapshots are"
                throw BackupError(
                    .failed,
                    what: "\(count) all that exists \(app ?? "of apps without an identifier"); nothing was removed",
                    hint: "add --allow-empty to remove the last snapshot of an app")
            }
            decisions += members.map {
                Decision(snapshot: $0, reasons: numbers.contains($0.number) ? [] : ["not named"])
            }
        }
        return decisions.sorted { $0.snapshot.isOlder(than: $1.snapshot, now: now) }
    }
}
