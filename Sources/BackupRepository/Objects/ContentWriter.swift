package import FileSystem
internal import SystemPackage

/// Reads files into a store, each as one state of it: a file that changes while it is read is read again. For one
/// thread.
package final class ContentWriter {
    /// What was kept of a file.
    package struct Kept {
        package let object: Int64
        /// What the kernel said when the file was read, which may be later than the plan.
        package let status: FileStatus
        package let isUnstable: Bool
    }

    /// Is told how many bytes more of a large file have been read.
    private let partRead: (UInt64) -> Void
    private let writer: ObjectWriter
    private let compressor: Compressor
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ObjectWriter.partSize, alignment: 4096)
    package static let tries = 3

    package init(_ writer: ObjectWriter, level: Int32, partRead: @escaping (UInt64) -> Void) throws(BackupError) {
        self.partRead = partRead
        self.writer = writer
        compressor = try Compressor(level: level)
    }

    deinit { buffer.deallocate() }

    /// Keeps a file's content.
    ///
    /// - Throws: `FileSystemError` of the file, `BackupError` of the store.
    package func keep(_ file: OpenFile) throws -> Kept {
        var kept: Kept?
        for _ in 0..<Self.tries {
            let before = try file.status()
            // What is read of a directory or a pipe is no content.
            guard before.kind == .file else { throw FileSystemError("read", file.path, .noSuchFileOrDirectory) }
            // A change while it is read, or before the next snapshot, must show.
            before.changed.waitUntilPast()
            let object = try add(file, before)
            let after = try file.status()
            let isSame =
                before.size == after.size && before.modified == after.modified && before.changed == after.changed
            kept = Kept(object: object, status: before, isUnstable: !isSame)
            if isSame { break }
        }
        guard let kept else { throw BackupError(.failed, "nothing was read") }
        return kept
    }

    private func add(_ file: OpenFile, _ status: FileStatus) throws -> Int64 {
        guard status.size > ObjectWriter.partSize else {
            // What has grown meanwhile shows when it is looked at again.
            let content = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(status.size)])
            let count = try file.read(into: content, from: 0)
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            return try writer.add(bytes, ContentHash(of: bytes), compressor)
        }
        var list = PartList()
        let size = status.size
        var position: UInt64 = 0
        while position < size {
            // Whole parts of a hole are neither read nor kept.
            let data = file.nextData(from: position) ?? size
            let start = min(data / UInt64(ObjectWriter.partSize) * UInt64(ObjectWriter.partSize), size)
            if start > position {
                position = start
                continue
            }
            let wanted = Int(min(UInt64(ObjectWriter.partSize), size - position))
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), from: position)
            // The file has become shorter, which shows when it is looked at again.
            guard count == wanted else { break }
            let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            // Zeros that are written down are known by the same as those of a hole.
            if !part.isZero {
                let hash = ContentHash(of: part)
                list.add(try writer.add(part, hash, compressor), hash, at: position)
            }
            position += UInt64(count)
            partRead(UInt64(count))
        }
        return try writer.add(list, size: position)
    }
}

extension UnsafeRawBufferPointer {
    /// True if all bytes are zeros.
    package var isZero: Bool {
        var index = 0
        while index + 8 <= count {
            if loadUnaligned(fromByteOffset: index, as: UInt64.self) != 0 { return false }
            index += 8
        }
        return self[index...].allSatisfy { $0 == 0 }
    }
}
