internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// A writer of packs: files with small contents, and with a copy of every list of parts, set of attributes, list of exclusions
/// and directory of the catalogue.
///
/// All calls are made inside a transaction of the catalogue, which serializes them. A pack gets its name, which is its hash,
/// before the transaction that refers to it is committed.
final class PackWriter: Sendable {
    private let repository: Repository
    private let staging: Folder
    private let compressor: LockedValue<Compressor>
    private let state = LockedValue(State())

    private struct State: Sendable {
        var bytes: [UInt8] = []
        /// The row of the unfinished pack; nil before its first record.
        var pack: Int64?
        /// Written packs and their names.
        var sealed: [(file: OpenFile, name: ContentHash)] = []
        var count = 0
    }

    /// The location of the frame of a content.
    struct Place {
        let pack: Int64
        let position: Int
        let size: Int
    }

    /// The number of written packs that are flushed at once, for which the files stay open.
    private static let mostSealed = 64

    init(_ repository: Repository, staging: Folder) throws(BackupError) {
        self.repository = repository
        self.staging = staging
        compressor = LockedValue(try Compressor(level: 3))
    }

    /// Changes the state, which only the transaction uses at a time.
    private func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        var state = self.state.withLock { kept in
            let state = kept
            kept = State()
            return state
        }
        defer { self.state.withLock { [state] in $0 = state } }
        return try body(&state)
    }

    /// Adds the frame of a small content.
    ///
    /// - Returns: The location of the frame.
    func add(_ frame: UnsafeRawBufferPointer, in database: Database) throws -> Place {
        try withState { state in
            let header = PackRecord(kind: .content, hash: nil, frameSize: frame.count)
            return try append(header, frame: frame, state: &state, in: database)
        }
    }

    /// Adds the copy of an item.
    ///
    /// - Parameters:
    ///   - kind: The kind of the item.
    ///   - hash: The hash of the item.
    ///   - database: The catalogue.
    ///   - read: Adds the bytes that the hash covers, in order.
    /// - Throws: `full`, `readOnly`, `noMemory`, `failed`; errors of `read`.
    func add(
        _ kind: PackRecord.Kind, hash: ContentHash, in database: Database,
        reading read: (_ add: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        func write(_ header: PackRecord, piece: ArraySlice<UInt8>) throws {
            let frame = try compressor.withLock { compressor throws(BackupError) in try compressor.frame(of: piece) }
            var header = header
            header.frameSize = frame.count
            _ = try frame.withUnsafeBytes { try add(header, frame: $0, in: database) }
        }
        var divider = PackRecord.Divider(of: kind, hash)
        try read { bytes in
            for (header, piece) in divider.add(bytes) { try write(header, piece: piece) }
        }
        let last = divider.finish()
        try write(last.header, piece: last.piece)
    }

    /// Adds a record as it is in another pack.
    func add(_ header: PackRecord, frame: UnsafeRawBufferPointer, in database: Database) throws -> Place {
        try withState { try append(header, frame: frame, state: &$0, in: database) }
    }

    private func append(
        _ header: PackRecord, frame: UnsafeRawBufferPointer, state: inout State, in database: Database
    ) throws -> Place {
        if state.bytes.count + header.size + frame.count > PackRecord.packSize { try seal(&state, in: database) }
        let pack: Int64
        if let open = state.pack {
            pack = open
        } else {
            try database.execute(sql: "INSERT INTO pack(sha256, size) VALUES(randomblob(32), 0)")
            pack = database.lastInsertedRowID
            state.pack = pack
        }
        state.bytes += header.bytes
        let position = state.bytes.count
        state.bytes += frame
        return Place(pack: pack, position: position, size: frame.count)
    }

    /// Flushes all packs to disk under their names.
    func flush(in database: Database) throws {
        try withState { state in
            try seal(&state, in: database)
            try publish(&state)
        }
    }

    private func seal(_ state: inout State, in database: Database) throws {
        guard let pack = state.pack else { return }
        let name = ContentHash(of: state.bytes)
        // The same pack may exist if its contents were missing and are stored again.
        let find = try database.cachedStatement(sql: "SELECT id FROM pack WHERE sha256 = ?")
        if let same = try Int64.fetchOne(find, arguments: [Data(name.bytes)]) {
            try database.execute(sql: "UPDATE frame SET pack = ? WHERE pack = ?", arguments: [same, pack])
            try database.execute(sql: "DELETE FROM pack WHERE id = ?", arguments: [pack])
        } else {
            try database.execute(
                sql: "UPDATE pack SET sha256 = ?, size = ? WHERE id = ?",
                arguments: [Data(name.bytes), state.bytes.count, pack])
        }
        state.count += 1
        let file = try TemporaryFileRegistry.createFile(
            FilePath("pack-\(state.count)"), in: staging, permissions: Repository.privateFile)
        try file.write(state.bytes)
        file.startWriting(from: 0, count: UInt64(state.bytes.count))
        state.sealed.append((file, name))
        state.pack = nil
        state.bytes.removeAll(keepingCapacity: true)
        if state.sealed.count >= Self.mostSealed { try publish(&state) }
    }

    private func publish(_ state: inout State) throws {
        guard !state.sealed.isEmpty else { return }
        try repository.folder.createDirectories(Repository.packsName, permissions: Repository.privateDirectory)
        let packs = try repository.folder.openFolder(Repository.packsName)
        for (file, name) in state.sealed {
            try file.sync()
            try staging.rename(file.path, replacing: FilePath(name.hexadecimal), in: packs)
            TemporaryFileRegistry.unregister(file.path, in: staging)
        }
        try packs.sync()
        state.sealed = []
    }
}

extension Folder {
    /// Moves a file over whatever has the new name, which an interrupted run may have left behind.
    func rename(_ path: FilePath, replacing name: FilePath, in target: Folder) throws(FileSystemError) {
        do throws(FileSystemError) { try rename(path, over: name, in: target) } catch {
            guard error.errno == .isDirectory else { throw error }
            try target.remove(name)
            try rename(path, over: name, in: target)
        }
    }
}

extension Repository {
    static let packsName: FilePath = "packs"

    /// Adds the copy of an item of the catalogue to the packs of the running `ObjectWriter`.
    func addCopy(_ kind: PackRecord.Kind, hash: ContentHash, bytes: [UInt8], in database: Database) throws {
        try addCopy(kind, hash: hash, in: database) { add in try add(bytes) }
    }

    /// Adds the copy of an item that `read` adds in pieces.
    func addCopy(
        _ kind: PackRecord.Kind, hash: ContentHash, in database: Database,
        reading read: (_ add: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        guard let packs = packWriter.withLock({ $0 }) else {
            throw BackupError(.failed, what: "nothing can be added to the catalogue outside a run")
        }
        try packs.add(kind, hash: hash, in: database, reading: read)
    }

    /// Returns the names of the files in `packs`, sorted; none if the directory does not exist.
    func packNames() throws(BackupError) -> [FilePath] { try names(in: Self.packsName) }

    /// Returns the sorted names in a directory of the repository; none if it does not exist.
    func names(in directory: FilePath) throws(BackupError) -> [FilePath] {
        do throws(FileSystemError) {
            guard try folder.statusIfPresent(directory) != nil else { return [] }
            return try folder.openFolder(noFollow: directory).names().sorted {
                $0.bytes.lexicographicallyPrecedes($1.bytes)
            }
        } catch { throw BackupError(error) }
    }

    /// Returns the bytes of a pack; nil if it does not exist, is not a file or is too large.
    func packBytes(_ name: FilePath) -> [UInt8]? {
        let path = Self.packsName.appending(name.components)
        guard let status = try? folder.statusIfPresent(path), status.kind == .file,
            let file = try? folder.open(path, followingLinks: false)
        else { return nil }
        return try? file.contents(limit: PackRecord.packLimit)
    }
}
