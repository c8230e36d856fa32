import FileSystem
import Foundation
import SystemPackage

/// The content of a medium at one moment: its nonzero blocks. Images share equal blocks.
struct Image {
    private static let blockSize = 4096
    /// Linux's constants for lseek, which the C library's headers hide from Swift.
    private static let (nextData, nextHole) = (
        FileDescriptor.SeekOrigin(rawValue: 3), FileDescriptor.SeekOrigin(rawValue: 4)
    )

    private var blocks: [Int: [UInt8]] = [:]

    /// An empty medium.
    init() {}

    /// Reads a sparse file. Returns nil if it is equal to `previous`.
    ///
    /// - Throws: The `Errno` of the failed call.
    init?(reading file: FileDescriptor, unlike previous: Image) throws {
        var isNew = false
        var offset: Int64 = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while let start = try Self.seek(file, offset, Self.nextData) {
            offset = start
            let end = try Self.seek(file, start, Self.nextHole) ?? start
            while offset < end {
                let count = try chunk.withUnsafeMutableBytes { buffer in
                    try file.read(
                        fromAbsoluteOffset: offset,
                        into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(end - offset))))
                }
                guard count > 0, count % Self.blockSize == 0 else { throw Errno.ioError }
                chunk.withUnsafeBytes { buffer in
                    for position in stride(from: 0, to: count, by: Self.blockSize) {
                        let bytes = UnsafeRawBufferPointer(rebasing: buffer[position..<position + Self.blockSize])
                        let index = (Int(offset) + position) / Self.blockSize
                        if let block = previous.blocks[index], Self.isSame(bytes, block) {
                            blocks[index] = block
                        } else if !Self.isZero(bytes) {
                            blocks[index] = [UInt8](bytes)
                            isNew = true
                        }
                    }
                }
                offset += Int64(count)
            }
        }
        guard isNew || blocks.count != previous.blocks.count else { return nil }
    }

    /// Writes the image to a sparse file of `size` bytes, which is replaced if it exists.
    ///
    /// - Throws: The `Errno` of the failed call.
    func write(to path: FilePath, size: Int64) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        try file.closeAfter {
            try file.resize(to: size)
            for (index, block) in blocks {
                let written = try block.withUnsafeBytes {
                    try file.write(toAbsoluteOffset: Int64(index * Self.blockSize), $0)
                }
                guard written == Self.blockSize else { throw Errno.noSpace }
            }
        }
    }

    /// Returns nil at the end.
    private static func seek(
        _ file: FileDescriptor, _ offset: Int64, _ origin: FileDescriptor.SeekOrigin
    ) throws -> Int64? {
        do { return try file.seek(offset: offset, from: origin) } catch Errno.noSuchAddressOrDevice { return nil }
    }

    private static func isSame(_ bytes: UnsafeRawBufferPointer, _ block: [UInt8]) -> Bool {
        block.withUnsafeBytes { other in
            guard let left = bytes.baseAddress, let right = other.baseAddress else { return false }
            return memcmp(left, right, blockSize) == 0
        }
    }

    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        // Each byte is equal to the next one, and the first one is zero.
        return bytes[0] == 0 && memcmp(start, start + 1, blockSize - 1) == 0
    }
}
