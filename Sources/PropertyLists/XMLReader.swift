/// A reader for the XML format: the elements of Apple's PropertyList-1.0 DTD, well-formed and complete.
///
/// Entities cannot be defined (a document type with an internal subset is refused), elements are nested at most 512
/// levels deep, and all text is counted. Only white space, comments and processing instructions may follow `</plist>`,
/// because a save would lose anything else. Source: the DTD at apple.com/DTDs/PropertyList-1.0.dtd.
struct XMLReader {
    private static let maximumDepth = 512

    private let bytes: [UInt8]
    private let limits: PropertyListGraph.Limits
    private let brokenText: PropertyListGraph.BrokenText
    private var position = 0
    private var nodes: [PropertyListGraph.Node] = []

    /// Creates a reader for UTF-8 text, as `XMLEncoding` returns it.
    init(bytes: [UInt8], limits: PropertyListGraph.Limits, brokenText: PropertyListGraph.BrokenText) {
        self.bytes = bytes
        self.limits = limits
        self.brokenText = brokenText
    }

    consuming func graph() throws(PropertyListError) -> PropertyListGraph {
        let list = try nextTag(mayBeDocumentType: true)
        guard list.element == .plist, list.kind == .start else { throw error("expected <plist>") }
        let first = try nextTag()
        guard first.kind != .end else { throw error("<plist> contains no value") }
        let top = try value(first)
        let last = try nextTag()
        guard last.kind == .end, last.element == .plist else { throw error("expected </plist>") }
        try skipMisc()
        guard position == bytes.count else { throw error("something follows </plist>") }
        return PropertyListGraph(nodes: nodes, top: top)
    }

    // MARK: - Tags

    private enum Element: String, CaseIterable {
        case plist, dict, array, key, string, integer, real, date, data
        case yes = "true"
        case no = "false"
        case unknown

        private static let named = allCases.filter { $0 != .unknown }.map {
            (element: $0, name: Array($0.rawValue.utf8))
        }

        init(_ name: ArraySlice<UInt8>) {
            self = Self.named.first { $0.name.count == name.count && name.elementsEqual($0.name) }?.element ?? .unknown
        }
    }

    private struct Tag {
        enum Kind { case start, end, empty }
        let element: Element
        let kind: Kind
    }

    private func error(_ text: String) -> PropertyListError {
        PropertyListError(.malformed, at: position, description: text)
    }

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
        throw PropertyListError(.truncated, at: bytes.count, description: "a construct is not closed")
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<") || isWhiteSpace(byte)
    }

    /// Skips white space, comments and processing instructions, and the document type where it is allowed.
    private mutating func skipMisc(mayBeDocumentType: Bool = false) throws(PropertyListError) {
        while position < bytes.count {
            let byte = bytes[position]
            if Self.isWhiteSpace(byte) {
                position += 1
                continue
            }
            // Most texts between tags end here.
            guard byte == UInt8(ascii: "<"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "!") || bytes[position + 1] == UInt8(ascii: "?")
            else { return }
            if starts(with: "<!--") {
                position += 4
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if mayBeDocumentType, starts(with: "<!DOCTYPE") {
                let start = position
                try skip(past: ">")
                guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
                    throw error("a document type with definitions")
                }
            } else {
                return
            }
        }
    }

    private mutating func nextTag(mayBeDocumentType: Bool = false) throws(PropertyListError) -> Tag {
        try skipMisc(mayBeDocumentType: mayBeDocumentType)
        guard position < bytes.count else {
            throw PropertyListError(.truncated, at: position, description: "the list is truncated")
        }
        guard bytes[position] == UInt8(ascii: "<") else { throw error("text instead of a tag") }
        return try tag()
    }

    private mutating func tag() throws(PropertyListError) -> Tag {
        position += 1
        let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let start = position
        while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
        let element = Element(bytes[start..<position])
        // Attributes are ignored.
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "<") { throw error("a tag is not closed") }
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: ">"): return Tag(element: element, kind: isEnd ? .end : .start)
            case UInt8(ascii: "/"):
                guard !isEnd, position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
                    throw error("a tag is not closed")
                }
                position += 1
                return Tag(element: element, kind: .empty)
            case let byte where isEnd && !Self.isWhiteSpace(byte): throw error("a closing tag has attributes")
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            default: break
            }
        }
        throw PropertyListError(.truncated, at: position, description: "a tag is truncated")
    }

    // MARK: - Values

    private mutating func add(_ node: PropertyListGraph.Node) throws(PropertyListError) -> Int {
        guard nodes.count < limits.objects else {
            throw PropertyListError(.tooLarge, at: position, description: "too many objects")
        }
        nodes.append(node)
        return nodes.count - 1
    }

    /// The keys of a dictionary with their positions.
    private struct Keys {
        /// A key, compared by bytes: Swift considers strings equal that differ in Unicode composition.
        private struct Key: Hashable {
            let text: String

            static func == (left: Key, right: Key) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

            func hash(into hasher: inout Hasher) {
                var text = text
                text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            }
        }

        /// The maximum number of keys that are compared one by one, without a table.
        private static let fewest = 8
        private var few: [String] = []
        private var many: [Key: Int] = [:]

        /// Adds a key. Returns its position if it is known, and nil for a new key, whose position is the next one.
        mutating func insert(_ key: String) -> Int? {
            if many.isEmpty {
                if let known = few.firstIndex(where: { $0 == key && $0.utf8.elementsEqual(key.utf8) }) { return known }
                few.append(key)
                guard few.count > Self.fewest else { return nil }
                for (position, text) in few.enumerated() { many[Key(text: text)] = position }
                return nil
            }
            if let known = many[Key(text: key)] { return known }
            many[Key(text: key)] = many.count
            return nil
        }
    }

    /// An array or dictionary whose end has not been read.
    private struct Level {
        let tag: Tag
        let node: Int
        var members: [Int] = []
        var pairs: [PropertyListGraph.Pair] = []
        /// The key of the next value of a dictionary.
        var key: (node: Int, text: String) = (0, "")
        private var keys = Keys()

        init(tag: Tag, node: Int) { (self.tag, self.node) = (tag, node) }

        var isDictionary: Bool { tag.element == .dict }

        /// Adds a value. As in CoreFoundation, the last value of a repeated key is used.
        mutating func add(_ value: Int) {
            guard isDictionary else { return members.append(value) }
            let pair = PropertyListGraph.Pair(key: key.node, value: value)
            if let known = keys.insert(key.text) { pairs[known] = pair } else { pairs.append(pair) }
        }
    }

    /// Reads a value with everything in it. Open containers are kept in an array, because a thread may have a small
    /// stack.
    private mutating func value(_ first: Tag) throws(PropertyListError) -> Int {
        var levels: [Level] = []
        var tag = first
        while true {
            guard levels.count < Self.maximumDepth else {
                throw PropertyListError(.tooLarge, at: position, description: "too deep")
            }
            var finished: Int?
            switch tag.element {
            case .dict: levels.append(Level(tag: tag, node: try add(.dictionary([]))))
            case .array: levels.append(Level(tag: tag, node: try add(.array([]))))
            default: finished = try plainValue(tag)
            }
            // Ends the containers that end here, and begins the next value.
            while true {
                if let value = finished {
                    guard !levels.isEmpty else { return value }
                    levels[levels.count - 1].add(value)
                }
                if let next = try nextMember(of: &levels[levels.count - 1]) {
                    tag = next
                    break
                }
                finished = end(levels.removeLast())
            }
        }
    }

    /// Reads a value that contains no others.
    private mutating func plainValue(_ tag: Tag) throws(PropertyListError) -> Int {
        switch tag.element {
        case .yes, .no:
            guard try textBytes(tag).allSatisfy(Self.isWhiteSpace) else {
                throw error("<\(tag.element.rawValue)> contains text")
            }
            return try add(.boolean(tag.element == .yes))
        case .string: return try add(.string(try text(tag)))
        case .integer: return try add(try integer(try text(tag)))
        case .real:
            guard let number = XMLText.real(try text(tag)) else { throw error("no number") }
            return try add(.real(number))
        case .date:
            guard let date = XMLText.date(try text(tag)) else { throw error("no date") }
            return try add(.date(date))
        case .data:
            guard let data = XMLText.base64(try textBytes(tag)) else { throw error("no base64") }
            return try add(.data(data))
        case .plist, .dict, .array, .key, .unknown: throw error("an unknown element")
        }
    }

    /// Returns the tag of the next value in an array or dictionary, or nil at its end.
    private mutating func nextMember(of level: inout Level) throws(PropertyListError) -> Tag? {
        guard level.tag.kind == .start else { return nil }
        let next = try nextTag()
        if next.kind == .end {
            guard next.element == level.tag.element else {
                throw error("<\(level.tag.element.rawValue)> is closed by another tag")
            }
            return nil
        }
        guard level.isDictionary else { return next }
        guard next.element == .key else { throw error("a value without a key") }
        let text = try text(next)
        level.key = (try add(.string(text)), text)
        let tag = try nextTag()
        guard tag.kind != .end else { throw error("a key without a value") }
        return tag
    }

    /// Completes the node of a container and returns its number.
    private mutating func end(_ level: Level) -> Int {
        guard level.isDictionary else {
            nodes[level.node] = .array(level.members)
            return level.node
        }
        // The XML form of a reference in a keyed archive.
        if level.pairs.count == 1, nodes[level.pairs[0].key] == .string("CF$UID"),
            case .integer(let uid) = nodes[level.pairs[0].value], uid >= 0
        {
            nodes[level.node] = .uid(UInt64(uid))
        } else {
            nodes[level.node] = .dictionary(level.pairs)
        }
        return level.node
    }

    private func integer(_ text: String) throws(PropertyListError) -> PropertyListGraph.Node {
        // As in CoreFoundation, blanks are allowed before the number, but not after it.
        let text = text.drop { $0.isWhitespace && $0.isASCII }
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let body = isHexadecimal ? digits.dropFirst(2) : digits
        // The initializer would accept another sign.
        guard let first = body.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
            throw error("no whole number")
        }
        if let number = Int64((isNegative ? "-" : "") + body, radix: isHexadecimal ? 16 : 10) {
            return .integer(number)
        }
        guard !isNegative, let number = UInt64(body, radix: isHexadecimal ? 16 : 10) else {
            throw error("no whole number")
        }
        return .unsigned(number)
    }

    // MARK: - Text

    /// Returns the text of an element up to its closing tag.
    private mutating func text(_ tag: Tag) throws(PropertyListError) -> String {
        let bytes = try textBytes(tag)
        if brokenText == .replaced { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(utf8: bytes) else { throw error("text that is not UTF-8") }
        return text
    }

    /// Returns the bytes of the text of an element up to its closing tag, without comments and with entities replaced.
    private mutating func textBytes(_ tag: Tag) throws(PropertyListError) -> ArraySlice<UInt8> {
        if tag.kind == .empty { return [] }
        let plain = plainText()
        // Most texts are plain and need no copy.
        if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "<"), bytes[position + 1] == UInt8(ascii: "/") {
            try close(tag)
            return bytes[plain]
        }
        var text = Array(bytes[plain])
        while position < bytes.count {
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
                position += 4
                try skip(past: "-->")
            } else {
                try close(tag)
                return text[...]
            }
            text += bytes[plainText()]
        }
        throw PropertyListError(.truncated, at: position, description: "<\(tag.element.rawValue)> is not closed")
    }

    /// Skips text without tags and entities, and returns its range.
    private mutating func plainText() -> Range<Int> {
        let start = position
        position = bytes.withUnsafeBufferPointer { bytes in
            var position = start
            while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
                position += 1
            }
            return position
        }
        return start..<position
    }

    /// Reads the closing tag of an element.
    private mutating func close(_ tag: Tag) throws(PropertyListError) {
        let end = try self.tag()
        guard end.kind == .end, end.element == tag.element else {
            throw error("<\(tag.element.rawValue)> is not closed")
        }
    }
}
