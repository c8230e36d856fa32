internal import Crypto
internal import FileSystem

/// What an object, a directory and a snapshot are known by: the SHA-256 of some content (FIPS 180-4), or of a content
/// that is kept in parts what `PartList` says.
package struct ContentHash: Sendable, Hashable {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(of content: UnsafeRawBufferPointer) { bytes = Array(SHA256.hash(data: content)) }

    package init(of content: [UInt8]) { bytes = Array(SHA256.hash(data: content)) }

    /// 64 digits.
    package var hexadecimal: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

/// The parts of a content that is kept in parts. What lies between them is zeros, of which there may be more than could
/// ever be gone through; so such a content is known by its size and its parts.
///
/// By another function than other contents are known by: a small file may hold the very bytes of a list.
struct PartList {
    private(set) var parts: [(position: UInt64, part: Int64)] = []
    private var hasher = SHA512()

    mutating func add(_ part: Int64, _ hash: ContentHash, at position: UInt64) {
        parts.append((position, part))
        add(position)
        hasher.update(data: hash.bytes)
    }

    /// What the content is known by, if it has this size.
    func hash(size: UInt64) -> ContentHash {
        var whole = self
        whole.add(size)
        return ContentHash(bytes: Array(whole.hasher.finalize().prefix(32)))
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { hasher.update(bufferPointer: $0) }
    }
}

/// What a directory is known by: its entries in order, each field in the order of the table; what another row holds, by
/// that row's own hash.
struct DirectoryHash {
    /// Of the rows that an entry names.
    struct Rows {
        var object: [UInt8]?
        var child: [UInt8]?
        var attributes: [UInt8]?
    }

    private var hasher = SHA256()
    private var bytes: [UInt8] = []

    var value: ContentHash { ContentHash(bytes: Array(hasher.finalize())) }

    /// The next entry by name.
    mutating func add(_ entry: SnapshotEntry, _ rows: Rows) {
        bytes.removeAll(keepingCapacity: true)
        add(entry.name)
        for number in [
            Int64(entry.kind.rawValue), Int64(entry.permissions), Int64(entry.user), Int64(entry.group),
            Int64(bitPattern: entry.size), entry.modified.seconds, Int64(entry.modified.nanoseconds),
            entry.changed.seconds, Int64(entry.changed.nanoseconds), Int64(bitPattern: entry.inode),
            Int64(entry.links), Int64(entry.state.rawValue),
        ] { add(number) }
        add(rows.object)
        add(rows.child)
        add(entry.target)
        add(rows.attributes)
        hasher.update(data: bytes)
    }

    private mutating func add(_ number: Int64) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }

    private mutating func add(_ text: [UInt8]?) {
        add(Int64(text?.count ?? -1))
        if let text { bytes += text }
    }
}
