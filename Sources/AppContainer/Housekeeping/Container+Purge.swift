internal import FileSystem
public import Foundation
internal import SystemPackage

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
        return purged
    }

    private func purge(_ entry: Folder.Entry, ifExpiredAt now: Date) throws(FileSystemError) -> DiskUsage.Item? {
        let file: OpenFile
        do throws(FileSystemError) { file = try entry.open() } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            return nil
        }
        guard let provenance = try Provenance(recordedOn: file), let expiry = provenance.expiry, expiry <= now,
            provenance.maker == .downloaded || provenance.maker == .derived,
            let path = try? containerPath(entry.path)
        else { return nil }
        let status = try file.status()
        try entry.remove()
        return DiskUsage.Item(path: path, size: status.size, modified: status.modified.date)
    }
}

extension Timestamp {
    /// The timestamp as a date, which is less precise.
    var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000) }
}
