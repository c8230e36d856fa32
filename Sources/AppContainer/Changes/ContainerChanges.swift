internal import FileSystem
internal import Foundation
internal import SystemPackage

/// A change below a watched directory.
public struct ContainerChange: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable, CaseIterable {
        /// The item appeared, was replaced, or its content or attributes changed.
        case changed
        /// The item was removed, or moved away. Of a moved directory, only the directory itself is reported.
        case removed
        /// Changes were lost, because too many came at once or were not read in time. Read the directory again.
        case overflow
    }
    /// The kind.
    public let kind: Kind
    /// The path of the item. For `overflow`, the watched directory.
    public let path: ContainerPath
}

/// The changes below a directory, as an asynchronous sequence. See `Container.changes(below:)`.
///
/// The watch ends when the sequence and its iterators are released. Each change is delivered to one iterator.
public struct ContainerChanges: AsyncSequence, Sendable {
    private let watcher: Watcher

    init(_ watcher: Watcher) { self.watcher = watcher }

    /// An iterator over changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let watcher: Watcher

        /// Waits for the next change. Returns nil if the task is cancelled.
        ///
        /// - Throws: `permissionDenied` or `failed` if the directory cannot be watched any longer; `notFound` if the
        ///   container was removed.
        public mutating func next() async throws(ContainerError) -> ContainerChange? {
            try await watcher.queue.next()
        }

        /// Waits for the next change. Returns nil if the task is cancelled.
        ///
        /// - Throws: The errors of `next()`.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ContainerError) -> ContainerChange? { try await watcher.queue.next() }
    }

    /// Returns an iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watcher: watcher) }
}

/// The thread of a watch, which is stopped on deallocation.
final class Watcher: Sendable {
    let queue: ChangeQueue
    private let stop: @Sendable () -> Void

    init(_ queue: ChangeQueue, run: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.stop = stop
        let thread = Thread { run() }
        thread.name = "AppContainer changes"
        thread.start()
    }

    deinit { stop() }
}

extension Container {
    /// Returns the changes below a directory from now on: by this process, by others and by the system.
    ///
    ///     for try await change in try container.changes(below: .documents) {
    ///         print(change.kind, change.path)
    ///     }
    ///
    /// Changes of a file are reported as they happen, several equal ones as one, and a change may be reported twice.
    /// Temporary files of this library are not reported. At most 1,024 changes wait to be read; then they are replaced
    /// by one `overflow`, after which the directory must be read again.
    ///
    /// The directory need not exist. When it is removed, `removed` is reported with its path; when it appears,
    /// `changed` is reported with its path and for all of its content.
    ///
    /// On Linux, the kernel reports changes at once. On other systems, the directory is compared twice a second, up to
    /// 100,000 items.
    ///
    /// - Throws: `leavesContainer`, `invalidPath`, `noIdentifier`, `permissionDenied`; `failed` if the system's limit
    ///   for watches is reached.
    public func changes(below directory: ContainerPath) throws(ContainerError) -> ContainerChanges {
        try changes(below: directory, polling: nil)
    }

    /// Watches a directory. Compares it in this interval if `interval` is not nil, or the system does not report names.
    package func changes(
        below directory: ContainerPath, polling interval: Duration?
    ) throws(ContainerError) -> ContainerChanges {
        let path = try relative(directory)
        let queue = ChangeQueue(directory)
        do throws(FileSystemError) {
            if interval == nil, DirectoryWatch.reportsNames {
                let watch = try DirectoryWatch()
                let tree = try WatchedTree(self, path: path, watch: watch, queue: queue)
                return ContainerChanges(Watcher(queue, run: { tree.run() }, stop: { watch.stop() }))
            }
            let tree = try PolledTree(self, path: path, queue: queue, every: interval ?? .milliseconds(500))
            return ContainerChanges(Watcher(queue, run: { tree.run() }, stop: { tree.stop() }))
        } catch { throw ContainerError(watching: error) }
    }
}

extension ContainerError {
    init(watching error: FileSystemError) {
        // The errors of inotify(7) for its limits.
        guard [.noSpace, .tooManyOpenFiles].contains(error.errno) else {
            self.init(reading: error)
            return
        }
        self.init(
            .failed, error.path, errno: error.errno,
            "\(error): the system's limit for watches is reached. Watch a smaller directory, or raise "
                + "fs.inotify.max_user_watches and fs.inotify.max_user_instances.")
    }
}
