internal import FileSystem
internal import Foundation
internal import PolicyTexts
internal import PropertyLists
internal import Secrets
internal import TextOutput

/// Texts, JSON, and files of other formats.
extension PreviewLines {
    // MARK: - Texts

    /// Adds a text with its encoding, or JSON. Returns nil for other content.
    mutating func addText(_ file: PreviewFile, _ start: [UInt8]) -> String? {
        let isWhole = UInt64(start.count) >= file.size
        guard let (text, encoding) = Self.text(of: start, isWhole: isWhole) else { return nil }
        if let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }), first == "{" || first == "[" {
            let before = self
            if let title = addJSON(text, of: file, isWhole: isWhole) { return title }
            self = before
        }
        var names = NamedSecrets()
        var count = 0
        // Secrets of several lines, such as keys in PEM, are replaced in the whole text.
        var all = text.withoutSecrets.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // The last line end ends the last line.
        if all.last?.isEmpty ?? false { all.removeLast() }
        for line in all {
            count += 1
            guard hasRoom() else { continue }
            add(names.replace(in: Self.cut(String(line), to: 8 * limits.lineLength)))
        }
        if !isWhole { addRest(of: file, start) }
        if file.size > UInt64(start.count) { return "text, \(encoding), \(Quantity.bytes(file.size))" }
        return "text, \(encoding), \(Quantity.count(count, "line"))"
    }

    private mutating func addRest(of file: PreviewFile, _ start: [UInt8]) {
        let shown = Quantity.bytes(UInt64(start.count))
        add("… of \(Quantity.bytes(file.size)), the first \(shown) were read", style: .dim)
    }

    /// Returns the text of bytes and the name of their encoding; nil for bytes that are not text.
    static func text(of bytes: [UInt8], isWhole: Bool) -> (text: String, encoding: String)? {
        if bytes.starts(with: [0xff, 0xfe]) {
            return (wideText(bytes.dropFirst(2), isBigEndian: false), "UTF-16, little-endian")
        }
        if bytes.starts(with: [0xfe, 0xff]) {
            return (wideText(bytes.dropFirst(2), isBigEndian: true), "UTF-16, big-endian")
        }
        let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
        var body = hasMark ? bytes.dropFirst(3) : bytes[...]
        // A file that is written may end in zeros, which are reserved space.
        if let last = body.lastIndex(where: { $0 != 0 }), body.endIndex - last > 16 { body = body[...last] }
        if body.contains(0) {
            guard let isBigEndian = orderOfWideText(bytes) else { return nil }
            return (wideText(body, isBigEndian: isBigEndian), "UTF-16 without a byte order mark")
        }
        // Text has few control characters: line ends, tabs, the colors of a terminal.
        let controls = body.count { $0 < 0x20 && !(0x09...0x0d).contains($0) && $0 != 0x1b || $0 == 0x7f }
        guard controls * 50 <= body.count else { return nil }
        let end = isWhole ? body : body[..<(body.startIndex + FileContent.completeLength(of: Array(body)))]
        if let text = String(utf8: end) {
            if hasMark { return (text, "UTF-8 with a byte order mark") }
            return (text, end.allSatisfy { $0 < 0x80 } ? "ASCII" : "UTF-8")
        }
        // In a text of one byte per character, most letters are ASCII, and no character is a control character.
        let foreign = body.count { $0 >= 0x80 }
        guard controls == 0, foreign * 3 <= body.count, !body.contains(where: { (0x80..<0xa0).contains($0) }) else {
            return nil
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: body.map { Unicode.Scalar($0) })
        return (text, "ISO 8859-1 or similar")
    }

    private static func wideText(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns true for bytes of which nearly every first one of two is zero, false for every second one.
    private static func orderOfWideText(_ bytes: [UInt8]) -> Bool? {
        let start = bytes.prefix(1_024)
        guard start.count >= 4 else { return nil }
        let zeros = [0, 1].map { side in start.enumerated().count { $0.offset % 2 == side && $0.element == 0 } }
        let half = start.count / 2
        if zeros[0] * 10 >= half * 9, zeros[1] == 0 { return true }
        return zeros[1] * 10 >= half * 9 && zeros[0] == 0 ? false : nil
    }

    // MARK: - JSON

    /// Adds JSON, folded. Returns nil for a text that is not JSON.
    private mutating func addJSON(_ text: String, of file: PreviewFile, isWhole: Bool) -> String? {
        var bytes = Array(text.utf8)[...]
        var stream = JSONStream(bufferSize: 1 << 14) { buffer in
            let part = bytes.prefix(buffer.count)
            buffer.copyBytes(from: part)
            bytes = bytes.dropFirst(part.count)
            return part.count
        }
        var (values, title) = (0, "JSON")
        do throws(JSONStream.Failure) {
            while let kind = try stream.kind() {
                values += 1
                guard hasRoom() else {
                    try stream.skip()
                    continue
                }
                let count = try addJSON(&stream, label: values == 1 ? "" : "[\(values - 1)]", name: "", depth: 0)
                title =
                    kind == .object
                    ? "JSON, object with \(Quantity.count(count, "key"))"
                    : "JSON, array of \(Quantity.count(count, "value"))"
            }
        } catch {
            switch error {
            case .ended where !isWhole: addRest(of: file, Array(text.utf8))
            case .ended: add("ends before its last value does", style: .error)
            case .tooDeep: add("nested more than \(JSONStream.depth) levels deep", style: .error)
            case .malformed(let offset):
                // Text that only begins like JSON.
                guard values > 1 || lines.count > 1 else { return nil }
                add("not JSON from byte \(offset)", style: .error)
            case .unreadable: return nil
            }
            title = "JSON, \(Quantity.bytes(file.size))"
        }
        return values > 1 ? "JSON, \(Quantity.count(values, "value"))" : title
    }

    /// Adds a value with everything in it, and returns its number of members. `name` is the name that says whether it is a
    /// secret.
    @discardableResult
    private mutating func addJSON(
        _ stream: inout JSONStream, label: String, name: String, depth: Int
    ) throws(JSONStream.Failure) -> Int {
        let start = label.isEmpty ? "" : label + ": "
        switch try stream.kind() {
        case .object, .array:
            let isObject = try stream.kind() == .object
            let position = lines.count
            let (opening, closing, noun) = isObject ? ("{", "}", "key") : ("[", "]", "value")
            let isFolded = depth >= limits.depth
            add("\(start)\(opening)…\(closing)", depth: depth, style: depth == 0 ? .heading : .plain)
            var count = 0
            if isObject {
                try stream.members { stream, key throws(JSONStream.Failure) in
                    count += 1
                    guard !isFolded, count <= limits.members, hasRoom() else { return try stream.skip() }
                    try addJSON(&stream, label: key, name: key, depth: depth + 1)
                }
            } else {
                try stream.elements { stream throws(JSONStream.Failure) in
                    count += 1
                    guard !isFolded, count <= limits.members, hasRoom() else { return try stream.skip() }
                    try addJSON(&stream, label: "[\(count - 1)]", name: name, depth: depth + 1)
                }
            }
            let mark = isFolded && count > 0 ? "… " : ""
            replace(position, with: "\(start)\(opening)\(mark)\(Quantity.count(count, noun))\(closing)")
            if !isFolded, count > limits.members {
                add("… \(Quantity.count(count - limits.members, "more " + noun))", depth: depth + 1, style: .dim)
            }
            return count
        case .text:
            let (bytes, isWhole) = try stream.text(limit: 8 * limits.lineLength)
            let text = String(decoding: bytes, as: UTF8.self).withoutSecrets(named: name)
            add("\(start)\"\(text)\"\(isWhole ? "" : "…")", depth: depth)
        case .other:
            let text = String(decoding: try stream.literal() ?? [], as: UTF8.self)
            add(start + text.withoutSecrets(named: name), depth: depth)
        case nil: throw .ended
        }
        return 0
    }

    // MARK: - Bytes

    /// Adds the first bytes in hexadecimal and as ASCII, and returns the format.
    mutating func addBytes(_ file: PreviewFile, _ start: [UInt8]) -> String {
        let bytes = Array(start.prefix(limits.hexadecimalBytes))
        // Secrets are found in all bytes that were read, because a line would show a part of one.
        var isSecret = [Bool](repeating: false, count: bytes.count)
        if !SecretDisplay.isFull {
            for match in start.withUnsafeBytes({ SecretShape.matches(in: $0, most: 1_000) }) {
                for index in match.start..<(match.start + match.length) where index < bytes.count {
                    isSecret[index] = true
                }
            }
            var names = NamedSecrets()
            for (range, _) in names.secrets(in: Array(start.prefix(2 * limits.hexadecimalBytes))) {
                for index in range where index < bytes.count { isSecret[index] = true }
            }
        }
        for line in stride(from: 0, to: bytes.count, by: 16) where hasRoom() {
            var (digits, text) = ("", "")
            for index in line..<min(line + 16, bytes.count) {
                let byte = bytes[index]
                digits += (index % 8 == 0 ? " " : "") + " "
                digits += isSecret[index] ? "**" : (byte < 16 ? "0" : "") + String(byte, radix: 16)
                text += isSecret[index] ? "*" : (0x20..<0x7f).contains(byte) ? String(Unicode.Scalar(byte)) : "."
            }
            let offset = String(line, radix: 16)
            let zeros = String(repeating: "0", count: 8 - offset.count)
            let gap = String(repeating: " ", count: 50 - digits.count)
            add("\(zeros)\(offset)\(digits)\(gap)  \(text)")
        }
        if file.size > UInt64(bytes.count) {
            add("… \(Quantity.bytes(file.size - UInt64(bytes.count))) more", style: .dim)
        }
        let size = Quantity.bytes(file.size)
        guard let magic = Magic(start) else { return "binary file, \(size)" }
        let title = magic.title
        let noun =
            ["an ", "a ", "the "].first(where: title.hasPrefix).map { String(title.dropFirst($0.count)) } ?? title
        return "\(noun), \(size)"
    }
}

/// A replacement of the values in lines of text whose names announce a secret: `password = x`, `"token": "x"`,
/// `<key>token</key><string>x</string>`.
struct NamedSecrets {
    /// The last name in a `key` element, which belongs to the value in the next element.
    private var key = ""

    /// Returns a line with secrets replaced by their kind.
    mutating func replace(in line: String) -> String {
        guard !SecretDisplay.isFull else { return line }
        let bytes = Array(line.utf8)
        var shown: [UInt8] = []
        var position = 0
        for (range, kind) in secrets(in: bytes) {
            shown += bytes[position..<range.lowerBound]
            shown += kind.utf8
            position = range.upperBound
        }
        return position == 0 ? line : String(decoding: shown + bytes[position...], as: UTF8.self)
    }

    /// Returns the ranges of the secrets in bytes, in their order, with the text that is shown in place of each.
    mutating func secrets(in bytes: [UInt8]) -> [(range: Range<Int>, kind: String)] {
        var found: [(range: Range<Int>, kind: String)] = []
        var position = 0
        while let mark = bytes[position...].firstIndex(where: { "=:>".utf8.contains($0) }) {
            position = mark + 1
            var name = Self.name(before: mark, in: bytes)
            let value = Self.value(from: position, in: bytes)
            if bytes[mark] == UInt8(ascii: ">") {
                if name == "key" {
                    // The closing tag has the same name and no value.
                    if !value.isEmpty { key = String(decoding: bytes[value], as: UTF8.self) }
                    continue
                }
                if name == "string" { (name, key) = (key, "") }
            }
            guard !name.isEmpty, !value.isEmpty else { continue }
            let text = String(decoding: bytes[value], as: UTF8.self)
            let safe = text.withoutSecrets(named: name)
            guard safe != text else { continue }
            found.append((value, safe))
            position = value.upperBound
        }
        return found
    }

    private static let longest = 4_096

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-.".utf8.contains(byte)
        }
    }

    /// Returns the word before a separator, without quotes and blanks between them.
    private static func name(before end: Int, in bytes: [UInt8]) -> String {
        var end = end
        let first = max(0, end - 200)
        while end > first, " \"'\\".utf8.contains(bytes[end - 1]) { end -= 1 }
        var start = end
        while start > first, isOfName(bytes[start - 1]) { start -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Returns the range of the value after a separator: up to the closing quote, or to the next blank or separator.
    private static func value(from start: Int, in bytes: [UInt8]) -> Range<Int> {
        var start = start
        while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 || bytes[start] == UInt8(ascii: "\\") {
            start += 1
        }
        guard start < bytes.count else { return start..<start }
        let limit = min(bytes.count, start + longest)
        let quote = bytes[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let end = bytes[start..<limit].firstIndex { $0 <= 0x20 || ",;&<>\"')}]".utf8.contains($0) } ?? limit
            return start..<end
        }
        let end = bytes[(start + 1)..<limit].firstIndex { $0 == quote || $0 == UInt8(ascii: "\\") } ?? limit
        return (start + 1)..<end
    }
}
