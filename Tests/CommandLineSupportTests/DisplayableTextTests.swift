import Testing
import TextOutput

@Suite("Displayable text") struct DisplayableTextTests {
    /// The characters that control a terminal or the order of letters, by their code points.
    private static let controls: [ClosedRange<UInt32>] = [
        0x01...0x08, 0x0b...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069,
    ]

    @Test("Of all characters exactly the controls are replaced, wherever they are")
    func all() {
        for value in UInt32(0)...0x2_ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            // A carriage return at the end of a text is part of a line break.
            let isControl = value != 0x0d && Self.controls.contains { $0.contains(value) }
            let text = "a“\(scalar)"
            let shown = ByteText.displayable(text, isStyled: false)
            guard shown != (isControl ? "a“\u{fffd}" : text) else { continue }
            Issue.record("U+\(String(value, radix: 16)): \(shown.unicodeScalars.map(\.value))")
        }
        #expect(ByteText.displayable("\r", isStyled: false) == "\r")
        #expect(ByteText.displayable("a\rb\r\n", isStyled: false) == "a\u{fffd}b\r\n")
        #expect(ByteText.displayable("\u{1b}[1mx\u{1b}[0m\u{202e}", isStyled: true) == "\u{1b}[1mx\u{1b}[0m\u{fffd}")
    }
}
