internal import AppContainer
internal import DatabaseInspection
internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// The directory and the files of a database of a container.
struct DatabaseLocation {
    let container: Container
    let item: ContainerPath
    /// The path of the database, relative to the container.
    let path: FilePath
    let directory: ContainerPath

    /// - Throws: `invalidName`, `file`.
    init(_ name: String, in container: Container) throws(ContainerDatabaseError) {
        guard !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("."), !name.utf8.contains(0),
            !name.utf8.contains(UInt8(ascii: "/"))
        else {
            throw ContainerDatabaseError(
                .invalidName, name,
                "“\(name)” is not the name of a database. Use a file name without a slash and without a dot at its start."
            )
        }
        self.container = container
        item = .database(named: name)
        directory = .applicationSupport / "Databases" / name
        do {
            path = try container.relative(item)
        } catch {
            throw ContainerDatabaseError(anyError: error, name, action: "open", onDisk: "Nothing on disk has changed.")
        }
    }

    /// Runs `body` while no other thread opens or deletes this database. The lock does not depend on the existence of
    /// the directory.
    func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try PathLocks.shared.withLocks(at: [container.directoryLockKey(path)], body)
    }

    /// The parts of the database that exist.
    struct Presence {
        let directory: Bool
        let database: Bool
        /// The paths of the log, the journal and the shared memory file.
        let companions: Set<FilePath>
    }

    private var companions: [FilePath] { DatabaseFileNames.suffixes.map { FilePath(path.string + $0) } }

    func presence() throws(ContainerDatabaseError) -> Presence {
        do throws(FileSystemError) {
            var present: Set<FilePath> = []
            for file in companions where try container.folder.statusIfPresent(file) != nil { present.insert(file) }
            return Presence(
                directory: try container.folder.statusIfPresent(path.removingLastComponent()) != nil,
                database: try container.folder.statusIfPresent(path) != nil, companions: present)
        } catch { throw ContainerDatabaseError(ContainerError(error)) }
    }

    /// Removes a database whose creation failed, unless another process uses it. Other files of the directory remain.
    func removeWhatIsNew(since before: Presence) {
        guard !before.database, (try? requireUnused()) != nil else { return }
        for file in companions + [path] where !before.companions.contains(file) { try? container.folder.remove(file) }
        if !before.directory { try? container.folder.removeEmptyDirectory(path.removingLastComponent()) }
    }

    /// Returns the status of the database, or nil if it does not exist.
    func status() throws(ContainerDatabaseError) -> FileStatus? {
        do throws(FileSystemError) { return try container.folder.statusIfPresent(path) } catch {
            throw ContainerDatabaseError(ContainerError(error))
        }
    }

    /// Returns the paths of the database and its companions that exist, without the shared memory file.
    func presentFiles() throws -> [ContainerPath] {
        try DatabaseFile.allCases.compactMap { file in
            let path = FilePath(path.string + file.rawValue)
            return try container.folder.statusIfPresent(path) == nil ? nil : container.containerPath(path)
        }
    }

    /// The absolute path of the database for SQLite. The directory is resolved beneath the container first.
    func absolutePath() throws -> String {
        let parent = try container.folder.openFolder(path.removingLastComponent())
        guard let name = path.lastComponent else { return "" }
        return try parent.absolutePath().appending(name).string
    }

    /// Refuses links and special files, which SQLite would follow out of the container, and a file that is not a
    /// database.
    func checkFiles() throws {
        for suffix in [""] + DatabaseFileNames.suffixes {
            let path = FilePath(path.string + suffix)
            guard let status = try container.folder.statusIfPresent(path) else { continue }
            guard status.kind == .file else {
                let errno: Errno = status.kind == .directory ? .isDirectory : .tooManySymbolicLinkLevels
                throw FileSystemError("open the database", path: path, errno: errno)
            }
        }
        guard let size = try status()?.size else {
            // SQLite would delete a log without its database.
            let rest = try presentFiles()
            guard let file = rest.first else { return }
            throw ContainerDatabaseError(
                .damaged, path.string,
                "“\(file.name)” exists, but its database “\(path)” does not. Nothing on disk has changed. "
                    + "Restore the database from a backup, or delete it with deleteDatabase(named:).")
        }
        guard size > 0 else { return }
        let bytes = try container.folder.open(path, followingLinks: false).read(upTo: 4_096)
        if bytes.starts(with: DatabaseHeader.magic) { return }
        let isEncrypted = size % 512 == 0 && Self.entropy(bytes) > 7.8
        throw ContainerDatabaseError(
            isEncrypted ? .encrypted : .notADatabase, path.string,
            isEncrypted
                ? "“\(path)” is not an SQLite database that can be read, and looks encrypted. It is unchanged. "
                    + "Open it with the library that encrypted it and with its key."
                : "“\(path)” is not an SQLite database. It is unchanged. Move it away, or restore a good copy.")
    }

    /// The information of each byte in bits: 8 for random bytes. Source: Shannon, 1948.
    private static func entropy(_ bytes: [UInt8]) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        return counts.filter { $0 > 0 }.reduce(0) { sum, count in
            let share = Double(count) / Double(bytes.count)
            return sum - share * log2(share)
        }
    }

    /// Records the origin on the database. Creates an empty file if it is missing, which SQLite opens as a new
    /// database.
    func record(_ provenance: Provenance) throws {
        guard try status() == nil else {
            guard container.recording != .off, try container.provenance(of: item)?.maker != provenance.maker else {
                return
            }
            let file = try container.folder.open(path, followingLinks: false)
            for attribute in provenance.attributes {
                if let value = attribute.value {
                    // Optional, as for saves: a file system may have no room for it.
                    try? file.setAttribute(attribute.name, value: value)
                } else {
                    _ = try? file.removeAttribute(attribute.name)
                }
            }
            return
        }
        try container.save([UInt8](), to: item, options: .init(overwrite: .never, provenance: provenance))
    }

    /// Throws `locked` if another connection has the database open. Does nothing for a file that SQLite cannot read.
    func requireUnused() throws {
        guard try status() != nil else { return }
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        do {
            let queue = try DatabaseQueue(path: try absolutePath(), configuration: configuration)
            // In WAL mode, each open connection has a shared lock, so this fails if there is another one.
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; ROLLBACK")
            }
            try queue.close()
        } catch let error as DatabaseError {
            guard [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) else { return }
            throw ContainerDatabaseError(
                error, path: path.string, action: "use", onDisk: "Nothing on disk has changed.")
        }
    }

    /// Renames the directory to a temporary name and returns its path.
    func moveAway() throws -> ContainerPath {
        let old = path.removingLastComponent()
        let name = AtomicWrite.stagingName()
        let parent = old.removingLastComponent()
        let folder = try container.folder.openFolder(parent)
        guard let last = old.lastComponent else { return directory }
        try folder.rename(FilePath(root: nil, [last]), to: name, in: folder)
        try folder.sync()
        return container.containerPath(parent.appending(name.components))
    }
}
