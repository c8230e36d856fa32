internal import CFileSystem
package import SystemPackage

/// A failure during a walk.
package struct WalkFailure: Sendable, Hashable {
    /// The path as bytes, relative to the root of the walk.
    package let path: [UInt8]
    package let errno: Errno

    package init(path: [UInt8], errno: Errno) { (self.path, self.errno) = (path, errno) }

    /// True if the item disappeared during the walk.
    package var hasVanished: Bool { errno == .noSuchFileOrDirectory || errno == .notDirectory }

    /// The reason as an identifier. `deadlock` is the error of Darwin for an item whose content is not on this disk.
    package var reason: String {
        switch errno {
        case .permissionDenied, .notPermitted: "permission-denied"
        case .noSuchFileOrDirectory, .notDirectory: "vanished"
        case .tooManySymbolicLinkLevels: "replaced-by-a-link"
        case .fileNameTooLong: "too-deep"
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "too-many-open-files"
        case .ioError: "input-output-error"
        case .deadlock: "not-downloaded"
        default: "errno-\(errno.rawValue)"
        }
    }
}

/// The receiver of the entries of a walk.
///
/// One thread reads each directory. Different directories are read at the same time, in no order.
package protocol WalkVisitor: Sendable {
    /// The data about a directory that is known before it is read.
    associatedtype Directory: Sendable
    /// The data collected from the parts of a directory, by the thread that reads it.
    associatedtype Accumulator

    func begin(_ directory: Directory) -> Accumulator
    /// Visits the entries of a directory, or of the next part of a large one. Returns its directories that are to be read.
    func visit(
        _ entries: WalkEntries, in directory: Directory, into accumulator: inout Accumulator
    ) -> [Subdirectory<Directory>]
    func end(_ directory: Directory, accumulator: Accumulator)
    func failed(_ failure: WalkFailure)
}

/// A directory among the entries of another, which the walk reads after the visit of these.
package struct Subdirectory<Data: Sendable>: Sendable {
    /// Its index among the entries.
    package let index: Int
    /// The visitor's data about it.
    package let data: Data

    package init(index: Int, data: Data) { (self.index, self.data) = (index, data) }
}

/// A parallel walk over a directory: one statx and at most one attribute listing per entry, names as bytes.
///
/// A directory is read completely before it is visited, a large one in parts (`WalkEntries.isWhole`). Directories whose
/// content is not on this disk, because iCloud has evicted them, are failures (`Errno.deadlock`) and are not read; evicted
/// files are visited. Links are not followed, mounted file systems below the root are entered, and access times are preserved
/// if the kernel allows it. Memory does not grow with the tree: at most `queueLimit` directories are queued. Beyond that, a
/// thread reads a subdirectory immediately after the part of its parent in which it was found.
package struct Walk {
    package var threads: Int
    package var queueLimit = 16_384
    /// A device that is known to store no attributes, although it lists them without an error.
    package var deviceWithoutAttributes: UInt64?
    /// The maximum depth. A deeper directory is a failure (`ENAMETOOLONG`): no app can open such a path.
    package static let maximumDepth = 1_024
    private static let inlineDepth = 64

    package init(threads: Int) { self.threads = min(max(1, threads), 256) }

    /// Reads everything beneath `root`, except `root` itself, and returns when all entries have been visited, or after an
    /// interruption of the run, without the directories that were not read yet.
    package func run<Visitor: WalkVisitor>(_ root: Folder, directory: Visitor.Directory, visitor: Visitor) {
        let queue = WalkQueue<Visitor.Directory>(first: .init(path: [], depth: 0, directory: directory))
        let work = Work(
            root: root, visitor: visitor, queue: queue, queueLimit: queueLimit,
            deviceWithoutAttributes: deviceWithoutAttributes)
        let invocation = Invocation.current
        withoutActuallyEscaping({ invocation.perform { work.drain() } }) { body in
            var body = body
            withUnsafeMutablePointer(to: &body) { pointer in
                _ = cfs_run_threads(
                    Int32(threads),
                    { context in context?.assumingMemoryBound(to: (() -> Void).self).pointee() },
                    UnsafeMutableRawPointer(pointer))
            }
        }
    }

    /// The state of a walk that its threads share.
    private struct Work<Visitor: WalkVisitor> {
        let root: Folder
        let visitor: Visitor
        let queue: WalkQueue<Visitor.Directory>
        let queueLimit: Int
        let deviceWithoutAttributes: UInt64?
        let interruption = Invocation.current.interruption

        typealias Pending = WalkQueue<Visitor.Directory>.Pending

        func drain() {
            let entries = WalkEntries(status: root.calls.status, deviceWithoutAttributes: deviceWithoutAttributes)
            while let pending = queue.next() {
                if !interruption.isRequested { read(pending, entries: entries, inline: 0) }
                queue.finished()
            }
        }

        private func read(_ pending: Pending, entries: WalkEntries, inline: Int) {
            let descriptor = open(pending.path)
            guard descriptor >= 0, let stream = cfs_directory_take(descriptor) else {
                let errno = descriptor < 0 ? Errno(rawValue: -descriptor) : .noMemory
                return visitor.failed(WalkFailure(path: pending.path, errno: errno))
            }
            defer { cfs_directory_close(stream) }
            entries.trim()
            var accumulator = visitor.begin(pending.directory)
            var isContinued = false
            while true {
                // Reading a subdirectory changes the working directory of this thread.
                let hasMore = entries.fill(
                    from: stream, of: descriptor, in: cfs_work_in(descriptor), isContinued: isContinued)
                isContinued = true
                for failure in entries.failures {
                    visitor.failed(WalkFailure(path: path(of: failure.name, in: pending), errno: failure.errno))
                }
                // The entries are overwritten when a subdirectory is read.
                let found = visitor.visit(entries, in: pending.directory, into: &accumulator).map {
                    Pending(
                        path: path(of: Array(entries.name(at: $0.index)), in: pending), depth: pending.depth + 1,
                        directory: $0.data)
                }
                guard hasMore else {
                    visitor.end(pending.directory, accumulator: accumulator)
                    return add(found, entries: entries, inline: inline)
                }
                add(found, entries: entries, inline: inline)
                guard !interruption.isRequested else { return }
            }
        }

        /// Queues directories, or reads them if too many are queued.
        private func add(_ found: [Pending], entries: WalkEntries, inline: Int) {
            for pending in found {
                if pending.depth > Walk.maximumDepth {
                    visitor.failed(WalkFailure(path: pending.path, errno: .fileNameTooLong))
                } else if inline < Walk.inlineDepth, queue.count >= queueLimit {
                    read(pending, entries: entries, inline: inline + 1)
                } else {
                    queue.add(pending)
                }
            }
        }

        private func path(of name: [UInt8], in parent: Pending) -> [UInt8] {
            guard !name.isEmpty else { return parent.path }
            return parent.path.isEmpty ? name : parent.path + [UInt8(ascii: "/")] + name
        }

        /// Returns a descriptor of a directory beneath the root, or the negated errno. Does not follow links.
        private func open(_ path: [UInt8]) -> Int32 {
            root.resolve(path, how: CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | CFS_NO_LINKS | CFS_NO_FOLLOW)
        }
    }
}

/// The directories that a walk has found and not yet read. Last in, first out, which keeps the queue short.
///
/// The monitor guards every stored property, so the class is safe to share.
final class WalkQueue<Directory: Sendable>: @unchecked Sendable {
    struct Pending: Sendable {
        let path: [UInt8]
        let depth: Int
        let directory: Directory
    }

    private let monitor = cfs_monitor_make()
    private var waiting: [Pending]
    private var unfinished = 1
    private var idle = 0

    init(first: Pending) { waiting = [first] }

    deinit { cfs_monitor_free(monitor) }

    var count: Int {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        return waiting.count
    }

    func add(_ pending: Pending) {
        cfs_monitor_lock(monitor)
        waiting.append(pending)
        unfinished += 1
        if idle > 0 { cfs_monitor_wake_all(monitor) }
        cfs_monitor_unlock(monitor)
    }

    /// Returns the next directory to read, or nil if all have been read. Waits while other threads may add some.
    func next() -> Pending? {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        while waiting.isEmpty {
            if unfinished == 0 { return nil }
            idle += 1
            cfs_monitor_wait(monitor)
            idle -= 1
        }
        return waiting.removeLast()
    }

    /// Marks a directory as read.
    func finished() {
        cfs_monitor_lock(monitor)
        unfinished -= 1
        if unfinished == 0 { cfs_monitor_wake_all(monitor) }
        cfs_monitor_unlock(monitor)
    }
}
