/// Rows of text in aligned columns, separated by two spaces.
package struct TextTable {
    /// The alignment of a column.
    package enum Alignment: Sendable { case left, right }

    private let alignments: [Alignment]
    private let header: [String]
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - alignments: The alignment of each column; further columns are aligned to the left.
    ///   - header: The first row, if any.
    package init(_ alignments: [Alignment] = [], header: [String] = []) {
        (self.alignments, self.header) = (alignments, header)
    }

    /// Adds a row of texts without line breaks.
    package mutating func add(_ row: [String]) { rows.append(row) }

    /// The header and the rows as lines without trailing spaces. Columns that are empty in all rows are omitted.
    package var text: String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], Columns.width(cell))
            }
        }
        for (column, cell) in header.enumerated() where column < widths.count && widths[column] > 0 {
            widths[column] = max(widths[column], Columns.width(cell))
        }
        return (header.isEmpty ? rows : [Array(header.prefix(widths.count))] + rows).map { row in
            var line = ""
            for (column, cell) in row.enumerated() where widths[column] > 0 {
                let space = String(repeating: " ", count: widths[column] - Columns.width(cell))
                let isRight = column < alignments.count && alignments[column] == .right
                line += (line.isEmpty ? "" : "  ") + (isRight ? space + cell : cell + space)
            }
            return line.trimmingTrailingSpaces + "\n"
        }.joined()
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }
}
