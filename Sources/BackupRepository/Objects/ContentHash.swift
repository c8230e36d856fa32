internal import Crypto
internal import FileSystem

/// The identity of an object, a directory or a snapshot: the SHA-256 of its content (FIPS 180-4), or the hash of a
/// `PartList` for content stored in parts.
package struct ContentHash: Sendable, Hashable {
    /// The 32 bytes of the hash.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(of content: UnsafeRawBufferPointer) { bytes = Array(SHA256.hash(data: content)) }

    package init(of content: [UInt8]) { bytes = Array(SHA256.hash(data: content)) }

    /// The hash as 64 hexadecimal digits.
    package var hexadecimal: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

/// The parts of a large content. The gaps between them are zeros, possibly too many to hash, so the hash covers the
/// size and the parts.
///
/// It uses another hash function than other content does, because a small file may consist of the bytes of such a list.
struct PartList {
    private(set) var parts: [(position: UInt64, part: Int64)] = []
    private var hasher = SHA512()

    mutating func add(_ part: Int64, _ hash: ContentHash, at position: UInt64) {
        parts.append((position, part))
        add(position)
        hasher.update(data: hash.bytes)
    }

    /// Returns the hash of a content of this size.
    func hash(size: UInt64) -> ContentHash {
        var whole = self
        whole.add(size)
        return ContentHash(bytes: Array(whole.hasher.finalize().prefix(32)))
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { hasher.update(bufferPointer: $0) }
    }
}

/// The hash of a directory: its entries in order, each field in the order of the table, and the hashes of referenced
/// rows.
struct DirectoryHash {
    /// The hashes of the rows that an entry references.
    struct Rows {
        var object: [UInt8]?
        var child: [UInt8]?
        var attributes: [UInt8]?
    }

    private var hasher = SHA256()
    private var bytes: [UInt8] = []

    var value: ContentHash { ContentHash(bytes: Array(hasher.finalize())) }

    /// Adds the next entry by name.
    mutating func add(_ entry: SnapshotEntry, _ rows: Rows) {
        bytes.removeAll(keepingCapacity: true)
        add(entry.name)
        let numbers = (
            Int64(entry.kind.rawValue).bigEndian, Int64(entry.permissions).bigEndian, Int64(entry.user).bigEndian,
            Int64(entry.group).bigEndian, entry.size.bigEndian, entry.modified.seconds.bigEndian,
            Int64(entry.modified.nanoseconds).bigEndian, entry.changed.seconds.bigEndian,
            Int64(entry.changed.nanoseconds).bigEndian, entry.inode.bigEndian, Int64(entry.links).bigEndian,
            Int64(entry.state.rawValue).bigEndian
        )
        withUnsafeBytes(of: numbers) { bytes.append(contentsOf: $0) }
        add(rows.object)
        add(rows.child)
        add(entry.target)
        add(rows.attributes)
        bytes.withUnsafeBytes { hasher.update(bufferPointer: $0) }
    }

    private mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func add(_ text: [UInt8]?) {
        add(Int64(text?.count ?? -1))
        if let text { bytes += text }
    }
}
