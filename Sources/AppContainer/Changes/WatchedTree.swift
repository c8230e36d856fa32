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
    /// The existing directories above `path`.
    private var ancestors: [Int32: FilePath] = [:]
    /// The directory that contains the container. Its event is the only one for the removal of the container, which this
    /// process has open.
    private var outside: Int32?
    /// The inode of the directory at `path`. Nil if it does not exist.
    private var inode: UInt64?

    /// Starts to watch.
    init(
        _ container: Container, _ path: FilePath, _ watch: DirectoryWatch, _ queue: ChangeQueue
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
        let parent = container.location.removingLastComponent()
        outside = (try? Folder(opening: parent.isEmpty ? "." : parent)).flatMap { try? watch.add($0) }
        try watchAncestors()
        inode = try currentInode()
        if inode != nil { try enter(path, isReported: false) }
    }

    private mutating func handle(_ event: DirectoryWatch.Event) throws(FileSystemError) {
        if event.directory == outside {
            if event.kind == .removed { try container.requirePresence() }
            return
        }
        switch event.kind {
        case .overflow:
            queue.add(.overflow, .root)
            try restart()
        case .ended:
            ancestors[event.directory] = nil
            directories[event.directory] = nil
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
            report(.removed, item)
            if event.isDirectory { forget(item) }
        } else {
            report(.changed, item)
            if event.isDirectory, event.isNew { try enter(item, isReported: true) }
        }
    }

    /// Compares the directory at `path` with the one that is watched.
    private mutating func reconsider() throws(FileSystemError) {
        try watchAncestors()
        let current = try currentInode()
        guard current != inode else { return }
        if inode != nil {
            report(.removed, path)
            forget(path)
        }
        inode = current
        guard current != nil else { return }
        report(.changed, path)
        try enter(path, isReported: true)
    }

    private func currentInode() throws(FileSystemError) -> UInt64? {
        do throws(FileSystemError) { return try container.folder.openFolder(path).status("").identity.inode } catch {
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
                directories[try watch.add(folder)] = directory
                for name in try folder.names() where !name.bytes.starts(with: AtomicWrite.stagingPrefix.utf8) {
                    let item = directory.appending(name.components)
                    if isReported { report(.changed, item) }
                    if try folder.statusIfPresent(name)?.kind == .directory { pending.append(item) }
                }
            } catch {
                // It has disappeared, which is reported by its parent.
                guard Self.isMissing(error) else { throw error }
            }
        }
    }

    private mutating func forget(_ directory: FilePath) {
        for (number, path) in directories where path.starts(with: directory) {
            watch.remove(number)
            directories[number] = nil
        }
    }

    private func report(_ kind: ContainerChange.Kind, _ path: FilePath) {
        queue.add(kind, container.containerPath(path))
    }

    private static func isMissing(_ error: FileSystemError) -> Bool {
        [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error.errno)
    }
}

extension Container {
    /// Throws `Errno.noSuchFileOrDirectory` if the container was removed. Its directory is open and remains until then.
    func requirePresence() throws(FileSystemError) {
        guard try folder.status("").links == 0 else { return }
        throw FileSystemError("watch the container", location, .noSuchFileOrDirectory)
    }
}
