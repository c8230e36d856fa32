package import FileSystem
internal import Foundation
internal import GRDB
package import SystemPackage

/// The files of a store in one state of it, in a private directory: what a backup keeps.
///
/// A store at rest is copied byte by byte, its log and journal with it. One in use is copied by SQLite itself (the
/// online backup API), which gives one file that needs no log.
package final class StoreSet: Sendable {
    /// How the files came about.
    package enum Origin: Sendable { case copy, onlineBackup }

    package let origin: Origin
    /// What the kernel said of the store's own files: when they were copied; of one in use before that, so that what is
    /// written meanwhile shows as a change.
    package let statuses: [StoreFile: FileStatus]
    private let scratch: StoreScratch

    /// Copies a store at rest.
    ///
    /// - Parameters:
    ///   - source: The store.
    ///   - place: The directory that the copy is made in.
    /// - Throws: `changing` where it is in use, `unreadable`, `noCopy`, `undecided`.
    package init(copying source: some StoreSource, in place: FilePath) throws(StoreError) {
        origin = .copy
        scratch = try StoreScratch(in: place)
        do throws(StoreError) { statuses = try scratch.copy(source, limit: .max) } catch {
            scratch.remove()
            throw error
        }
    }

    /// Makes one file of a copy: what its log or journal holds is in it, and neither is needed.
    ///
    /// - Throws: `noCopy`, `damaged`, `notUnderstood`.
    package init(folding set: StoreSet, in place: FilePath) throws(StoreError) {
        origin = .onlineBackup
        statuses = set.statuses.filter { $0.key == .main }
        scratch = try StoreScratch(in: place)
        do { try Self.backUp(set.path, readOnly: false, to: scratch.path(of: .main)) } catch {
            scratch.remove()
            throw StoreError(error)
        }
    }

    /// Has SQLite copy a store in use. It is opened for reading only, and nothing is made beside it; while the copy
    /// begins, its writers may wait.
    ///
    /// - Parameters:
    ///   - source: The store.
    ///   - path: Where SQLite finds it.
    ///   - place: The directory that the copy is made in.
    /// - Throws: `unreadable`, `changing` where its writers leave no moment, `noCopy`, `damaged`, `notUnderstood`.
    package init(backingUp source: some StoreSource, at path: String, in place: FilePath) throws(StoreError) {
        origin = .onlineBackup
        guard let status = source.status(of: .main) else { throw StoreError(.unreadable) }
        status.changed.waitUntilPast()
        statuses = [.main: status]
        scratch = try StoreScratch(in: place)
        for attempt in 1... {
            do {
                // Whoever has a log open has its index beside it; SQLite would make one where there is none.
                guard
                    source.bytes(StoreHeader.size, at: 0, of: .main).flatMap(StoreHeader.init)?.writesAhead != true
                        || FileManager.default.fileExists(atPath: path + "-shm")
                else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
                try Self.backUp(path, readOnly: true, to: scratch.path(of: .main))
                return
            } catch {
                scratch.removeFiles()
                let code = (error as? DatabaseError)?.resultCode
                // Its writers leave no moment yet, or a journal or log comes or goes just now.
                let isPassing = code.map {
                    [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_CANTOPEN].contains($0)
                }
                guard isPassing == true, attempt < 10 else {
                    scratch.remove()
                    throw isPassing == true ? StoreError(.changing) : StoreError(error)
                }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    private static func backUp(_ path: String, readOnly: Bool, to copyPath: String) throws {
        var reading = Configuration()
        reading.readonly = readOnly
        reading.busyMode = .timeout(30)
        let source = try DatabaseQueue(path: path, configuration: reading)
        let copy = try DatabaseQueue(path: copyPath)
        try source.backup(to: copy)
        try copy.close()
        try source.close()
    }

    deinit { scratch.remove() }

    /// One of the files; nil where there is none.
    package func open(_ file: StoreFile) -> OpenFile? { try? scratch.open(file) }

    /// What `quick_check` objects to, at most eight lines; empty where the store is sound. The files are SQLite's after
    /// that, and gone.
    package func problems() throws(StoreError) -> [String] {
        var limits = StoreLimits()
        limits.seconds = 600
        return try StoreCopy(of: self, limits: limits).problems()
    }

    fileprivate var path: String { scratch.path(of: .main) }
}

extension StoreCopy {
    /// Opens files that have been copied already.
    convenience init(of set: StoreSet, limits: StoreLimits) throws(StoreError) {
        try self.init(opening: set.path, limits: limits)
    }
}
