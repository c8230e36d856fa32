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
