internal import Crypto
package import FileSystem
internal import Foundation
internal import SystemPackage

/// The content of a file in a backup, which is decrypted while it is read.
package struct PayloadContent: Sendable {
    /// The payload as it is stored.
    package let stored: OpenFile
    /// The size of the content in bytes.
    package let size: UInt64
    /// The difference between the content and its record, which does not prevent reading. Devices often record another
    /// size for files that apps write during the backup.
    package let problem: BackupProblem?
    private let key: SymmetricKey?

    /// True if the payload is stored encrypted.
    package var isEncrypted: Bool { key != nil }

    /// The content of a payload that is stored as it is.
    init(plain stored: OpenFile, size: UInt64, problem: BackupProblem?) {
        (self.stored, self.size, self.problem, key) = (stored, size, problem, nil)
    }

    /// The content of an encrypted payload, whose size follows from its last block.
    ///
    /// - Throws: `payloadNotDecrypted`, `payloadUnreadable`.
    init(encrypted stored: OpenFile, size: UInt64, with key: SymmetricKey, of entry: StoredEntry) throws(BackupProblem)
    {
        let block = UInt64(PayloadCipher.blockSize)
        guard size % block == 0 else {
            throw entry.problem(.payloadNotDecrypted, "\(size) bytes, which is no multiple of \(block)")
        }
        (self.stored, self.key) = (stored, key)
        // Without padding, as other writers store it: padding makes a payload longer than its content.
        guard size > 0, entry.size != size else {
            self.size = size
            problem = entry.size ?? 0 == size ? nil : Self.otherSize(size, entry: entry)
            return
        }
        let start = size - min(size, 2 * block)
        let end: [UInt8]
        do throws(FileSystemError) { end = try stored.read(upTo: Int(size - start), from: start) } catch {
            throw entry.problem(.payloadUnreadable, error.errno.description)
        }
        let previous = end.count > PayloadCipher.blockSize ? Array(end.prefix(PayloadCipher.blockSize)) : nil
        guard end.count == Int(size - start),
            let rest = try? PayloadCipher.decryptLast(
                Array(end.suffix(PayloadCipher.blockSize)), key: key, after: previous)
        else { throw entry.problem(.payloadNotDecrypted, "the last block is damaged") }
        let content = size - block + UInt64(rest.count)
        self.size = content
        problem = entry.size ?? content == content ? nil : Self.otherSize(content, entry: entry)
    }

    /// The whole blocks of an encrypted file, with their padding.
    init(blocks stored: OpenFile, size: UInt64, with key: SymmetricKey) {
        (self.stored, self.size, self.problem, self.key) = (stored, size, nil, key)
    }

    static func otherSize(_ size: UInt64, entry: StoredEntry) -> BackupProblem {
        entry.problem(.payloadLength, "\(size) bytes instead of \(entry.size ?? 0)")
    }

    /// Reads at `offset` into `buffer` and returns the number of bytes, which is smaller only at the end of the content.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, from offset: UInt64
    ) throws(FileSystemError) -> Int {
        guard let key else { return try stored.read(into: buffer, from: offset) }
        guard offset < size else { return 0 }
        let wanted = Int(min(UInt64(buffer.count), size - offset))
        let block = UInt64(PayloadCipher.blockSize)
        var filled = 0
        while filled < wanted {
            // In pieces, because the library copies what it decrypts. Each begins with the block before it.
            let position = offset + UInt64(filled)
            let start = position / block * block
            let count = min(Self.pieceSize, Int((size - start + block - 1) / block * block))
            let before = start == 0 ? 0 : PayloadCipher.blockSize
            let bytes = try stored.read(upTo: before + count, from: start - UInt64(before))
            // Another program may have truncated the payload.
            guard bytes.count == before + count,
                let plain = try? PayloadCipher.decrypt(
                    Array(bytes.dropFirst(before)), key: key, after: before == 0 ? nil : Array(bytes.prefix(before)))
            else { break }
            let piece = plain.dropFirst(Int(position - start)).prefix(wanted - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyBytes(from: piece)
            filled += piece.count
        }
        return filled
    }

    private static let pieceSize = 256 << 10

    /// Returns true if the content matches the SHA-1 of its record. That of an encrypted payload is the one of the
    /// stored bytes or of the content, depending on the writer.
    package func matches(_ digest: [UInt8]) throws(FileSystemError) -> Bool {
        let stored = stored
        let sum = try Self.sum { buffer, offset throws(FileSystemError) in try stored.read(into: buffer, from: offset) }
        if sum.digest == digest { return true }
        guard isEncrypted else { return false }
        return try Self.sum { buffer, offset throws(FileSystemError) in try read(into: buffer, from: offset) }.digest
            == digest
    }

    /// Reads the content to its end and returns its size.
    func readToEnd() throws(FileSystemError) -> UInt64 {
        try Self.sum { buffer, offset throws(FileSystemError) in try read(into: buffer, from: offset) }.size
    }

    private static func sum(
        _ read: (UnsafeMutableRawBufferPointer, UInt64) throws(FileSystemError) -> Int
    ) throws(FileSystemError) -> (digest: [UInt8], size: UInt64) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var sum = Insecure.SHA1()
        var position: UInt64 = 0
        while true {
            let count = try read(buffer, position)
            if count == 0 { break }
            sum.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
        return (Array(sum.finalize()), position)
    }
}
