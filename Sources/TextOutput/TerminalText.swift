/// Text in pieces as a terminal of some width shows it: no line runs over its edge, where it would break within a word.
package struct TerminalText {
    private let columns: Int?
    private var line = ""

    /// For a style's width; without one the text stays as it is.
    package init(_ style: Style) { columns = style.columns }

    /// The lines that are whole by now.
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

    /// What is left.
    package mutating func end() -> String {
        defer { line = "" }
        return columns.map { Columns.folded(line, to: $0) } ?? ""
    }
}
