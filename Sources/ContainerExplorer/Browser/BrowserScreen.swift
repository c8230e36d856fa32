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
        /// True if foreground and background are exchanged, over the whole width.
        package var isReversed = false

        package init(_ text: String = "", style: Style = .plain, isReversed: Bool = false) {
            pieces = text.isEmpty ? [] : [Piece(column: 0, text: text, style: style)]
            self.isReversed = isReversed
        }

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

/// The lines of the screen and the columns of a row, for a size of the terminal.
struct BrowserLayout {
    /// A column of a row, before the name.
    enum Column: CaseIterable {
        case size, bar, items, backup, findings

        /// The width, with the space after it.
        var width: Int {
            switch self {
            case .size: 10
            case .bar: 13
            case .items: 10
            case .backup: 13
            case .findings: 9
            }
        }

        var title: String {
            switch self {
            case .size: "Size"
            case .bar: ""
            case .items: "Items"
            case .backup: "Backed up"
            case .findings: "Findings"
            }
        }
        var isNumber: Bool { self == .size || self == .items }
    }

    /// The signs before a row: selection, mark, exclusion, and a space.
    static let signs = 4

    let columns: Int
    let lines: Int
    let shown: [Column]
    let nameColumn: Int
    let titleLine: Int?
    let headingLine: Int?
    let rows: Range<Int>
    let detailLine: Int?
    let totalLine: Int?
    let helpLine: Int?

    init(columns: Int, lines: Int) {
        (self.columns, self.lines) = (max(1, columns), max(1, lines))
        var room = columns - Self.signs
        var chosen: Set<Column> = []
        // In the order of importance.
        for column in [Column.size, .findings, .backup, .items, .bar]
        where room - column.width >= (column == .size ? 6 : 12) {
            chosen.insert(column)
            room -= column.width
        }
        shown = Column.allCases.filter(chosen.contains)
        nameColumn = Self.signs + shown.reduce(0) { $0 + $1.width }
        let hasTitle = lines >= 3
        let hasHeading = lines >= 10
        let below = lines >= 10 ? 3 : lines >= 6 ? 2 : lines >= 3 ? 1 : 0
        titleLine = hasTitle ? 0 : nil
        headingLine = hasHeading ? 1 : nil
        let first = (hasTitle ? 1 : 0) + (hasHeading ? 1 : 0)
        rows = first..<max(first, self.lines - below)
        detailLine = below == 3 ? lines - 3 : nil
        totalLine = below >= 1 ? lines - below + (below == 3 ? 1 : 0) : nil
        helpLine = below >= 2 ? lines - 1 : nil
    }
}
