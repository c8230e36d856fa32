package import FileSystem
internal import GRDB
internal import TextOutput

/// The snapshots of a repository, separated by whether their rows can be read.
package struct SnapshotList: Sendable {
    /// A snapshot whose row cannot be read. Commands skip and report it.
    package struct Damaged: Sendable, Hashable {
        package let number: Int64
        /// The reason, in a few words.
        package let reason: String

        /// The warning of a command that skips the snapshot.
        package var warning: String { "snapshot \(number) is damaged and was skipped: \(reason)" }
    }

    /// The readable snapshots, by number.
    package internal(set) var snapshots: [Snapshot] = []
    /// The unreadable snapshots, by number.
    package internal(set) var damaged: [Damaged] = []

    /// - Parameter bundleIdentifier: The app; nil if the repository contains only one.
    /// - Returns: The snapshots of the app.
    /// - Throws: `ambiguous`; `notFound` if there is no snapshot of the app.
    package func ofOneApp(_ bundleIdentifier: String?) throws(BackupError) -> [Snapshot] {
        guard let bundleIdentifier else {
            try Repository.requireOneApp(snapshots)
            return snapshots
        }
        let found = snapshots.filter { $0.bundleIdentifier == bundleIdentifier }
        guard found.isEmpty else { return found }
        throw BackupError(
            .notFound, what: "the repository contains no snapshot “\(ByteText.escaped(Array(bundleIdentifier.utf8)))”",
            hint: "`sandboxbackup snapshots` lists all snapshots")
    }
}

extension SnapshotList {
    /// Returns the last snapshots of each group, by number. `latest` is the last of them.
    package static func latest<Group: Hashable>(
        _ count: Int, of snapshots: [Snapshot], now: Timestamp, by group: (Snapshot) -> Group
    ) -> [Snapshot] {
        Dictionary(grouping: snapshots, by: group).values.flatMap { members in
            members.sorted { $1.isOlder(than: $0, now: now) }.prefix(count)
        }.sorted { $0.number < $1.number }
    }
}

/// The snapshot that a user named, with the snapshots that were skipped to find it.
package struct SnapshotChoice: Sendable {
    package let snapshot: Snapshot
    /// Unreadable snapshots. Each may be the one that `latest` stands for.
    package var damaged: [SnapshotList.Damaged] = []
    /// Snapshots of the same app that are dated ahead of the clock, and therefore are not the latest.
    package var ahead: [Snapshot] = []

    /// The warning about the snapshots that are dated ahead of the clock; nil without any.
    package var aheadWarning: String? {
        guard !ahead.isEmpty else { return nil }
        let numbers = ahead.map { "\($0.number)" }.joined(separator: ", ")
        return
            "snapshots dated ahead of the system clock are not the latest: \(numbers); name one by its number to use it"
    }
}

extension Snapshot {
    /// The valid dates of snapshots: from 1970 to the end of 9999.
    static let validSeconds: ClosedRange<Int64> = 0...253_402_300_799

    /// The plausible dates of the system clock: from 2026 to the end of 2199. A clock without a battery starts in 1970,
    /// and `forget` would treat its snapshots as the oldest.
    private static let plausibleSeconds: ClosedRange<Int64> = 1_767_225_600...7_258_118_399

    /// Checks the system clock.
    ///
    /// - Throws: `failed` if it shows an implausible date.
    package static func requireClock(_ now: Timestamp) throws(BackupError) {
        guard !plausibleSeconds.contains(now.seconds) else { return }
        let isEarly = now.seconds < plausibleSeconds.lowerBound
        throw BackupError(
            .failed,
            what:
                "the system clock is wrong: it shows a date \(isEarly ? "before 2026" : "after 2199"); no snapshot was made",
            hint: "set the clock and run the command again")
    }

    /// Checks the date of a snapshot.
    ///
    /// - Throws: `failed` if it is invalid.
    static func requireDate(_ taken: Timestamp) throws(BackupError) {
        guard !validSeconds.contains(taken.seconds) else { return }
        throw BackupError(.failed, what: "a snapshot cannot be dated before 1970 or after 9999; no snapshot was made")
    }

    /// Returns true if the snapshot is dated more than a day ahead of `now`. Clocks of two machines may differ by up to
    /// a day.
    package func isAhead(of now: Timestamp) -> Bool { taken.seconds > now.seconds.addingClamped(86_400) }

    /// Returns true if `latest` and `forget` treat this snapshot as older than another one: by date, then by number.
    /// Snapshots dated ahead of the clock come first, because their age is unknown.
    func isOlder(than other: Snapshot, now: Timestamp) -> Bool {
        let (mine, others) = (isAhead(of: now), other.isAhead(of: now))
        return mine == others ? (taken, number) < (other.taken, other.number) : mine
    }
}

extension Repository {
    /// Returns the snapshot whose ID begins with hexadecimal digits, or nil.
    ///
    /// - Throws: `ambiguous` if there are several.
    private func snapshot(withID prefix: String) throws(BackupError) -> Snapshot? {
        let found = try snapshots().snapshots.filter { $0.id.hasPrefix(prefix.lowercased()) }
        guard found.count > 1 else { return found.first }
        let numbers = found.prefix(10).map { "\($0.number)" }.joined(separator: ", ")
        throw BackupError(
            .ambiguous, what: "the IDs of \(found.count) snapshots begin with “\(prefix)”: those of \(numbers)",
            hint: "give more digits, or the number")
    }
}

extension Snapshot {
    /// The fewest digits of an ID that name a snapshot.
    fileprivate static let shortestID = 4
    /// The digits of an ID that lists show.
    package var shortID: Substring { id.prefix(8) }
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
    ///   - name: A number, the beginning of an ID, or `latest`. A colon and the path of a directory may follow, which then
    ///     stands for the container.
    ///   - bundleIdentifier: The app for `latest`; nil if the repository contains only one.
    ///   - now: The system clock.
    /// - Returns: The snapshot, and those that were skipped to find it.
    /// - Throws: `notFound`; `ambiguous` if `latest` may be a snapshot of several apps; `damaged` if the snapshot, or
    ///   every possible latest one, cannot be read.
    package func snapshot(
        named name: String, of bundleIdentifier: String? = nil, now: Timestamp = .now
    ) throws(BackupError) -> SnapshotChoice {
        if let colon = name.firstIndex(of: ":") {
            let choice = try snapshot(named: String(name[..<colon]), of: bundleIdentifier, now: now)
            return SnapshotChoice(
                snapshot: try rooted(choice.snapshot, at: String(name[name.index(after: colon)...])),
                damaged: choice.damaged, ahead: choice.ahead)
        }
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
        } else if name.utf8.count >= Snapshot.shortestID, let found = try snapshot(withID: name) {
            return SnapshotChoice(snapshot: found)
        }
        if let first = list.damaged.first {
            throw BackupError(
                .damaged,
                what: "every snapshot that may be the latest is damaged: snapshot \(first.number): \(first.reason)",
                hint: "`sandboxbackup verify` reports all damage")
        }
        guard try withCatalogue({ try Int.fetchOne($0, sql: "SELECT count(*) FROM snapshot") ?? 0 }) > 0 else {
            throw BackupError(
                .notFound, what: "the repository contains no snapshots", hint: "make one with `sandboxbackup create`")
        }
        let wanted = name == "latest" ? bundleIdentifier ?? name : name
        throw BackupError(
            .notFound, what: "the repository contains no snapshot “\(ByteText.escaped(Array(wanted.utf8)))”",
            hint: "`sandboxbackup snapshots` lists all snapshots; `latest` is the last one")
    }

    /// Returns a snapshot in which a directory, literally or escaped as in reports, stands for the container.
    ///
    /// - Throws: `notFound`.
    package func rooted(_ snapshot: Snapshot, at text: String) throws(BackupError) -> Snapshot {
        var rooted = snapshot
        rooted.root = try path(text, in: snapshot)
        _ = try TreeReader(rooted, of: self).container()
        return rooted
    }

    static func requireOneApp(_ snapshots: [Snapshot]) throws(BackupError) {
        let apps = Set(snapshots.map(\.bundleIdentifier))
        guard apps.count > 1 else { return }
        let names = apps.map { $0.map { ByteText.escaped(Array($0.utf8)) } ?? "an unnamed app" }.sorted()
        throw BackupError(
            .ambiguous, what: "the repository contains snapshots of several apps: \(names.joined(separator: ", "))",
            hint: "name one with --bundle-id, or the snapshot by its number instead of `latest`")
    }
}
