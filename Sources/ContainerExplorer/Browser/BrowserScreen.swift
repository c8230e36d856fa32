internal import TextOutput

/// A picture of the interactive mode: lines of text with styles, without a terminal.
package struct BrowserScreen: Sendable, Hashable {
    /// The style of a piece of text. A terminal without colors shows the same text.
    package enum Style: Sendable, Hashable { case plain, bold, dim, error, warning, note, directory }

    /// A text that begins at a column.
    package struct Piece: Sendable, Hashable {
        package let column: Int
        package let text: String
        package let style: Style
    }

    package struct Line: Sendable, Hashable {
        package var pieces: [Piece] = []
        /// The columns in which foreground and background are exchanged.
        package var reversed = 0..<0

        package init(_ text: String = "", style: Style = .plain, isReversed: Bool = false) {
            pieces = text.isEmpty ? [] : [Piece(column: 0, text: text, style: style)]
            if isReversed { reversed = 0..<Int.max }
        }

        /// True if foreground and background are exchanged at a column.
        package func isReversed(at column: Int) -> Bool { reversed.contains(column) }

        mutating func add(_ text: String, at column: Int, style: Style = .plain) {
            guard !text.isEmpty else { return }
            pieces.append(Piece(column: column, text: text, style: style))
        }

        /// Returns the part of the line in the first columns.
        func clipped(to columns: Int) -> Line {
            var line = self
            line.pieces = pieces.compactMap { piece in
                var room = columns - piece.column
                guard room > 0 else { return nil }
                let text = piece.text.prefix { character in
                    room -= Columns.width(String(character))
                    return room >= 0
                }
                return Piece(column: piece.column, text: String(text), style: piece.style)
            }
            return line
        }

        /// The text of the line, without styles.
        package var text: String {
            var text = ""
            for piece in pieces.sorted(by: { $0.column < $1.column }) {
                text += String(repeating: " ", count: max(0, piece.column - Columns.width(text))) + piece.text
            }
            return text
        }
    }

    package var lines: [Line]
    package let columns: Int

    /// The text of the lines, without styles.
    package var text: String { lines.map(\.text).joined(separator: "\n") }
}
