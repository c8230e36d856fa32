package import FileSystem
internal import SystemPackage

/// A writer that stores files as objects, each in one consistent state: a file that changes while it is read is read
/// again. Not thread-safe.
package final class ContentWriter {
    /// The stored content of a file.
    package struct Saved {
        package let object: Int64
        /// The status of the file when it was read, which may differ from the plan.
        package let status: FileStatus
        package let isUnstable: Bool
    }

    /// Called with the number of bytes read of a large file since the last call.
    private let partRead: (UInt64) -> Void
    private let writer: ObjectWriter
    private let compressor: Compressor
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * ObjectWriter.partSize, alignment: 4096)
    package static let tries = 3

    package init(_ writer: ObjectWriter, level: Int32, partRead: @escaping (UInt64) -> Void) throws(BackupError) {
        self.partRead = partRead
        self.writer = writer
        compressor = try Compressor(level: level)
    }

    deinit { buffer.deallocate() }

    /// Stores the content of a file.
    ///
    /// - Throws: `FileSystemError` for the file, `BackupError` for the repository.
    package func save(_ file: OpenFile) throws -> Saved {
        var saved: Saved?
        for _ in 0..<Self.tries {
            let before = try file.status()
            // A directory or a pipe has no content.
            guard before.kind == .file else {
                throw FileSystemError("read", path: file.path, errno: .noSuchFileOrDirectory)
            }
            // Wait until the clock advances, so that a later change shows in the status.
            before.changed.waitUntilPast()
            let object = try add(size: before.size, dataFrom: { file.nextData(from: $0) }) {
                try file.read(into: $0, from: $1)
            }
            let after = try file.status()
            let isSame =
                before.size == after.size && before.modified == after.modified && before.changed == after.changed
            saved = Saved(object: object, status: before, isUnstable: !isSame)
            if isSame { break }
        }
        guard let saved else { throw BackupError(.failed, what: "nothing was read") }
        return saved
    }

    /// Stores a content of `size` bytes that `read` provides: it fills a buffer from an offset, and returns the number of
    /// bytes, which is smaller only at the end of the content.
    ///
    /// - Throws: Errors of `read`, `BackupError` for the repository.
    package func save(
        size: UInt64, reading read: (UnsafeMutableRawBufferPointer, UInt64) throws -> Int
    ) throws -> Int64 {
        try add(size: size, dataFrom: { $0 }, read)
    }

    /// Stores a content. `next` returns the offset of the next data, or nil if only a hole follows.
    private func add(
        size: UInt64, dataFrom next: (UInt64) -> UInt64?, _ read: (UnsafeMutableRawBufferPointer, UInt64) throws -> Int
    ) throws -> Int64 {
        guard size > ObjectWriter.partSize else {
            // The status afterwards shows if the file has grown.
            let content = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(size)])
            let count = try read(content, 0)
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            return try writer.add(bytes, hash: ContentHash(of: bytes), compressor: compressor)
        }
        var list = PartList()
        var (position, end) = (UInt64(0), size)
        // The bytes of the buffer from the position on.
        var rest = 0..<0
        while position < end {
            // Blocks without data are neither read nor stored.
            if position % ContentDivider.block == 0 {
                guard let data = next(position), data < end else { break }
                let start = max(position, data / ContentDivider.block * ContentDivider.block)
                rest = (rest.lowerBound + Int(min(start - position, UInt64(rest.count))))..<rest.upperBound
                position = start
            }
            if UInt64(rest.count) < min(ContentDivider.needed, end - position) {
                try fill(&rest, from: position, end: &end, read)
                guard !rest.isEmpty else { break }
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[rest])
            let count: Int
            switch ContentDivider.first(of: bytes, at: position) {
            case .zeros(let zeros): count = zeros
            case .part(let length):
                count = length
                let part = UnsafeRawBufferPointer(rebasing: bytes[..<length])
                let hash = ContentHash(of: part)
                list.add(try writer.add(part, hash: hash, compressor: compressor), hash: hash, at: position)
            }
            rest = (rest.lowerBound + count)..<rest.upperBound
            position += UInt64(count)
            partRead(UInt64(count))
        }
        return try writer.add(list, size: end)
    }

    /// Moves the rest to the start of the buffer, and fills the buffer. If the file is shorter now, `end` becomes its end; the
    /// status afterwards shows it.
    private func fill(
        _ rest: inout Range<Int>, from position: UInt64, end: inout UInt64,
        _ read: (UnsafeMutableRawBufferPointer, UInt64) throws -> Int
    ) throws {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[rest]))
        rest = 0..<rest.count
        let wanted = Int(min(UInt64(buffer.count - rest.count), end - position - UInt64(rest.count)))
        let free = UnsafeMutableRawBufferPointer(rebasing: buffer[rest.count..<(rest.count + wanted)])
        let count = try read(free, position + UInt64(rest.count))
        rest = 0..<(rest.count + count)
        if count < wanted { end = position + UInt64(rest.count) }
    }
}
