/// A pattern for the paths of items: `*` and `?` match within a name, `**` also matches slashes, `[a-z]` and `[!a-z]`
/// match one byte, and `\` quotes the next byte. Names that begin with a dot match like any other. Canonically equal names
/// match: pattern and path are compared in composed Unicode form.
///
/// Matching takes time in proportion to the product of the lengths of pattern and path.
package struct PathPattern: Sendable {
    /// One element of a pattern.
    private enum Element: Sendable {
        case byte(UInt8)
        case anyByte
        /// Any bytes within a name.
        case name
        /// Any bytes.
        case path
        /// Nothing, or what this number of the following elements match.
        case optional(Int)
        case oneOf([ClosedRange<UInt8>], isNegated: Bool)
    }

    private let elements: [Element]
    /// True if the text contains an element that matches more than one text.
    package let isPattern: Bool
    /// The text with quotes removed, for a pattern without such elements.
    package let literal: [UInt8]

    /// The maximum length of a pattern in bytes.
    private static let limit = 4096

    /// A pattern that is too long.
    package struct TooLong: Error, CustomStringConvertible {
        package var description: String { "the pattern has more than \(PathPattern.limit) bytes" }
    }

    /// Creates a pattern. A `[` without its `]` stands for itself.
    package init(_ pattern: [UInt8]) throws(TooLong) {
        guard pattern.count <= Self.limit else { throw TooLong() }
        var (elements, literal): ([Element], [UInt8]) = ([], [])
        var rest = NameSpelling.composed(pattern)[...]
        var isPattern = false
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                let isPath = rest.first == byte
                while rest.first == byte { rest.removeFirst() }
                // `a/**/b` also matches `a/b`.
                if isPath, rest.first == UInt8(ascii: "/"), elements.isEmpty || Self.isSlash(elements.last) {
                    rest.removeFirst()
                    elements += [.optional(2), .path, .byte(UInt8(ascii: "/"))]
                } else {
                    elements.append(isPath ? .path : .name)
                }
                isPattern = true
            case UInt8(ascii: "?"):
                elements.append(.anyByte)
                isPattern = true
            case UInt8(ascii: "["):
                if let (element, length) = Self.set(rest) {
                    elements.append(element)
                    rest = rest.dropFirst(length)
                    isPattern = true
                } else {
                    elements.append(.byte(byte))
                    literal.append(byte)
                }
            case UInt8(ascii: "\\"):
                let quoted = rest.popFirst() ?? byte
                elements.append(.byte(quoted))
                literal.append(quoted)
            default:
                elements.append(.byte(byte))
                literal.append(byte)
            }
        }
        self.elements = elements
        self.isPattern = isPattern
        self.literal = literal
    }

    private static func isSlash(_ element: Element?) -> Bool {
        if case .byte(UInt8(ascii: "/"))? = element { true } else { false }
    }

    /// Returns the set after a `[`, and the number of bytes up to and including its `]`.
    private static func set(_ text: ArraySlice<UInt8>) -> (Element, length: Int)? {
        var rest = text
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest.removeFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        // A `]` at the start stands for itself.
        repeat {
            guard let low = rest.popFirst(), low != UInt8(ascii: "/") else { return nil }
            if rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first, high != UInt8(ascii: "]") {
                guard low <= high else { return nil }
                ranges.append(low...high)
                rest = rest.dropFirst(2)
            } else {
                ranges.append(low...low)
            }
        } while rest.first != UInt8(ascii: "]")
        return (.oneOf(ranges, isNegated: isNegated), text.count - rest.count + 1)
    }

    /// Returns true if the whole path matches.
    package func matches(_ path: [UInt8]) -> Bool {
        // The positions in the pattern that the bytes so far can have reached.
        var reached = [Bool](repeating: false, count: elements.count + 1)
        reached[0] = true
        skipStars(&reached)
        var next = reached
        for byte in NameSpelling.composed(path) {
            for position in next.indices { next[position] = false }
            var isReached = false
            for (position, element) in elements.enumerated() where reached[position] {
                switch element {
                case .name where byte != UInt8(ascii: "/"), .path: next[position] = true
                case .byte(byte): next[position + 1] = true
                case .anyByte where byte != UInt8(ascii: "/"): next[position + 1] = true
                case .oneOf(let ranges, let isNegated) where byte != UInt8(ascii: "/"):
                    guard ranges.contains(where: { $0.contains(byte) }) != isNegated else { continue }
                    next[position + 1] = true
                default: continue
                }
                isReached = true
            }
            guard isReached else { return false }
            skipStars(&next)
            swap(&reached, &next)
        }
        return reached[elements.count]
    }

    private func skipStars(_ reached: inout [Bool]) {
        for (position, element) in elements.enumerated() where reached[position] {
            switch element {
            case .name, .path: reached[position + 1] = true
            case .optional(let count):
                reached[position + 1] = true
                reached[position + 1 + count] = true
            default: break
            }
        }
    }
}
