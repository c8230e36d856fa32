package import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Removes the leftovers of interrupted saves and copies: temporary files and directories of this user that no running
    /// process holds.
    ///
    /// A running process holds a lock on its temporary files, and their names contain its number. A leftover of a process that
    /// no longer runs is removed at once. `age` is for processes of other computers and for numbers that are used again. It must
    /// be longer than a batch takes.
    ///
    /// - Parameter age: The minimum time since the last change of another leftover. The default is an hour.
    /// - Returns: The paths of the removed items, sorted within each directory.
    /// - Throws: `permissionDenied`, `failed`.
    @discardableResult
    public func sweepLeftovers(olderThan age: Duration = .seconds(3_600)) throws(ContainerError) -> [ContainerPath] {
        try sweepLeftovers(olderThan: age, now: .now)
    }

    /// Removes leftovers as of a time that a test chooses.
    package func sweepLeftovers(olderThan age: Duration, now: Timestamp) throws(ContainerError) -> [ContainerPath] {
        let latest = now.earlier(by: age)
        var swept: [FilePath] = []
        do throws(FileSystemError) {
            try folder.visit("") { entry throws(FileSystemError) in
                let name = entry.name.bytes
                guard name.withUnsafeBytes(AtomicWrite.isStagingName) else { return true }
                // A copy has the modification time of its original, but its own change time.
                let isOld = max(entry.status.modified, entry.status.changed) <= latest
                if isOld || AtomicWrite.isProcessGone(of: name), entry.status.isOwnedByThisUser, isAbandoned(entry) {
                    try entry.remove()
                    swept.append(entry.path)
                }
                return false
            }
        } catch { throw ContainerError(error, onDisk: "Leftovers removed before the failure: \(swept.count).") }
        if !swept.isEmpty { report(.swept, .root, files: swept.count) }
        return swept.map { containerPath($0) }
    }

    /// Returns true if no process holds the lock of a temporary file or directory.
    private func isAbandoned(_ entry: Folder.Entry) -> Bool {
        guard entry.status.kind == .file || entry.status.kind == .directory else { return true }
        return (try? entry.open())?.tryLock() ?? false
    }
}

extension Timestamp {
    fileprivate func earlier(by duration: Duration) -> Timestamp {
        let (wholeSeconds, attoseconds) = duration.components
        // The limits prevent an overflow for durations without end.
        var seconds = seconds - min(max(wholeSeconds, -1 << 61), 1 << 61)
        var nanoseconds = Int64(nanoseconds) - attoseconds / 1_000_000_000
        if nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
        if nanoseconds >= 1_000_000_000 { (seconds, nanoseconds) = (seconds + 1, nanoseconds - 1_000_000_000) }
        return Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds))
    }
}

extension Container {
    /// Removes downloaded and derived files whose recorded expiry date has passed
    /// (`Provenance.downloaded(from:expires:)`).
    ///
    /// The app must delete files that are excluded from backup itself: the system never deletes them, and no backup
    /// restores them. A file without an expiry date or of another origin is never removed.
    ///
    /// - Parameter now: The date for the comparison.
    /// - Returns: The removed files with their sizes.
    /// - Throws: `permissionDenied`, `noAttributes`, `failed`.
    @discardableResult
    public func purgeExpired(now: Date = Date()) throws(ContainerError) -> [DiskUsage.Item] {
        var purged: [DiskUsage.Item] = []
        do throws(FileSystemError) {
            try folder.visit("") { entry throws(FileSystemError) in
                guard entry.status.kind == .file else { return true }
                // A concurrent save may replace the file.
                let removed = try withPathLock(at: entry.path) { () throws(FileSystemError) in
                    try purge(entry, ifExpiredAt: now)
                }
                guard let removed else { return true }
                purged.append(removed)
                return true
            }
        } catch { throw ContainerError(error, onDisk: "Files removed before the failure: \(purged.count).") }
        if !purged.isEmpty {
            report(.expired, .root, files: purged.count, bytes: purged.reduce(0) { $0.addingSaturated($1.size) })
        }
        return purged
    }

    private func purge(_ entry: Folder.Entry, ifExpiredAt now: Date) throws(FileSystemError) -> DiskUsage.Item? {
        let file: OpenFile
        do throws(FileSystemError) { file = try entry.open() } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            return nil
        }
        guard let provenance = try Provenance(recordedOn: file), let expiry = provenance.expiry, expiry <= now,
            provenance.maker == .downloaded || provenance.maker == .derived
        else { return nil }
        let status = try file.status()
        try entry.remove()
        return DiskUsage.Item(path: containerPath(entry.path), size: status.size, modified: status.modified.date)
    }
}

extension Timestamp {
    /// The timestamp as a date, which is less precise.
    var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000) }
}
