internal import CFileSystem
package import SystemPackage

/// An open file, closed on deallocation.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    /// The path for error messages.
    package let path: FilePath
    let calls: Syscalls
    private let isOpen = AtomicFlag(true)

    init(descriptor: Int32, path: FilePath, calls: Syscalls) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
    }

    /// Opens a file at any path of the file system for reading. Follows links, unless the last component is excepted. Does not
    /// wait for the writer of a pipe.
    package convenience init(
        opening path: FilePath, followingLinks: Bool = true, calls: Syscalls = .live
    ) throws(FileSystemError) {
        let start = Folder.start(of: path)
        let how = CFS_READ | CFS_QUIETLY | (followingLinks ? 0 : CFS_NO_FOLLOW)
        let descriptor = path.withPlatformString { calls.open(start, $0, how, 0) }
        try succeed(descriptor, operation: "open", path)
        self.init(descriptor: descriptor, path: path, calls: calls)
    }

    deinit { if isOpen.value { _ = calls.close(descriptor) } }

    /// Closes the file and throws a delayed write error, as a network file system may report.
    package func close() throws(FileSystemError) {
        guard isOpen.exchange(false) else { return }
        try succeed(calls.close(descriptor), operation: "close", path)
    }

    /// Flushes the content to disk. Must not be repeated after a failure: the kernel has discarded the pages that it could
    /// not write, and the second call would succeed.
    package func sync() throws(FileSystemError) { try succeed(calls.sync(descriptor), operation: "sync", path) }

    /// Flushes the content and the size to disk, but not the times. Must not be repeated after a failure, as `sync`.
    package func syncData() throws(FileSystemError) { try succeed(calls.syncData(descriptor), operation: "sync", path) }

    /// Releases the lock that `tryLock` acquired.
    package func unlock() { _ = cfs_unlock(descriptor) }

    /// Requests that the kernel start writing a part of the content to disk, so that `sync` takes less time. A failure is
    /// reported by `sync`.
    package func startWriting(from offset: UInt64, count: UInt64) {
        _ = calls.startWriting(descriptor, offset, count)
    }

    /// Tries to acquire an exclusive advisory lock, which `close` releases. Returns false if another holds a lock.
    package func tryLock() -> Bool { calls.lock(descriptor, true) >= 0 }

    /// Acquires a shared lock on bytes, as POSIX programs use it, which `close` releases. The bytes may be beyond the end.
    ///
    /// - Throws: `Errno.resourceTemporarilyUnavailable` if another holds an exclusive lock on one of them.
    package func lock(_ bytes: Range<UInt64>) throws(FileSystemError) {
        try succeed(calls.lockBytes(descriptor, bytes.lowerBound, UInt64(bytes.count), true), operation: "lock", path)
    }

    /// Releases the lock on bytes.
    package func unlock(_ bytes: Range<UInt64>) {
        _ = calls.lockBytes(descriptor, bytes.lowerBound, UInt64(bytes.count), false)
    }

    /// Returns true if another holds an exclusive lock that begins at one of the bytes. Locks of whole files do not count.
    /// False also if the file system has no locks.
    package func isLockedExclusively(_ bytes: Range<UInt64>) -> Bool {
        calls.excludesReaders(descriptor, bytes.lowerBound, UInt64(bytes.count)) > 0
    }

    /// Returns the status of the file.
    package func status() throws(FileSystemError) -> FileStatus {
        var raw = cfs_status()
        try succeed(calls.status(descriptor, "", &raw), operation: "examine", path)
        return FileStatus(raw)
    }

    /// Reads at `offset` into `buffer` and returns the number of bytes, which is smaller only at the end of the file.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, from offset: UInt64
    ) throws(FileSystemError) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        var filled = 0
        while filled < buffer.count {
            let result = calls.read(
                descriptor, base + filled, min(buffer.count - filled, 1 << 30), offset + UInt64(filled))
            if result == -Int(Errno.interrupted.rawValue) { continue }
            guard result >= 0 else { throw FileSystemError("read", path: path, errno: Errno(rawValue: Int32(-result))) }
            if result == 0 { break }
            filled += result
        }
        return filled
    }

    /// Returns at most `count` bytes from `offset`; fewer only at the end of the file.
    package func read(upTo count: Int, from offset: UInt64 = 0) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileSystemError) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), from: offset)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Throws `Errno.noMemory` if the content does not fit in memory. A sparse file can have any size, and Swift ends the
    /// process if an allocation fails.
    package func requireMemory(_ count: Int) throws(FileSystemError) {
        guard cfs_can_allocate(count) else {
            throw FileSystemError("find memory to read", path: path, errno: .noMemory)
        }
    }

    /// Returns the whole content. Throws `Errno.fileTooLarge` if it has more than `limit` bytes.
    package func contents(limit: Int = .max) throws(FileSystemError) -> [UInt8] {
        let size = try status().size
        guard size <= UInt64(limit), size < UInt64(Int.max) else {
            throw FileSystemError("read", path: path, errno: .fileTooLarge)
        }
        try requireMemory(Int(size) + 1)
        // One byte more than the size detects a file that grew. A size of 0 may be wrong (procfs).
        var bytes = try read(upTo: Int(size) + 1)
        while bytes.count > size {
            let more = try read(upTo: 1 << 20, from: UInt64(bytes.count))
            bytes += more
            guard bytes.count <= limit else { throw FileSystemError("read", path: path, errno: .fileTooLarge) }
            if more.isEmpty { break }
        }
        return bytes
    }

    /// Writes all bytes, at most 8 MiB per call (the limit of Linux is 0x7ffff000). Continues interrupted and short writes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let result = calls.write(descriptor, start, min(rest.count, 8 << 20))
            if result == -Int(Errno.interrupted.rawValue) { continue }
            guard result >= 0 else {
                throw FileSystemError("write", path: path, errno: Errno(rawValue: Int32(-result)))
            }
            // Otherwise a device that accepts no bytes would cause an endless loop.
            guard result > 0 else { throw FileSystemError("write", path: path, errno: .ioError) }
            rest = rest.dropFirst(result)
        }
    }

    /// Writes all bytes of an array, at an offset or at the current position.
    package func write(_ bytes: [UInt8], at offset: UInt64? = nil) throws(FileSystemError) {
        var failure: FileSystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(FileSystemError) {
                if let offset { try write(buffer, at: offset) } else { try write(buffer) }
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Returns at most `count` bytes from `offset` of a directory entry. Does not follow a link.
    package static func bytes(
        _ count: Int, at offset: UInt64, of name: UnsafePointer<CChar>, in directory: Int32
    ) throws(FileSystemError) -> [UInt8] {
        try entry(name, of: directory).read(upTo: count, from: offset)
    }

    /// Returns the start of a file in a directory, which is an entry of another one. Follows no link.
    static func bytes(
        _ count: Int, of name: UnsafePointer<CChar>, inDirectory parent: UnsafePointer<CChar>, in directory: Int32
    ) throws(FileSystemError) -> [UInt8] {
        let parent = try entry(parent, of: directory)
        return try entry(name, of: parent.descriptor).read(upTo: count)
    }

    /// Returns true if the file system reports that a directory entry, a file with a size, has no data. Does not follow a
    /// link.
    static func isHole(_ name: UnsafePointer<CChar>, in directory: Int32) throws(FileSystemError) -> Bool {
        try entry(name, of: directory).nextData(from: 0) == nil
    }

    private static func entry(
        _ name: UnsafePointer<CChar>, of directory: Int32
    ) throws(FileSystemError) -> OpenFile {
        let path = FilePath(platformString: name)
        let descriptor = cfs_open_at(directory, name, CFS_READ | CFS_NO_FOLLOW | CFS_QUIETLY, 0)
        try succeed(descriptor, operation: "open", path)
        return OpenFile(descriptor: descriptor, path: path, calls: .live)
    }
}

/// Receives the progress of a copy: the items and the bytes since the last call. An error that it throws ends the copy.
package typealias CopyObserver = (_ items: Int, _ bytes: Int) throws(FileSystemError) -> Void

/// Sparse files.
extension OpenFile {
    /// Returns the offset of the next data at or after `offset`, or nil if only a hole follows. Returns `offset` if the file
    /// system does not report holes.
    package func nextData(from offset: UInt64) -> UInt64? {
        let found = cfs_next_data(descriptor, offset)
        if found >= 0 { return UInt64(found) }
        return Errno(rawValue: Int32(-found)) == .noSuchAddressOrDevice ? nil : offset
    }

    /// Copies the content to an empty file, a mebibyte at a time. Preserves holes if the file system reports them, so that
    /// time and space depend on the allocated size. `observe` receives the number of bytes after each piece, and ends the
    /// copy with an error.
    package func copyContentKeepingHoles(
        to copy: OpenFile, observe: CopyObserver? = nil
    ) throws(FileSystemError) {
        let size = try status().size
        // A size of 0 may be wrong (procfs).
        guard size > 0 else { return try copyContent(to: copy) }
        var offset: UInt64 = 0
        while let data = nextData(from: offset), data < size {
            offset = max(offset, data)
            let bytes = try read(upTo: Int(min(1 << 20, size - offset)), from: offset)
            if bytes.isEmpty { break }
            try copy.write(bytes, at: offset)
            offset += UInt64(bytes.count)
            try observe?(0, bytes.count)
        }
        // Another program may have truncated the original.
        try copy.setSize(min(size, try status().size))
    }

    /// Copies the content to an empty file as `copyContentKeepingHoles`, but in the kernel if it can copy between the two
    /// file systems, and without duplicating blocks on disk if the file system supports that.
    package func copyContentInKernel(to copy: OpenFile) throws(FileSystemError) {
        let size = try status().size
        var offset: UInt64 = 0
        while let data = nextData(from: offset), data < size {
            offset = max(offset, data)
            let count = cfs_copy_range(descriptor, copy.descriptor, offset, Int(min(1 << 20, size - offset)))
            if count == 0 { break }
            guard count < 0 else {
                offset += UInt64(count)
                continue
            }
            switch Errno(rawValue: Int32(-count)) {
            case .interrupted: continue
            case .notSupported, .notSupportedOnSocket, .noFunction, .improperLink, .invalidArgument, .notPermitted:
                return try copyContentKeepingHoles(to: copy)
            case let failure: throw FileSystemError("copy", path: copy.path, errno: failure)
            }
        }
        try copy.setSize(min(size, try status().size))
    }

    /// Extends the file with a hole, or truncates it.
    package func setSize(_ size: UInt64) throws(FileSystemError) {
        try succeed(cfs_set_size(descriptor, size), operation: "set the size of", path)
    }

    /// Writes all bytes at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let result = cfs_write_at(descriptor, rest.baseAddress, min(rest.count, 8 << 20), offset + UInt64(written))
            if result == -Int(Errno.interrupted.rawValue) { continue }
            guard result > 0 else {
                throw FileSystemError(
                    "write", path: path, errno: result == 0 ? .ioError : Errno(rawValue: Int32(-result)))
            }
            written += result
        }
    }
}

/// The content of a file as mapped memory, unmapped on deallocation.
///
/// No other process may truncate the file while it is mapped: access to missing bytes ends the process. An atomic write
/// replaces the file and does not affect the mapping. This class never changes the bytes, so it is safe to share.
package final class MappedFile: @unchecked Sendable {
    package let bytes: UnsafeRawBufferPointer

    package init(_ file: OpenFile) throws(FileSystemError) {
        let status = try file.status()
        guard status.kind == .file else { throw FileSystemError("map", path: file.path, errno: .invalidArgument) }
        guard let size = Int(exactly: status.size) else {
            throw FileSystemError("map", path: file.path, errno: .fileTooLarge)
        }
        guard size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        var address: UnsafeMutableRawPointer?
        try succeed(file.calls.map(file.descriptor, size, &address), operation: "map", file.path)
        bytes = UnsafeRawBufferPointer(start: address, count: size)
    }

    deinit {
        guard let base = bytes.baseAddress else { return }
        cfs_unmap(UnsafeMutableRawPointer(mutating: base), bytes.count)
    }
}
