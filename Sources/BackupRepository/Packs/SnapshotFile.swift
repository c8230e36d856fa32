internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// The files in `snapshots`: a copy of the row of each snapshot, with its lists, under the number of the snapshot.
///
/// A new file has the suffix `.new` until its row is committed, and the file of a snapshot that is being removed has the suffix
/// `.forgotten` until the row is deleted. Therefore a rebuilt catalogue has every snapshot whose run has completed, and none that
/// was removed. `finishWriting` completes what an interrupted run left.
enum SnapshotFile {
    static let directory: FilePath = "snapshots"
    /// The limit for reading a file. A snapshot has an incident for an item at most.
    private static let limit = 64 << 20

    /// The state of a file, as the suffix of its name.
    enum State: String, CaseIterable {
        case current = ""
        case new = ".new"
        case forgotten = ".forgotten"
    }

    /// The content of a file.
    struct Content {
        let hash: ContentHash
        /// The bytes that the hash covers.
        let bytes: [UInt8]
    }

    private static func name(_ number: Int64, state: State) -> FilePath { FilePath("\(number)\(state.rawValue)") }

    /// Writes the file of a snapshot, whose row the caller commits, and flushes it to disk.
    static func prepare(_ content: Content, number: Int64, in folder: Folder) throws(BackupError) {
        var bytes: [UInt8] = []
        let compressor = try Compressor(level: 3)
        var divider = PackRecord.Divider(of: .snapshot, content.hash)
        for (header, piece) in divider.add(content.bytes) + [divider.finish()] {
            let frame = try compressor.frame(of: piece)
            var header = header
            header.frameSize = frame.count
            bytes += header.bytes + frame
        }
        let staging = FilePath(AtomicWrite.stagingPrefix + "snapshot")
        do throws(FileSystemError) {
            try folder.createDirectories(directory, permissions: Repository.privateDirectory)
            let target = try folder.openFolder(noFollow: directory)
            if try folder.statusIfPresent(staging) != nil { try folder.remove(staging) }
            let file = try TemporaryFileRegistry.createFile(staging, in: folder, permissions: Repository.privateFile)
            defer { TemporaryFileRegistry.unregister(staging, in: folder) }
            do throws(FileSystemError) {
                try file.write(bytes)
                try file.sync()
                try folder.rename(staging, replacing: name(number, state: .new), in: target)
            } catch {
                try? folder.remove(staging)
                throw error
            }
            try target.sync()
        } catch { throw BackupError(error) }
    }

    /// Gives prepared files their names, after their rows were committed, for good when it returns. If that fails, `finishWriting`
    /// does it.
    static func commit(_ numbers: [Int64], in folder: Folder) {
        guard !numbers.isEmpty, let target = try? folder.openFolder(noFollow: directory) else { return }
        for number in numbers {
            try? target.rename(name(number, state: .new), replacing: name(number, state: .current), in: target)
        }
        try? target.sync()
    }

    /// Removes prepared files, whose rows were not committed.
    static func cancel(_ numbers: [Int64], in folder: Folder) {
        guard let target = try? folder.openFolder(noFollow: directory) else { return }
        for number in numbers { try? target.removeFile(name(number, state: .new)) }
    }

    /// Marks the files of snapshots whose rows the caller deletes, for good when it returns.
    static func markForgotten(_ numbers: [Int64], in folder: Folder) throws(BackupError) {
        do throws(FileSystemError) {
            guard !numbers.isEmpty, try folder.statusIfPresent(directory) != nil else { return }
            let target = try folder.openFolder(noFollow: directory)
            for number in numbers {
                if try target.statusIfPresent(name(number, state: .current)) != nil {
                    try target.rename(
                        name(number, state: .current), replacing: name(number, state: .forgotten), in: target)
                }
                if try target.statusIfPresent(name(number, state: .new)) != nil {
                    try target.removeFile(name(number, state: .new))
                }
            }
            try target.sync()
        } catch { throw BackupError(error) }
    }

    /// Removes the files of snapshots in a state.
    static func remove(_ numbers: [Int64], states: [State], in folder: Folder) throws(BackupError) {
        do throws(FileSystemError) {
            guard !numbers.isEmpty, try folder.statusIfPresent(directory) != nil else { return }
            let target = try folder.openFolder(noFollow: directory)
            for number in numbers {
                for state in states where try target.statusIfPresent(name(number, state: state)) != nil {
                    try target.removeWithoutSync(name(number, state: state))
                }
            }
            try target.sync()
        } catch { throw BackupError(error) }
    }

    /// Returns the content of a file; nil if it is missing or damaged.
    static func read(
        _ number: Int64, _ state: State = .current, in folder: Folder, _ decompressor: Decompressor
    ) -> Content? {
        let path = directory.appending(name(number, state: state).components)
        guard let status = (try? folder.statusIfPresent(path)) ?? nil, status.kind == .file,
            let file = try? folder.open(path, followingLinks: false), let bytes = try? file.contents(limit: limit)
        else { return nil }
        let (records, isWhole) = PackRecord.all(in: bytes)
        guard isWhole, let hash = records.first?.header.hash else { return nil }
        var content: [UInt8] = []
        for (index, record) in records.enumerated() {
            let header = record.header
            guard header.kind == .snapshot, header.hash == hash, header.piece == index,
                header.isLast == (index == records.count - 1),
                let piece = bytes[record.frame].withUnsafeBytes({
                    decompressor.content(of: $0, limit: PackRecord.pieceSize)
                })
            else { return nil }
            content += piece
        }
        return ContentHash(of: content) == hash ? Content(hash: hash, bytes: content) : nil
    }

    /// Returns true if a file of a snapshot, in any state, has an ID.
    static func exists(_ number: Int64, id: String, in folder: Folder, decompressor: Decompressor) -> Bool {
        State.allCases.contains { read(number, $0, in: folder, decompressor)?.hash.hexadecimal == id }
    }

    /// Separates the names of files of snapshots from others.
    static func numbers(in names: [FilePath]) -> (files: [Int64: Set<State>], others: [FilePath]) {
        var (files, others) = ([Int64: Set<State>](), [FilePath]())
        for name in names {
            let text = name.string
            let digits = text.prefix { $0 != "." }
            if let number = Int64(digits), number > 0, "\(number)" == digits,
                let state = State(rawValue: String(text.dropFirst(digits.count)))
            {
                files[number, default: []].insert(state)
            } else {
                others.append(name)
            }
        }
        return (files, others)
    }

    /// Completes the changes of interrupted runs: a prepared file whose row was committed gets its name, and the file of a
    /// snapshot whose row was not deleted gets it back. A prepared file without a row stays until it is pruned, because the
    /// catalogue may be damaged.
    static func finishWriting(in folder: Folder, _ queue: DatabaseQueue) throws {
        guard try folder.statusIfPresent(directory) != nil else { return }
        let target = try folder.openFolder(noFollow: directory)
        let unsettled = try numbers(in: target.names()).files.filter { $0.value != [.current] }
        guard !unsettled.isEmpty else { return }
        let decompressor = try Decompressor()
        for (number, states) in unsettled {
            let row = try queue.inDatabase {
                try Row.fetchOne($0, sql: "SELECT lower(hex(sha256)) FROM snapshot WHERE id = ?", arguments: [number])
            }
            let id = row.flatMap { String.fromDatabaseValue($0[0]) }
            func isCommitted(_ state: State) -> Bool {
                read(number, state, in: folder, decompressor)?.hash.hexadecimal == id
            }
            if states.contains(.forgotten) {
                if id == nil || states.contains(.current) {
                    try target.remove(name(number, state: .forgotten))
                } else {
                    try target.rename(
                        name(number, state: .forgotten), replacing: name(number, state: .current), in: target)
                }
            }
            if states.contains(.new), id != nil {
                if isCommitted(.new) {
                    try target.rename(name(number, state: .new), replacing: name(number, state: .current), in: target)
                } else if isCommitted(.current) {
                    try target.remove(name(number, state: .new))
                }
            }
        }
        try target.sync()
    }
}

extension Repository {
    /// Writes the file of a snapshot, whose row the caller commits.
    static func prepareFile(of snapshot: Snapshot, in folder: Folder, _ database: Database) throws {
        let bytes = try bytes(of: snapshot, in: database)
        let content = SnapshotFile.Content(hash: ContentHash(of: bytes), bytes: bytes)
        try SnapshotFile.prepare(content, number: snapshot.number, in: folder)
    }
}
