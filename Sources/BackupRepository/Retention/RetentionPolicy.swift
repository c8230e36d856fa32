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

    package init() {}

    /// True if the policy keeps nothing.
    package var isEmpty: Bool { last <= 0 && daily <= 0 && weekly <= 0 && monthly <= 0 }

    /// Returns the snapshots that the policy does not keep, the oldest first. It applies to each view of each
    /// container. Snapshots without a bundle identifier are kept, because their containers cannot be distinguished.
    /// Snapshots dated ahead of `now` are kept and not counted.
    package func forgotten(of snapshots: [Snapshot], now: Timestamp) -> [Snapshot] {
        var kept: Set<Int64> = []
        let named = snapshots.filter { $0.bundleIdentifier != nil && !$0.isAhead(of: now) }
        for (_, group) in Dictionary(grouping: named, by: { [$0.bundleIdentifier, $0.kind, $0.view] }) {
            let newestFirst = group.sorted { $1.isOlder(than: $0, now: now) }
            kept.formUnion(newestFirst.prefix(max(0, last)).map(\.number))
            for (count, period) in [(daily, Self.day), (weekly, Self.week), (monthly, Self.month)] {
                var seen: Set<Int> = []
                for snapshot in newestFirst {
                    guard seen.count < max(0, count) else { break }
                    if seen.insert(period(snapshot)).inserted { kept.insert(snapshot.number) }
                }
            }
        }
        return named.filter { !kept.contains($0.number) }
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
