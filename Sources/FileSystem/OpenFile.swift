internal import CFileSystem
internal import Synchronization
package import SystemPackage

/// An open file, closed when the last reference to it goes.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    /// The name it was opened by, for errors.
    package let path: FilePath
    let calls: Syscalls
    private let isOpen = Atomic(true)

    init(descriptor: Int32, path: FilePath, calls: Syscalls) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
    }

    deinit { if isOpen.load(ordering: .relaxed) { _ = calls.close(descriptor) } }

    /// Closes the file and tells whether the kernel was content, which a network disk may be only now.
    package func close() throws(FileSystemError) {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        try succeed(calls.close(descriptor), "close", path)
    }

    /// Brings the content down to the medium. After a failure it must not be asked again: the kernel has
    /// dropped what it could not write and would answer that all is well.
    package func sync() throws(FileSystemError) { try succeed(calls.sync(descriptor), "sync", path) }

    /// Has the kernel begin to bring a part of the content down, so that `sync` has less to wait for. It promises
    /// nothing, and its failure shows in `sync`.
    package func startWriting(from offset: UInt64, count: UInt64) {
        _ = calls.startWriting(descriptor, offset, count)
    }

    /// Locks the file against others who ask for the same, if no one has it locked; closing it lets go.
    package func tryLock() -> Bool { calls.lock(descriptor, true) >= 0 }

    package func status() throws(FileSystemError) -> FileStatus {
        var raw = cfs_status()
        try succeed(calls.status(descriptor, "", &raw), "examine", path)
        return FileStatus(raw)
    }

    /// Fills `buffer` with what lies at `offset` and gives the count, which is less only where the file ends.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, from offset: UInt64
    ) throws(FileSystemError) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        var filled = 0
        while filled < buffer.count {
            let result = calls.read(
                descriptor, base + filled, min(buffer.count - filled, 1 << 30), offset + UInt64(filled))
            if result == -Int(Errno.interrupted.rawValue) { continue }
            guard result >= 0 else { throw FileSystemError("read", path, Errno(rawValue: Int32(-result))) }
            if result == 0 { break }
            filled += result
        }
        return filled
    }

    /// At most `count` bytes from `offset`; fewer only where the file ends.
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

    /// Asks whether there is memory for a file's content (`Errno.noMemory`): a sparse file's size costs no one
    /// anything, and Swift ends the process where an allocation fails.
    package func requireMemory(_ count: Int) throws(FileSystemError) {
        guard cfs_can_allocate(count) else { throw FileSystemError("find memory to read", path, .noMemory) }
    }

    /// The whole content, which must not pass `limit` bytes (`Errno.fileTooLarge`).
    package func contents(limit: Int = .max) throws(FileSystemError) -> [UInt8] {
        let size = try status().size
        guard size <= UInt64(limit), size < UInt64(Int.max) else { throw FileSystemError("read", path, .fileTooLarge) }
        try requireMemory(Int(size) + 1)
        // One byte more than the size shows a file that grew; a size of 0 may be a file that does not know (procfs).
        var bytes = try read(upTo: Int(size) + 1)
        while bytes.count > size {
            let more = try read(upTo: 1 << 20, from: UInt64(bytes.count))
            bytes += more
            guard bytes.count <= limit else { throw FileSystemError("read", path, .fileTooLarge) }
            if more.isEmpty { break }
        }
        return bytes
    }

    /// Writes all bytes: interrupted and short writes go on, at most 8 MiB a call (Linux caps one at 0x7ffff000).
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let result = calls.write(descriptor, start, min(rest.count, 8 << 20))
            if result == -Int(Errno.interrupted.rawValue) { continue }
            guard result >= 0 else { throw FileSystemError("write", path, Errno(rawValue: Int32(-result))) }
            // A device that takes nothing and says nothing would keep this loop for ever.
            guard result > 0 else { throw FileSystemError("write", path, .ioError) }
            rest = rest.dropFirst(result)
        }
    }

    /// Writes all bytes of an array, at an offset or after the last ones.
    package func write(_ bytes: [UInt8], at offset: UInt64? = nil) throws(FileSystemError) {
        var failure: FileSystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(FileSystemError) {
                if let offset { try write(buffer, at: offset) } else { try write(buffer) }
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// At most `count` bytes from `offset` of a directory's entry; a link is not followed.
    package static func bytes(
        _ count: Int, at offset: UInt64, of name: UnsafePointer<CChar>, in directory: Int32
    ) throws(FileSystemError) -> [UInt8] {
        let path = FilePath(platformString: name)
        let descriptor = cfs_open_at(directory, name, CFS_READ | CFS_NO_FOLLOW | CFS_QUIETLY, 0)
        try succeed(descriptor, "open", path)
        return try OpenFile(descriptor: descriptor, path: path, calls: .live).read(upTo: count, from: offset)
    }
}
