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

    /// Creates a hash from 64 lowercase hexadecimal digits; nil for another text.
    init?(hexadecimal text: String) {
        let values = text.utf8.map { digit in Self.digits.firstIndex(of: digit) ?? 16 }
        guard values.count == 64, !values.contains(16) else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

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
    private var hashed: [UInt8] = []

    mutating func add(_ part: Int64, hash: ContentHash, at position: UInt64) {
        parts.append((position, part))
        withUnsafeBytes(of: position.bigEndian) { hashed += $0 }
        hashed += hash.bytes
    }

    /// Returns the hash of a content of this size.
    func hash(size: UInt64) -> ContentHash { Self.hash(of: bytes(size: size)) }

    /// Returns the bytes that the hash of a content of this size covers.
    func bytes(size: UInt64) -> [UInt8] { hashed + withUnsafeBytes(of: size.bigEndian) { Array($0) } }

    /// Returns the hash of the bytes of a list.
    static func hash(of bytes: [UInt8]) -> ContentHash {
        ContentHash(bytes: Array(SHA512.hash(data: bytes).prefix(32)))
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

    /// The hash of bytes that are read in pieces.
    struct Hasher {
        private var hasher = SHA256()

        var value: ContentHash { ContentHash(bytes: Array(hasher.finalize())) }

        mutating func add(_ bytes: [UInt8]) { hasher.update(data: bytes) }
    }

    private var hasher = SHA256()
    /// The bytes of the last entry that the hash covers.
    private(set) var bytes: [UInt8] = []

    var value: ContentHash { ContentHash(bytes: Array(hasher.finalize())) }

    /// Adds the next entry by name.
    mutating func add(_ entry: SnapshotEntry, rows: Rows) {
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

extension SnapshotEntry {
    /// Returns the first entry in the bytes that the hash of a directory covers, with the hashes of its rows and the number of
    /// its bytes; nil if the bytes end before.
    ///
    /// - Throws: `damaged` for invalid values.
    static func parse(_ bytes: ArraySlice<UInt8>) throws(BackupError) -> (SnapshotEntry, DirectoryHash.Rows, Int)? {
        var position = bytes.startIndex
        func number() -> Int64? {
            guard bytes.endIndex - position >= 8 else { return nil }
            position += 8
            return bytes[(position - 8)..<position].reduce(0) { $0 << 8 | Int64($1) }
        }
        func text() throws(BackupError) -> (isMissing: Bool, text: [UInt8])? {
            guard let count = number() else { return nil }
            guard count >= -1, count <= Int.max >> 1 else { throw RecordParser.invalid }
            guard count > 0 else { return (count < 0, []) }
            guard bytes.endIndex - position >= Int(count) else { return nil }
            position += Int(count)
            return (false, Array(bytes[(position - Int(count))..<position]))
        }
        guard let name = try text() else { return nil }
        var numbers: [Int64] = []
        for _ in 0..<12 {
            guard let number = number() else { return nil }
            numbers.append(number)
        }
        guard let object = try text(), let child = try text(), let target = try text(), let attributes = try text()
        else { return nil }
        guard let kind = UInt8(exactly: numbers[0]).flatMap(FileKind.init),
            let permissions = UInt16(exactly: numbers[1]),
            let user = UInt32(exactly: numbers[2]), let group = UInt32(exactly: numbers[3]),
            let state = SnapshotEntry.State(rawValue: Int(numbers[11])), let links = UInt32(exactly: numbers[10]),
            let modified = UInt32(exactly: numbers[6]), let changed = UInt32(exactly: numbers[8]),
            [object, child, attributes].allSatisfy({ $0.isMissing || $0.text.count == 32 })
        else { throw RecordParser.invalid }
        var entry = SnapshotEntry(name: name.text, kind: kind)
        entry.permissions = permissions
        (entry.user, entry.group) = (user, group)
        entry.size = UInt64(bitPattern: numbers[4])
        entry.modified = Timestamp(seconds: numbers[5], nanoseconds: modified)
        entry.changed = Timestamp(seconds: numbers[7], nanoseconds: changed)
        entry.inode = UInt64(bitPattern: numbers[9])
        (entry.links, entry.state) = (links, state)
        entry.target = target.isMissing ? nil : target.text
        let rows = DirectoryHash.Rows(
            object: object.isMissing ? nil : object.text, child: child.isMissing ? nil : child.text,
            attributes: attributes.isMissing ? nil : attributes.text)
        return (entry, rows, position - bytes.startIndex)
    }
}
