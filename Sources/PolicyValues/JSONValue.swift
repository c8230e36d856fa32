internal import TextOutput

/// A value of JSON, its members in the order in which they are written.
package indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(key: $0.key, value: $0.value) })
    }

    package static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { Member(key: $0.0, value: $0.1) })
    }

    package static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }

    /// On one line.
    package var compact: String {
        switch self {
        case .array(let values): "[" + values.map(\.compact).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\(JSONText.quoted($0.key)): \($0.value.compact)" }.joined(separator: ", ") + "}"
        default: scalar(JSONText.quoted)
        }
    }

    /// A member a line, indented by two, with the last line's end.
    package var indented: String { lines(indent: "") + "\n" }

    /// On one line as YAML, quoted only where it must be.
    package var flow: String {
        switch self {
        case .array(let values): "[" + values.map(\.flow).joined(separator: ", ") + "]"
        case .object(let members):
            "{ " + members.map { "\(Self.plain($0.key)): \($0.value.flow)" }.joined(separator: ", ") + " }"
        default: scalar(Self.plain)
        }
    }

    private func scalar(_ text: (String) -> String) -> String {
        switch self {
        case .boolean(let value): value ? "true" : "false"
        case .integer(let number): String(number)
        case .string(let string): text(string)
        default: "null"
        }
    }

    private func lines(indent: String) -> String {
        let deeper = indent + "  "
        switch self {
        case .array(let values) where values.contains { $0.isNested }:
            return "[\n" + values.map { deeper + $0.lines(indent: deeper) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(deeper)\(JSONText.quoted($0.key)): \($0.value.lines(indent: deeper))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        default: return compact
        }
    }

    private var isNested: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    private static func plain(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { "-._/{}$*?+".utf8.contains($0) || isWord($0) }
        let startsPlain =
            text.utf8.first.map { isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$") } ?? false
        return isPlain && startsPlain && !text.contains("{") ? text : JSONText.quoted(text)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}

extension YAMLValue {
    /// The value as JSON: numbers and truth values where YAML would read them so, texts otherwise.
    package var json: JSONValue {
        guard recorder == nil else { return .null }
        if isMapping {
            let pairs = (try? pairs()) ?? []
            return .members(pairs.map { ((try? $0.key.string()) ?? "", $0.value.json) })
        }
        if isSequence { return .array(list().map(\.json)) }
        let text = (try? string()) ?? ""
        guard isPlain else { return .string(text) }
        if let number = Int64(text) { return .integer(number) }
        return text == "true" || text == "false" ? .boolean(text == "true") : .string(text)
    }
}
