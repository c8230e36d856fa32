internal import TextOutput

/// Text in GitHub Flavored Markdown.
enum MarkdownText {
    /// Returns a text without markup, mentions, references and links.
    static func plain(_ text: String) -> String {
        var plain = ""
        for (scalar, next) in zip(text.unicodeScalars, text.unicodeScalars.dropFirst().map(\.self) + [" "]) {
            switch scalar {
            // Only an address or an emoji has no space after the colon.
            case ":" where next == " ": plain += ":"
            // An HTML comment separates the sign from the name. An escape would not: mentions and references are searched in
            // the rendered page.
            case "@": plain += "@<!-- -->"
            case "#": plain += "&#35;<!-- -->"
            // `www.` begins a link.
            case ".": plain += plain.hasSuffix("www") || plain.hasSuffix("WWW") ? "&#46;" : "."
            // GH-1 is a reference.
            case "-": plain += plain.hasSuffix("GH") || plain.hasSuffix("gh") ? "-<!-- -->" : "-"
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "&", "~", ":", "$": plain += "&#\(scalar.value);"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }

    /// Returns a text of the tool's own or of a rule, with the parts between backticks as code.
    static func prose(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return plain(text) }
        return parts.enumerated().map { $0 % 2 == 1 ? code(String($1)) : plain(String($1)) }.joined()
    }

    static func code(_ text: String) -> String { "<code>\(plain(text))</code>" }
}

/// Markdown that is written within a number of bytes.
struct MarkdownPage {
    /// The maximum number of characters of a comment on GitHub is 65,536. No text with fewer bytes is longer.
    static let mostBytesOfComment = 65_536
    /// The room for the sentence about omitted parts and for the end of a section.
    private static let reserve = 400

    let limit: Int
    private(set) var room: Int
    private(set) var text = ""
    /// The parts that did not fit, such as “12 findings”.
    private(set) var omissions: [String] = []

    init(within limit: Int) { (self.limit, room) = (limit, limit - Self.reserve) }

    /// Writes a text if it fits.
    @discardableResult
    mutating func add(_ piece: String) -> Bool {
        guard piece.utf8.count <= room else { return false }
        room -= piece.utf8.count
        text += piece
        return true
    }

    /// Writes the lines that fit, below a heading and before an end.
    ///
    /// - Returns: The number of lines that were not written.
    mutating func add(_ lines: [String], below head: String, end: String = "") -> Int {
        let least = head.utf8.count + end.utf8.count + (lines.first?.utf8.count ?? 0)
        guard least <= room, add(head) else { return lines.count }
        room -= end.utf8.count
        let written = lines.prefix { add($0) }.count
        text += end
        return lines.count - written
    }

    /// Notes that parts were left out.
    mutating func omit(_ count: Int, noun: String) { if count > 0 { omissions.append(Quantity.count(count, noun)) } }

    /// Writes the number of the parts that did not fit, and where all are.
    mutating func end(_ fullList: String) {
        guard !omissions.isEmpty else { return }
        let list = omissions.joined(separator: ", ")
        text +=
            "\n**Shortened** to \(Quantity.grouped(limit)) bytes: \(list) not listed here. All are in \(fullList).\n"
    }
}
