internal import StoragePolicy

/// Writes JSON piece by piece, keys in the order given, so that a long report needs no memory of its own.
struct JSONWriter {
    private let output: (String) -> Void
    private var needsComma = false

    init(to output: @escaping (String) -> Void) { self.output = output }

    mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(key, "{", "}", body) }
    mutating func array(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(key, "[", "]", body) }

    mutating func field(_ key: String, _ value: String?) { scalar(key, value.map { Self.quoted($0) } ?? "null") }
    mutating func field(_ key: String, _ value: some BinaryInteger) { scalar(key, String(value)) }
    mutating func field(_ key: String, _ value: Bool) { scalar(key, value ? "true" : "false") }
    mutating func element(_ value: String) { scalar(nil, Self.quoted(value)) }

    private mutating func nest(_ key: String?, _ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
        scalar(key, open)
        needsComma = false
        body(&self)
        output(close)
        needsComma = true
    }

    private mutating func scalar(_ key: String?, _ text: String) {
        output((needsComma ? "," : "") + (key.map { Self.quoted($0) + ":" } ?? "") + text)
        needsComma = true
    }

    private static func quoted(_ text: String) -> String { JSONValue.quoted(text) }
}
