internal import FileSystem
internal import Foundation
internal import SystemPackage

/// A private temporary directory for the copies of a database's files. A signal that ends the process removes it.
struct DatabaseScratch {
    private let location: URL
    private let parent: Folder
    private let folder: Folder

    /// Creates a directory that only this user can access, by default in the temporary directory.
    init(in directory: FilePath? = nil) throws(DatabaseReadError) {
        // An absolute path: a thread that walks a container has a working directory of its own.
        let place =
            directory.map { URL(fileURLWithPath: $0.string, isDirectory: true) }
            ?? URL(fileURLWithPath: Invocation.current.temporaryDirectory.string, isDirectory: true)
        location = place.appending(path: "sandboxlint-store-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: location, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            parent = try Folder(opening: FilePath(place.path))
            folder = try parent.openFolder(noFollow: FilePath(location.lastPathComponent))
            TemporaryFileRegistry.register(directory: FilePath(location.lastPathComponent), in: parent)
            for file in DatabaseFile.allCases { TemporaryFileRegistry.register(Self.name(of: file), in: folder) }
        } catch {
            throw DatabaseReadError(.noCopy, "\((error as? FileSystemError)?.errno.description ?? "no directory")")
        }
    }

    /// Returns the path of the copy of a file for SQLite.
    func path(of file: DatabaseFile) -> String { location.appending(path: Self.name(of: file).string).path }

    private static func name(of file: DatabaseFile) -> FilePath { FilePath("store\(file.rawValue)") }

    func open(_ file: DatabaseFile) throws(FileSystemError) -> OpenFile {
        try folder.open(Self.name(of: file))
    }

    func remove(_ file: DatabaseFile) { try? FileManager.default.removeItem(atPath: path(of: file)) }

    func removeFiles() {
        for file in DatabaseFile.allCases { remove(file) }
    }

    /// Returns the proof that the log does not belong to the database; nil without a proof or without a log.
    func foreignLog() -> String? {
        guard let main = try? open(.main), let log = try? open(.log) else { return nil }
        return DatabaseLog.mismatch(of: log, with: main)
    }

    func remove() {
        try? FileManager.default.removeItem(at: location)
        for file in DatabaseFile.allCases { TemporaryFileRegistry.unregister(Self.name(of: file), in: folder) }
        TemporaryFileRegistry.unregister(FilePath(location.lastPathComponent), in: parent)
    }

    /// Copies the files as they were at one moment. Repeats the copy once if they change in the meantime.
    ///
    /// - Returns: The status of each file at that moment.
    @discardableResult
    func copy(_ source: some DatabaseSource, limit: UInt64) throws(DatabaseReadError) -> [DatabaseFile: FileStatus] {
        for _ in 0..<2 {
            let before = DatabaseState(source)
            guard before.files.contains(where: { $0.file == .main }) else { throw DatabaseReadError(.unreadable) }
            guard before.size <= limit else { throw DatabaseReadError(.tooLarge) }
            before.times.max()?.waitUntilPast()
            do throws(DatabaseReadError) {
                for (file, status) in before.files { try copy(file, size: status.size, from: source) }
                if DatabaseState(source) == before { return Dictionary(uniqueKeysWithValues: before.files) }
            } catch {
                // A journal that disappears or is truncated is a change, too.
                guard DatabaseState(source) != before else { throw error }
            }
            removeFiles()
        }
        throw DatabaseReadError(.changing)
    }

    private func copy(_ file: DatabaseFile, size: UInt64, from source: some DatabaseSource) throws(DatabaseReadError) {
        var last: [UInt8] = []
        do throws(FileSystemError) {
            let copy = try folder.createFile(Self.name(of: file), permissions: 0o600)
            var offset: UInt64 = 0
            while offset < size {
                // Holes are neither read nor written, regardless of their size.
                let data = min(source.nextData(from: offset, of: file) ?? size, size)
                if data > offset {
                    (offset, last) = (data, [])
                    continue
                }
                guard let piece = source.bytes(Int(min(size - offset, 1 << 20)), at: offset, of: file) else {
                    throw FileSystemError("read", path: "", errno: .ioError)
                }
                // A file that was truncated is detected when the status is compared.
                if piece.isEmpty { break }
                try copy.write(piece, at: offset)
                offset += UInt64(piece.count)
                last = Array((last + piece.suffix(8)).suffix(8))
            }
            try copy.setSize(offset)
        } catch { throw DatabaseReadError(error.operation == "read" ? .unreadable : .noCopy, error.errno.description) }
        // The end of such a journal contains the path of another file, which SQLite deletes after the rollback; the
        // journal may contain any path. Source: sqlite.org/fileformat2.html#the_rollback_journal, pager_delsuper in
        // pager.c.
        if file == .journal, last == Self.journalMagic { throw DatabaseReadError(.undecided) }
    }

    /// The bytes at the start of a journal that SQLite would roll back, and at the end of one that names another file.
    static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
}
