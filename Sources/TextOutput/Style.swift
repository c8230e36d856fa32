/// How text looks on a terminal.
public struct Style: Sendable {
    private let isColored: Bool
    private let hasLinks: Bool
    /// What a line may take; nil for text that no terminal shows.
    package let columns: Int?

    /// Text with colours, or without.
    public init(colored: Bool) { self.init(colored: colored, links: false, columns: nil) }

    /// Text for a terminal of so many columns, where it is one; `links` where it makes links of OSC 8.
    package init(colored: Bool, links: Bool, columns: Int?) {
        isColored = colored
        hasLinks = links
        self.columns = columns.map { max(20, $0) }
    }

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func dim(_ text: String) -> String { wrap(text, "2") }

    /// The text with a code of ECMA-48 around it.
    package func wrap(_ text: String, _ code: String) -> String { isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }

    /// The text as a link to an address of the web. Source: egmontkob, "Hyperlinks in terminal emulators".
    package func link(_ text: String, to address: String) -> String {
        guard hasLinks, address.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return text }
        return "\u{1b}]8;;\(address)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }
}
