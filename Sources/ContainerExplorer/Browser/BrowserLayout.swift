internal import TextOutput

/// The lines of the screen, for a size of the terminal.
struct BrowserLayout {
    let columns: Int
    let lines: Int
    /// True if a preview is shown, beside the rows or below them.
    let hasPreview: Bool
    /// The first column of the preview beside the rows; nil if it is below them.
    let previewColumn: Int?
    /// The lines of the preview.
    let previewRows: Range<Int>
    let titleLine: Int?
    let headingLine: Int?
    let rows: Range<Int>
    let detailLine: Int?
    let totalLine: Int?
    let helpLine: Int?

    init(columns: Int, lines: Int, hasPreview: Bool = false) {
        (self.columns, self.lines) = (max(1, columns), max(1, lines))
        let hasTitle = lines >= 3
        let hasHeading = lines >= 10
        let below = lines >= 10 ? 3 : lines >= 6 ? 2 : lines >= 3 ? 1 : 0
        titleLine = hasTitle ? 0 : nil
        headingLine = hasHeading ? 1 : nil
        detailLine = below == 3 ? lines - 3 : nil
        totalLine = below >= 1 ? lines - below + (below == 3 ? 1 : 0) : nil
        helpLine = below >= 2 ? lines - 1 : nil
        let first = (hasTitle ? 1 : 0) + (hasHeading ? 1 : 0)
        let all = first..<max(first, self.lines - below)
        let isBeside = columns >= 60
        self.hasPreview = hasPreview && (isBeside || all.count >= 8)
        previewColumn = self.hasPreview && isBeside ? columns / 2 : nil
        guard self.hasPreview, !isBeside else {
            rows = all
            previewRows = self.hasPreview ? (hasTitle ? 1 : 0)..<all.upperBound : 0..<0
            return
        }
        let middle = all.lowerBound + (all.count + 1) / 2
        (rows, previewRows) = (all.lowerBound..<middle, middle..<all.upperBound)
    }
}

/// The columns of the screen that a pane has, and those of a row.
struct BrowserArea {
    /// A column of a row, before the name.
    enum Column: CaseIterable {
        case size, bar, items, backup, classes, findings

        /// The width, with the space after it.
        var width: Int {
            switch self {
            case .size: 10
            case .bar: 13
            case .items: 10
            case .backup: 13
            case .classes: 13
            case .findings: 9
            }
        }

        var title: String {
            switch self {
            case .size: "Size"
            case .bar: ""
            case .items: "Items"
            case .backup: "Backed up"
            case .classes: "Class"
            case .findings: "Findings"
            }
        }
        var isNumber: Bool { self == .size || self == .items }
    }

    /// The signs before a row: selection, mark, exclusion, difference, and a space.
    static let signs = 4

    /// The position of the pane.
    let pane: Int
    /// The columns of the screen.
    let columns: Range<Int>
    let shown: [Column]
    /// The first column of the names.
    let nameColumn: Int

    /// Chooses the columns of a row for the columns of a pane. `hasClasses` is true if the classes of items are known.
    init(pane: Int, columns: Range<Int>, hasClasses: Bool) {
        (self.pane, self.columns) = (pane, columns)
        var room = columns.count - Self.signs
        var chosen: Set<Column> = []
        // In the order of importance.
        for column in [Column.size, .findings, .backup, .classes, .items, .bar]
        where (column != .classes || hasClasses)
            && room - column.width >= (column == .size ? 6 : column == .bar && hasClasses ? 30 : 12)
        {
            chosen.insert(column)
            room -= column.width
        }
        shown = Column.allCases.filter(chosen.contains)
        nameColumn = columns.lowerBound + Self.signs + shown.reduce(0) { $0 + $1.width }
    }
}
