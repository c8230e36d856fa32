package import TextOutput

/// The choice of coloured output.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// True if output is coloured, depending on the terminal and the environment.
    package var isColored: Bool { self == .auto ? Terminal.isColored : self == .always }

    /// The style with or without colours, of unlimited width.
    package var style: Style { Style(colored: isColored) }
}
