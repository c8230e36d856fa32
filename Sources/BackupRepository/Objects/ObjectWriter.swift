internal import FileSystem
internal import Foundation
internal import GRDB
internal import Synchronization
internal import SystemPackage

/// Adds contents to a store, each once, whatever it is called. Several threads may use it at the same time.
///
/// An object is there for good when `settle` has returned: then its bytes and the catalogue's rows are on the medium.
package final class ObjectWriter: Sendable {
    /// Larger contents are kept in parts of this size, so that a change in a large file costs what has changed.
    package static let partSize = 1 << 20
    /// A frame of at most so many bytes lies in the catalogue; a larger one is a file. `Benchmarks/RESULTS.md`.
    static let inlineLimit = 64 << 10

    private let repository: Repository
    private let staging: Folder
    private let state: Mutex<State>

    private struct State: ~Copyable {
        /// Files that have been written, and the names they are to have.
        var files: [(file: OpenFile, object: ContentHash)] = []
        var count = 0
        var unflushedBytes = 0
    }

    package init(_ repository: Repository) throws(BackupError) {
        self.repository = repository
        state = Mutex(State())
        do throws(FileSystemError) {
            // What an earlier run left there is no one's: the store's writer is this process.
            if try repository.folder.statusIfPresent("staging") != nil { try repository.folder.remove("staging") }
            try repository.folder.makeFolder("staging", permissions: Repository.privateDirectory)
            staging = try repository.folder.folder("staging")
            UnfinishedFiles.note(directory: "staging", in: repository.folder)
        } catch { throw BackupError(error) }
        try repository.withCatalogue { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    /// Brings everything down to the medium: the files first, then the rows that name them.
    func flush() throws(BackupError) {
        try repository.modifyCatalogue { database in
            // Here no other thread adds a row whose file is still to come.
            try flushFiles()
            try database.execute(sql: "COMMIT")
            try database.execute(sql: "BEGIN IMMEDIATE")
        }
    }

    /// Settles, adds the row of a snapshot, and ends the addition.
    ///
    /// - Returns: The snapshot with its number.
    package func finish(adding snapshot: Snapshot) throws(BackupError) -> Snapshot {
        var snapshot = snapshot
        try finish { snapshot.number = try Repository.add(snapshot, in: $0) }
        return snapshot
    }

    /// Settles, and ends what this adder is for.
    func finish(_ last: (Database) throws -> Void = { _ in }) throws(BackupError) {
        try repository.modifyCatalogue { database in
            try flushFiles()
            try last(database)
            try database.execute(sql: "COMMIT")
        }
        // Where it cannot be removed now, the next run does it.
        try? repository.folder.remove("staging")
        UnfinishedFiles.forget("staging")
    }

    /// Gives up what has not been settled.
    package func abandon() {
        try? repository.withCatalogue { try $0.execute(sql: "ROLLBACK") }
        try? repository.folder.remove("staging")
    }

    /// The object that has a content of this size, if there is one.
    private func find(_ hash: ContentHash, _ size: Int) throws(BackupError) -> Int64? {
        try repository.withCatalogue { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM object WHERE sha256 = ? AND size = ?")
            return try Int64.fetchOne(statement, arguments: [Data(hash.bytes), size])
        }
    }

    /// Adds a content of at most `partSize` bytes, which has this hash.
    func add(
        _ content: UnsafeRawBufferPointer, _ hash: ContentHash, _ compressor: Compressor
    ) throws(BackupError) -> Int64 {
        if let found = try find(hash, content.count) { return found }
        return try compressor.compress(content) { frame throws(BackupError) in
            if frame.count > Self.inlineLimit { try write(frame, for: hash) }
            let id = try repository.modifyCatalogue { database -> Int64 in
                let isFile = frame.count > Self.inlineLimit
                let id = try Self.insert(hash, content.count, isFile ? .file : .frame, in: database)
                if !isFile {
                    try database.cachedStatement(sql: "INSERT OR REPLACE INTO frame(object, bytes) VALUES(?, ?)")
                        .execute(arguments: [id, Data(frame)])
                }
                return id
            }
            try flushIfNeeded(frame.count)
            return id
        }
    }

    /// Keeps a damaged or missing object's content anew, `content` having its hash.
    func replace(
        _ object: Int64, _ hash: ContentHash, _ content: UnsafeRawBufferPointer, _ compressor: Compressor
    ) throws(BackupError) {
        try compressor.compress(content) { frame throws(BackupError) in
            let isFile = frame.count > Self.inlineLimit
            let name = hash.hexadecimal
            let damaged = FilePath("\(name.prefix(2))/\(name)")
            do throws(FileSystemError) {
                // No content is lost with it, and a directory would keep the new file from its name.
                if try repository.objects.statusIfPresent(damaged) != nil { try repository.objects.remove(damaged) }
            } catch { throw BackupError(error) }
            if isFile { try write(frame, for: hash) }
            try repository.modifyCatalogue { database in
                try database.execute(
                    sql: "UPDATE object SET form = ?, size = ? WHERE id = ?",
                    arguments: [(isFile ? ObjectForm.file : .frame).rawValue, content.count, object])
                try database.execute(sql: "DELETE FROM frame WHERE object = ?", arguments: [object])
                guard !isFile else { return }
                try database.execute(
                    sql: "INSERT INTO frame(object, bytes) VALUES(?, ?)", arguments: [object, Data(frame)])
            }
            try flushIfNeeded(frame.count)
        }
    }

    /// Adds what is kept in parts, which have been added.
    func add(_ list: PartList, size: UInt64) throws(BackupError) -> Int64 {
        try repository.modifyCatalogue { database in
            let id = try Self.insert(list.hash(size: size), Int(size), .parts, in: database)
            // Of one that was there these are the same rows, if they are whole.
            try database.cachedStatement(sql: "DELETE FROM part WHERE object = ?").execute(arguments: [id])
            let statement = try database.cachedStatement(
                sql: "INSERT INTO part(object, position, part) VALUES(?, ?, ?)")
            for (position, part) in list.parts { try statement.execute(arguments: [id, Int64(position), part]) }
            return id
        }
    }

    /// Makes an object's row, or makes it right: two threads may have found the same content at the same time, and a row
    /// may say what cannot be of it.
    private static func insert(
        _ hash: ContentHash, _ size: Int, _ form: ObjectForm, in database: Database
    ) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO object(sha256, size, form) VALUES(?, ?, ?)
                ON CONFLICT(sha256) DO UPDATE SET size = excluded.size, form = excluded.form RETURNING id
                """)
        guard let id = try Int64.fetchOne(statement, arguments: [Data(hash.bytes), size, form.rawValue]) else {
            throw BackupError(.failed, "SQLite does not say which row it made")
        }
        return id
    }

    private func write(_ frame: UnsafeRawBufferPointer, for hash: ContentHash) throws(BackupError) {
        do throws(FileSystemError) {
            let number = state.withLock { state in
                state.count += 1
                return state.count
            }
            let file = try UnfinishedFiles.make(
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

    private func flushFiles() throws(FileSystemError) {
        let files = state.withLock { state in
            defer { state.files = [] }
            return state.files
        }
        var folders: [String: Folder] = [:]
        for (file, object) in files {
            try file.sync()
            let name = object.hexadecimal
            let place = String(name.prefix(2))
            if folders[place] == nil {
                try repository.objects.makeFolder(FilePath(place), permissions: Repository.privateDirectory)
                folders[place] = try repository.objects.folder(FilePath(place))
            }
            guard let folder = folders[place] else { continue }
            // A run that was ended may have left one of that name, and who knows what has become of it since.
            try staging.rename(file.path, over: FilePath(name), in: folder)
            UnfinishedFiles.forget(file.path)
        }
        for folder in folders.values { try folder.sync() }
    }
}

/// How an object is kept.
package enum ObjectForm: Int {
    /// One frame of zstd in the catalogue.
    case frame = 0
    /// One frame of zstd that is a file.
    case file = 1
    /// Other objects at positions of it; what lies between them is zeros.
    case parts = 2
}

extension Repository {
    /// The one way by which an addition changes the catalogue: within the transaction that an `ObjectWriter` began.
    ///
    /// On a full disk SQLite rolls a transaction back by itself, and a row that is added after that is there for good at
    /// once, without the file that it names. So the first failure is that of all that comes after it.
    func modifyCatalogue<Value>(_ body: (Database) throws -> Value) throws(BackupError) -> Value {
        try withCatalogue { database in
            if let failure = writeFailure.withLock({ $0 }) { throw failure }
            guard database.isInsideTransaction else {
                throw BackupError(.failed, "nothing can be added to the catalogue: SQLite gave up what was under way")
            }
            do { return try body(database) } catch {
                writeFailure.withLock { $0 = BackupError(error) }
                throw error
            }
        }
    }
}
