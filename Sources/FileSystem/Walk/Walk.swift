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
    /// The data collected while a directory is read, by the thread that reads it.
    associatedtype Accumulator

    func begin(_ directory: Directory) -> Accumulator
    /// Returns the data about `entry` if it is a directory to read, else nil.
    func visit(_ entry: WalkEntry, in directory: Directory, _ accumulator: inout Accumulator) -> Directory?
    func end(_ directory: Directory, _ accumulator: Accumulator)
    func failed(_ failure: WalkFailure)
}

/// A parallel walk over a directory: one statx and at most one attribute listing per entry, names as bytes.
///
/// Directories whose content is not on this disk, because iCloud has evicted them, are failures (`Errno.deadlock`) and are
/// not read; evicted files are visited. Links are not followed, mounted file systems below the root are entered, and access times are preserved if the kernel
/// allows it. Memory does not grow with the tree: at most `queueLimit` directories are queued. Beyond that, a thread reads a
/// subdirectory immediately, within its parent.
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
    package func run<Visitor: WalkVisitor>(_ root: Folder, _ directory: Visitor.Directory, visitor: Visitor) {
        let queue = WalkQueue<Visitor.Directory>(first: .init(path: [], depth: 0, directory: directory))
        let work = Work(
            root: root, visitor: visitor, queue: queue, queueLimit: queueLimit,
            deviceWithoutAttributes: deviceWithoutAttributes, status: root.calls.status)
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
        /// The system call for a status. Kept here, because the root is shared by all threads.
        let status: @Sendable (Int32, Syscalls.Path, UnsafeMutablePointer<cfs_status>) -> Int32
        let interruption = Invocation.current.interruption

        func drain() {
            let attributes = UnsafeMutableRawBufferPointer.allocate(
                byteCount: ExtendedAttributes.maximumListSize, alignment: 8)
            defer { attributes.deallocate() }
            while let pending = queue.next() {
                if !interruption.isRequested { read(pending, attributes, inline: 0) }
                queue.finished()
            }
        }

        private func read(
            _ pending: WalkQueue<Visitor.Directory>.Pending, _ attributes: UnsafeMutableRawBufferPointer, inline: Int
        ) {
            let descriptor = open(pending.path)
            guard descriptor >= 0, let stream = cfs_directory_take(descriptor) else {
                let errno = descriptor < 0 ? Errno(rawValue: -descriptor) : .noMemory
                return visitor.failed(WalkFailure(path: pending.path, errno: errno))
            }
            defer { cfs_directory_close(stream) }
            let base = cfs_work_in(descriptor)
            var accumulator = visitor.begin(pending.directory)
            var found = cfs_entry()
            var result: Int32
            while true {
                result = cfs_directory_next(stream, &found)
                guard result > 0 else { break }
                if visit(found, of: pending, in: base, attributes, &accumulator, inline) {
                    // A subdirectory was read in between, which changed the working directory of this thread.
                    _ = cfs_work_in(descriptor)
                }
            }
            if result < 0 {
                visitor.failed(WalkFailure(path: pending.path, errno: Errno(rawValue: -result)))
            }
            visitor.end(pending.directory, accumulator)
        }

        /// Visits one entry. Returns true if it was a directory that was read immediately.
        @inline(__always)
        private func visit(
            _ found: cfs_entry, of parent: WalkQueue<Visitor.Directory>.Pending, in descriptor: Int32,
            _ attributes: UnsafeMutableRawBufferPointer, _ accumulator: inout Visitor.Accumulator, _ inline: Int
        ) -> Bool {
            let name = UnsafeBufferPointer(start: found.name, count: found.length)
            var raw = cfs_status()
            let examined = status(descriptor, found.name, &raw)
            guard examined == 0 else {
                fail(-examined, name, parent)
                return false
            }
            // Listing the entries of such a directory would download them.
            guard !raw.dataless || raw.kind != UInt8(CFS_DIRECTORY) else {
                fail(Errno.deadlock.rawValue, name, parent)
                return false
            }
            var size = 0
            var carries = true
            let list = attributes.baseAddress?.assumingMemoryBound(to: CChar.self)
            if raw.kind == UInt8(CFS_FILE) || raw.kind == UInt8(CFS_DIRECTORY) {
                // The kernel allocates a buffer of the size that is passed, and few lists need more than this.
                size = cfs_list_attributes(descriptor, found.name, list, 512)
                if size == -Int(Errno.outOfRange.rawValue) {
                    size = cfs_list_attributes(descriptor, found.name, list, attributes.count)
                }
                if size == -Int(Errno.notSupportedOnSocket.rawValue) || size == -Int(Errno.notSupported.rawValue) {
                    (size, carries) = (0, false)
                } else if size < 0 {
                    fail(Int32(-size), name, parent)
                    return false
                }
            }
            let entry = WalkEntry(
                directory: descriptor, name: UnsafeRawBufferPointer(name), status: FileStatus(raw),
                attributeList: UnsafeRawBufferPointer(rebasing: attributes[..<size]),
                carriesAttributes: carries && raw.device != deviceWithoutAttributes)
            guard let directory = visitor.visit(entry, in: parent.directory, &accumulator) else { return false }

            let pending = WalkQueue.Pending(
                path: path(of: name, in: parent), depth: parent.depth + 1, directory: directory)
            guard pending.depth <= Walk.maximumDepth else {
                visitor.failed(WalkFailure(path: pending.path, errno: .fileNameTooLong))
                return false
            }
            if inline < Walk.inlineDepth, queue.count >= queueLimit {
                read(pending, attributes, inline: inline + 1)
                return true
            }
            queue.add(pending)
            return false
        }

        private func path(
            of name: UnsafeBufferPointer<CChar>, in parent: WalkQueue<Visitor.Directory>.Pending
        ) -> [UInt8] {
            var path = parent.path
            path.reserveCapacity(path.count + 1 + name.count)
            if !path.isEmpty { path.append(UInt8(ascii: "/")) }
            path.append(contentsOf: UnsafeRawBufferPointer(name))
            return path
        }

        private func fail(
            _ errno: Int32, _ name: UnsafeBufferPointer<CChar>, _ parent: WalkQueue<Visitor.Directory>.Pending
        ) {
            visitor.failed(WalkFailure(path: path(of: name, in: parent), errno: Errno(rawValue: errno)))
        }

        /// Returns a descriptor of a directory beneath the root, or the negated errno. Does not follow links.
        private func open(_ path: [UInt8]) -> Int32 {
            root.resolve(path, CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | CFS_NO_LINKS | CFS_NO_FOLLOW)
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
