/// The extended attributes in an AppleDouble file, which macOS writes where attributes cannot be stored.
///
/// The file starts with a list of entries. Entry 9 is the Finder information (32 bytes), followed by a header with the
/// magic number `ATTR` and the table of the attributes, whose offsets count from the start of the file. Entry 2 is the
/// resource fork. All numbers are big-endian. Sources: RFC 1740, appendix A; xnu, bsd/vfs/vfs_xattr.c.
package struct AppleDouble: Sendable, Equatable {
    /// A damaged AppleDouble file.
    package struct Damage: Error, Sendable, Equatable {
        /// The reason, as a clause.
        package let reason: String
    }

    /// The attributes in the order of the file, with the Finder information if it is not empty.
    package private(set) var attributes: [(name: [UInt8], value: [UInt8])] = []
    /// The size of the resource fork in bytes.
    package private(set) var resourceForkSize = 0

    /// The size of a resource fork without resources, which macOS writes to each AppleDouble file.
    static let emptyForkSize = 286

    private static let finderInformation: UInt32 = 9
    private static let resourceFork: UInt32 = 2
    private static let mostEntries = 64
    private static let finderSize = 32
    private static let headerSize = 36
    private static let mostNameBytes = 128

    /// Returns true if the bytes are the start of an AppleDouble file of version 2.
    package static func isStart(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0, 5, 0x16, 7, 0, 2, 0, 0])
    }

    /// Reads a file of `fileSize` bytes, of which `bytes` are the start. Refuses more than `mostAttributes`.
    package init(parsing bytes: [UInt8], fileSize: UInt64, mostAttributes: Int) throws(Damage) {
        let source = BigEndianBytes(bytes)
        guard Self.isStart(bytes), let count = source.number(UInt16.self, at: 24) else {
            throw Damage(reason: "the AppleDouble header is incomplete")
        }
        guard count <= Self.mostEntries else { throw Damage(reason: "the AppleDouble header has \(count) entries") }
        var finder: Range<Int>?
        for entry in 0..<Int(count) {
            let start = 26 + entry * 12
            guard let kind = source.number(UInt32.self, at: start),
                let offset = source.number(UInt32.self, at: start + 4),
                let length = source.number(UInt32.self, at: start + 8)
            else { throw Damage(reason: "the AppleDouble header is incomplete") }
            guard UInt64(offset) + UInt64(length) <= fileSize else {
                throw Damage(reason: "an AppleDouble entry ends behind the file")
            }
            switch kind {
            case Self.finderInformation: finder = Int(offset)..<Int(offset) + Int(length)
            case Self.resourceFork: resourceForkSize = Int(length)
            default: break
            }
        }
        guard let finder else { return }
        guard finder.count >= Self.finderSize, let information = source.bytes(finder.lowerBound, count: Self.finderSize)
        else {
            throw Damage(reason: "the Finder information of AppleDouble is incomplete")
        }
        if information.contains(where: { $0 != 0 }) {
            attributes.append((Array("com.apple.FinderInfo".utf8), information))
        }
        try readTable(source, finder: finder, mostAttributes: mostAttributes)
    }

    private mutating func readTable(
        _ source: BigEndianBytes, finder: Range<Int>, mostAttributes: Int
    ) throws(Damage) {
        // The header is aligned to 4 bytes.
        let header = (finder.lowerBound + Self.finderSize + 3) & ~3
        guard finder.upperBound >= header + Self.headerSize else { return }
        guard let magic = source.bytes(header, count: 4) else {
            throw Damage(reason: "the table of AppleDouble attributes is incomplete")
        }
        guard magic == Array("ATTR".utf8) else { return }
        guard let end = source.number(UInt32.self, at: header + 8),
            let count = source.number(UInt16.self, at: header + 34)
        else { throw Damage(reason: "the table of AppleDouble attributes is incomplete") }
        guard count <= mostAttributes else { throw Damage(reason: "AppleDouble has \(count) attributes") }
        var position = header + Self.headerSize
        var total = 0
        for _ in 0..<Int(count) {
            guard let offset = source.number(UInt32.self, at: position),
                let length = source.number(UInt32.self, at: position + 4),
                let nameLength = source.number(UInt8.self, at: position + 10),
                let name = source.bytes(position + 11, count: Int(nameLength)), position < finder.upperBound
            else { throw Damage(reason: "the table of AppleDouble attributes is incomplete") }
            // The length includes the terminating NUL.
            guard nameLength > 1, nameLength <= Self.mostNameBytes, name.last == 0, !name.dropLast().contains(0) else {
                throw Damage(reason: "an AppleDouble attribute has no valid name")
            }
            guard UInt64(offset) + UInt64(length) <= UInt64(end),
                let value = source.bytes(Int(offset), count: Int(length))
            else {
                throw Damage(reason: "the value of an AppleDouble attribute ends behind the table")
            }
            // Values that overlap could fill the memory.
            total += value.count
            guard total <= source.count else { throw Damage(reason: "the values of AppleDouble attributes overlap") }
            attributes.append((name.dropLast(), value))
            position += (11 + Int(nameLength) + 3) & ~3
        }
    }

    package static func == (left: AppleDouble, right: AppleDouble) -> Bool {
        left.resourceForkSize == right.resourceForkSize
            && left.attributes.elementsEqual(right.attributes) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// Bytes with bounds-checked access to numbers.
struct BigEndianBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    /// Returns a number, or nil if it ends behind the bytes.
    func number<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number? {
        bytes(offset, count: Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number($1) }
    }

    /// Returns a range of the bytes, or nil if it ends behind them.
    func bytes(_ offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return Array(bytes[offset..<offset + count])
    }
}
