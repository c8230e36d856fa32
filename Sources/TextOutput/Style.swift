/// The style of text on a terminal.
public struct Style: Sendable {
    private let isColored: Bool
    private let hasLinks: Bool
    /// The maximum columns of a line. Nil for text that is not shown on a terminal.
    package let columns: Int?

    /// True if text of this style may contain sequences that control a terminal.
    package var isStyled: Bool { isColored || hasLinks }

    /// Creates a style with or without colours.
    public init(colored: Bool) { self.init(colored: colored, links: false, columns: nil) }

    /// Creates a style for a descriptor's terminal. `links` is true for a terminal that supports OSC 8 links.
    package init(colored: Bool, links: Bool, columns: Int?) {
        isColored = colored
        hasLinks = links
        self.columns = columns.map { max(20, $0) }
    }

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func dim(_ text: String) -> String { wrap(text, "2") }

    /// Returns text with a code of ECMA-48.
    package func wrap(_ text: String, _ code: String) -> String { isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }

    /// Returns text as a link to a URL. Source: egmontkob, "Hyperlinks in terminal emulators".
    package func link(_ text: String, to address: String) -> String {
        guard hasLinks, address.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return text }
        return "\u{1b}]8;;\(address)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }
}

/// Text that is written in pieces and fitted to the width of a terminal.
package struct TerminalText {
    private let columns: Int?
    private var line = ""

    /// Creates text for the width of a style. Without a width, the text is unchanged.
    package init(_ style: Style) { columns = style.columns }

    /// Returns the lines that are complete.
    package mutating func add(_ text: String) -> String {
        guard let columns else { return text }
        line += text
        var shown = ""
        while let end = line.firstIndex(of: "\n") {
            shown += Columns.folded(String(line[..<end]), to: columns) + "\n"
            line = String(line[line.index(after: end)...])
        }
        return shown
    }

    /// Returns the rest.
    package mutating func end() -> String {
        defer { line = "" }
        return columns.map { Columns.folded(line, to: $0) } ?? ""
    }
}
