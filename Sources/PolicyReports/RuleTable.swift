internal import StoragePolicy
internal import TextOutput

/// A table of rules: number, id, group, default, fix, stage and title.
///
/// A narrow terminal has several lines for each rule instead of columns that do not fit.
struct RuleTable {
    /// The columns of the shortest title beside the other columns.
    private static let leastTitle = 36
    private static let names = ["no", "rule", "group", "default", "fix", "stage"]

    private let rules: [Rule]
    private let cells: [[String]]
    private let widths: [Int]

    init(_ rules: [Rule]) {
        self.rules = rules
        cells = rules.map { rule in
            [
                String(rule.number), rule.id, rule.group.rawValue, rule.isOptional ? "off" : rule.severity.rawValue,
                Self.fix(of: rule), rule.stage.rawValue,
            ]
        }
        let all = cells + [Self.names]
        widths = Self.names.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    }

    func text(style: Style) -> String {
        let width = widths.reduce(0, +) + 2 * (widths.count - 1)
        let columns = style.columns ?? .max
        guard columns >= width else { return zip(rules, cells).map { narrow($0, cells: $1, style: style) }.joined() }
        let isWide = columns >= width + 2 + Self.leastTitle
        // The last column is not padded.
        let names = isWide ? padded(Self.names) + ["title"] : padded(Self.names.dropLast()) + ["stage"]
        let heading = style.bold(names.joined(separator: "  ")) + "\n"
        return heading
            + zip(rules, cells).map { rule, cells in
                let line = styled(padded(cells), of: rule, style: style).joined(separator: "  ")
                return isWide ? "\(line)  \(rule.title)\n" : "\(line)\n    \(rule.title)\n"
            }.joined()
    }

    /// The id on the first line, the other cells on the second, then the title.
    private func narrow(_ rule: Rule, cells: [String], style: Style) -> String {
        let cells = styled(cells, of: rule, style: style)
        return "\(cells[0])  \(cells[1])\n    \(cells[2...].joined(separator: ", "))\n    \(rule.title)\n"
    }

    /// Returns cells with the widths of the columns; numbers are aligned at their end.
    private func padded(_ cells: [String]) -> [String] {
        zip(cells, widths).enumerated().map { index, cell in
            let space = String(repeating: " ", count: cell.1 - cell.0.count)
            return index == 0 ? space + cell.0 : cell.0 + space
        }
    }

    private func styled(_ cells: [String], of rule: Rule, style: Style) -> [String] {
        var cells = cells
        cells[1] = style.bold(style.link(cells[1], of: rule))
        cells[3] = rule.isOptional ? style.dim(cells[3]) : style.severity(rule.severity, text: cells[3])
        return cells
    }

    private static func fix(of rule: Rule) -> String {
        guard let fix = rule.fix else { return "none" }
        guard fix.isMechanical else { return "by hand" }
        return fix.safety == .safe ? "safe" : "--unsafe"
    }
}
