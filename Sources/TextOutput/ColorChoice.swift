/// When text is coloured.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// Whether it is, by the terminal and what its owner asks for.
    package var isColored: Bool { self == .auto ? Terminal.isColored : self == .always }

    /// Text with colours or without, of any width.
    package var style: Style { Style(colored: isColored) }
}
