/// Reads the XML form: the tags of Apple's PropertyList-1.0 DTD and nothing else.
///
/// No entity can be defined (a document type with a subset of its own is refused), elements nest at most 512
/// deep, and every text is counted. Source: the DTD at apple.com/DTDs/PropertyList-1.0.dtd.
struct XMLReader {
    private static let maximumDepth = 512

    private let bytes: [UInt8]
    private let limits: PropertyListGraph.Limits
    private var position = 0
    private var nodes: [PropertyListGraph.Node] = []

    /// Whether bytes look like this form: a byte order mark and blanks may stand in front.
    static func isXML(_ bytes: [UInt8]) -> Bool {
        let blanks = Array(" \t\r\n\u{FEFF}".utf8)
        let start = bytes.prefix(256).drop { blanks.contains($0) }
        return start.starts(with: "<?xml".utf8) || start.starts(with: "<plist".utf8) || start.starts(with: "<!".utf8)
    }

    init(bytes: [UInt8], limits: PropertyListGraph.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    consuming func graph() throws(PropertyListError) -> PropertyListGraph {
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        guard try nextTag()?.name == "plist", let tag = try nextTag(), !tag.isEnd else {
            throw error("expected <plist> and a value in it")
        }
        let top = try value(tag, depth: 0)
        return PropertyListGraph(nodes: nodes, top: top)
    }

    private struct Tag {
        let name: String
        let isEnd: Bool
        let isEmpty: Bool
    }

    private func error(_ text: String) -> PropertyListError { PropertyListError(.malformed, at: position, text) }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(past end: String) throws(PropertyListError) {
        let end = Array(end.utf8)
        while position + end.count <= bytes.count {
            if bytes[position...].starts(with: end) {
                position += end.count
                return
            }
            position += 1
        }
        throw PropertyListError(.truncated, at: position, "something is not closed")
    }

    /// The next tag; blanks, comments, instructions and the document type before it are passed over.
    private mutating func nextTag() throws(PropertyListError) -> Tag? {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d {
                position += 1
            } else if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<!DOCTYPE") {
                let start = position
                try skip(past: ">")
                guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
                    throw error("a document type that defines something")
                }
            } else {
                return try tag()
            }
        }
        return nil
    }

    private mutating func tag() throws(PropertyListError) -> Tag {
        guard bytes[position] == UInt8(ascii: "<") else { throw error("text where a tag should be") }
        let start = position + 1
        try skip(past: ">")
        var inside = bytes[start..<(position - 1)]
        let isEnd = inside.first == UInt8(ascii: "/")
        if isEnd { inside = inside.dropFirst() }
        let isEmpty = inside.last == UInt8(ascii: "/")
        let name = inside.prefix { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        return Tag(name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: isEmpty)
    }

    private mutating func add(_ node: PropertyListGraph.Node) throws(PropertyListError) -> Int {
        guard nodes.count < limits.objects else { throw PropertyListError(.tooLarge, at: position, "too many objects") }
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func value(_ tag: Tag, depth: Int) throws(PropertyListError) -> Int {
        guard depth < Self.maximumDepth else { throw PropertyListError(.tooLarge, at: position, "too deep") }
        switch tag.name {
        case "dict": return try dictionary(tag, depth: depth)
        case "array":
            let index = try add(.array([]))
            var members: [Int] = []
            while !tag.isEmpty, let next = try nextTag() {
                if next.isEnd { break }
                members.append(try value(next, depth: depth + 1))
            }
            nodes[index] = .array(members)
            return index
        case "true", "false":
            if !tag.isEmpty { _ = try text(tag) }
            return try add(.boolean(tag.name == "true"))
        case "string": return try add(.string(try text(tag)))
        case "integer":
            let text = try text(tag)
            let isHexadecimal = text.hasPrefix("0x")
            if let number = isHexadecimal ? Int64(text.dropFirst(2), radix: 16) : Int64(text) {
                return try add(.integer(number))
            }
            guard let number = UInt64(text) else { throw error("no whole number") }
            return try add(.unsigned(number))
        case "real":
            guard let number = Double(try text(tag)) else { throw error("no number") }
            return try add(.real(number))
        case "date":
            guard let date = XMLText.date(try text(tag)) else { throw error("no date") }
            return try add(.date(date))
        case "data":
            guard let data = XMLText.base64(try textBytes(tag)) else { throw error("no base64") }
            return try add(.data(data))
        default: throw error("an unknown element")
        }
    }

    private mutating func dictionary(_ tag: Tag, depth: Int) throws(PropertyListError) -> Int {
        let index = try add(.dictionary([]))
        var pairs: [PropertyListGraph.Pair] = []
        while !tag.isEmpty, let next = try nextTag() {
            if next.isEnd { break }
            guard next.name == "key" else { throw error("a value without a key") }
            let key = try add(.string(try text(next)))
            guard let tag = try nextTag(), !tag.isEnd else { throw error("a key without a value") }
            pairs.append(.init(key: key, value: try value(tag, depth: depth + 1)))
        }
        // How XML says a keyed archive's reference.
        if pairs.count == 1, nodes[pairs[0].key] == .string("CF$UID"), case .integer(let uid) = nodes[pairs[0].value],
            uid >= 0
        {
            nodes[index] = .uid(UInt64(uid))
        } else {
            nodes[index] = .dictionary(pairs)
        }
        return index
    }

    /// The text of an element up to its end, which must be the next tag.
    private mutating func text(_ tag: Tag) throws(PropertyListError) -> String {
        String(decoding: try textBytes(tag), as: UTF8.self)
    }

    private mutating func textBytes(_ tag: Tag) throws(PropertyListError) -> [UInt8] {
        if tag.isEmpty { return [] }
        var text: [UInt8] = []
        while position < bytes.count {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
                position += 1
            }
            text += bytes[start..<position]
            guard position < bytes.count else { break }
            if bytes[position] == UInt8(ascii: "&") {
                let start = position + 1
                try skip(past: ";")
                guard let scalar = XMLText.entity(bytes[start..<(position - 1)]) else {
                    throw error("an unknown entity")
                }
                text += Array(String(scalar).utf8)
            } else if starts(with: "<![CDATA[") {
                let start = position + 9
                try skip(past: "]]>")
                text += bytes[start..<(position - 3)]
            } else if starts(with: "<!--") {
                try skip(past: "-->")
            } else {
                let end = try self.tag()
                guard end.isEnd, end.name == tag.name else { throw error("<\(tag.name)> is not closed") }
                return text
            }
        }
        throw PropertyListError(.truncated, at: position, "<\(tag.name)> is not closed")
    }
}
