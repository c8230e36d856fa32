package import TextOutput

/// A table of text that fits a terminal: if it is too wide, columns of low importance are omitted, and the last column
/// is shortened.
package struct TextTable {
    /// A column.
    package struct Column {
        let title: String
        let isRightAligned: Bool
        /// The order of omission: the column with the highest number is omitted first. 0 is never omitted.
        let omission: Int

        package init(_ title: String, isRightAligned: Bool = false, omission: Int = 0) {
            self.title = title
            self.isRightAligned = isRightAligned
            self.omission = omission
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []
    private static let gap = 2

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with one cell for each column. Cells contain no control characters.
    package mutating func add(_ cells: [String]) { rows.append(cells) }

    /// Writes the header and the rows.
    package func write(in style: Style, hasHeader: Bool = true, to output: (String) -> Void) {
        let header = columns.map(\.title)
        var widths = columns.indices.map { column in
            (rows + (hasHeader ? [header] : [])).reduce(0) { max($0, Columns.width($1[column])) }
        }
        var shown = Array(columns.indices)
        // A column without any content.
        shown.removeAll { column in columns[column].omission > 0 && rows.allSatisfy { $0[column].isEmpty } }
        if let limit = style.columns { fit(&shown, widths: &widths, to: limit) }
        if hasHeader { output(style.dim(line(header, shown: shown, widths: widths)) + "\n") }
        for row in rows { output(line(row, shown: shown, widths: widths) + "\n") }
    }

    private func fit(_ shown: inout [Int], widths: inout [Int], to limit: Int) {
        guard let last = shown.last else { return }
        func width() -> Int { shown.reduce(0) { $0 + widths[$1] } + Self.gap * (shown.count - 1) }
        // The last column can be shortened to this width.
        let least = min(widths[last], max(8, limit / 3))
        while width() - widths[last] + least > limit,
            let omitted = shown.filter({ columns[$0].omission > 0 }).max(by: {
                columns[$0].omission < columns[$1].omission
            })
        { shown.removeAll { $0 == omitted } }
        let excess = width() - limit
        if excess > 0 { widths[last] = max(1, widths[last] - excess) }
    }

    private func line(_ cells: [String], shown: [Int], widths: [Int]) -> String {
        var text = ""
        for (position, column) in shown.enumerated() {
            let cell = Columns.cut(cells[column], to: widths[column])
            let space = String(repeating: " ", count: max(0, widths[column] - Columns.width(cell)))
            let isLast = position == shown.count - 1
            text += columns[column].isRightAligned ? space + cell : isLast ? cell : cell + space
            if !isLast { text += String(repeating: " ", count: Self.gap) }
        }
        return text
    }
}
