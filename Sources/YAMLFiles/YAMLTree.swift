internal import Yams

/// A YAML file as a tree of nodes in one array of bytes, which can be embedded in a program and read without a parser.
///
/// The bytes are valid UTF-8, so that they fit into the literal of a string. Each node begins with a byte of flags and three
/// numbers: its line and column, both from 1, or 0 if the parser did not state them, and the number of bytes that follow. Those
/// are the text of a scalar, after its value if it is a whole number, or the nodes of a sequence or mapping. A number has six
/// bits in each byte, the lowest first; all bytes but the last have the bit 0x40.
package struct YAMLTree: Sendable {
    /// A problem of a file, with its position.
    package struct Problem: Error {
        package let message: String
        /// From 1.
        package let line: Int
        package let column: Int
    }

    package let bytes: [UInt8]

    private static let maximumText = 256 * 1024
    /// Aliases can make a small file large.
    private static let maximumSize = 2 * 1024 * 1024
    private static let maximumNesting = 64
    /// The root, the levels of the text, and a key or value of the deepest.
    private static let maximumDepth = maximumNesting * 2

    /// Creates the tree of a text of at most 256 KiB with at most 64 levels. A text without content is an empty sequence if
    /// it `mayBeEmpty`.
    package init(_ text: String, mayBeEmpty: Bool = false) throws(Problem) {
        guard text.utf8.count <= Self.maximumText else {
            throw Problem(message: "the file is larger than 256 KiB", line: 1, column: 1)
        }
        if let line = Self.tooDeepLine(text) {
            throw Problem(message: "more than 64 levels of nesting", line: line, column: 1)
        }
        let root: Yams.Node?
        do {
            // The default encoding is found in the environment of the process, which takes longer than a small file.
            root = try Yams.compose(yaml: text, .basic, .default, .utf8)
        } catch {
            throw (error as? YamlError).map { Self.problem($0, text: text) }
                ?? Problem(message: "\(error)", line: 1, column: 1)
        }
        guard let node = root ?? (mayBeEmpty ? Yams.Node([Yams.Node]()) : nil) else {
            throw Problem(message: "the file is empty", line: 1, column: 1)
        }
        var bytes: [UInt8] = []
        var left = Self.maximumSize
        try Self.append(node, depth: 0, within: &left, to: &bytes)
        self.bytes = bytes
    }

    /// Creates a tree from the bytes of one.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates the tree of a scalar without a position.
    package init(scalar text: String) {
        var (bytes, left) = ([UInt8](), Self.maximumSize)
        // A scalar is neither too large nor too deep.
        try? Self.append(Yams.Node(text), depth: 0, within: &left, to: &bytes)
        self.bytes = bytes
    }

    package var root: YAMLNode { YAMLNode(bytes, at: 0) }

    private static func append(
        _ node: Yams.Node, depth: Int, within left: inout Int, to bytes: inout [UInt8]
    ) throws(Problem) {
        let mark = node.mark
        left -= 4 + (node.scalar?.string.utf8.count ?? 0)
        guard depth <= maximumDepth, left >= 0 else {
            throw Problem(
                message: depth > maximumDepth
                    ? "more than \(maximumDepth) levels of nesting" : "the aliases expand to more than 2 MiB",
                line: mark?.line ?? 1, column: mark?.column ?? 1)
        }
        var flags: YAMLNode.Flags = []
        var body: [UInt8] = []
        var text = "".utf8
        switch node {
        case .scalar(let scalar):
            if scalar.style == .plain { flags.insert(.plain) }
            if let value = node.bool { flags.formUnion(value ? [.boolean, .true] : .boolean) }
            if let value = node.int {
                flags.insert(.integer)
                append(UInt64(bitPattern: Int64(value) << 1 ^ Int64(value) >> 63), to: &body)
            }
            text = scalar.string.utf8
        case .sequence(let sequence):
            flags.insert(.sequence)
            for value in sequence { try append(value, depth: depth + 1, within: &left, to: &body) }
        case .mapping(let mapping):
            flags.insert(.mapping)
            for (key, value) in mapping {
                try append(key, depth: depth + 1, within: &left, to: &body)
                try append(value, depth: depth + 1, within: &left, to: &body)
            }
        case .alias:
            throw Problem(message: "unknown alias", line: mark?.line ?? 1, column: mark?.column ?? 1)
        }
        bytes.append(flags.rawValue)
        append(UInt64(mark?.line ?? 0), to: &bytes)
        append(UInt64(mark?.column ?? 0), to: &bytes)
        append(UInt64(body.count + text.count), to: &bytes)
        bytes += body
        bytes += text
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x40 {
            bytes.append(UInt8(rest & 0x3f) | 0x40)
            rest >>= 6
        }
        bytes.append(UInt8(rest))
    }

    /// The parser recurses, so nesting is bounded before it sees the text.
    private static func tooDeepLine(_ text: String) -> Int? {
        var (open, number, indicators) = (0, 1, 0)
        var isIndented = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"):
                number += 1
                (indicators, isIndented) = (0, true)
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
            default: break
            }
            if isIndented, " -?:\t".utf8.contains(byte) {
                indicators += 1
            } else {
                isIndented = false
            }
            if open > maximumNesting || indicators > maximumNesting * 2 { return number }
        }
        return nil
    }

    private static func problem(_ error: YamlError, text: String) -> Problem {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            Problem(message: "invalid YAML: \(problem)", line: mark.line, column: mark.column)
        case .duplicatedKeysInMapping(let duplicates, let context):
            Problem(
                message: "duplicate key: \(duplicates.map { String(describing: $0) }.joined(separator: ", "))",
                line: context.mark.line, column: context.mark.column)
        case .reader(let problem, let offset, _, _):
            Problem(
                message: "invalid YAML: \(problem)", line: 1 + text.prefix(offset ?? 0).count(where: \.isNewline),
                column: 1)
        default: Problem(message: "invalid YAML: \(error)", line: 1, column: 1)
        }
    }
}
