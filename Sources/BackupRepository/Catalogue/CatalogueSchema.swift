internal import DatabaseInspection
internal import FileSystem
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// The tables of the catalogue, as described in `FORMAT.md`.
enum CatalogueSchema {
    /// The application ID in bytes 68 to 71 of the catalogue.
    static let applicationID = 0x7362_6b31
    /// The version of the format. Other versions are refused.
    static let version = 3
    static let pageSize = 65_536

    static let tables = """
        CREATE TABLE object(
            id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, form INTEGER NOT NULL);
        CREATE TABLE pack(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, size INTEGER NOT NULL);
        CREATE TABLE frame(
            object INTEGER PRIMARY KEY, pack INTEGER NOT NULL, position INTEGER NOT NULL, size INTEGER NOT NULL);
        CREATE TABLE part(
            object INTEGER NOT NULL, position INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY(object, position)
        ) WITHOUT ROWID;
        CREATE TABLE attributes(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE);
        CREATE TABLE attribute(
            attributes INTEGER NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY(attributes, name)
        ) WITHOUT ROWID;
        CREATE TABLE directory(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE);
        CREATE TABLE entry(
            directory INTEGER NOT NULL, name BLOB NOT NULL, kind INTEGER NOT NULL, mode INTEGER NOT NULL,
            user INTEGER NOT NULL, "group" INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
            modified_ns INTEGER NOT NULL, changed INTEGER NOT NULL, changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL, links INTEGER NOT NULL,
            state INTEGER NOT NULL, object INTEGER, child INTEGER, target BLOB, attributes INTEGER,
            PRIMARY KEY(directory, name)
        ) WITHOUT ROWID;
        CREATE TABLE snapshot(
            id INTEGER PRIMARY KEY AUTOINCREMENT, sha256 BLOB NOT NULL, taken INTEGER NOT NULL, taken_ns INTEGER NOT NULL,
            bundle TEXT, kind TEXT NOT NULL, view TEXT NOT NULL, tree INTEGER NOT NULL, files INTEGER NOT NULL,
            bytes INTEGER NOT NULL, exclusions INTEGER);
        CREATE TABLE exclusions(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE);
        CREATE TABLE excluded(
            exclusions INTEGER NOT NULL, path BLOB NOT NULL, kind INTEGER NOT NULL, reason TEXT NOT NULL,
            flag TEXT NOT NULL, PRIMARY KEY(exclusions, path)
        ) WITHOUT ROWID;
        CREATE TABLE incident(
            snapshot INTEGER NOT NULL, path BLOB NOT NULL, reason TEXT NOT NULL, PRIMARY KEY(snapshot, path)
        ) WITHOUT ROWID;
        CREATE TABLE label(
            snapshot INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(snapshot, name, value)
        ) WITHOUT ROWID;
        """
}

extension CatalogueSchema {
    /// Refuses a catalogue with other tables, triggers or views, with which SQLite could be made to run foreign code.
    ///
    /// - Throws: `damaged`, with the name of the difference.
    static func require(in database: Database) throws {
        let expected = try DatabaseQueue().inDatabase { model in
            try model.execute(sql: tables)
            return try definitions(in: model)
        }
        let found = try definitions(in: database)
        guard let other = expected.symmetricDifference(found).min(by: { $0.lexicographicallyPrecedes($1) }) else {
            return
        }
        let name = ByteText.escaped(Array(other.prefix(2).joined(separator: " ").utf8))
        throw BackupError(
            .damaged, what: "the catalogue’s \(name) does not match the format",
            hint: "the catalogue was changed by another program; \(Repository.rebuildHint)")
    }

    /// Returns the type, the name and the SQL of each table, index, view and trigger.
    private static func definitions(in database: Database) throws -> Set<[String]> {
        let rows = try Row.fetchCursor(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT 1000")
        var definitions: Set<[String]> = []
        while let row = try rows.next() {
            definitions.insert((0..<4).map { String.fromDatabaseValue(row[$0] as DatabaseValue) ?? "" })
        }
        return definitions
    }
}

/// Creation of repositories. The catalogue gets its name last, and a directory without that name is not a repository.
extension Repository {
    private static let unfinishedName = "\(catalogueName).new"
    /// The suffixes of the files of a database.
    private static let companions = [""] + DatabaseFileNames.suffixes

    /// Returns true if a name in the directory belongs to the repository.
    static func isRepositoryFile(_ name: String) -> Bool {
        let others: [FilePath] = [
            "objects", packsName, SnapshotFile.directory, "staging", RepositoryLock.note, SpaceReserve.name,
        ]
        return others.contains { $0.string == name }
            || name.hasPrefix(AtomicWrite.stagingPrefix)
            || ["", "-wal", "-shm"].contains { name == catalogueName + $0 } || name.hasPrefix(damagedName)
    }

    /// Creates a repository in a directory that is empty or contains only the files of an interrupted creation.
    static func createIfAbsent(in folder: Folder, waiting wait: LockWait) throws {
        func isAbsent() throws(FileSystemError) -> Bool {
            try folder.statusIfPresent(FilePath(catalogueName)) == nil
        }
        // One of several processes creates the repository, and the others find it.
        guard let lock = try RepositoryLock.lockForCreation(in: folder, waiting: wait, while: isAbsent) else { return }
        defer { lock.release() }
        guard try isUnfinished(folder) else {
            guard try isAbsent() else { return }
            throw BackupError(
                .noRepository,
                what: "“\(ByteText.escaped(folder.path.bytes))” is not a repository and not empty: nothing was created",
                hint: "name a repository, an empty directory or a new one")
        }
        try make(in: folder)
    }

    private static func isUnfinished(_ folder: Folder) throws -> Bool {
        try folder.names().allSatisfy { name in
            if name == "objects" {
                return try folder.status(name).kind == .directory && folder.openFolder(noFollow: name).names().isEmpty
            }
            return companions.contains { name.string == unfinishedName + $0 }
        }
    }

    /// Makes a catalogue under a temporary name, and gives it its name when it is on disk.
    ///
    /// - Parameters:
    ///   - folder: The directory of the repository.
    ///   - fill: Called within a transaction, with the empty tables.
    ///   - replace: Called before the catalogue gets its name.
    /// - Throws: Errors of `fill`, `replace`, the database and the file system.
    static func make(
        in folder: Folder, filling fill: (Database) throws -> Void = { _ in }, replacing replace: () throws -> Void = {}
    ) throws {
        for companion in companions {
            let path = FilePath(unfinishedName + companion)
            if try folder.statusIfPresent(path) != nil { try folder.remove(path) }
        }
        try folder.createDirectories("objects", permissions: privateDirectory)
        // SQLite would make the file readable for all users. Its companions get the mode of the database.
        try folder.createFile(FilePath(unfinishedName), permissions: privateFile).close()
        let path = try folder.absolutePath().appending(unfinishedName)
        var configuration = Configuration()
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA page_size = \(CatalogueSchema.pageSize); PRAGMA auto_vacuum = INCREMENTAL")
            // The file is flushed to disk as a whole before it gets its name.
            try $0.execute(sql: "PRAGMA synchronous = OFF")
        }
        let queue = try DatabaseQueue(path: path.string, configuration: configuration)
        try queue.inDatabase { database in
            try database.inTransaction {
                try database.execute(sql: "PRAGMA application_id = \(CatalogueSchema.applicationID)")
                try database.execute(sql: "PRAGMA user_version = \(CatalogueSchema.version)")
                try database.execute(sql: CatalogueSchema.tables)
                try fill(database)
                return .commit
            }
        }
        // A catalogue with its final name never has a rollback journal.
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        try folder.open(FilePath(unfinishedName)).sync()
        try replace()
        try folder.rename(FilePath(unfinishedName), to: FilePath(catalogueName), in: folder)
        try folder.sync()
    }
}
