internal import FileSystem
internal import Foundation
internal import GRDB
package import SystemPackage

/// A writer that adds objects to a repository, each content once. Thread-safe.
///
/// An object is durable after `flush` has returned: its bytes and its rows are on disk.
///
/// In a repository that is opened for creating, several processes write at the same time. Each collects its rows in memory
/// and inserts them in a turn of its own. Until then, an object or a set of attributes has a negative number, which stands
/// for its row (`row(ofObject:)`). After `begin` has returned, and in any other repository, rows are inserted at once.
package final class ObjectWriter: Sendable {
    /// The size of the parts of larger contents, so that a change in a large file costs only the changed parts.
    package static let partSize = 1 << 20
    /// The maximum size of a frame in a pack; larger frames are files. Measured in `Benchmarks/RESULTS.md`.
    static let inlineLimit = 64 << 10
    /// The size of the rows in memory with which a turn is due, in bytes.
    private static let pendingLimit = 8 << 20

    private let repository: Repository
    private let staging: Staging
    private let packs: PackWriter
    private let state: LockedValue<State>
    /// Guards turns: one thread at a time flushes.
    private let flushing = LockedValue<Void>(())
    package let presence: ObjectPresence
    /// The directory for temporary files of this run, which is removed at its end.
    package var stagingPath: FilePath {
        get throws(BackupError) {
            do { return try staging.folder.absolutePath() } catch { throw BackupError(error) }
        }
    }

    private struct State: ~Copyable {
        /// Written files and their final names.
        var files: [(file: OpenFile, object: ContentHash)] = []
        var count = 0
        var unflushedBytes = 0
        /// The number of objects that were missing and are stored again.
        var restored = 0
        var objects = CollectedRows<NewObject>()
        var attributes = CollectedRows<[Repository.Attribute]>()
        /// True if rows are inserted at once, in a transaction that is open.
        var insertsAtOnce = true

        var isDue: Bool {
            unflushedBytes > 128 << 20 || files.count >= 100
                || objects.bytes + attributes.bytes > ObjectWriter.pendingLimit
        }
    }

    package init(_ repository: Repository) throws(BackupError) {
        self.repository = repository
        state = LockedValue(State())
        let takesTurns = repository.lock.takesTurns
        try repository.lock.takeTurn()
        defer { repository.lock.endTurn() }
        staging = try Staging(of: repository)
        do throws(BackupError) {
            packs = try PackWriter(repository, staging: staging.folder)
            if takesTurns {
                state.withLock { $0.insertsAtOnce = false }
            } else {
                try repository.withCatalogue { try $0.execute(sql: "BEGIN IMMEDIATE") }
            }
            presence = try ObjectPresence(of: repository)
        } catch {
            try? repository.withCatalogue { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
            staging.remove()
            throw error
        }
        repository.packWriter.withLock { [packs] in $0 = packs }
    }

    /// Takes the turn that ends with the snapshot: flushes what was collected, and inserts all later rows at once.
    package func begin() throws(BackupError) {
        guard !insertsAtOnce else { return }
        try flush(keepingTurn: true)
        state.withLock { $0.insertsAtOnce = true }
    }

    private var insertsAtOnce: Bool { state.withLock { $0.insertsAtOnce } }

    /// Returns the row of an object that `add` or `find` returned. It must have been flushed.
    package func row(ofObject object: Int64) -> Int64 { state.withLock { $0.objects.row(of: object) } }

    /// Returns the row of a set of attributes that `insertAttributes` returned. It must have been flushed.
    package func row(ofAttributes set: Int64) -> Int64 { state.withLock { $0.attributes.row(of: set) } }

    /// The number of objects that the catalogue named, whose content was missing, and that this run has stored again.
    package var restoredObjects: Int { state.withLock { $0.restored } }

    /// Flushes everything to disk: the files first, then the rows that reference them.
    func flush() throws(BackupError) {
        if !insertsAtOnce { return try flush(keepingTurn: false) }
        try repository.modifyCatalogue { database in
            // No other thread can add a row without its file here.
            try flushFiles()
            try packs.flush(in: database)
            try database.execute(sql: "COMMIT")
            try database.execute(sql: "BEGIN IMMEDIATE")
        }
    }

    /// Takes a turn, and flushes files and collected rows in it.
    private func flush(keepingTurn keepsTurn: Bool) throws(BackupError) {
        // The long part is done before the turn.
        do throws(FileSystemError) { for file in state.withLock({ $0.files.map(\.file) }) { try file.sync() } } catch {
            throw BackupError(error)
        }
        try repository.lock.takeTurn()
        defer { if !keepsTurn { repository.lock.endTurn() } }
        try repository.withCatalogue { try $0.execute(sql: "BEGIN IMMEDIATE") }
        do throws(BackupError) {
            try repository.modifyCatalogue { database in
                // A file is known before its row, so these rows have their files.
                let (objects, attributes) = state.withLock { ($0.objects.waiting, $0.attributes.waiting) }
                try flushFiles()
                try insert(objects, attributes: attributes, in: database)
                guard !keepsTurn else { return }
                try packs.flush(in: database)
                try database.execute(sql: "COMMIT")
            }
        } catch {
            try? repository.withCatalogue { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
            repository.lock.endTurn()
            throw error
        }
    }

    /// Inserts collected rows, each after those that it refers to.
    private func insert(
        _ objects: [NewObject], attributes: [[Repository.Attribute]], in database: Database
    ) throws {
        for object in objects {
            let id = try insert(object, in: database)
            state.withLock { $0.objects.commit(id) }
        }
        for set in attributes {
            let id = try repository.insertAttributes(set, in: database)
            state.withLock { $0.attributes.commit(id) }
        }
        state.withLock { state in
            state.objects.forgetSettled()
            state.attributes.forgetSettled()
        }
    }

    /// Flushes everything, adds the row of a snapshot, and ends the transaction.
    ///
    /// - Returns: The snapshot with its number.
    package func finish(adding snapshot: Snapshot) throws(BackupError) -> Snapshot {
        var snapshot = snapshot
        do throws(BackupError) {
            try commit { database in
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
        end()
        return snapshot
    }

    /// Flushes everything and ends the transaction without a snapshot.
    package func finish() throws(BackupError) { try finish { _ in } }

    /// Flushes everything, calls `last` and ends the transaction.
    func finish(_ last: (Database) throws -> Void) throws(BackupError) {
        try commit(last)
        end()
    }

    private func commit(_ last: (Database) throws -> Void) throws(BackupError) {
        try repository.modifyCatalogue { database in
            try flushFiles()
            try packs.flush(in: database)
            try last(database)
            try database.execute(sql: "COMMIT")
        }
    }

    /// Discards everything since the last flush.
    package func abandon() {
        try? repository.withCatalogue { if $0.isInsideTransaction { try $0.execute(sql: "ROLLBACK") } }
        end()
    }

    private func end() {
        repository.packWriter.withLock { $0 = nil }
        staging.remove()
        repository.lock.endTurn()
    }

    /// Returns the object with this hash and size, if there is one and its content is present.
    func find(_ hash: ContentHash, size: Int) throws(BackupError) -> Int64? {
        if let collected = state.withLock({ $0.objects.find(hash) }) { return collected }
        return try repository.withCatalogue { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM object WHERE sha256 = ? AND size = ?")
            guard let found = try Int64.fetchOne(statement, arguments: [Data(hash.bytes), size]) else { return nil }
            return try presence.contains(found, in: database) ? found : nil
        }
    }

    /// Adds a content of at most `partSize` bytes with its hash.
    func add(
        _ content: UnsafeRawBufferPointer, hash: ContentHash, compressor: Compressor
    ) throws(BackupError) -> Int64 {
        if let found = try find(hash, size: content.count) { return found }
        return try compressor.compress(content) { frame throws(BackupError) in
            let isFile = frame.count > Self.inlineLimit
            if isFile { try write(frame, for: hash) }
            let new = NewObject(hash: hash, size: content.count, content: isFile ? .file : .frame(Data(frame)))
            let id: Int64
            if let collected = collect(new) {
                id = collected
            } else {
                id = try repository.modifyCatalogue { try insert(new, in: $0) }
            }
            try flushIfNeeded(frame.count)
            return id
        }
    }

    /// Replaces the content of a damaged or missing object.
    func replace(
        _ object: Int64, hash: ContentHash, content: UnsafeRawBufferPointer, compressor: Compressor
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
        let new = NewObject(hash: list.hash(size: size), size: Int(size), content: .parts(list))
        if let collected = collect(new) { return collected }
        return try repository.modifyCatalogue { try insert(new, in: $0) }
    }

    /// Adds a set of attributes sorted by name.
    ///
    /// - Returns: Its number; nil for an empty set.
    package func add(_ attributes: [Repository.Attribute]) throws(BackupError) -> Int64? {
        guard !attributes.isEmpty, !insertsAtOnce else { return try repository.insertAttributes(attributes) }
        let hash = Repository.hash(of: attributes)
        if let found = try repository.withCatalogue({ try Repository.findAttributes(hash, in: $0) }) { return found }
        let size = attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        let number = state.withLock { $0.attributes.add(attributes, hash: hash, size: size) }
        try flushIfNeeded(0)
        return number
    }

    /// Collects the row of an object, if rows are not inserted at once.
    private func collect(_ object: NewObject) -> Int64? {
        state.withLock { $0.insertsAtOnce ? nil : $0.objects.add(object, hash: object.hash, size: object.memory) }
    }

    private func insert(_ object: NewObject, in database: Database) throws -> Int64 {
        let id: Int64
        switch object.content {
        case .file: id = try insert(object.hash, size: object.size, form: .file, in: database)
        case .frame(let bytes):
            id = try insert(object.hash, size: object.size, form: .frame, in: database)
            try bytes.withUnsafeBytes { try pack($0, of: id, in: database) }
        case .parts(let list):
            let find = try database.cachedStatement(sql: "SELECT 1 FROM object WHERE sha256 = ? AND form = 2")
            let isKnown = try Int.fetchOne(find, arguments: [Data(object.hash.bytes)]) != nil
            id = try insert(object.hash, size: object.size, form: .parts, in: database)
            // The rows of an existing object are the same, unless they are damaged.
            try database.cachedStatement(sql: "DELETE FROM part WHERE object = ?").execute(arguments: [id])
            let statement = try database.cachedStatement(
                sql: "INSERT INTO part(object, position, part) VALUES(?, ?, ?)")
            for (position, part) in list.parts {
                try statement.execute(arguments: [id, Int64(position), row(ofObject: part)])
            }
            if !isKnown {
                try packs.add(.parts, hash: object.hash, in: database) { add in
                    try add(list.bytes(size: UInt64(object.size)))
                }
            }
        }
        return id
    }

    /// Inserts or repairs the row of an object, whose content the caller stores. Two threads may have found the same content
    /// at the same time, and an existing row may be damaged.
    private func insert(_ hash: ContentHash, size: Int, form: ObjectForm, in database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO object(sha256, size, form) VALUES(?, ?, ?)
                ON CONFLICT(sha256) DO UPDATE SET size = excluded.size, form = excluded.form RETURNING id
                """)
        guard let id = try Int64.fetchOne(statement, arguments: [Data(hash.bytes), size, form.rawValue]) else {
            throw BackupError(.failed, what: "SQLite returned no row number")
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
                FilePath("\(number)"), in: staging.folder, permissions: Repository.privateFile)
            try file.write(frame)
            file.startWriting(from: 0, count: UInt64(frame.count))
            state.withLock { $0.files.append((file, hash)) }
        } catch { throw BackupError(error) }
    }

    private func flushIfNeeded(_ bytes: Int) throws(BackupError) {
        let isDue = state.withLock { state in
            state.unflushedBytes += bytes
            return state.isDue
        }
        guard isDue else { return }
        // Other threads wait here, so that the memory of collected rows has a limit.
        try flushing.withLock { _ throws(BackupError) in
            if state.withLock({ $0.isDue }) { try flush() }
        }
    }

    private func flushFiles() throws(FileSystemError) {
        let files = state.withLock { state in
            defer { (state.files, state.unflushedBytes) = ([], 0) }
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
            try staging.folder.rename(file.path, replacing: FilePath(name), in: folder)
            TemporaryFileRegistry.unregister(file.path, in: staging.folder)
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
