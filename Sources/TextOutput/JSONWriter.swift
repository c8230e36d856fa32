/// A writer for JSON piece by piece, with keys in the order of the calls, so that a long report needs constant memory.
package struct JSONWriter {
    private let output: (String) -> Void
    private var needsComma = false
    /// The text that is not written yet.
    private var pending = ""
    private var depth = 0
    /// The number of bytes after which pending text is written.
    private static let limit = 16_384

    package init(to output: @escaping (String) -> Void) { self.output = output }

    package mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(key, "{", "}", body) }
    package mutating func array(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(key, "[", "]", body) }

    package mutating func field(_ key: String, _ value: String?) {
        scalar(key, value.map { JSONText.quoted($0) } ?? "null")
    }
    package mutating func field(_ key: String, _ value: some BinaryInteger) { scalar(key, String(value)) }
    package mutating func field(_ key: String, _ value: Bool) { scalar(key, value ? "true" : "false") }
    /// Writes a number with at most four decimals, or null.
    package mutating func number(_ key: String, _ value: Double?) {
        guard let value, value.isFinite, abs(value) < 1e9 else { return scalar(key, "null") }
        let rounded = (value * 10_000).rounded() / 10_000
        scalar(key, rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded))
    }
    package mutating func element(_ value: String) { scalar(nil, JSONText.quoted(value)) }
    /// Writes a field whose value is JSON text already.
    package mutating func field(_ key: String, json text: String) { scalar(key, text) }
    /// Writes an element that is JSON text already.
    package mutating func element(json text: String) { scalar(nil, text) }

    private mutating func nest(_ key: String?, _ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
        depth += 1
        scalar(key, open)
        needsComma = false
        body(&self)
        depth -= 1
        pending += close
        needsComma = true
        writePending()
    }

    private mutating func scalar(_ key: String?, _ text: String) {
        if needsComma { pending += "," }
        if let key {
            pending += JSONText.quoted(key)
            pending += ":"
        }
        pending += text
        needsComma = true
        writePending()
    }

    /// Writes the text at the end of the outermost value, and in between if there is much.
    private mutating func writePending() {
        guard depth == 0 || pending.utf8.count > Self.limit else { return }
        output(pending)
        pending.removeAll(keepingCapacity: true)
    }
}

/// Text in JSON.
package enum JSONText {
    /// Returns a JSON string.
    package static func quoted(_ text: String) -> String {
        if text.utf8.withContiguousStorageIfAvailable(isPlain) ?? isPlain(text.utf8) { return "\"" + text + "\"" }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7f }
    }
}
