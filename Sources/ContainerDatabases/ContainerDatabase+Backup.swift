public import AppContainer
internal import DatabaseInspection
internal import FileSystem
public import Foundation
public import GRDB
internal import SystemPackage

extension ContainerDatabase {
    /// Copies the database, with SQLite's online backup, to a file of the container. The app can read and write during
    /// the copy, which has the content of one moment.
    ///
    ///     try database.backup(to: .documents / "Letters.sqlite") { progress in
    ///         show(progress.completedPageCount, of: progress.totalPageCount)
    ///         return true
    ///     }
    ///
    /// The copy is a single file without a log. It replaces an older copy atomically: after a crash the old or the new
    /// one is there, complete. The new one keeps the attributes, the backup exclusion and the mode of the old one.
    ///
    /// - Parameters:
    ///   - target: The path of the copy. Missing parent directories are created.
    ///   - time: The maximum time to wait while other connections lock this database or the older copy.
    ///   - progress: Receives the progress every 256 pages. Returns false to stop.
    /// - Throws: `locked` if the time has passed, or if the older copy is open; `cancelled`, `noSpace`, `damaged`,
    ///   `permissionDenied`, `file`, `failed`. The older copy is unchanged.
    public func backup(
        to target: ContainerPath, waiting time: Duration = .seconds(30),
        progress: (DatabaseBackupProgress) -> Bool = { _ in true }
    ) throws(ContainerDatabaseError) {
        do {
            try OnlineBackup(source: pool, path: self.path, time: time).write(
                to: target, of: container, attributes: provenance.attributes, progress)
        } catch {
            throw ContainerDatabaseError(anyError: error, path, action: "back up", onDisk: OnlineBackup.unchanged)
        }
    }

    /// Copies the database to a file outside of the container, such as one that the user has chosen. Otherwise like
    /// copying it to a file of the container.
    ///
    /// - Throws: The errors of copying it to a file of the container; `notFound` if the directory of the file is missing.
    public func backup(
        to file: URL, waiting time: Duration = .seconds(30),
        progress: (DatabaseBackupProgress) -> Bool = { _ in true }
    ) throws(ContainerDatabaseError) {
        do {
            guard file.isFileURL else {
                throw ContainerDatabaseError(
                    .file, file.absoluteString, "“\(file)” is not a file URL. Nothing has been written. Use a file URL."
                )
            }
            let path = FilePath(file.absoluteURL.path(percentEncoded: false))
            guard let name = path.lastComponent else { throw FileSystemError("write", path: path, errno: .isDirectory) }
            let folder = try Folder(opening: path.removingLastComponent())
            try OnlineBackup(source: pool, path: self.path, time: time).write(
                to: FilePath(root: nil, [name]), in: folder, attributes: [], progress)
        } catch {
            throw ContainerDatabaseError(anyError: error, path, action: "back up", onDisk: OnlineBackup.unchanged)
        }
    }
}

extension StoreDirectory {
    /// Copies a SQLite store that another engine, such as Core Data or SwiftData, has open: with SQLite's online backup,
    /// so that the copy has the content of one moment and no log. Otherwise like copying a `ContainerDatabase`.
    ///
    ///     try place.backup(to: .documents / "Library.sqlite")
    ///
    /// Files beside the database, such as Core Data's external data, are not copied; `copy(to:)` does that for a store
    /// that is closed.
    ///
    /// - Parameters:
    ///   - target: The path of the copy. Missing parent directories are created.
    ///   - time: The maximum time to wait while other connections lock the store or the older copy.
    /// - Throws: The errors of copying a `ContainerDatabase`; `notFound`, `notADatabase`.
    public func backup(
        to target: ContainerPath, waiting time: Duration = .seconds(30)
    ) throws(ContainerDatabaseError) {
        do {
            let path = try container.path(item).string
            guard try exists else { throw FileSystemError("open", path: FilePath(path), errno: .noSuchFileOrDirectory) }
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            try OnlineBackup(source: queue, path: "\(item)", time: time).write(
                to: target, of: container, attributes: []
            ) { _ in true }
        } catch {
            throw ContainerDatabaseError(
                anyError: error, "\(item)", action: "back up", onDisk: OnlineBackup.unchanged)
        }
    }
}

/// A copy of a database in use, which is written beside its target and then replaces it.
struct OnlineBackup {
    static let unchanged = "The older copy, if any, is unchanged."

    let source: any DatabaseReader
    /// The path of the source, for errors.
    let path: String
    let time: Duration

    /// The number of pages between two reports of the progress.
    private static let step: CInt = 256

    private struct Stopped: Error {}

    /// Writes the copy to a file of a container.
    ///
    /// - Throws: The errors of writing it to a folder; `ContainerError`.
    func write(
        to target: ContainerPath, of container: Container, attributes: [AttributeChange],
        _ progress: (DatabaseBackupProgress) -> Bool
    ) throws {
        let path = try container.relative(target)
        try container.createParent(of: path)
        try container.withPathLock(at: path) {
            try write(to: path, in: container.folder, attributes: attributes, progress)
        }
    }

    /// - Throws: `ContainerDatabaseError`, `DatabaseError`, `FileSystemError`, `AtomicWriteError`.
    func write(
        to target: FilePath, in folder: Folder, attributes: [AttributeChange],
        _ progress: (DatabaseBackupProgress) -> Bool
    ) throws {
        let deadline = ContinuousClock.now + time
        let older = try OlderCopy(target, in: folder)
        let staged = try StagedFile(AtomicWrite(attributes: attributes), for: target, in: folder, isPrivate: true)
        guard let name = staged.staging.lastComponent else { return }
        let copy = try staged.parent.absolutePath().appending(name).string
        try retry(until: deadline) { try fill(copy, progress) }
        // The log of the older copy must be merged into it while it still has its name: SQLite would apply a log that
        // remains beside the new copy to it.
        try retry(until: deadline) { try older.mergeLog() }
        try staged.seal()
        try staged.publish()
        try staged.finishReplacement()
    }

    private func fill(_ copy: String, _ progress: (DatabaseBackupProgress) -> Bool) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // The file has a temporary name and is flushed to disk before it gets its own.
            let pragmas = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"
            try database.execute(sql: pragmas)
        }
        let queue = try DatabaseQueue(path: copy, configuration: configuration)
        do {
            try withoutActuallyEscaping(progress) { progress in
                try source.backup(to: queue, pagesPerStep: Self.step) { state in
                    guard progress(state) else { throw Stopped() }
                }
            }
            // The copy has the journal mode of the source. A single file that is read elsewhere needs no log.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try queue.close()
        } catch {
            try? queue.close()
            guard error is Stopped else { throw error }
            throw ContainerDatabaseError(
                .cancelled, path, "The backup of “\(path)” was stopped. \(Self.unchanged) Start it again.")
        }
    }

    /// Repeats `body` while the database is locked. GRDB's backup throws an error at the first lock, and so does a
    /// connection whose configuration does not wait.
    private func retry(until deadline: ContinuousClock.Instant, _ body: () throws -> Void) throws {
        var pause = Duration.milliseconds(10)
        while true {
            do { return try body() } catch let error as DatabaseError {
                let isLocked = [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL].contains(error.resultCode)
                guard isLocked, ContinuousClock.now + pause < deadline else { throw error }
            }
            Thread.sleep(forTimeInterval: pause / .seconds(1))
            pause = min(pause * 2, .milliseconds(500))
        }
    }
}

/// The database that a backup replaces.
private struct OlderCopy {
    private let target: FilePath
    private let folder: Folder
    private let exists: Bool

    /// - Throws: `locked` if it is open in this process.
    init(_ target: FilePath, in folder: Folder) throws {
        (self.target, self.folder) = (target, folder)
        let status = try folder.statusIfPresent(target)
        exists = status?.kind == .file
        guard let status, ContainerDatabase.opened(status) != nil else { return }
        throw ContainerDatabaseError(
            .locked, target.string,
            "“\(target)” is a database that is open in this process. It is unchanged. Choose another path, or close it."
        )
    }

    /// Merges the log into the database, so that it is a single file, which can be replaced. A log or journal without a
    /// database is removed.
    func mergeLog() throws {
        let files = try DatabaseFileNames.suffixes.map { FilePath(target.string + $0) }.filter { companion in
            try folder.statusIfPresent(companion)?.kind == .file
        }
        guard !files.isEmpty else { return }
        if exists {
            let (parent, name) = try folder.locate(target)
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            let path = try parent.absolutePath().appending(name.components).string
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // This fails if another connection is open.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try queue.close()
        }
        for file in files where try folder.statusIfPresent(file) != nil { try folder.remove(file) }
    }
}
