/// A node of a `YAMLTree`. Its text and members are read on demand.
package struct YAMLNode: Sendable {
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let sequence = Flags(rawValue: 1)
        static let mapping = Flags(rawValue: 2)
        /// A scalar without quotes.
        static let plain = Flags(rawValue: 4)
        /// A scalar that is a truth value.
        static let boolean = Flags(rawValue: 8)
        static let `true` = Flags(rawValue: 16)
        /// A scalar that is a whole number.
        static let integer = Flags(rawValue: 32)
    }

    private let bytes: [UInt8]
    private let flags: Flags
    private let body: Range<Int>
    /// The position of the node among the bytes of the tree, which no other node of the tree has.
    package let offset: Int
    /// The line from 1; 0 if the parser did not state it.
    package let line: Int
    /// The column from 1; 0 if the parser did not state it.
    package let column: Int

    init(_ bytes: [UInt8], at start: Int) {
        self.bytes = bytes
        offset = start
        var position = start
        flags = Flags(rawValue: position < bytes.count ? bytes[position] : 0)
        position += 1
        line = Int(truncatingIfNeeded: Self.number(bytes, position: &position))
        column = Int(truncatingIfNeeded: Self.number(bytes, position: &position))
        let size = Int(truncatingIfNeeded: Self.number(bytes, position: &position))
        let first = min(position, bytes.count)
        body = first..<(first + min(max(0, size), bytes.count - first))
    }

    package var isMapping: Bool { flags.contains(.mapping) }
    package var isSequence: Bool { flags.contains(.sequence) }
    package var isScalar: Bool { flags.isDisjoint(with: [.sequence, .mapping]) }
    /// True if it has no members and no text.
    package var isEmpty: Bool { body.isEmpty }
    /// True for a scalar without quotes.
    package var isPlain: Bool { flags.contains(.plain) }

    /// The text of a scalar; nil for others.
    package var text: String? { textBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of the text of a scalar; nil for others.
    package var textBytes: ArraySlice<UInt8>? {
        guard isScalar else { return nil }
        var start = body.lowerBound
        if flags.contains(.integer) { _ = Self.number(bytes, position: &start) }
        return bytes[min(start, body.upperBound)..<body.upperBound]
    }

    /// The value of a scalar that is a whole number.
    package var integer: Int? {
        guard flags.contains(.integer) else { return nil }
        var start = body.lowerBound
        let number = Self.number(bytes, position: &start)
        return Int(truncatingIfNeeded: Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    }

    /// The value of a scalar that is a truth value.
    package var boolean: Bool? { flags.contains(.boolean) ? flags.contains(.true) : nil }

    /// The members of a sequence, or the keys and values of a mapping in turn; nil for a scalar.
    package var members: [YAMLNode]? {
        guard !isScalar else { return nil }
        var members: [YAMLNode] = []
        var position = body.lowerBound
        while position < body.upperBound {
            members.append(YAMLNode(bytes, at: position))
            position = members[members.count - 1].body.upperBound
        }
        return members
    }

    /// Returns the sequence or mapping that has the node at an offset as a member; nil for this node itself and for an offset
    /// outside of it.
    package func parent(ofNodeAt offset: Int) -> YAMLNode? {
        guard let members, let member = members.last(where: { $0.offset <= offset }) else { return nil }
        return member.offset == offset ? self : member.parent(ofNodeAt: offset)
    }

    private static func number(_ bytes: [UInt8], position: inout Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 66 {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x3f) << shift
            guard byte & 0x40 != 0 else { break }
            shift += 6
        }
        return number
    }
}
