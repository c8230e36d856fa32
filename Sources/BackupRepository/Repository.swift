internal import DatabaseInspection
package import FileSystem
internal import Foundation
internal import GRDB
package import SystemPackage
internal import TextOutput

/// A repository of snapshots: a directory with a SQLite catalogue, and objects as zstd files.
///
/// `FORMAT.md` describes the format, so that a repository can be read without this tool.
package final class Repository: Sendable {
    /// The purpose of opening a repository, which determines the lock.
    package enum Purpose: Sendable {
        /// Reading, at the same time as all others.
        case reading
        /// Adding: one writer at a time, together with readers.
        case adding
        /// Creating snapshots, at the same time as readers and other runs that create snapshots. These change the catalogue in
        /// turns.
        case creating
        /// Removing and changing what exists, exclusively.
        case removing
    }

    package let folder: Folder
    let objects: Folder
    let queue: DatabaseQueue
    let lock: RepositoryLock
    /// A lock that keeps writers away while the catalogue is read without SQLite's own locks.
    private let writerExclusion: Lock?
    /// The error that ended an addition. All later changes fail with it.
    let writeFailure = LockedValue<BackupError?>(nil)
    /// The packs of the running `ObjectWriter`.
    let packWriter = LockedValue<PackWriter?>(nil)

    private init(_ folder: Folder, objects: Folder, queue: DatabaseQueue, lock: RepositoryLock, writerExclusion: Lock?)
    {
        self.writerExclusion = writerExclusion
        self.folder = folder
        self.objects = objects
        self.queue = queue
        self.lock = lock
    }

    /// Opens the repository in a directory, after a wait for its lock. `command` appears in the error of a process that
    /// finds it locked.
    ///
    /// - Throws: `noRepository`, `otherFormat`, `locked` (with the holder), `damaged`, `readOnly`, `failed`.
    package convenience init(
        at path: FilePath, for purpose: Purpose, command: String, waiting wait: LockWait = .none
    ) throws(BackupError) {
        let folder: Folder
        do { folder = try Folder(opening: path) } catch {
            guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else {
                throw BackupError(error)
            }
            throw Self.noRepository(path, reason: "the directory does not exist")
        }
        try self.init(in: folder, for: purpose, command: command, waiting: wait)
    }

    /// Opens the repository in a directory, and creates it if the directory does not exist or is empty. New files are
    /// private to the owner, whatever the umask; an existing directory keeps its mode.
    package convenience init(
        creatingAt path: FilePath, for purpose: Purpose = .adding, command: String, waiting wait: LockWait = .none
    ) throws(BackupError) {
        let folder: Folder
        do {
            folder = try Folder(makingIfAbsent: path, permissions: Self.privateDirectory)
            try Self.createIfAbsent(in: folder, waiting: wait)
        } catch { throw BackupError(error) }
        try self.init(in: folder, for: purpose, command: command, waiting: wait)
    }

    private convenience init(
        in folder: Folder, for purpose: Purpose, command: String, waiting wait: LockWait
    ) throws(BackupError) {
        try Self.requireStore(in: folder)
        let objects: Folder
        do { objects = try folder.openFolder("objects") } catch {
            throw BackupError(
                .damaged, what: "the repository has no directory “objects”", hint: "if it was moved, move it back")
        }
        let lock = try RepositoryLock(folder, objects: objects, purpose: purpose, command: command, waiting: wait)
        do {
            var writerExclusion: Lock?
            let queue =
                switch purpose {
                case .reading:
                    try Self.openForReading(folder, objects: objects, waiting: wait, writerExclusion: &writerExclusion)
                case .adding, .creating: try Self.openForWriting(folder)
                case .removing: try Self.openForRemoving(folder)
                }
            try queue.inDatabase { try CatalogueSchema.require(in: $0) }
            if purpose != .reading { try SnapshotFile.finishWriting(in: folder, queue) }
            lock.endTurn()
            self.init(folder, objects: objects, queue: queue, lock: lock, writerExclusion: writerExclusion)
        } catch { throw BackupError(error) }
    }

    /// Reads or changes the catalogue. Calls are serialized.
    func withCatalogue<Value>(_ body: (Database) throws -> Value) throws(BackupError) -> Value {
        do { return try queue.inDatabase(body) } catch { throw BackupError(error) }
    }

    /// Calls `body`, whose reads of the catalogue show one state and take no lock each.
    package func readingOneState<Result>(_ body: () throws(BackupError) -> Result) throws(BackupError) -> Result {
        guard try withCatalogue({ !$0.isInsideTransaction }) else { return try body() }
        try withCatalogue { try $0.execute(sql: "BEGIN") }
        // A connection that is closed ends its transaction.
        defer { try? withCatalogue { try $0.execute(sql: "COMMIT") } }
        return try body()
    }

    /// Returns a separate connection for a thread that only reads. It shows the state that was committed when it was
    /// made.
    func connection() throws(BackupError) -> DatabaseQueue {
        let parameters = writerExclusion == nil ? "" : Self.withoutFiles
        do { return try Self.openForReading(folder, parameters, cacheSize: 2 << 20) } catch { throw BackupError(error) }
    }

    /// Writes all changes into the catalogue file and releases the lock.
    package func close() throws(BackupError) {
        if lock.takesTurns { try lock.takeTurn() }
        do { try queue.close() } catch { throw BackupError(error) }
        if lock.isWriter { SpaceReserve.fill(in: folder) }
        lock.release()
    }
}

extension Repository {
    static let catalogueName = "catalogue.sqlite"
    /// The name of a damaged catalogue that was replaced; a number may follow.
    static let damagedName = "\(catalogueName).damaged"

    /// The remedy for a damaged catalogue.
    static let rebuildHint = "`sandboxbackup repair --rebuild` makes a new one from the packs"

    /// Returns true if a directory has the file of a snapshot or a pack, so that a catalogue can be made.
    private static func hasCopies(in folder: Folder) -> Bool {
        func names(_ directory: FilePath) -> [FilePath] { (try? folder.openFolder(noFollow: directory).names()) ?? [] }
        return !SnapshotFile.numbers(in: names(SnapshotFile.directory)).files.isEmpty
            || names(packsName).contains { ContentHash(hexadecimal: $0.string) != nil }
    }

    /// The mode of the directories of a repository.
    static let privateDirectory: UInt32 = 0o700
    /// The mode of the files of a repository.
    static let privateFile: UInt32 = 0o600

    /// The mode of the repository's directory if it is accessible to other users, otherwise nil.
    package var modeOpenToOthers: UInt16? {
        guard let permissions = try? folder.status("").permissions, permissions & 0o077 != 0 else { return nil }
        return permissions & 0o7777
    }

    /// Returns true if a directory is that of a repository, also of one that is damaged or of another format.
    package static func isRepository(_ folder: Folder) -> Bool {
        do throws(BackupError) { try requireStore(in: folder) } catch {
            return error.code == .damaged || error.code == .otherFormat
        }
        return true
    }

    private static func noRepository(_ path: FilePath, reason: String) -> BackupError {
        BackupError(
            .noRepository, what: "there is no repository at “\(ByteText.escaped(path.bytes))”: \(reason)",
            hint: "name its directory with --repository, or create one with `sandboxbackup create`")
    }

    /// Checks the header of the catalogue without SQLite, which would accept any file as a new database.
    private static func requireStore(in folder: Folder) throws(BackupError) {
        let header: [UInt8]
        do {
            header = try folder.open(FilePath(catalogueName), followingLinks: false).read(upTo: DatabaseHeader.size)
        } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw BackupError(error) }
            guard !hasCopies(in: folder) else {
                throw BackupError(.damaged, what: "the catalogue “\(catalogueName)” is missing", hint: rebuildHint)
            }
            throw noRepository(folder.path, reason: "it contains no “\(catalogueName)”")
        }
        func number(_ offset: Int) -> Int { header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
        guard header.count == DatabaseHeader.size, header.starts(with: DatabaseHeader.magic) else {
            throw BackupError(
                .damaged, what: "the catalogue “\(catalogueName)” is not a SQLite database, or its header is damaged",
                hint: rebuildHint)
        }
        guard number(68) == CatalogueSchema.applicationID else {
            guard !hasCopies(in: folder) else {
                throw BackupError(
                    .damaged, what: "the catalogue “\(catalogueName)” is damaged, or the database of another program",
                    hint: rebuildHint)
            }
            throw noRepository(folder.path, reason: "“\(catalogueName)” is the database of another program")
        }
        guard number(60) == CatalogueSchema.version else {
            throw BackupError(
                .otherFormat,
                what: "the repository has format \(number(60)); this version of sandboxbackup reads format "
                    + "\(CatalogueSchema.version)",
                hint: "use the version of sandboxbackup that created it"
                    + (hasCopies(in: folder) ? "; if the catalogue is damaged, \(rebuildHint)" : ""))
        }
        // SQLite would apply the journal to the catalogue, and delete a file that the journal names.
        //
        // Source: sqlite.org/fileformat2.html#the_rollback_journal, pager_delsuper in pager.c.
        let journal = FilePath("\(catalogueName)-journal")
        let found: FileStatus?
        do { found = try folder.statusIfPresent(journal) } catch { throw BackupError(error) }
        guard found == nil else {
            throw BackupError(
                .damaged, what: "the catalogue has a rollback journal “\(journal)”, which sandboxbackup never creates",
                hint: "the catalogue may be inconsistent; \(rebuildHint)")
        }
    }

    /// Opens the catalogue for reading one state, without a lock per query.
    private static func openForReading(
        _ folder: Folder, _ parameters: String = "", cacheSize: Int = fullCache
    ) throws -> DatabaseQueue {
        let queue = try openCatalogue(of: folder, isReading: true, parameters, cacheSize: cacheSize)
        try queue.inDatabase { try $0.execute(sql: "BEGIN; SELECT count(*) FROM sqlite_schema") }
        return queue
    }

    /// Opens the catalogue for reading, also if nothing may be written.
    private static func openForReading(
        _ folder: Folder, objects: Folder, waiting wait: LockWait, writerExclusion: inout Lock?
    ) throws -> DatabaseQueue {
        do { return try openForReading(folder) } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_FULL].contains(error.resultCode)
            || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
        {
            // SQLite needs a `-shm` file and cannot create it, or has no space for it. Without a log it can do without one
            // while no one writes.
            writerExclusion = try RepositoryLock.excludeWriters(of: folder, objects, waiting: wait)
            guard try folder.statusIfPresent(FilePath("\(catalogueName)-wal"))?.size ?? 0 == 0 else {
                throw BackupError(
                    .readOnly, what: "the catalogue has a log of an interrupted run, and the repository is read-only",
                    hint: "open the repository once with write access, for instance with `sandboxbackup snapshots`")
            }
            return try openForReading(folder, withoutFiles)
        }
    }

    /// Opens the catalogue for writing, and reads it once, which creates SQLite's files.
    private static func openForWriting(_ folder: Folder) throws -> DatabaseQueue {
        let queue = try openCatalogue(of: folder, isReading: false)
        try queue.inDatabase { try $0.execute(sql: "SELECT count(*) FROM sqlite_schema") }
        return queue
    }

    /// Opens the catalogue for a removal, for which the reserve is given up if there is no space for SQLite's files.
    private static func openForRemoving(_ folder: Folder) throws -> DatabaseQueue {
        let queue: DatabaseQueue
        do { queue = try openForWriting(folder) } catch {
            guard BackupError(error).code == .full, SpaceReserve.release(in: folder) else { throw error }
            queue = try openForWriting(folder)
        }
        // Temporary tables may lie on the same disk.
        try queue.inDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
        return queue
    }

    private static let withoutFiles = "?immutable=1"
    private static let fullCache = 4 << 20

    private static func openCatalogue(
        of folder: Folder, isReading: Bool, _ parameters: String = "", cacheSize: Int = fullCache
    ) throws -> DatabaseQueue {
        var path = try folder.absolutePath().appending(catalogueName).string
        if !parameters.isEmpty { path = URL(fileURLWithPath: path, isDirectory: false).absoluteString + parameters }
        var configuration = Configuration()
        configuration.readonly = isReading
        configuration.busyMode = .timeout(10)
        configuration.allowsUnsafeTransactions = true
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            // A reader must not change the journal mode.
            if !isReading { try database.execute(sql: "PRAGMA journal_mode = WAL") }
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 256")
            try database.execute(sql: "PRAGMA cache_size = -\(cacheSize >> 10)")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

extension Repository {
    /// Refuses a target directory inside the repository: restored files would replace the files of the repository or be
    /// deleted by `prune`.
    ///
    /// - Parameter path: A directory, which need not exist.
    /// - Throws: `misplaced`.
    package func requireOutside(_ path: FilePath) throws(BackupError) {
        var ancestor = path
        var nearest = try? Folder(opening: ancestor.isEmpty ? "." : ancestor)
        while nearest == nil, !ancestor.components.isEmpty {
            ancestor.removeLastComponent()
            nearest = try? Folder(opening: ancestor.isEmpty ? "." : ancestor)
        }
        guard var above = try? nearest?.absolutePath() else { return }
        // Directories are compared by device and inode, because one may be mounted at several paths.
        let own = [folder, objects].compactMap { (try? $0.status(""))?.identity }
        while true {
            if let identity = (try? Folder(opening: above).status(""))?.identity,
                own.contains(where: { $0 == identity })
            {
                throw BackupError(
                    .misplaced,
                    what:
                        "“\(ByteText.escaped(path.bytes))” is inside the repository “\(ByteText.escaped(folder.path.bytes))”, "
                        + "which would be damaged; nothing was written",
                    hint: "name a directory outside the repository")
            }
            guard !above.components.isEmpty else { return }
            above.removeLastComponent()
        }
    }

    /// Returns true if a status is that of the repository's directory.
    package func isRepositoryDirectory(_ status: FileStatus) -> Bool {
        guard let own = (try? folder.status(""))?.identity else { return false }
        return status.kind == .directory && status.identity == own
    }
}
