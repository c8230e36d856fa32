/// A reader for `bplist00`: a table of objects, a table of their offsets, and a trailer with the sizes.
///
/// Source: the comment at the top of CoreFoundation's CFBinaryPList.c. Every number of the input is checked before it
/// is used.
struct BinaryReader {
    static let magic = Array("bplist00".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let limits: PropertyListGraph.Limits
    private let brokenText: PropertyListGraph.BrokenText
    private var contents = 0

    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var tableStart = 0

    init(bytes: [UInt8], limits: PropertyListGraph.Limits, brokenText: PropertyListGraph.BrokenText) {
        self.bytes = bytes
        self.limits = limits
        self.brokenText = brokenText
    }

    consuming func graph() throws(PropertyListError) -> PropertyListGraph {
        let top = try readTrailer()
        var nodes: [PropertyListGraph.Node] = []
        nodes.reserveCapacity(count)
        for index in 0..<count {
            let offset = try number(at: tableStart + index * offsetSize, size: offsetSize)
            guard offset >= Self.magic.count, offset < tableStart else {
                throw PropertyListError(
                    .malformed, at: tableStart + index * offsetSize,
                    description: "an object is outside the object table")
            }
            nodes.append(try node(at: offset))
        }
        for case .dictionary(let pairs) in nodes {
            for pair in pairs {
                guard case .string = nodes[pair.key] else {
                    throw PropertyListError(.malformed, at: 0, description: "the key of a dictionary is not a string")
                }
            }
        }
        return PropertyListGraph(nodes: nodes, top: top)
    }

    private mutating func readTrailer() throws(PropertyListError) -> Int {
        let start = bytes.count - Self.trailerSize
        guard start > Self.magic.count else {
            throw PropertyListError(.truncated, at: bytes.count, description: "no trailer")
        }
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        // Any number of bytes: swift-foundation uses the minimum for the largest offset.
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw PropertyListError(
                .malformed, at: start + 6, description: "the size of offsets or references is not valid")
        }
        count = try number(at: start + 8, size: 8)
        let top = try number(at: start + 16, size: 8)
        tableStart = try number(at: start + 24, size: 8)
        guard count > 0, top < count, tableStart > Self.magic.count, tableStart < start else {
            throw PropertyListError(.malformed, at: start + 8, description: "the trailer is inconsistent")
        }
        guard count <= limits.objects else {
            throw PropertyListError(.tooLarge, at: start + 8, description: "too many objects")
        }
        guard count <= (start - tableStart) / offsetSize else {
            throw PropertyListError(.truncated, at: tableStart, description: "the offset table is truncated")
        }
        return top
    }

    private mutating func node(at offset: Int) throws(PropertyListError) -> PropertyListGraph.Node {
        let marker = bytes[offset]
        let low = Int(marker & 0x0f)
        switch marker >> 4 {
        case 0x0:
            switch marker {
            case 0x00: return .null
            case 0x08: return .boolean(false)
            case 0x09: return .boolean(true)
            default: throw PropertyListError(.malformed, at: offset, description: "an unknown marker")
            }
        case 0x1: return try integer(at: offset + 1, size: 1 << low, marker: offset)
        case 0x2:
            guard low == 2 || low == 3 else {
                throw PropertyListError(
                    .malformed, at: offset, description: "a floating-point number has an invalid size")
            }
            let number = try real(at: offset + 1, size: 1 << low)
            return low == 2 ? .single(Float(number)) : .real(number)
        case 0x3:
            guard marker == 0x33 else {
                throw PropertyListError(.malformed, at: offset, description: "a date has an invalid size")
            }
            return .date(try real(at: offset + 1, size: 8))
        case 0x4: return .data(Array(try slice(offset, low: low, width: 1, cost: 1)))
        case 0x5:
            let text = try slice(offset, low: low, width: 1, cost: 1)
            if brokenText == .replaced { return .string(String(decoding: text, as: UTF8.self)) }
            guard let text = String(utf8: text) else {
                throw PropertyListError(.malformed, at: offset, description: "text that is not UTF-8")
            }
            return .string(text)
        case 0x6:
            let bytes = try slice(offset, low: low, width: 2, cost: 2)
            let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            if brokenText == .replaced { return .string(String(decoding: units, as: UTF16.self)) }
            guard let text = String(utf16: units) else {
                throw PropertyListError(.malformed, at: offset, description: "a string has half a surrogate pair")
            }
            return .string(text)
        case 0x8:
            guard low < 8 else {
                throw PropertyListError(.malformed, at: offset, description: "a UID has an invalid size")
            }
            return .uid(UInt64(try number(at: offset + 1, size: low + 1)))
        case 0xa, 0xc: return .array(try references(try slice(offset, low: low, width: referenceSize, cost: 8)))
        case 0xd:
            let members = try references(try slice(offset, low: low, width: referenceSize * 2, cost: 16))
            let half = members.count / 2
            return .dictionary((0..<half).map { .init(key: members[$0], value: members[half + $0]) })
        default: throw PropertyListError(.malformed, at: offset, description: "an unknown marker")
        }
    }

    /// Returns the bytes of a counted object: `width` bytes for each element. The count is in the marker or in the
    /// number after it.
    ///
    /// `cost` is the memory for each element.
    private mutating func slice(
        _ offset: Int, low: Int, width: Int, cost: Int
    ) throws(PropertyListError) -> ArraySlice<UInt8> {
        var start = offset + 1
        var count = low
        if low == 0xf {
            guard start < tableStart, bytes[start] >> 4 == 0x1, bytes[start] & 0x0f <= 3 else {
                throw PropertyListError(.malformed, at: start, description: "a count is not a number")
            }
            let size = 1 << Int(bytes[start] & 0x0f)
            count = try number(at: start + 1, size: size)
            start += 1 + size
        }
        guard start <= tableStart, count <= (tableStart - start) / width else {
            throw PropertyListError(.truncated, at: offset, description: "an object is larger than the file")
        }
        // Objects may overlap, so their content is counted as well.
        contents += count * cost
        guard contents <= limits.contents else {
            throw PropertyListError(.tooLarge, at: offset, description: "too much content")
        }
        return bytes[start..<(start + count * width)]
    }

    private func references(_ slice: ArraySlice<UInt8>) throws(PropertyListError) -> [Int] {
        var references: [Int] = []
        references.reserveCapacity(slice.count / referenceSize)
        for start in stride(from: slice.startIndex, to: slice.endIndex, by: referenceSize) {
            let reference = try number(at: start, size: referenceSize)
            guard reference < count else {
                throw PropertyListError(.malformed, at: start, description: "a reference to a missing object")
            }
            references.append(reference)
        }
        return references
    }

    private func integer(
        at start: Int, size: Int, marker: Int
    ) throws(PropertyListError) -> PropertyListGraph.Node {
        guard size <= 16, start + size <= tableStart else {
            throw PropertyListError(.malformed, at: marker, description: "a number has an invalid size")
        }
        // Only integers of eight bytes are signed; sixteen bytes are for larger ones.
        if size == 16 {
            guard bytes[start..<(start + 8)].allSatisfy({ $0 == 0 }) else {
                throw PropertyListError(.unsupported, at: marker, description: "a number has more than 64 bits")
            }
            return .unsigned(bits(at: start + 8, size: 8))
        }
        return .integer(Int64(bitPattern: bits(at: start, size: size)))
    }

    private func real(at start: Int, size: Int) throws(PropertyListError) -> Double {
        guard start + size <= tableStart else {
            throw PropertyListError(.truncated, at: start, description: "a number is truncated")
        }
        let pattern = bits(at: start, size: size)
        return size == 4 ? Double(Float(bitPattern: UInt32(pattern))) : Double(bitPattern: pattern)
    }

    /// Returns an unsigned number that fits in `Int`.
    private func number(at start: Int, size: Int) throws(PropertyListError) -> Int {
        guard start >= 0, start <= bytes.count - size else {
            throw PropertyListError(.truncated, at: start, description: "a number is truncated")
        }
        guard let number = Int(exactly: bits(at: start, size: size)), number <= Int.max / 16 else {
            throw PropertyListError(.malformed, at: start, description: "a number is out of range")
        }
        return number
    }

    private func bits(at start: Int, size: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in start..<(start + size) { bits = bits << 8 | UInt64(bytes[index]) }
        return bits
    }
}
