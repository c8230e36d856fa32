internal import FileSystem
internal import Foundation
internal import SystemPackage

/// A private directory that a store's files are copied to.
struct StoreScratch {
    private let location: URL
    private let folder: Folder

    /// Makes one for this user alone, among the temporary files where no other place is given.
    init(in place: FilePath? = nil) throws(StoreError) {
        // Not relative: a thread that walks a container has a current directory of its own.
        let place =
            place.map { URL(fileURLWithPath: $0.string, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.absoluteURL
        location = place.appending(path: "sandboxlint-store-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: location, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            folder = try Folder(opening: FilePath(location.path))
        } catch { throw StoreError(.noCopy, "\((error as? FileSystemError)?.errno.description ?? "no directory")") }
    }

    /// Where SQLite finds the copy of a file.
    func path(of file: StoreFile) -> String { location.appending(path: "store\(file.rawValue)").path }

    func open(_ file: StoreFile) throws(FileSystemError) -> OpenFile {
        try folder.open(FilePath("store\(file.rawValue)"))
    }

    func removeFiles() {
        for file in StoreFile.allCases { try? FileManager.default.removeItem(atPath: path(of: file)) }
    }

    func remove() { try? FileManager.default.removeItem(at: location) }

    /// Copies the files as they were at one moment: where they change meanwhile, once again.
    ///
    /// - Returns: What the kernel said of each at that moment.
    @discardableResult
    func copy(_ source: some StoreSource, limit: UInt64) throws(StoreError) -> [StoreFile: FileStatus] {
        for _ in 0..<2 {
            let before = State(source)
            guard before.files.contains(where: { $0.file == .main }) else { throw StoreError(.unreadable) }
            guard before.size <= limit else { throw StoreError(.tooLarge) }
            before.times.max()?.waitUntilPast()
            do throws(StoreError) {
                for (file, status) in before.files { try copy(file, size: status.size, from: source) }
                if State(source) == before { return Dictionary(uniqueKeysWithValues: before.files) }
            } catch {
                // A journal that is gone, or half of one, is a change like any other.
                guard State(source) != before else { throw error }
            }
            removeFiles()
        }
        throw StoreError(.changing)
    }

    private func copy(_ file: StoreFile, size: UInt64, from source: some StoreSource) throws(StoreError) {
        var last: [UInt8] = []
        do throws(FileSystemError) {
            let copy = try folder.create(FilePath("store\(file.rawValue)"), permissions: 0o600)
            var offset: UInt64 = 0
            while offset < size {
                // Of a hole nothing is read and nothing written, however large it is.
                let data = min(source.nextData(from: offset, of: file) ?? size, size)
                if data > offset {
                    (offset, last) = (data, [])
                    continue
                }
                guard let piece = source.bytes(Int(min(size - offset, 1 << 20)), at: offset, of: file) else {
                    throw FileSystemError("read", "", .ioError)
                }
                // A file that has become shorter shows when it is looked at again.
                if piece.isEmpty { break }
                try copy.write(piece, at: offset)
                offset += UInt64(piece.count)
                last = Array((last + piece.suffix(8)).suffix(8))
            }
            try copy.setSize(offset)
        } catch { throw StoreError(error.operation == "read" ? .unreadable : .noCopy, error.errno.description) }
        // The end of such a journal names another file, which SQLite deletes when it has rolled back; the name is
        // whatever the file says. Source: sqlite.org/fileformat2.html#the_rollback_journal, pager_delsuper in pager.c.
        if file == .journal, last == Self.journalMagic { throw StoreError(.undecided) }
    }

    private static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    /// Which files there are, how large they are, and when they were last changed.
    private struct State: Equatable {
        private(set) var files: [(file: StoreFile, status: FileStatus)] = []
        /// Of all together, or the greatest number.
        var size: UInt64 {
            files.reduce(0) { sum, file in
                let (all, isOver) = sum.addingReportingOverflow(file.status.size)
                return isOver ? .max : all
            }
        }
        var times: [Timestamp] { files.flatMap { [$0.status.modified, $0.status.changed] } }

        init(_ source: some StoreSource) {
            for file in StoreFile.allCases {
                guard let status = source.status(of: file), status.kind == .file else { continue }
                files.append((file, status))
            }
        }

        static func == (left: State, right: State) -> Bool {
            left.times == right.times && left.files.map(\.file) == right.files.map(\.file)
                && left.files.map(\.status.size) == right.files.map(\.status.size)
        }
    }
}
