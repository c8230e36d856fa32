/// A writer for JSON piece by piece, with keys in the order of the calls, so that a long report needs constant memory.
package struct JSONWriter {
    private let output: (String) -> Void
    private var needsComma = false
    /// The text that is not written yet, as bytes, to which much is appended faster than to a `String`.
    private var pending: [UInt8] = []
    private var depth = 0
    /// The number of bytes after which pending text is written.
    private static let limit = 16_384

    package init(to output: @escaping (String) -> Void) { self.output = output }

    package mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(key, .object, body) }
    package mutating func array(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(key, .array, body) }

    package mutating func field(_ key: String, _ value: String?) {
        guard let value else { return scalar(key, "null") }
        begin(key)
        JSONText.append(value, to: &pending)
        end()
    }
    package mutating func field(_ key: String, _ value: some BinaryInteger) { scalar(key, String(value)) }
    package mutating func field(_ key: String, _ value: Bool) { scalar(key, value ? "true" : "false") }
    /// Writes a number with at most four decimals, or null.
    package mutating func number(_ key: String, _ value: Double?) { scalar(key, value.map(Self.text) ?? "null") }

    /// The text of a number with at most four decimals, or null.
    static func text(of value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "null" }
        let rounded = (value * 10_000).rounded() / 10_000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    package mutating func element(_ value: String) {
        begin(nil)
        JSONText.append(value, to: &pending)
        end()
    }
    /// Writes a field whose value is JSON text already.
    package mutating func field(_ key: String, json text: String) { scalar(key, text) }
    /// Writes an element that is JSON text already.
    package mutating func element(json text: String) { scalar(nil, text) }

    /// The brackets around a value that contains others.
    enum Bracket { case object, array }

    /// Begins a value that contains others.
    mutating func begin(_ bracket: Bracket) {
        depth += 1
        element(json: bracket == .object ? "{" : "[")
        needsComma = false
    }

    /// Ends a value that contains others.
    mutating func end(_ bracket: Bracket) {
        depth -= 1
        pending.append(UInt8(ascii: bracket == .object ? "}" : "]"))
        end()
    }

    /// Writes a key, whose value is written next as an element.
    mutating func key(_ key: String) {
        begin(key)
        needsComma = false
    }

    private mutating func nest(_ key: String?, _ bracket: Bracket, _ body: (inout JSONWriter) -> Void) {
        if let key { self.key(key) }
        begin(bracket)
        body(&self)
        end(bracket)
    }

    private mutating func scalar(_ key: String?, _ text: String) {
        begin(key)
        pending.append(contentsOf: text.utf8)
        end()
    }

    private mutating func begin(_ key: String?) {
        if needsComma { pending.append(UInt8(ascii: ",")) }
        guard let key else { return }
        JSONText.append(key, to: &pending)
        pending.append(UInt8(ascii: ":"))
    }

    private mutating func end() {
        needsComma = true
        writePending()
    }

    /// Writes the text at the end of the outermost value, and in between if there is much.
    private mutating func writePending() {
        guard depth == 0 || pending.count > Self.limit else { return }
        output(String(decoding: pending, as: UTF8.self))
        pending.removeAll(keepingCapacity: true)
    }
}

/// Text in JSON.
package enum JSONText {
    /// Returns a JSON string.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a JSON string.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            bytes.append(UInt8(ascii: "\""))
            if utf8.allSatisfy(isPlain) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { appendEscaped(byte, to: &bytes) }
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        case _ where isPlain(byte): bytes.append(byte)
        default: bytes.append(contentsOf: ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7f
    }
}
