package import FileSystem
internal import Foundation

/// The policy that decides which snapshots `forget` keeps.
///
/// Each number counts periods that have a snapshot, and the last snapshot of each period is kept. Days, weeks (from
/// Monday, ISO 8601) and months are in UTC.
package struct RetentionPolicy: Sendable {
    package var last = 0
    package var daily = 0
    package var weekly = 0
    package var monthly = 0
    /// Snapshots that are at most this many seconds older than the last one of their group are kept.
    package var within: Int64 = 0
    /// Snapshots with one of these tags are kept.
    package var tags: Set<String> = []

    package init() {}

    /// True if the policy keeps nothing.
    package var isEmpty: Bool {
        last <= 0 && daily <= 0 && weekly <= 0 && monthly <= 0 && within <= 0 && tags.isEmpty
    }

    /// A snapshot that the policy applies to.
    package struct Decision: Sendable {
        package let snapshot: Snapshot
        /// The reasons to keep the snapshot, such as `last of its day`; empty if it is forgotten.
        package fileprivate(set) var reasons: [String] = []
    }

    /// Returns the snapshots that the policy does not keep, the oldest first. It applies to each view of each
    /// container. Snapshots without a bundle identifier are kept, because their containers cannot be distinguished.
    /// Snapshots dated ahead of `now` are kept and not counted.
    package func forgotten(of snapshots: [Snapshot], now: Timestamp) -> [Snapshot] {
        decisions(on: snapshots, now: now).filter(\.reasons.isEmpty).map(\.snapshot)
    }

    /// Returns the decision on each snapshot that the policy applies to, the oldest first.
    package func decisions(on snapshots: [Snapshot], now: Timestamp) -> [Decision] {
        var reasons: [Int64: [String]] = [:]
        let named = snapshots.filter { $0.bundleIdentifier != nil && !$0.isAhead(of: now) }
        for (_, group) in Dictionary(grouping: named, by: { [$0.bundleIdentifier, $0.kind, $0.view] }) {
            let newestFirst = group.sorted { $1.isOlder(than: $0, now: now) }
            for (index, snapshot) in newestFirst.prefix(max(0, last)).enumerated() {
                reasons[snapshot.number, default: []].append("\(index + 1) of the last \(last)")
            }
            let periods = [("day", daily, Self.day), ("week", weekly, Self.week), ("month", monthly, Self.month)]
            for (name, count, period) in periods {
                var seen: Set<Int> = []
                for snapshot in newestFirst {
                    guard seen.count < max(0, count) else { break }
                    if seen.insert(period(snapshot)).inserted {
                        reasons[snapshot.number, default: []].append("last of its \(name)")
                    }
                }
            }
            for snapshot in newestFirst {
                if within > 0, let newest = newestFirst.first, newest.taken.seconds - snapshot.taken.seconds <= within {
                    reasons[snapshot.number, default: []].append("within the time to keep")
                }
                for tag in snapshot.labels.tags where tags.contains(tag) {
                    reasons[snapshot.number, default: []].append("tag \(tag)")
                }
            }
        }
        return named.map { Decision(snapshot: $0, reasons: reasons[$0.number] ?? []) }
    }

    /// Returns the number of days since 1970-01-01.
    private static func day(_ snapshot: Snapshot) -> Int {
        Int((Double(snapshot.taken.seconds) / 86_400).rounded(.down))
    }

    /// Returns the number of weeks. 1970-01-01 was a Thursday.
    private static func week(_ snapshot: Snapshot) -> Int { Int((Double(day(snapshot) + 3) / 7).rounded(.down)) }

    private static func month(_ snapshot: Snapshot) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: Double(snapshot.taken.seconds))
        return calendar.component(.year, from: date) * 12 + calendar.component(.month, from: date)
    }
}
