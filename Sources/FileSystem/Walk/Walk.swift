internal import CFileSystem
package import SystemPackage

/// What a walk tells of one entry. It is valid only during the visit.
package struct WalkEntry {
    /// What names the directory that holds it, for calls on this thread.
    package let directory: Int32
    /// Its name there, closed by a NUL that is not counted.
    package let name: UnsafeBufferPointer<CChar>
    package let status: FileStatus
    /// The kernel's list of attribute names, NUL-separated; empty for links and special files.
    package let attributeList: UnsafeRawBufferPointer
    /// Whether the file system can carry attributes at all.
    package let carriesAttributes: Bool
}

/// Something that a walk could not do.
package struct WalkFailure: Sendable, Hashable {
    /// Bytes relative to the walk's root.
    package let path: [UInt8]
    package let errno: Errno

    /// Why, in one word of several joined by `-`.
    package var reason: String {
        switch errno {
        case .permissionDenied, .notPermitted: "permission-denied"
        case .noSuchFileOrDirectory, .notDirectory: "vanished"
        case .tooManySymbolicLinkLevels: "replaced-by-a-link"
        case .fileNameTooLong: "too-deep"
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "too-many-open-files"
        case .ioError: "input-output-error"
        default: "errno-\(errno.rawValue)"
        }
    }
}

/// Who is told what a walk finds.
///
/// One directory is read by one thread; different directories are read at the same time, in no order.
package protocol WalkVisitor: Sendable {
    /// What is known of a directory before it is read.
    associatedtype Directory: Sendable
    /// What is gathered while it is read, by the one thread that reads it.
    associatedtype Tally

    func begin(_ directory: Directory) -> Tally
    /// Gives what is known of `entry` if it is a directory to be read as well; it is asked only then.
    func visit(_ entry: WalkEntry, in directory: Directory, _ tally: inout Tally) -> Directory?
    func end(_ directory: Directory, _ tally: Tally)
    func failed(_ failure: WalkFailure)
}

/// A parallel walk over a directory: one statx and at most one attribute listing an entry, names as bytes.
///
/// Links are not followed, other file systems below the root are entered, access times are left alone where
/// the kernel allows it. Memory does not grow with the tree: directories that wait are at most `queueLimit`,
/// and past that a thread reads a subdirectory at once, inside its parent.
package struct Walk {
    package var threads: Int
    package var queueLimit = 16_384
    /// Deeper than this is a failure (`ENAMETOOLONG`): no path of that depth can be opened by an app.
    package static let maximumDepth = 1_024
    private static let inlineDepth = 64

    package init(threads: Int) { self.threads = min(max(1, threads), 256) }

    /// Reads all that is beneath `root`, which the caller has looked at itself, and returns when all is told.
    package func run<Visitor: WalkVisitor>(_ root: Folder, _ directory: Visitor.Directory, visitor: Visitor) {
        let queue = WalkQueue<Visitor.Directory>(first: .init(path: [], depth: 0, directory: directory))
        let work = Work(root: root, visitor: visitor, queue: queue, queueLimit: queueLimit)
        withoutActuallyEscaping({ work.drain() }) { body in
            var body = body
            withUnsafeMutablePointer(to: &body) { pointer in
                _ = cfs_run_threads(
                    Int32(threads),
                    { context in context?.assumingMemoryBound(to: (() -> Void).self).pointee() },
                    UnsafeMutableRawPointer(pointer))
            }
        }
    }

    /// One walk's state as its threads share it.
    private struct Work<Visitor: WalkVisitor> {
        let root: Folder
        let visitor: Visitor
        let queue: WalkQueue<Visitor.Directory>
        let queueLimit: Int

        func drain() {
            let attributes = UnsafeMutableRawBufferPointer.allocate(
                byteCount: ExtendedAttributes.maximumListSize, alignment: 8)
            defer { attributes.deallocate() }
            while let pending = queue.take() {
                read(pending, attributes, inline: 0)
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
            var tally = visitor.begin(pending.directory)
            var found = cfs_entry()
            var result: Int32
            while true {
                result = cfs_directory_next(stream, &found)
                guard result > 0 else { break }
                if visit(found, of: pending, in: base, attributes, &tally, inline) {
                    // A subdirectory was read in between, and this thread worked in that.
                    _ = cfs_work_in(descriptor)
                }
            }
            if result < 0 {
                visitor.failed(WalkFailure(path: pending.path, errno: Errno(rawValue: -result)))
            }
            visitor.end(pending.directory, tally)
        }

        /// Shows one entry; true if it was a directory that has been read at once.
        @inline(__always)
        private func visit(
            _ found: cfs_entry, of parent: WalkQueue<Visitor.Directory>.Pending, in descriptor: Int32,
            _ attributes: UnsafeMutableRawBufferPointer, _ tally: inout Visitor.Tally, _ inline: Int
        ) -> Bool {
            let name = UnsafeBufferPointer(start: found.name, count: found.length)
            var raw = cfs_status()
            let examined = cfs_status_at(descriptor, found.name, &raw)
            guard examined == 0 else {
                fail(-examined, name, parent)
                return false
            }
            var size = 0
            var carries = true
            let list = attributes.baseAddress?.assumingMemoryBound(to: CChar.self)
            if raw.kind == UInt8(CFS_FILE) || raw.kind == UInt8(CFS_DIRECTORY) {
                // The kernel allocates as much as it is offered, at every call; few lists need more than this.
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
                directory: descriptor, name: name, status: FileStatus(raw),
                attributeList: UnsafeRawBufferPointer(rebasing: attributes[..<size]), carriesAttributes: carries)
            guard let directory = visitor.visit(entry, in: parent.directory, &tally) else { return false }

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

        /// A descriptor for a directory beneath the root, or the negated errno; no link is passed on the way.
        private func open(_ path: [UInt8]) -> Int32 {
            let how = CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | CFS_NO_LINKS | CFS_NO_FOLLOW
            // The kernel takes 4,095 bytes of a path at once; a longer one is gone down in steps.
            var rest = path[...]
            var folder = root
            while rest.count > 4_000, let slash = rest.prefix(4_000).lastIndex(of: UInt8(ascii: "/")) {
                let descriptor = folder.resolve(FilePath(bytes: rest[..<slash]), how)
                guard descriptor >= 0 else { return descriptor }
                folder = Folder(
                    descriptor: descriptor, path: root.path, calls: root.calls, resolution: root.resolution)
                rest = rest[(slash + 1)...]
            }
            return folder.resolve(FilePath(bytes: rest), how)
        }
    }
}
