internal import FileSystem
internal import SystemPackage

/// A directory and everything below it, watched by the kernel. The directories above it are watched too, so that its
/// removal and return are seen.
struct WatchedTree: Sendable {
    private let container: Container
    private let path: FilePath
    private let watch: DirectoryWatch
    private let queue: ChangeQueue
    /// The watched directories at and below `path`.
    private var directories: [Int32: FilePath] = [:]
    /// The watches of the directories, by path.
    private var numbers: [FilePath: Int32] = [:]
    /// The existing directories above `path`.
    private var ancestors: [Int32: FilePath] = [:]
    /// The directory that contains the container. Its event is the only one for the removal of the container, which this
    /// process has open.
    private var outside: Int32?
    /// True if the directory at `path` existed when it was last examined.
    private var isPresent = false

    /// Starts to watch.
    init(
        _ container: Container, path: FilePath, watch: DirectoryWatch, queue: ChangeQueue
    ) throws(FileSystemError) {
        self.container = container
        self.path = path
        self.watch = watch
        self.queue = queue
        try restart()
    }

    /// Reports changes until the watch is stopped or fails.
    func run() {
        var tree = self
        do throws(FileSystemError) {
            while let event = try watch.next() { try tree.handle(event) }
        } catch { queue.fail(ContainerError(watching: error)) }
    }

    private mutating func restart() throws(FileSystemError) {
        for directory in directories.keys { watch.remove(directory) }
        directories = [:]
        numbers = [:]
        // Not the path by which it was opened, which may be a link.
        let parent = try? container.folder.absolutePath().removingLastComponent()
        outside = parent.flatMap { try? Folder(opening: $0) }.flatMap { try? watch.add($0) }
        try watchAncestors()
        isPresent = try currentFolder() != nil
        if isPresent { try enter(path, isReported: false) }
    }

    private mutating func handle(_ event: DirectoryWatch.Event) throws(FileSystemError) {
        if event.directory == outside {
            if event.kind == .removed { try container.requirePresence() }
            return
        }
        switch event.kind {
        case .overflow:
            // The reader of the overflow reads the directory, and later changes must be reported.
            try restart()
            queue.add(.overflow, path: .root)
        case .ended:
            ancestors[event.directory] = nil
            drop(event.directory)
        case .selfRemoved:
            if directories[event.directory] == path { try reconsider() }
        case .changed, .removed:
            if let directory = ancestors[event.directory] {
                let next = path.components.dropFirst(directory.components.count).first
                if event.name.lastComponent == next { try reconsider() }
            }
            if let directory = directories[event.directory] { try handle(event, in: directory) }
        }
    }

    private mutating func handle(_ event: DirectoryWatch.Event, in directory: FilePath) throws(FileSystemError) {
        guard !event.name.bytes.starts(with: AtomicWrite.stagingPrefix.utf8) else { return }
        let item = directory.appending(event.name.components)
        if event.kind == .removed {
            report(.removed, path: item)
            if event.isDirectory, let number = numbers[item] {
                // A directory that was removed was empty.
                if event.isMoved { forget(item) } else { drop(number) }
            }
        } else {
            report(.changed, path: item)
            if event.isDirectory, event.isNew { try enter(item, isReported: true) }
        }
    }

    /// Compares the directory at `path` with the one that is watched.
    private mutating func reconsider() throws(FileSystemError) {
        try watchAncestors()
        // A directory that was removed and created again may have the same inode, but has another watch.
        var number: Int32?
        if let folder = try currentFolder() { number = try watch.add(folder) }
        guard isPresent ? number != numbers[path] || number == nil : number != nil else { return }
        if isPresent {
            report(.removed, path: path)
            forget(path)
        }
        isPresent = number != nil
        guard isPresent else { return }
        report(.changed, path: path)
        try enter(path, isReported: true)
    }

    private func currentFolder() throws(FileSystemError) -> Folder? {
        do throws(FileSystemError) { return try container.folder.openFolder(path) } catch {
            guard Self.isMissing(error) else { throw error }
            return nil
        }
    }

    /// Watches the directories from the container down to the parent of `path`, as far as they exist.
    private mutating func watchAncestors() throws(FileSystemError) {
        guard !path.isEmpty else { return }
        var directory = FilePath()
        for component in path.components {
            do throws(FileSystemError) {
                ancestors[try watch.add(try container.folder.openFolder(directory))] = directory
            } catch {
                guard Self.isMissing(error) else { throw error }
                return
            }
            // Watched first: a directory that appears now is reported.
            directory.append(component)
        }
    }

    /// Watches a directory and everything below it.
    private mutating func enter(_ directory: FilePath, isReported: Bool) throws(FileSystemError) {
        var pending = [directory]
        while let directory = pending.popLast() {
            do throws(FileSystemError) {
                let folder = try container.folder.openFolder(directory)
                store(try watch.add(folder), directory: directory)
                for name in try folder.names() where !name.bytes.starts(with: AtomicWrite.stagingPrefix.utf8) {
                    let item = directory.appending(name.components)
                    if isReported { report(.changed, path: item) }
                    if try folder.statusIfPresent(name)?.kind == .directory { pending.append(item) }
                }
            } catch {
                // It has disappeared, which is reported by its parent.
                guard Self.isMissing(error) else { throw error }
            }
        }
    }

    private mutating func store(_ number: Int32, directory: FilePath) {
        if let path = directories[number] { numbers[path] = nil }
        if let other = numbers[directory] { drop(other) }
        directories[number] = directory
        numbers[directory] = number
    }

    /// Ends the watch of a directory.
    private mutating func drop(_ number: Int32) {
        guard let path = directories.removeValue(forKey: number) else { return }
        numbers[path] = nil
        watch.remove(number)
    }

    /// Ends the watches of a directory and everything below it.
    private mutating func forget(_ directory: FilePath) {
        for (number, path) in directories where path.starts(with: directory) { drop(number) }
    }

    private func report(_ kind: ContainerChange.Kind, path: FilePath) {
        queue.add(kind, path: container.containerPath(path))
    }

    private static func isMissing(_ error: FileSystemError) -> Bool {
        [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error.errno)
    }
}

extension Container {
    /// Throws `Errno.noSuchFileOrDirectory` if the container was removed. Its directory is open and remains until then.
    func requirePresence() throws(FileSystemError) {
        guard try folder.status("").links == 0 else { return }
        throw FileSystemError("watch the container", path: location, errno: .noSuchFileOrDirectory)
    }
}
