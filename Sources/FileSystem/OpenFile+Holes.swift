internal import CFileSystem
internal import SystemPackage

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
    /// time and space depend on the allocated size.
    package func copyContentKeepingHoles(to copy: OpenFile) throws(FileSystemError) {
        let size = try status().size
        var offset: UInt64 = 0
        while let data = nextData(from: offset), data < size {
            offset = max(offset, data)
            let bytes = try read(upTo: Int(min(1 << 20, size - offset)), from: offset)
            if bytes.isEmpty { break }
            try copy.write(bytes, at: offset)
            offset += UInt64(bytes.count)
        }
        try copy.setSize(size)
    }

    /// Extends the file with a hole, or truncates it.
    package func setSize(_ size: UInt64) throws(FileSystemError) {
        try succeed(cfs_set_size(descriptor, size), "set the size of", path)
    }

    /// Writes all bytes at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let result = cfs_write_at(descriptor, rest.baseAddress, min(rest.count, 8 << 20), offset + UInt64(written))
            if result == -Int(Errno.interrupted.rawValue) { continue }
            guard result > 0 else {
                throw FileSystemError("write", path, result == 0 ? .ioError : Errno(rawValue: Int32(-result)))
            }
            written += result
        }
    }
}
