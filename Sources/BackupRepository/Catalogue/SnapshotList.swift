package import FileSystem
internal import GRDB
internal import TextOutput

/// The snapshots of a repository, as far as their rows in the catalogue can be read.
package struct SnapshotList: Sendable {
    /// A snapshot whose row cannot be read. Commands skip it and name it.
    package struct Damaged: Sendable, Hashable {
        package let number: Int64
        /// The reason, in a few words.
        package let reason: String
    }

    /// The snapshots that can be read, by number.
    package internal(set) var snapshots: [Snapshot] = []
    /// The others, by number.
    package internal(set) var damaged: [Damaged] = []
}

/// The snapshot that a name stands for, and what was skipped to find it.
package struct SnapshotChoice: Sendable {
    package let snapshot: Snapshot
    /// Snapshots that could not be read; each may be the one that was meant by `latest`.
    package var damaged: [SnapshotList.Damaged] = []
    /// Snapshots of the same app that are dated ahead of the clock, and so are not the latest.
    package var ahead: [Snapshot] = []
}

extension Snapshot {
    /// The dates that a snapshot can have: from 1970 to the end of 9999, which calendars agree on.
    static let validSeconds: ClosedRange<Int64> = 0...253_402_300_799

    /// The dates that a right clock can show: from 2026, when this tool was written, to the end of 2199. A clock
    /// without its battery starts in 1970, and `forget` would take its snapshots for the oldest.
    private static let plausibleSeconds: ClosedRange<Int64> = 1_767_225_600...7_258_118_399

    /// - Throws: `failed` where the system clock cannot be right.
    package static func requireClock(_ now: Timestamp) throws(BackupError) {
        guard !plausibleSeconds.contains(now.seconds) else { return }
        let isEarly = now.seconds < plausibleSeconds.lowerBound
        throw BackupError(
            .failed,
            "the system clock is wrong: it shows a date \(isEarly ? "before 2026" : "after 2199"); no snapshot was made",
            hint: "set the clock and run the command again")
    }

    /// - Throws: `failed` for a date that a snapshot cannot have.
    static func requireDate(_ taken: Timestamp) throws(BackupError) {
        guard !validSeconds.contains(taken.seconds) else { return }
        throw BackupError(.failed, "a snapshot cannot be dated before 1970 or after 9999; none was made")
    }

    /// Returns true for a snapshot dated more than a day ahead of `now`: a clock was wrong then, or is wrong now. Up to
    /// a day is the difference of two machines' clocks.
    package func isAhead(of now: Timestamp) -> Bool { taken.seconds > now.seconds.addingClamped(86_400) }

    /// Returns true if `latest` and `forget` hold this snapshot to be older than another one: by date, and by number
    /// within one date. Snapshots dated ahead of the clock come first, since nothing is known of their age.
    func isOlder(than other: Snapshot, now: Timestamp) -> Bool {
        let (mine, others) = (isAhead(of: now), other.isAhead(of: now))
        return mine == others ? (taken, number) < (other.taken, other.number) : mine
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

extension Repository {
    /// Finds the snapshot that a user names. The latest is the one that `forget --keep-last 1` keeps.
    ///
    /// - Parameters:
    ///   - name: A number or `latest`.
    ///   - bundleIdentifier: The app that `latest` is of; nil for the only one that the repository holds.
    ///   - now: The system clock, which tells what is dated ahead of it.
    /// - Returns: The snapshot, with those that were skipped to find it.
    /// - Throws: `notFound`; `ambiguous` where the last snapshots of several apps may be meant; `damaged` where the
    ///   snapshot, or each that may be the latest, cannot be read.
    package func snapshot(
        named name: String, of bundleIdentifier: String? = nil, now: Timestamp = .now
    ) throws(BackupError) -> SnapshotChoice {
        var list = SnapshotList()
        if name == "latest" {
            list = try snapshots()
            let all = list.snapshots.filter { bundleIdentifier == nil || $0.bundleIdentifier == bundleIdentifier }
            try Self.requireOneApp(all)
            if let latest = all.max(by: { $0.isOlder(than: $1, now: now) }) {
                let ahead = all.filter { $0.isAhead(of: now) && $0.number != latest.number }
                return SnapshotChoice(snapshot: latest, damaged: list.damaged, ahead: ahead)
            }
        } else if let number = Int64(name), let found = try snapshot(numbered: number) {
            return SnapshotChoice(snapshot: found)
        }
        if let first = list.damaged.first {
            throw BackupError(
                .damaged, "no snapshot can be read that may be the latest: snapshot \(first.number): \(first.reason)",
                hint: "`sandboxbackup verify` names all damage")
        }
        guard try withCatalogue({ try Int.fetchOne($0, sql: "SELECT count(*) FROM snapshot") ?? 0 }) > 0 else {
            throw BackupError(
                .notFound, "the store holds no snapshot yet", hint: "make one with `sandboxbackup create`")
        }
        let wanted = name == "latest" ? bundleIdentifier ?? name : name
        throw BackupError(
            .notFound, "the store holds no snapshot “\(ByteText.escaped(Array(wanted.utf8)))”",
            hint: "`sandboxbackup snapshots` lists them; `latest` is the last")
    }

    private static func requireOneApp(_ snapshots: [Snapshot]) throws(BackupError) {
        let apps = Set(snapshots.map(\.bundleIdentifier))
        guard apps.count > 1 else { return }
        let names = apps.map { $0.map { ByteText.escaped(Array($0.utf8)) } ?? "one that has no name" }.sorted()
        throw BackupError(
            .ambiguous, "the store holds snapshots of several apps: \(names.joined(separator: ", "))",
            hint: "name one with --bundle-id, or the snapshot by its number instead of `latest`")
    }
}
