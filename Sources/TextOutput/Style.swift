/// How text looks on a terminal.
public struct Style: Sendable {
    private let isColored: Bool

    /// Text with colours, or without.
    public init(colored: Bool) { isColored = colored }

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func dim(_ text: String) -> String { wrap(text, "2") }

    /// The text with a code of ECMA-48 around it.
    package func wrap(_ text: String, _ code: String) -> String { isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
}
