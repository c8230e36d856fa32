internal import TextOutput

/// Text in HTML and in JSON inside of HTML.
enum HTMLText {
    /// Returns text for the content of an element or a quoted attribute. Control characters and marks that change the
    /// direction of text are shown by their number.
    static func escaped(_ text: some StringProtocol) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7f && !special.contains(byte)
        }
        if isPlain { return String(text) }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n": escaped += "\n"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
                    escaped += "[U+\(String(scalar.value, radix: 16, uppercase: true))]"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }

    private static let special = Set("&<>\"'".utf8)

    /// Returns an element that isolates text with its own direction from the text around it.
    static func isolated(_ text: some StringProtocol) -> String { "<bdi>\(escaped(text))</bdi>" }

    /// Returns text that begins with a capital letter, with the parts between backticks as code.
    static func prose(_ text: String) -> String {
        let sentence = text.first.map { $0 == "`" ? text : $0.uppercased() + text.dropFirst() } ?? ""
        let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return escaped(sentence) }
        return parts.enumerated().map { index, part in
            index % 2 == 1 ? "<code>\(escaped(part))</code>" : escaped(part)
        }.joined()
    }

    /// Returns JSON that cannot end the element that contains it. The replaced characters occur in strings only.
    static func escapedJSON(_ json: String) -> String {
        let isPlain = json.utf8.allSatisfy { $0 < 0x7f && $0 != 0x26 && $0 != 0x3c && $0 != 0x3e }
        if isPlain { return json }
        var escaped = ""
        for scalar in json.unicodeScalars {
            switch scalar {
            case "<": escaped += "\\u003c"
            case ">": escaped += "\\u003e"
            case "&": escaped += "\\u0026"
            case "\u{2028}": escaped += "\\u2028"
            case "\u{2029}": escaped += "\\u2029"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns text of at most about `limit` characters, without its middle.
    static func shortened(_ text: String, to limit: Int) -> String {
        text.utf8.count <= limit ? text : Columns.cut(text, to: limit)
    }
}
