import ContainerExplorer
import CTerminal

/// The screen of the terminal. Only one exists at a time, and one thread uses it.
struct Screen: ~Copyable {
    /// The result of waiting for a key.
    enum Input {
        case nothing
        case key(BrowserKey)
        case resized
        /// The terminal no longer exists.
        case closed
    }

    /// Takes over the terminal.
    ///
    /// - Parameters:
    ///   - isColored: True to use the colors of the terminal, if it has any.
    ///   - hasMouse: True to receive clicks and turns of the wheel, which the terminal otherwise uses to select text.
    /// - Throws: `unknownTerminal` if the type of the terminal is unknown.
    init(isColored: Bool, hasMouse: Bool) throws(ExplorerError) {
        guard ct_begin(isColored, hasMouse) else { throw .unknownTerminal }
    }

    deinit { ct_end() }

    var size: (columns: Int, lines: Int) {
        var (lines, columns) = (Int32(0), Int32(0))
        ct_size(&lines, &columns)
        return (Int(columns), Int(lines))
    }

    /// Shows a picture. Only the difference to the last one is written.
    func show(_ picture: BrowserScreen) {
        ct_erase()
        for (number, line) in picture.lines.enumerated() {
            let columns = line.reversed.clamped(to: 0..<picture.columns)
            if !columns.isEmpty {
                let blank = String(repeating: " ", count: columns.count)
                ct_put(Int32(number), Int32(columns.lowerBound), blank, Int32(CT_REVERSED))
            }
            for piece in line.pieces {
                let reversed = line.isReversed(at: piece.column) ? Int32(CT_REVERSED) : 0
                ct_put(Int32(number), Int32(piece.column), piece.text, Self.style(piece.style) | reversed)
            }
        }
        ct_show()
    }

    /// Writes the whole picture again at the next `show`.
    func redraw() { ct_redraw() }

    /// Waits at most this time for a key.
    func input(within milliseconds: Int32) -> Input {
        var value: Int32 = 0
        switch ct_next_key(milliseconds, &value) {
        case Int32(CT_CLOSED): return .closed
        case Int32(CT_CHARACTER):
            return .key(Unicode.Scalar(UInt32(bitPattern: value)).map { .character($0) } ?? .other)
        case Int32(CT_MOUSE):
            let (column, line) = (Int(value >> 2) & 0x3fff, Int(value >> 16))
            switch value & 3 {
            case 0: return .key(.click(column: column, line: line))
            case let turn: return .key(.wheel(isUp: turn == 1, column: column, line: line))
            }
        case Int32(CT_KEY) where (Int32(CT_FUNCTION)...Int32(CT_FUNCTION) + 12).contains(value):
            return .key(.function(Int(value - Int32(CT_FUNCTION))))
        case Int32(CT_KEY): return value == Int32(CT_RESIZED) ? .resized : .key(Self.keys[value] ?? .other)
        default: return .nothing
        }
    }

    private static let keys: [Int32: BrowserKey] = [
        Int32(CT_UP): .up, Int32(CT_DOWN): .down, Int32(CT_LEFT): .left, Int32(CT_RIGHT): .right,
        Int32(CT_PAGE_UP): .pageUp, Int32(CT_PAGE_DOWN): .pageDown, Int32(CT_HOME): .home, Int32(CT_END): .end,
        Int32(CT_ENTER): .enter, Int32(CT_ESCAPE): .escape, Int32(CT_BACKSPACE): .backspace, Int32(CT_DELETE): .delete,
    ]

    private static func style(_ style: BrowserScreen.Style) -> Int32 {
        switch style {
        case .plain: Int32(CT_PLAIN)
        case .bold: Int32(CT_BOLD)
        case .dim: Int32(CT_DIM)
        case .error: Int32(CT_ERROR)
        case .warning: Int32(CT_WARNING)
        case .note: Int32(CT_NOTE)
        case .directory: Int32(CT_DIRECTORY)
        }
    }
}

extension ExplorerError {
    /// Standard input or output is not a terminal, or the terminal has no cursor (`TERM=dumb`).
    static let noTerminal = ExplorerError(
        .usage,
        description:
            "The interactive mode needs a terminal with a cursor as standard input and output. Use “sandboxfm ls” or "
            + "“sandboxfm tree” in scripts and pipes.")
    /// TERM names no known terminal.
    static let unknownTerminal = ExplorerError(
        .usage,
        description:
            "The type of the terminal (TERM) is unknown, so the interactive mode cannot be shown. Set TERM to a known type, "
            + "such as xterm-256color, or use “sandboxfm ls” or “sandboxfm tree”.")
}
