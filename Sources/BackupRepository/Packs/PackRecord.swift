internal import CZstd

/// The header of a record in a pack or in the file of a snapshot, as described in `FORMAT.md`.
///
/// It is a skippable frame of zstd, so that `zstd -d` prints the contents of all records of a file.
struct PackRecord {
    /// The content of a record.
    enum Kind: UInt8 {
        /// A small content.
        case content = 0
        /// The list of the parts of a large content.
        case parts = 1
        case attributes = 2
        case exclusions = 3
        case directory = 4
        case snapshot = 5

        /// The table of the catalogue with the hashes of records of this kind; nil for contents and snapshots.
        var table: String? {
            switch self {
            case .content, .snapshot: nil
            case .parts: "object"
            case .attributes: "attributes"
            case .exclusions: "exclusions"
            case .directory: "directory"
            }
        }

        /// The kinds that the catalogue can replace.
        static let copied: [Kind] = [.parts, .attributes, .exclusions, .directory]
    }

    let kind: Kind
    /// The hash of the item; nil for a content, whose hash is that of its bytes.
    let hash: ContentHash?
    /// The number of the piece. An item of more than `pieceSize` bytes takes several records.
    var piece: UInt32 = 0
    var isLast = true
    /// The size of the zstd frame that follows the header.
    var frameSize = 0

    /// The maximum number of bytes of an item in one record.
    static let pieceSize = 256 << 10
    /// The maximum size of a pack, and of a record in the file of a snapshot.
    static let packSize = 1 << 20
    /// The limit for reading a pack.
    static let packLimit = 2 << 20

    private static let magic: [UInt8] = [0x5b, 0x2a, 0x4d, 0x18]
    private static let payloadSize = 12
    private static let hashSize = 32

    /// The size of the header in bytes.
    var size: Int { 8 + Self.payloadSize + (hash == nil ? 0 : Self.hashSize) }

    /// The bytes of the header.
    var bytes: [UInt8] {
        var bytes = Self.magic
        withUnsafeBytes(of: UInt32(size - 8).littleEndian) { bytes += $0 }
        bytes += [UInt8(CatalogueSchema.version), kind.rawValue, isLast ? 1 : 0, 0]
        withUnsafeBytes(of: piece.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: UInt32(frameSize).bigEndian) { bytes += $0 }
        return bytes + (hash?.bytes ?? [])
    }

    /// The records of one item, whose bytes are added in order.
    struct Divider {
        private var header: PackRecord
        /// The bytes that are in no record yet.
        private var rest: [UInt8] = []

        init(of kind: Kind, _ hash: ContentHash) { header = PackRecord(kind: kind, hash: hash, isLast: false) }

        /// Adds bytes.
        ///
        /// - Returns: The records that are complete, with their pieces, which are not compressed.
        mutating func add(_ bytes: [UInt8]) -> [(header: PackRecord, piece: ArraySlice<UInt8>)] {
            rest += bytes
            // The last record is not empty, unless the item is.
            guard rest.count > pieceSize else { return [] }
            var (records, start) = ([(header: PackRecord, piece: ArraySlice<UInt8>)](), 0)
            while rest.count - start > pieceSize {
                records.append((header, rest[start..<(start + pieceSize)]))
                header.piece += 1
                start += pieceSize
            }
            rest = Array(rest[start...])
            return records
        }

        /// Returns the last record.
        mutating func finish() -> (header: PackRecord, piece: ArraySlice<UInt8>) {
            header.isLast = true
            return (header, rest[...])
        }
    }

    /// A record in the bytes of a file.
    struct Located {
        let header: PackRecord
        /// The position of the header.
        let start: Int
        /// The position of the zstd frame.
        var frame: Range<Int> { (start + header.size)..<(start + header.size + header.frameSize) }
    }

    /// Returns the records in the bytes of a file. After damaged bytes, it continues at the next header.
    ///
    /// - Parameter bytes: The bytes of the file.
    /// - Returns: The records, and whether they are the whole file.
    static func all(in bytes: [UInt8]) -> (records: [Located], isWhole: Bool) {
        var (records, isWhole) = ([Located](), true)
        var position = 0
        while position < bytes.count {
            if let header = header(in: bytes, at: position) {
                records.append(Located(header: header, start: position))
                position += header.size + header.frameSize
            } else {
                isWhole = false
                position += 1
                while position < bytes.count, !bytes[position...].starts(with: magic) {
                    guard let next = bytes[(position + 1)...].firstIndex(of: magic[0]) else { return (records, false) }
                    position = next
                }
            }
        }
        return (records, isWhole)
    }

    private static func header(in bytes: [UInt8], at start: Int) -> PackRecord? {
        guard bytes.count - start >= 8 + payloadSize, bytes[start...].starts(with: magic) else { return nil }
        func number(_ offset: Int) -> UInt32 {
            bytes[(start + offset)..<(start + offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let payload = Int(number(4).byteSwapped)
        guard bytes[start + 8] == CatalogueSchema.version, let kind = Kind(rawValue: bytes[start + 9]),
            bytes[start + 10] <= 1, bytes[start + 11] == 0, payload == payloadSize + (kind == .content ? 0 : hashSize),
            bytes.count - start >= 8 + payload
        else { return nil }
        let hash = kind == .content ? nil : ContentHash(bytes: Array(bytes[(start + 20)..<(start + 20 + hashSize)]))
        let header = PackRecord(
            kind: kind, hash: hash, piece: number(12), isLast: bytes[start + 10] == 1, frameSize: Int(number(16)))
        return header.frameSize <= bytes.count - start - header.size ? header : nil
    }
}

/// The bytes of an item, which its hash covers: numbers of 8 bytes, and texts after their length.
struct RecordParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number() throws(BackupError) -> Int64 {
        guard bytes.count - position >= 8 else { throw Self.invalid }
        position += 8
        return bytes[(position - 8)..<position].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Returns a text; nil for a missing value.
    mutating func optionalText() throws(BackupError) -> [UInt8]? {
        let count = try number()
        guard count != -1 else { return nil }
        guard count >= 0, count <= bytes.count - position else { throw Self.invalid }
        position += Int(count)
        return Array(bytes[(position - Int(count))..<position])
    }

    mutating func text() throws(BackupError) -> [UInt8] {
        guard let text = try optionalText() else { throw Self.invalid }
        return text
    }

    /// Returns a text in UTF-8.
    mutating func string() throws(BackupError) -> String {
        let text = try text()
        let string = String(decoding: text, as: UTF8.self)
        guard string.utf8.elementsEqual(text) else { throw Self.invalid }
        return string
    }

    /// Returns a number of bytes.
    mutating func bytes(_ count: Int) throws(BackupError) -> [UInt8] {
        guard count <= bytes.count - position else { throw Self.invalid }
        position += count
        return Array(bytes[(position - count)..<position])
    }

    mutating func hash() throws(BackupError) -> ContentHash? {
        guard let bytes = try optionalText() else { return nil }
        guard bytes.count == 32 else { throw Self.invalid }
        return ContentHash(bytes: bytes)
    }

    static var invalid: BackupError { BackupError(.damaged, what: "a record of a pack is invalid") }
}
