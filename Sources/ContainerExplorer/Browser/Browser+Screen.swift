internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import TextOutput

extension Browser {
    private typealias Line = BrowserScreen.Line

    /// The current picture, with exactly the lines of the terminal.
    package var screen: BrowserScreen {
        let layout = layout
        var lines = [Line](repeating: Line(), count: layout.lines)
        switch mode {
        case .details, .help, .text, .decision:
            if let line = layout.titleLine { lines[line] = Line(fitted(titleText(of: pane)), isReversed: true) }
            drawPage(in: layout, &lines)
        case .menu(let menu):
            if let line = layout.titleLine {
                lines[line] = Line(fitted("\(menu.title): \(menu.text)_"), isReversed: true)
            }
            draw(menu, in: layout, &lines)
        case .items, .prompt, .question:
            for area in areas { draw(area, in: layout, &lines) }
            if layout.hasPreview { drawPreview(in: layout, &lines) }
            if let line = layout.detailLine { lines[line] = Line(fitted(detailText), style: detailStyle) }
            if let line = layout.totalLine { lines[line] = Line(fitted(totalText), style: .bold) }
            if let line = layout.helpLine { lines[line] = Line(fitted(Self.helpText), style: .dim) }
        }
        drawDialog(&lines)
        return BrowserScreen(lines: lines.map { $0.clipped(to: layout.columns) }, columns: layout.columns)
    }

    /// The areas of the visible panes. A preview takes that of the pane that is not active.
    var areas: [BrowserArea] {
        let hasClasses = panes.contains { $0.findings?.classes != nil }
        if let end = layout.previewColumn {
            return [BrowserArea(pane: active, columns: 0..<(end - 1), hasClasses: hasClasses)]
        }
        // Two panes need room for a name each.
        guard panes.count == 2, columns >= 50 else {
            return [BrowserArea(pane: active, columns: 0..<columns, hasClasses: hasClasses)]
        }
        let middle = columns / 2
        return [
            BrowserArea(pane: 0, columns: 0..<(middle - 1), hasClasses: hasClasses),
            BrowserArea(pane: 1, columns: middle..<columns, hasClasses: hasClasses),
        ]
    }

    // MARK: - Rows

    private func draw(_ area: BrowserArea, in layout: BrowserLayout, _ lines: inout [Line]) {
        let pane = panes[area.pane]
        let start = area.columns.lowerBound
        if let line = layout.titleLine {
            let text = Columns.cut(titleText(of: pane), to: area.columns.count)
            lines[line].add(text, at: start, style: area.pane == active ? .plain : .dim)
            let isWide = area.columns.count == columns
            let columns = isWide ? 0..<Int.max : area.columns
            if area.pane == active { lines[line].reversed = columns }
        }
        if let line = layout.headingLine { addHeading(of: pane, area, to: &lines[line]) }
        guard let index = pane.index else { return drawFirstItems(of: pane, area, in: layout, &lines) }
        for (line, position) in zip(layout.rows, pane.rows.indices.dropFirst(pane.firstRow)) {
            addRow(position, of: pane, in: index, area, to: &lines[line])
        }
        if pane.rows.isEmpty, let line = layout.rows.first {
            let text =
                !pane.filter.text.isEmpty
                ? "(no name matches the filter)"
                : pane.found.map { $0.isComplete ? "(nothing was found)" : "(searching…)" } ?? "(empty)"
            lines[line].add(Columns.cut("    " + text, to: area.columns.count), at: start)
        }
    }

    /// Draws the names of the container during the first reading, with what was found in them until now.
    private func drawFirstItems(
        of pane: BrowserPane, _ area: BrowserArea, in layout: BrowserLayout, _ lines: inout [Line]
    ) {
        let start = area.columns.lowerBound
        for (line, item) in zip(layout.rows, pane.firstItems) {
            if area.shown.contains(.size), item.bytes > 0 {
                lines[line].add(
                    Self.padded(Quantity.bytes(item.bytes), to: BrowserArea.Column.size.width - 1),
                    at: start + BrowserArea.signs, style: .dim)
            }
            lines[line].add(
                Columns.cut(item.name, to: max(1, area.columns.upperBound - area.nameColumn)), at: area.nameColumn)
        }
    }

    private func addHeading(of pane: BrowserPane, _ area: BrowserArea, to line: inout Line) {
        var column = area.columns.lowerBound + BrowserArea.signs
        for kind in area.shown {
            let width = kind.width - 1
            let title = kind.isNumber ? Self.padded(kind.title, to: width) : kind.title
            line.add(title, at: column, style: .dim)
            column += kind.width
        }
        let direction = pane.order.isReversed ? " reversed" : ""
        let name = "\(pane.found == nil ? "Name" : "Path") (sorted by \(pane.order.property.rawValue)\(direction))"
        line.add(Columns.cut(name, to: area.columns.upperBound - area.nameColumn), at: area.nameColumn, style: .dim)
    }

    private func addRow(
        _ position: Int, of pane: BrowserPane, in index: ContainerIndex, _ area: BrowserArea, to line: inout Line
    ) {
        let item = pane.rows[position]
        let isSelected = position == pane.selection
        let properties = index[item]
        if isSelected, area.pane == active {
            line.reversed = area.columns.count == columns ? 0..<Int.max : area.columns
        }
        let exclusion =
            index.ownMark(of: item) != nil ? "x" : index.exclusion(of: item) == .excluded ? "^" : " "
        let signs =
            (isSelected ? ">" : " ") + (pane.marks.contains(item) ? "*" : " ") + exclusion
            + (pane.differences?.sign(of: item) ?? "")
        line.add(signs, at: area.columns.lowerBound, style: .bold)
        var column = area.columns.lowerBound + BrowserArea.signs
        for kind in area.shown {
            let width = kind.width - 1
            switch kind {
            case .size: line.add(Self.padded(Quantity.bytes(properties.total.logical), to: width), at: column)
            case .bar: line.add(Self.bar(properties.total.logical, of: pane.largest, columns: width), at: column)
            case .items where properties.kind == .directory:
                line.add(Self.padded(Quantity.grouped(properties.items), to: width), at: column)
            case .items: break
            case .backup: line.add(Columns.cut(Self.backup(of: item, in: index), to: width), at: column)
            case .classes:
                line.add(Columns.cut(pane.findings?.className(of: item, in: index) ?? "", to: width), at: column)
            case .findings:
                let counts = pane.findings?.counts(of: item) ?? BrowserFindings.Counts()
                line.add(Columns.cut(counts.abbreviation, to: width), at: column, style: Self.style(counts.worst))
            }
            column += kind.width
        }
        let name = pane.found == nil ? ItemText.name(of: item, in: index) : ItemText.path(of: item, in: index)
        let room = max(1, area.columns.upperBound - column)
        let style: BrowserScreen.Style = properties.kind == .directory ? .directory : .plain
        guard let places = pane.found?.places[item] else {
            line.add(Columns.cut(name, to: room), at: column, style: style)
            return
        }
        // The path and the first places share the room.
        let text = places.prefix(2).joined(separator: "; ") + (places.count > 2 ? "; …" : "")
        let shown = Columns.cut(name, to: max(room / 2, room - 2 - Columns.width(text)))
        line.add(shown, at: column, style: style)
        let start = Columns.width(shown) + 2
        line.add(Columns.start(of: text, max(0, room - start)), at: column + start, style: .dim)
    }

    private static func bar(_ size: UInt64, of largest: UInt64, columns: Int) -> String {
        let width = columns - 2
        let filled = largest == 0 ? 0 : Int((Double(size) / Double(largest) * Double(width)).rounded())
        return "[" + String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled) + "]"
    }

    /// Returns the treatment of an item by backups, and what decided it, in at most 12 columns.
    static func backup(of item: Int, in index: ContainerIndex) -> String {
        let decision = index.decision(for: item)
        guard decision.state == .excluded else { return ItemText.backup(decision.state) }
        switch decision.decider.origin {
        case .mark: return index.ownMark(of: item) != nil ? "no: excluded" : "no: above"
        case .location(let location):
            let name = location.path.split(separator: "/").last.map { "no: \($0)" } ?? ""
            return name.isEmpty || name.count > BrowserArea.Column.backup.width - 1 ? "no: location" : name
        case .kind(let kind): return "no: \(ItemText.word(for: kind))"
        case .temporaryFile: return "no: unsaved"
        case .fileSystem, .option: return "no"
        }
    }

    static func style(_ severity: Severity?) -> BrowserScreen.Style {
        switch severity {
        case .error: .error
        case .warning: .warning
        case .note: .note
        case nil: .plain
        }
    }

    // MARK: - Preview

    private func drawPreview(in layout: BrowserLayout, _ lines: inout [Line]) {
        let start = layout.previewColumn ?? 0
        let width = columns - start
        guard let first = layout.previewRows.first else { return }
        guard let path = pane.selectedPath, let preview, preview.path == path else {
            lines[first].add(Columns.cut(pane.selected == nil ? "" : "…", to: width), at: start, style: .dim)
            return
        }
        lines[first].add(Columns.cut(preview.content.title, to: width), at: start, style: .bold)
        for (line, text) in zip(layout.previewRows.dropFirst(), preview.content.lines) {
            let indent = min(text.depth * 2, width / 3)
            let style: BrowserScreen.Style =
                switch text.style {
                case .plain: .plain
                case .heading: .bold
                case .dim: .dim
                case .error: .error
                }
            lines[line].add(Columns.start(of: text.text, max(1, width - indent)), at: start + indent, style: style)
        }
    }

    // MARK: - Lines above and below

    private func titleText(of pane: BrowserPane) -> String {
        if let found = pane.found { return "\(pane.title)  [\(found.title)]" + filterText(of: pane) }
        let path = pane.index.map { ByteText.escaped($0.path(of: pane.directory)) } ?? ""
        let all = path.isEmpty ? pane.title : (pane.title.hasSuffix("/") ? pane.title : pane.title + "/") + path
        return all + filterText(of: pane)
    }

    private func filterText(of pane: BrowserPane) -> String {
        if case .prompt(let prompt) = mode, prompt.purpose == .filter { return "" }
        return pane.filter.text.isEmpty ? "" : "  [/\(ByteText.printable(pane.filter.text))]"
    }

    private var detailText: String {
        guard let index = pane.index, let item = pane.selected else { return "" }
        if let finding = pane.findings?.findings(of: item).first {
            return "\(finding.severity.rawValue): \(finding.message)"
        }
        return "backed up: \(ItemText.backup(index.decision(for: item).state)), "
            + "decided by \(ItemText.decider(of: item, in: index))"
    }

    private var detailStyle: BrowserScreen.Style {
        Self.style(pane.selected.flatMap { pane.findings?.findings(of: $0).first?.severity })
    }

    /// Progress, then the totals of the directory and of the container.
    private var totalText: String {
        var parts: [String] = []
        if let work = pane.work { parts.append(work + "…") }
        guard let index = pane.index else {
            return pane.itemsRead.map { "Reading: \(Quantity.count($0, "item"))…" }
                ?? "Not read. r: read again, q: quit"
        }
        if pane.itemsRead != nil, pane.work == nil { parts.append("reading again…") }
        if pane.found != nil {
            parts.append(Quantity.count(pane.itemCount, "found item"))
        } else {
            let total = index[pane.directory]
            parts.append("Total \(Quantity.bytes(total.total.logical)), \(Quantity.count(total.items, "item"))")
        }
        if pane.rows.count != pane.itemCount { parts.append("\(Quantity.grouped(pane.rows.count)) shown") }
        if !pane.marks.isEmpty {
            let size = pane.targets.reduce(into: ItemSize.zero) { $0 += index[$1].total }
            parts.append("\(Quantity.grouped(pane.marks.count)) marked, \(Quantity.bytes(size.logical))")
        }
        if let differences = pane.differences { parts.append(differences.summary) }
        parts.append("backed up \(Quantity.bytes(pane.backedUp))")
        parts.append(findingsText)
        if !index.isComplete { parts.append("\(Quantity.grouped(index.failures.count)) not read") }
        return parts.joined(separator: "; ")
    }

    private var findingsText: String {
        if pane.lintFailure != nil { return "not linted" }
        guard let findings = pane.findings else { return "linting…" }
        let counts = findings.counts(of: ContainerIndex.root)
        let words = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.notes, "note")]
            .filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
        let text = words.isEmpty ? "no findings" : words.joined(separator: ", ")
        return findings.isIncomplete ? text + " (not all linted)" : text
    }

    private static let helpText =
        "? keys  : commands  Enter open  / filter  f find  Space mark  d delete  u undo  v preview  q quit"

    // MARK: - Text

    func fitted(_ text: String) -> String { Columns.cut(text, to: columns) }

    func wrap(_ text: String) -> [String] {
        ByteText.printable(text).isEmpty
            ? [""] : Columns.folded(ByteText.printable(text), to: columns).split(separator: "\n").map(String.init)
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
