internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// A writer that adds objects to a repository, each content once. Thread-safe.
///
/// An object is durable after `flush` has returned: its bytes and its rows are on disk.
package final class ObjectWriter: Sendable {
    /// The size of the parts of larger contents, so that a change in a large file costs only the changed parts.
    package static let partSize = 1 << 20
    /// The maximum size of a frame in a pack; larger frames are files. Measured in `Benchmarks/RESULTS.md`.
    static let inlineLimit = 64 << 10

    private let repository: Repository
    private let staging: Folder
    private let packs: PackWriter
    private let state: LockedValue<State>
    package let presence: ObjectPresence

    private struct State: ~Copyable {
        /// Written files and their final names.
        var files: [(file: OpenFile, object: ContentHash)] = []
        var count = 0
        var unflushedBytes = 0
        /// The number of objects that were missing and are stored again.
        var restored = 0
    }

    package init(_ repository: Repository) throws(BackupError) {
        self.repository = repository
        state = LockedValue(State())
        staging = try repository.makeStaging()
        packs = try PackWriter(repository, staging: staging)
        try repository.withCatalogue { try $0.execute(sql: "BEGIN IMMEDIATE") }
        do throws(BackupError) { presence = try ObjectPresence(of: repository) } catch {
            try? repository.withCatalogue { try $0.execute(sql: "ROLLBACK") }
            throw error
        }
        repository.packWriter.withLock { [packs] in $0 = packs }
    }

    /// The number of objects that the catalogue named, whose content was missing, and that this run has stored again.
    package var restoredObjects: Int { state.withLock { $0.restored } }

    /// Flushes everything to disk: the files first, then the rows that reference them.
    func flush() throws(BackupError) {
        try repository.modifyCatalogue { database in
            // No other thread can add a row without its file here.
            try flushFiles(in: database)
            try database.execute(sql: "COMMIT")
            try database.execute(sql: "BEGIN IMMEDIATE")
        }
    }

    /// Flushes everything, adds the row of a snapshot, and ends the transaction.
    ///
    /// - Returns: The snapshot with its number.
    package func finish(adding snapshot: Snapshot) throws(BackupError) -> Snapshot {
        var snapshot = snapshot
        do throws(BackupError) {
            try finish { database in
                snapshot.number = try Repository.add(snapshot, in: database)
                snapshot.id = try Repository.hash(of: snapshot, in: database).hexadecimal
                try Repository.prepareFile(of: snapshot, in: repository.folder, database)
            }
        } catch {
            // A snapshot that was not made must not be in a rebuilt catalogue.
            if snapshot.number > 0 { SnapshotFile.cancel([snapshot.number], in: repository.folder) }
            throw error
        }
        SnapshotFile.commit([snapshot.number], in: repository.folder)
        return snapshot
    }

    /// Flushes everything and ends the transaction without a snapshot.
    package func finish() throws(BackupError) { try finish { _ in } }

    /// Flushes everything, calls `last` and ends the transaction.
    func finish(_ last: (Database) throws -> Void) throws(BackupError) {
        try repository.modifyCatalogue { database in
            try flushFiles(in: database)
            try last(database)
            try database.execute(sql: "COMMIT")
        }
        end()
    }

    /// Discards everything since the last flush.
    package func abandon() {
        try? repository.withCatalogue { try $0.execute(sql: "ROLLBACK") }
        end()
    }

    private func end() {
        repository.packWriter.withLock { $0 = nil }
        repository.removeStaging()
    }

    /// Returns the object with this hash and size, if there is one and its content is present.
    func find(_ hash: ContentHash, _ size: Int) throws(BackupError) -> Int64? {
        try repository.withCatalogue { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM object WHERE sha256 = ? AND size = ?")
            guard let found = try Int64.fetchOne(statement, arguments: [Data(hash.bytes), size]) else { return nil }
            return try presence.contains(found, in: database) ? found : nil
        }
    }

    /// Adds a content of at most `partSize` bytes with its hash.
    func add(
        _ content: UnsafeRawBufferPointer, _ hash: ContentHash, _ compressor: Compressor
    ) throws(BackupError) -> Int64 {
        if let found = try find(hash, content.count) { return found }
        return try compressor.compress(content) { frame throws(BackupError) in
            let isFile = frame.count > Self.inlineLimit
            if isFile { try write(frame, for: hash) }
            let id = try repository.modifyCatalogue { database -> Int64 in
                let id = try insert(hash, content.count, isFile ? .file : .frame, in: database)
                if !isFile { try pack(frame, of: id, in: database) }
                return id
            }
            try flushIfNeeded(frame.count)
            return id
        }
    }

    /// Replaces the content of a damaged or missing object.
    func replace(
        _ object: Int64, _ hash: ContentHash, _ content: UnsafeRawBufferPointer, _ compressor: Compressor
    ) throws(BackupError) {
        try compressor.compress(content) { frame throws(BackupError) in
            let isFile = frame.count > Self.inlineLimit
            let name = hash.hexadecimal
            let damaged = FilePath("\(name.prefix(2))/\(name)")
            do throws(FileSystemError) {
                // The damaged file has no usable content, and a directory would block the rename.
                if try repository.objects.statusIfPresent(damaged) != nil { try repository.objects.remove(damaged) }
            } catch { throw BackupError(error) }
            if isFile { try write(frame, for: hash) }
            try repository.modifyCatalogue { database in
                try database.execute(
                    sql: "UPDATE object SET form = ?, size = ? WHERE id = ?",
                    arguments: [(isFile ? ObjectForm.file : .frame).rawValue, content.count, object])
                try database.execute(sql: "DELETE FROM frame WHERE object = ?", arguments: [object])
                if !isFile { try pack(frame, of: object, in: database) }
            }
            try flushIfNeeded(frame.count)
        }
    }

    /// Stores the frame of an object in a pack.
    private func pack(_ frame: UnsafeRawBufferPointer, of object: Int64, in database: Database) throws {
        let place = try packs.add(frame, in: database)
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO frame(object, pack, position, size) VALUES(?, ?, ?, ?)"
        ).execute(arguments: [object, place.pack, place.position, place.size])
    }

    /// Adds a content in parts, which exist already.
    func add(_ list: PartList, size: UInt64) throws(BackupError) -> Int64 {
        try repository.modifyCatalogue { database in
            let hash = list.hash(size: size)
            let find = try database.cachedStatement(sql: "SELECT 1 FROM object WHERE sha256 = ? AND form = 2")
            let isKnown = try Int.fetchOne(find, arguments: [Data(hash.bytes)]) != nil
            let id = try insert(hash, Int(size), .parts, in: database)
            // The rows of an existing object are the same, unless they are damaged.
            try database.cachedStatement(sql: "DELETE FROM part WHERE object = ?").execute(arguments: [id])
            let statement = try database.cachedStatement(
                sql: "INSERT INTO part(object, position, part) VALUES(?, ?, ?)")
            for (position, part) in list.parts { try statement.execute(arguments: [id, Int64(position), part]) }
            if !isKnown { try packs.add(.parts, hash, list.bytes(size: size), in: database) }
            return id
        }
    }

    /// Inserts or repairs the row of an object, whose content the caller stores. Two threads may have found the same content
    /// at the same time, and an existing row may be damaged.
    private func insert(_ hash: ContentHash, _ size: Int, _ form: ObjectForm, in database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO object(sha256, size, form) VALUES(?, ?, ?)
                ON CONFLICT(sha256) DO UPDATE SET size = excluded.size, form = excluded.form RETURNING id
                """)
        guard let id = try Int64.fetchOne(statement, arguments: [Data(hash.bytes), size, form.rawValue]) else {
            throw BackupError(.failed, "SQLite returned no row number")
        }
        if presence.add(id) { state.withLock { $0.restored += 1 } }
        return id
    }

    private func write(_ frame: UnsafeRawBufferPointer, for hash: ContentHash) throws(BackupError) {
        do throws(FileSystemError) {
            let number = state.withLock { state in
                state.count += 1
                return state.count
            }
            let file = try TemporaryFileRegistry.createFile(
                FilePath("\(number)"), in: staging, permissions: Repository.privateFile)
            try file.write(frame)
            file.startWriting(from: 0, count: UInt64(frame.count))
            state.withLock { $0.files.append((file, hash)) }
        } catch { throw BackupError(error) }
    }

    private func flushIfNeeded(_ bytes: Int) throws(BackupError) {
        let isDue = state.withLock { state in
            state.unflushedBytes += bytes
            guard state.unflushedBytes > 128 << 20 || state.files.count >= 100 else { return false }
            state.unflushedBytes = 0
            return true
        }
        if isDue { try flush() }
    }

    private func flushFiles(in database: Database) throws {
        try packs.flush(in: database)
        try flushObjects()
    }

    private func flushObjects() throws(FileSystemError) {
        let files = state.withLock { state in
            defer { state.files = [] }
            return state.files
        }
        var folders: [String: Folder] = [:]
        for (file, object) in files {
            try file.sync()
            let name = object.hexadecimal
            let prefix = String(name.prefix(2))
            if folders[prefix] == nil {
                try repository.objects.createDirectories(FilePath(prefix), permissions: Repository.privateDirectory)
                folders[prefix] = try repository.objects.openFolder(FilePath(prefix))
            }
            guard let folder = folders[prefix] else { continue }
            try staging.rename(file.path, replacing: FilePath(name), in: folder)
            TemporaryFileRegistry.unregister(file.path, in: staging)
        }
        for folder in folders.values { try folder.sync() }
    }
}

/// The form in which an object is stored.
package enum ObjectForm: Int {
    /// One zstd frame in a pack.
    case frame = 0
    /// One zstd frame in a file.
    case file = 1
    /// Other objects at positions in this one; the gaps between them are zeros.
    case parts = 2
}

extension Repository {
    /// Changes the catalogue inside the transaction that an `ObjectWriter` began.
    ///
    /// When the disk is full, SQLite rolls the transaction back by itself, and a later row would be committed at once
    /// without its file. So the first failure is repeated for all later calls.
    func modifyCatalogue<Value>(_ body: (Database) throws -> Value) throws(BackupError) -> Value {
        try withCatalogue { database in
            if let failure = writeFailure.withLock({ $0 }) { throw failure }
            guard database.isInsideTransaction else {
                throw BackupError(.failed, "nothing can be added to the catalogue: SQLite rolled the transaction back")
            }
            do { return try body(database) } catch {
                writeFailure.withLock { $0 = BackupError(error) }
                throw error
            }
        }
    }
}
