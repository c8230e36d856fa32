internal import FileSystem
public import Foundation
internal import SystemPackage

/// A directory through which one process hands files to another: a share extension to its app.
///
/// The extension adds files, and the app takes them:
///
///     try Inbox(.documents / "Shared", in: group).add(picture, named: "picture.jpg")
///
///     for try await batch in try Inbox(.documents / "Shared", in: group).batches() {
///         for item in batch {
///             show(try item.load())
///             try item.finish()
///         }
///     }
///
/// `take` is atomic: of several takers, also in several processes, one gets a file. A taken file is in a directory of
/// its taker until it is finished. If the process ends before, the next taker gets the file again, so no file is lost,
/// and each is handled at least once.
public final class Inbox: Sendable {
    /// The directory.
    public let directory: ContainerPath
    private let container: Container
    private let path: FilePath
    private let state = LockedValue(State())

    private struct State {
        /// The directory of taken files.
        var own: Taken?
        var number = 0
    }

    /// The directory of the files that this object has taken.
    fileprivate final class Taken: Sendable {
        let name: FilePath
        let parent: Folder
        let folder: Folder
        /// Shows that the process of the taker runs.
        private let lock: Lock

        init(name: FilePath, parent: Folder, folder: Folder, lock: Lock) {
            (self.name, self.parent, self.folder, self.lock) = (name, parent, folder, lock)
        }

        deinit { _ = name.withPlatformString { parent.calls.remove(parent.descriptor, $0, true) } }
    }

    /// The prefix of the directories of taken files.
    private static let prefix = ".inbox-taken-"

    /// A file that was taken.
    public struct Item: Sendable {
        /// The name with which it was added.
        public let name: String
        /// The path of the file until `finish` or `putBack`.
        public let path: ContainerPath
        fileprivate let inbox: Inbox
        private let taken: Taken
        private let entry: FilePath

        fileprivate init(_ inbox: Inbox, taken: Taken, entry: FilePath, path: ContainerPath) {
            (self.inbox, self.taken, self.entry, self.path) = (inbox, taken, entry, path)
            name = Inbox.plainName(of: entry)
        }

        /// Returns the content.
        ///
        /// - Throws: The errors of `Container.load(_:followingLinks:)`.
        public func load() throws(ContainerError) -> Data { try inbox.container.load(path, followingLinks: false) }

        /// Removes the file, which has been handled. Does nothing if it was moved away.
        ///
        /// - Throws: The errors of `Container.remove(_:)`, except for `notFound`.
        public func finish() throws(ContainerError) { try inbox.container.removeIfPresent(path) }

        /// Puts the file back, for the next taker.
        ///
        /// - Throws: `notFound`, `permissionDenied`, `failed`.
        public func putBack() throws(ContainerError) {
            do throws(FileSystemError) { try inbox.putBack(entry, from: taken.folder) } catch {
                throw ContainerError(
                    FileSystemError(error.operation, path: inbox.path.joined(entry), errno: error.errno))
            }
        }
    }

    /// Opens an inbox. Its directory is made with the first file.
    ///
    /// - Throws: `invalidPath`, `leavesContainer`, `noIdentifier`.
    public init(_ directory: ContainerPath, in container: Container) throws(ContainerError) {
        (self.directory, self.container) = (directory, container)
        path = try container.relativeItem(directory)
    }

    // MARK: - Adding

    /// Adds bytes as a file. Files are taken in the order in which they were added.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name, from which `/` and NUL are escaped. Several files may have one name.
    ///   - options: The options of the save.
    /// - Throws: The errors of saving bytes.
    public func add(
        _ bytes: some ContiguousBytes & Encodable, named name: String, options: SaveOptions = SaveOptions()
    ) throws(ContainerError) {
        try container.save(bytes, to: directory / uniqueName(for: name), options: options)
    }

    /// Copies a file or a directory from outside. Otherwise like adding bytes.
    ///
    /// - Throws: The errors of `Container.importFile(at:to:)`.
    public func add(fileAt url: URL) throws(ContainerError) {
        try container.importFile(at: url, to: directory / uniqueName(for: url.lastPathComponent))
    }

    /// Returns a name that no other file has: the time in hexadecimal nanoseconds, a number, and the name.
    private func uniqueName(for name: String) -> String {
        let time = String(UInt64(max(0, Timestamp.now.wholeNanoseconds)), radix: 16)
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let order = String(repeating: "0", count: max(0, 16 - time.count)) + time
        var text = "\(order)-\(String(UInt32.random(in: 0...(.max)), radix: 36))\(number)-"
        let readable = name.replacing("/", with: "-").replacing("\0", with: "")
        for character in readable where text.utf8.count + character.utf8.count <= ContainerPath.longestName {
            text.append(character)
        }
        return text
    }

    /// Returns the name with which a file was added.
    private static func plainName(of entry: FilePath) -> String {
        let parts = entry.string.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 16, parts[0].allSatisfy(\.isHexDigit) else {
            return entry.string
        }
        return String(parts[2])
    }

    // MARK: - Taking

    /// Takes the files that are there, at most `limit`, in the order in which they were added, and those of takers
    /// whose process has ended.
    ///
    /// Files that another program has put into the directory are taken, too, in the order of their names. Names that
    /// begin with a dot are not.
    ///
    /// - Returns: The files. Empty if there are none.
    /// - Throws: `permissionDenied`, `noSpace`, `failed`.
    public func take(limit: Int = .max) throws(ContainerError) -> [Item] {
        do throws(FileSystemError) {
            guard let folder = try openIfPresent() else { return [] }
            try recover(in: folder)
            let names = try folder.names { $0.first != UInt8(ascii: ".") }.prefix(max(0, limit))
            guard !names.isEmpty else { return [] }
            let taken = try own(in: folder)
            var items: [Item] = []
            for name in names {
                // Without the file, another taker was faster.
                guard let entry = try move(name, from: folder, to: taken.folder, operation: "take") else { continue }
                let item = directory.appending(entry: taken.name).appending(entry: entry)
                items.append(Item(self, taken: taken, entry: entry, path: item))
            }
            return items
        } catch {
            throw ContainerError(
                FileSystemError(error.operation, path: path.joined(error.path), errno: error.errno),
                onDisk: "Files that were taken before remain in the inbox for the next taker.")
        }
    }

    private func openIfPresent() throws(FileSystemError) -> Folder? {
        do throws(FileSystemError) { return try container.folder.openFolder(noLinks: path) } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            return nil
        }
    }

    /// Returns the directory of this object for taken files.
    private func own(in folder: Folder) throws(FileSystemError) -> Taken {
        if let own = state.withLock(\.own), (try? own.folder.status("").links) != 0 { return own }
        var attempt = 0
        while true {
            attempt += 1
            let name = FilePath(Self.prefix + UUID().uuidString.lowercased())
            try folder.createDirectory(name, permissions: 0o700)
            do throws(FileSystemError) {
                let opened = try folder.openFolder(noFollow: name)
                let lock = try Lock(opened, within: .seconds(1))
                // Before it had a lock, another taker may have removed it as that of a process that has ended.
                guard try opened.status("").links != 0 else {
                    throw FileSystemError("lock the directory", path: name, errno: .noSuchFileOrDirectory)
                }
                let taken = Taken(name: name, parent: folder, folder: opened, lock: lock)
                state.withLock { $0.own = taken }
                return taken
            } catch { guard error.errno == .noSuchFileOrDirectory, attempt < 100 else { throw error } }
        }
    }

    /// Puts files of takers back whose process has ended.
    private func recover(in folder: Folder) throws(FileSystemError) {
        let own = state.withLock(\.own)?.name
        for name in try folder.names(where: { $0.starts(with: Self.prefix.utf8) }) where name != own {
            guard let taken = try? folder.openFolder(noFollow: name), let lock = try? Lock(taken, within: .zero) else {
                continue
            }
            defer { lock.release() }
            for entry in try taken.names() { try putBack(entry, from: taken) }
            _ = name.withPlatformString { folder.calls.remove(folder.descriptor, $0, true) }
        }
    }

    private func putBack(_ entry: FilePath, from taken: Folder) throws(FileSystemError) {
        guard let folder = try openIfPresent() else { return }
        _ = try move(entry, from: taken, to: folder, operation: "put back")
    }

    /// Moves a file, under a name of its own if another program has used its name again. Returns the name, or nil if the
    /// file does not exist.
    private func move(
        _ entry: FilePath, from source: Folder, to target: Folder, operation: String
    ) throws(FileSystemError) -> FilePath? {
        var name = entry
        while true {
            let result = entry.withPlatformString { old in
                name.withPlatformString { target.calls.renameNew(source.descriptor, old, target.descriptor, $0) }
            }
            switch Errno(rawValue: -result) {
            case _ where result >= 0: return name
            case .noSuchFileOrDirectory: return nil
            case .fileExists where name == entry: name = FilePath(uniqueName(for: Self.plainName(of: entry)))
            case let errno: throw FileSystemError(operation, path: entry, errno: errno)
            }
        }
    }

    // MARK: - Batches

    /// The files as they arrive, in batches: first those that are there, then those that arrive until none has come for
    /// `debounce`.
    ///
    /// - Parameter debounce: The time without a new file after which a batch is complete. A batch is complete after ten
    ///   times as long at the latest.
    /// - Returns: The batches.
    public func batches(debounce: Duration = .milliseconds(200)) -> Batches { Batches(inbox: self, debounce: debounce) }

    /// The files of an inbox, as an asynchronous sequence of batches.
    public struct Batches: AsyncSequence, Sendable {
        /// The files of a batch.
        public typealias Element = [Item]
        fileprivate let inbox: Inbox
        fileprivate let debounce: Duration

        /// Returns the iterator of a loop.
        public func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox, debounce: debounce) }

        /// The iterator of a loop over batches.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let inbox: Inbox
            fileprivate let debounce: Duration
            private var changes: ContainerChanges.AsyncIterator?
            private var isFirst = true

            fileprivate init(inbox: Inbox, debounce: Duration) { (self.inbox, self.debounce) = (inbox, debounce) }

            /// Waits for the next batch. Returns nil if the task is cancelled.
            public mutating func next() async throws -> [Item]? {
                do { return try await nextBatch() } catch is CancellationError { return nil }
            }

            private mutating func nextBatch() async throws -> [Item]? {
                let inbox = inbox
                if changes == nil {
                    // Before the first look, so that no file is missed.
                    changes = try await inbox.container.background { [inbox] container in
                        try container.createDirectory(inbox.directory)
                        return try container.changes(below: inbox.directory)
                    }.makeAsyncIterator()
                }
                while !Task.isCancelled {
                    if !isFirst { try await waitUntilQuiet() }
                    isFirst = false
                    let items = try await inbox.container.background { _ in try inbox.take() }
                    if !items.isEmpty { return items }
                    guard try await changes?.next() != nil else { return nil }
                }
                return nil
            }

            private func waitUntilQuiet() async throws {
                let inbox = inbox
                var last: [FilePath] = []
                for _ in 0..<10 {
                    let names = try await inbox.container.background { _ in try inbox.names() }
                    if names == last { return }
                    last = names
                    try await Task.sleep(for: debounce)
                }
            }
        }
    }

    private func names() throws(ContainerError) -> [FilePath] {
        do throws(FileSystemError) { return try openIfPresent()?.names { $0.first != UInt8(ascii: ".") } ?? [] } catch {
            throw ContainerError(reading: error)
        }
    }
}
