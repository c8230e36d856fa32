/// A property list to write.
package indirect enum PropertyList: Sendable {
    case boolean(Bool), integer(Int64), unsigned(UInt64), real(Double), single(Float)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8]), string(String), uid(UInt64)
    case array([PropertyList])
    /// Pairs in the order in which they are written.
    case dictionary([(key: String, value: PropertyList)])

    /// Returns the bytes of `bplist00`. The objects are in the order of CoreFoundation: a container, its keys, its
    /// values.
    ///
    /// - Throws: `tooLarge` beyond the limit of objects or 500 levels.
    package func binary(objects limit: Int = 1_000_000) throws(PropertyListError) -> [UInt8] {
        var writer = BinaryWriter(limit: limit)
        try writer.add(self)
        return writer.bytes()
    }
}

/// A writer that collects the objects and then writes them with references of the minimum size.
private struct BinaryWriter {
    private enum Object {
        case plain([UInt8])
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private let limit: Int
    private var objects: [Object] = []
    /// Compared by bytes: Swift considers strings equal that differ in Unicode composition.
    private var strings: [[UInt8]: Int] = [:]

    /// An array or dictionary whose values have not all been added.
    private struct Level {
        let index: Int
        /// Nil for an array.
        let keys: [Int]?
        let values: [PropertyList]
        var references: [Int] = []

        init(index: Int, keys: [Int]? = nil, values: [PropertyList]) {
            (self.index, self.keys, self.values) = (index, keys, values)
        }
    }

    init(limit: Int) { self.limit = limit }

    /// Adds a value with everything in it. Open containers are kept in an array, because a thread may have a small stack.
    mutating func add(_ root: PropertyList) throws(PropertyListError) {
        var levels: [Level] = []
        var value = root
        while true {
            guard levels.count < 500, objects.count < limit else {
                throw PropertyListError(.tooLarge, at: 0, description: "too many values, or nested too deeply")
            }
            var finished: Int?
            switch value {
            case .array(let members): levels.append(Level(index: append(.array([])), values: members))
            case .dictionary(let pairs):
                let index = append(.array([]))
                let keys = pairs.map { add($0.key) }
                levels.append(Level(index: index, keys: keys, values: pairs.map(\.value)))
            case .string(let text): finished = add(text)
            default: finished = append(.plain(Self.bytes(of: value)))
            }
            // Ends the containers that end here, and begins the next value.
            while true {
                guard let last = levels.indices.last else { return }
                if let reference = finished { levels[last].references.append(reference) }
                let level = levels[last]
                if level.references.count < level.values.count {
                    value = level.values[level.references.count]
                    break
                }
                objects[level.index] =
                    level.keys.map { .dictionary(keys: $0, values: level.references) } ?? .array(level.references)
                finished = level.index
                levels.removeLast()
            }
        }
    }

    /// Adds a string once and returns its number.
    private mutating func add(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        if let known = strings[bytes] { return known }
        strings[bytes] = objects.count
        return append(.plain(Self.string(text)))
    }

    /// Returns the bytes of a value that contains no others.
    private static func bytes(of value: PropertyList) -> [UInt8] {
        switch value {
        case .boolean(let value): return [value ? 0x09 : 0x08]
        case .integer(let value): return integer(value)
        case .unsigned(let value):
            guard let small = Int64(exactly: value) else {
                // Eight bytes would be read as a negative number.
                return [0x14] + big(0, size: 8) + big(value, size: 8)
            }
            return integer(small)
        case .real(let value): return [0x23] + big(value.bitPattern, size: 8)
        case .single(let value): return [0x22] + big(UInt64(value.bitPattern), size: 4)
        case .date(let value): return [0x33] + big(value.bitPattern, size: 8)
        case .data(let bytes): return counted(0x40, count: bytes.count) + bytes
        case .string(let text): return string(text)
        case .uid(let value):
            let size = size(of: value)
            return [0x80 | UInt8(size - 1)] + big(value, size: size)
        case .array, .dictionary: return []
        }
    }

    private mutating func append(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    func bytes() -> [UInt8] {
        let referenceSize = Self.size(of: UInt64(objects.count - 1))
        func references(_ indexes: [Int]) -> [UInt8] { indexes.flatMap { Self.big(UInt64($0), size: referenceSize) } }
        var bytes = BinaryReader.magic
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .plain(let content): bytes += content
            case .array(let members): bytes += Self.counted(0xa0, count: members.count) + references(members)
            case .dictionary(let keys, let values):
                bytes += Self.counted(0xd0, count: keys.count) + references(keys) + references(values)
            }
        }
        let tableStart = bytes.count
        let offsetSize = Self.size(of: UInt64(tableStart))
        for offset in offsets { bytes += Self.big(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        return bytes + Self.big(UInt64(objects.count), size: 8) + Self.big(0, size: 8)
            + Self.big(UInt64(tableStart), size: 8)
    }

    private static func string(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return counted(0x50, count: text.utf8.count) + Array(text.utf8) }
        return counted(0x60, count: text.utf16.count) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    private static func integer(_ value: Int64) -> [UInt8] {
        // A negative number always needs eight bytes; smaller integers are unsigned.
        let size = value < 0 ? 8 : size(of: UInt64(value))
        return [0x10 | UInt8(size.trailingZeroBitCount)] + big(UInt64(bitPattern: value), size: size)
    }

    private static func counted(_ marker: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0x0f] + integer(Int64(count))
    }

    /// The minimum size: 1, 2, 4 or 8 bytes.
    private static func size(of value: UInt64) -> Int {
        switch value {
        case 0...0xff: 1
        case 0...0xffff: 2
        case 0...0xffff_ffff: 4
        default: 8
        }
    }

    private static func big(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}

/// An error of reading or writing a property list.
package struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. The set is closed.
    package struct Code: Sendable, Hashable {
        private enum Kind { case notAPropertyList, truncated, malformed, tooLarge, unsupported }
        private let kind: Kind
        /// The bytes do not begin as any supported format.
        package static let notAPropertyList = Code(kind: .notAPropertyList)
        /// The bytes are truncated.
        package static let truncated = Code(kind: .truncated)
        /// An offset, a size, a reference or a string is not valid.
        package static let malformed = Code(kind: .malformed)
        /// A limit is exceeded.
        package static let tooLarge = Code(kind: .tooLarge)
        /// The format cannot represent a value.
        package static let unsupported = Code(kind: .unsupported)
    }
    package let code: Code
    /// The offset of the problem in bytes.
    package let offset: Int
    /// A short description of the problem.
    package let description: String

    init(_ code: Code, at offset: Int, description: String) {
        self.code = code
        self.offset = offset
        self.description = "\(description) (at byte \(offset))"
    }
}
