internal import FileSystem
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// Making a store: the catalogue takes its name last, and no directory without that name is a store.
extension BackupStore {
    private static let unfinishedName = "\(catalogueName).new"
    /// What SQLite puts beside a database.
    private static let companions = ["", "-journal", "-wal", "-shm"]

    /// Whether a name in a store's directory is one that runs give.
    static func isOwn(_ name: String) -> Bool {
        ["objects", "staging", "\(StoreTurn.note)"].contains(name) || name.hasPrefix(Replace.stagingPrefix)
            || ["", "-wal", "-shm"].contains { name == catalogueName + $0 }
    }

    /// Makes a store in a directory that holds nothing, or what a run left that was ended while it made one.
    static func makeIfAbsent(in folder: Folder) throws {
        guard try folder.statusIfPresent(FilePath(catalogueName)) == nil else { return }
        // One makes it, and the others find it made.
        let lock = try StoreTurn.alone(in: folder)
        defer { lock.release() }
        guard try isUnfinished(folder) else {
            guard try folder.statusIfPresent(FilePath(catalogueName)) == nil else { return }
            throw BackupError(
                .noStore,
                "there is no store at “\(ByteText.escaped(folder.path.bytes))”, and other things are: nothing was made",
                hint: "name a directory that is empty or not there yet, or a store's own")
        }
        for companion in companions {
            let path = FilePath(unfinishedName + companion)
            if try folder.statusIfPresent(path) != nil { try folder.remove(path) }
        }
        try make(in: folder)
    }

    private static func isUnfinished(_ folder: Folder) throws -> Bool {
        try folder.names().allSatisfy { name in
            if name == "objects" {
                return try folder.status(name).kind == .directory && folder.folder(noFollow: name).names().isEmpty
            }
            return companions.contains { name.string == unfinishedName + $0 }
        }
    }

    private static func make(in folder: Folder) throws {
        try folder.makeFolder("objects", permissions: privateDirectory)
        // SQLite would make it for everyone to read; what it lays beside a database gets the database's own mode.
        try folder.create(FilePath(unfinishedName), permissions: privateFile).close()
        let path = try folder.absolutePath().appending(unfinishedName)
        var configuration = Configuration()
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA page_size = \(StoreSchema.pageSize); PRAGMA auto_vacuum = INCREMENTAL")
            // It is synced as a whole before it takes its name.
            try $0.execute(sql: "PRAGMA synchronous = OFF")
        }
        let queue = try DatabaseQueue(path: path.string, configuration: configuration)
        try queue.inDatabase { database in
            try database.inTransaction {
                try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
                try database.execute(sql: "PRAGMA user_version = \(StoreSchema.version)")
                try database.execute(sql: StoreSchema.tables)
                return .commit
            }
        }
        // From the beginning: beside a catalogue that has its name there is never a rollback journal.
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        try folder.open(FilePath(unfinishedName)).sync()
        try folder.rename(FilePath(unfinishedName), to: FilePath(catalogueName), in: folder)
        try folder.sync()
    }
}
