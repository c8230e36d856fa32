internal import ContainerStores
package import FileSystem
internal import Foundation
internal import GRDB
internal import Synchronization
package import SystemPackage
internal import TextOutput

/// A store of snapshots: a directory with a catalogue, which SQLite keeps, and objects, which are files of zstd.
///
/// `FORMAT.md` beside this file says what lies where, so that a store can be read without this tool.
package final class Repository: Sendable {
    /// What someone comes to a store for.
    package enum Purpose: Sendable {
        /// To look: beside all others.
        case reading
        /// To add: one at a time, beside those who read.
        case adding
        /// To take something away, alone.
        case removing
    }

    package let folder: Folder
    let objects: Folder
    let queue: DatabaseQueue
    private let lock: RepositoryLock
    /// Keeps writers away from whoever reads without SQLite's own locks.
    private let writerExclusion: Lock?
    /// What ended an addition, after which none goes on.
    let writeFailure = Mutex<BackupError?>(nil)

    private init(_ folder: Folder, objects: Folder, queue: DatabaseQueue, lock: RepositoryLock, writerExclusion: Lock?)
    {
        self.writerExclusion = writerExclusion
        self.folder = folder
        self.objects = objects
        self.queue = queue
        self.lock = lock
    }

    /// Opens the store in a directory; `command` says what for to those who find it locked meanwhile.
    ///
    /// - Throws: `noStore`, `newerStore`, `locked` (with who has it), `damaged`, `readOnly`, `failed`.
    package convenience init(
        at path: FilePath, for purpose: Purpose, command: String
    ) throws(BackupError) {
        let folder: Folder
        do { folder = try Folder(opening: path) } catch {
            guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else {
                throw BackupError(error)
            }
            throw Self.noRepository(path, "there is no such directory")
        }
        try self.init(in: folder, for: purpose, command: command)
    }

    /// Opens the store in a directory, and makes one where there is none or an empty one. What is made is its owner's
    /// alone, whatever the umask; an existing directory keeps its mode.
    package convenience init(
        creatingAt path: FilePath, command: String
    ) throws(BackupError) {
        let folder: Folder
        do {
            folder = try Folder(makingIfAbsent: path, permissions: Self.privateDirectory)
            try Self.createIfAbsent(in: folder)
        } catch { throw BackupError(error) }
        try self.init(in: folder, for: .adding, command: command)
    }

    private convenience init(
        in folder: Folder, for purpose: Purpose, command: String
    ) throws(BackupError) {
        try Self.requireStore(in: folder)
        let objects: Folder
        do { objects = try folder.folder("objects") } catch {
            throw BackupError(
                .damaged, "the store has no directory “objects”", hint: "if it was moved away, put it back")
        }
        let lock = try RepositoryLock(folder, objects, purpose, command: command)
        do {
            var writerExclusion: Lock?
            let queue =
                try purpose == .reading
                ? Self.openForReading(folder, objects, &writerExclusion)
                : Self.openCatalogue(of: folder, isReading: false)
            try queue.inDatabase { try CatalogueSchema.require(in: $0) }
            self.init(folder, objects: objects, queue: queue, lock: lock, writerExclusion: writerExclusion)
        } catch { throw BackupError(error) }
    }

    /// Asks the catalogue, or changes it, between others' turns.
    func withCatalogue<Value>(_ body: (Database) throws -> Value) throws(BackupError) -> Value {
        do { return try queue.inDatabase(body) } catch { throw BackupError(error) }
    }

    /// A connection of its own for a thread that only reads and is to wait for no other. It shows what was settled when
    /// it was made.
    func connection() throws(BackupError) -> DatabaseQueue {
        let parameters = writerExclusion == nil ? "" : Self.withoutFiles
        do { return try Self.openForReading(folder, parameters, cacheSize: 2 << 20) } catch { throw BackupError(error) }
    }

    /// Brings all that has been changed into the catalogue's one file.
    package func close() throws(BackupError) {
        do { try queue.close() } catch { throw BackupError(error) }
        lock.end()
    }
}

extension Repository {
    static let catalogueName = "catalogue.sqlite"

    /// The mode of the directories that a repository is made of.
    static let privateDirectory: UInt32 = 0o700
    /// The mode of its files.
    static let privateFile: UInt32 = 0o600

    /// The mode of the repository's directory if it lets in others than the owner; nil if it does not.
    package var modeOpenToOthers: UInt16? {
        guard let permissions = try? folder.status("").permissions, permissions & 0o077 != 0 else { return nil }
        return permissions & 0o7777
    }

    private static func noRepository(_ path: FilePath, _ reason: String) -> BackupError {
        BackupError(
            .noRepository, "there is no store at “\(ByteText.escaped(path.bytes))”: \(reason)",
            hint: "name the store's own directory with --store, or make one with `sandboxbackup create`")
    }

    /// Refuses what is no store without SQLite, which would take any file for a database that is to be.
    private static func requireStore(in folder: Folder) throws(BackupError) {
        let header: [UInt8]
        do {
            header = try folder.open(FilePath(catalogueName), followingLinks: false).read(upTo: StoreHeader.size)
        } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw BackupError(error) }
            throw noRepository(folder.path, "it holds no “\(catalogueName)”")
        }
        func number(_ offset: Int) -> Int { header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
        guard header.count == StoreHeader.size, header.starts(with: StoreHeader.magic) else {
            throw BackupError(
                .damaged, "the catalogue “\(catalogueName)” is no SQLite database, or its beginning is damaged",
                hint: "take the store from a copy of it")
        }
        guard number(68) == CatalogueSchema.applicationID else {
            throw noRepository(folder.path, "“\(catalogueName)” is the database of another program")
        }
        guard number(60) <= CatalogueSchema.version else {
            throw BackupError(
                .newerRepository,
                "the store has layout \(number(60)), and this version knows \(CatalogueSchema.version)",
                hint: "use the sandboxbackup that made it, or a later one")
        }
        // SQLite would take pages out of it, and delete a file that its end may name.
        // Source: sqlite.org/fileformat2.html#the_rollback_journal, pager_delsuper in pager.c.
        let journal = FilePath("\(catalogueName)-journal")
        let found: FileStatus?
        do { found = try folder.statusIfPresent(journal) } catch { throw BackupError(error) }
        guard found == nil else {
            throw BackupError(
                .damaged, "beside the catalogue lies “\(journal)”, which no run leaves",
                hint: "take the store from a copy of it; the catalogue may be half of a state")
        }
    }

    /// Opens the catalogue in one state for all questions, with no lock taken anew for each.
    private static func openForReading(
        _ folder: Folder, _ parameters: String = "", cacheSize: Int = fullCache
    ) throws -> DatabaseQueue {
        let queue = try openCatalogue(of: folder, isReading: true, parameters, cacheSize: cacheSize)
        try queue.inDatabase { try $0.execute(sql: "BEGIN; SELECT count(*) FROM sqlite_schema") }
        return queue
    }

    /// The same, also where nothing may be written.
    private static func openForReading(
        _ folder: Folder, _ objects: Folder, _ writerExclusion: inout Lock?
    ) throws -> DatabaseQueue {
        do { return try openForReading(folder) } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
        {
            // SQLite wants a file of its own beside the catalogue, and may not make one. Without a log it needs none as
            // long as no one writes.
            writerExclusion = try RepositoryLock.excludeWriters(of: folder, objects)
            guard try folder.statusIfPresent(FilePath("\(catalogueName)-wal"))?.size ?? 0 == 0 else {
                throw BackupError(
                    .readOnly, "the catalogue has a log that a run left which was ended, and nothing may be written",
                    hint: "open the store where it takes changes once, for instance with `sandboxbackup snapshots`")
            }
            return try openForReading(folder, withoutFiles)
        }
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
            // Whoever reads takes the mode that is there.
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
    /// Refuses a directory to write to that is the repository or lies in it: what is restored there would take the
    /// place of what the repository is made of, or be removed by `prune`.
    ///
    /// - Parameter path: A directory, which need not be there yet.
    /// - Throws: `misplaced`.
    package func requireOutside(_ path: FilePath) throws(BackupError) {
        var place = path
        var nearest = try? Folder(opening: place.isEmpty ? "." : place)
        while nearest == nil, !place.components.isEmpty {
            place.removeLastComponent()
            nearest = try? Folder(opening: place.isEmpty ? "." : place)
        }
        guard var above = try? nearest?.absolutePath() else { return }
        // By what the directories are, and not by their names: one may be mounted elsewhere as well.
        let own = [folder, objects].compactMap { (try? $0.status(""))?.identity }
        while true {
            if let identity = (try? Folder(opening: above).status(""))?.identity,
                own.contains(where: { $0 == identity })
            {
                throw BackupError(
                    .misplaced,
                    "“\(ByteText.escaped(path.bytes))” lies in the repository “\(ByteText.escaped(folder.path.bytes))”, "
                        + "which would be damaged; nothing was written",
                    hint: "name a directory outside the repository")
            }
            guard !above.components.isEmpty else { return }
            above.removeLastComponent()
        }
    }

    /// Whether a directory is the repository itself.
    package func isRepositoryDirectory(_ status: FileStatus) -> Bool {
        guard let own = (try? folder.status(""))?.identity else { return false }
        return status.kind == .directory && status.identity == own
    }
}
