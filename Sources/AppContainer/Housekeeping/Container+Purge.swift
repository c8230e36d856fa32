internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Removes what was recorded with an expiry date that has passed, and can be had again: downloaded or derived
    /// files (`Provenance.downloaded(from:expires:)`).
    ///
    /// Flagged files are the app's own to purge: the system never empties where they lie, and no backup restores
    /// them. A file without such a date, or of another maker, is never touched.
    ///
    /// - Parameter now: What the date is compared with.
    /// - Returns: What was removed, with its size.
    /// - Throws: `permissionDenied`, `noAttributes`, `failed`.
    @discardableResult
    public func purgeExpired(now: Date = Date()) throws(ContainerError) -> [Usage.Item] {
        var purged: [Usage.Item] = []
        do throws(FileSystemError) {
            try folder.visit("") { entry throws(FileSystemError) in
                guard entry.status.kind == .file else { return true }
                // A save may just now be putting a fresh file there.
                let removed = try withTurn(at: entry.path) { () throws(FileSystemError) in
                    try purge(entry, ifExpiredAt: now)
                }
                guard let removed else { return true }
                purged.append(removed)
                return true
            }
        } catch { throw ContainerError(error, onDisk: "Files removed before it: \(purged.count).") }
        return purged
    }

    private func purge(_ entry: Folder.Entry, ifExpiredAt now: Date) throws(FileSystemError) -> Usage.Item? {
        let file: OpenFile
        do throws(FileSystemError) { file = try entry.open() } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            return nil
        }
        guard let provenance = try Provenance(recordedOn: file), let expiry = provenance.expiry, expiry <= now,
            provenance.maker == .downloaded || provenance.maker == .derived,
            let place = try? place(entry.path)
        else { return nil }
        let status = try file.status()
        try entry.remove()
        return Usage.Item(place: place, size: status.size, modified: status.modified.date)
    }
}

extension Timestamp {
    /// The same to a date's precision, which is coarser than a nanosecond.
    var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000) }
}
