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
        if let line = layout.titleLine { lines[line] = Line(fitted(titleText), isReversed: true) }
        switch mode {
        case .details, .help: drawPage(in: layout, &lines)
        case .items, .filter, .question:
            if let line = layout.headingLine { lines[line] = heading(layout) }
            drawRows(in: layout, &lines)
            if let line = layout.detailLine { lines[line] = Line(fitted(detailText), style: detailStyle) }
            if let line = layout.totalLine { lines[line] = Line(fitted(totalText), style: .bold) }
            if let line = layout.helpLine { lines[line] = Line(fitted(Self.helpText), style: .dim) }
        }
        drawDialog(&lines)
        return BrowserScreen(lines: lines.map { $0.clipped(to: layout.columns) }, columns: layout.columns)
    }

    // MARK: - Rows

    private func heading(_ layout: BrowserLayout) -> Line {
        var line = Line()
        var column = BrowserLayout.signs
        for kind in layout.shown {
            let width = kind.width - 1
            let title = kind.isNumber ? Self.padded(kind.title, to: width) : kind.title
            line.add(title, at: column, style: .dim)
            column += kind.width
        }
        let direction = order.isReversed ? "reversed" : ""
        let name = ["Name", "(sorted by \(order.property.rawValue)", direction].filter { !$0.isEmpty }
        line.add(
            Columns.cut(name.joined(separator: " ") + ")", to: layout.columns - layout.nameColumn),
            at: layout.nameColumn, style: .dim)
        return line
    }

    private func drawRows(in layout: BrowserLayout, _ lines: inout [Line]) {
        guard let index else {
            for (line, name) in zip(layout.rows, firstNames) { lines[line] = Line(fitted("    \(name)")) }
            return
        }
        for (line, position) in zip(layout.rows, rows.indices.dropFirst(firstRow)) {
            lines[line] = row(rows[position], isSelected: position == selection, in: index, layout: layout)
        }
        if rows.isEmpty, let line = layout.rows.first {
            lines[line] = Line(fitted(filter.text.isEmpty ? "    (empty)" : "    (no name matches the filter)"))
        }
    }

    private func row(_ item: Int, isSelected: Bool, in index: ContainerIndex, layout: BrowserLayout) -> Line {
        let properties = index[item]
        var line = Line()
        line.isReversed = isSelected
        let exclusion =
            index.ownMark(of: item) != nil ? "x" : index.exclusion(of: item) == .excluded ? "^" : " "
        line.add((isSelected ? ">" : " ") + (marks.contains(item) ? "*" : " ") + exclusion, at: 0, style: .bold)
        var column = BrowserLayout.signs
        for kind in layout.shown {
            let width = kind.width - 1
            switch kind {
            case .size: line.add(Self.padded(Quantity.bytes(properties.total.logical), to: width), at: column)
            case .bar: line.add(bar(properties.total.logical, columns: width), at: column)
            case .items where properties.kind == .directory:
                line.add(Self.padded(Quantity.grouped(properties.items), to: width), at: column)
            case .items: break
            case .backup: line.add(Columns.cut(Self.backup(of: item, in: index), to: width), at: column)
            case .findings:
                let counts = findings?.counts(of: item) ?? BrowserFindings.Counts()
                line.add(Columns.cut(counts.abbreviation, to: width), at: column, style: Self.style(counts.worst))
            }
            column += kind.width
        }
        let name = ItemText.name(of: item, in: index)
        line.add(
            Columns.cut(name, to: max(1, layout.columns - column)), at: column,
            style: properties.kind == .directory ? .directory : .plain)
        return line
    }

    private func bar(_ size: UInt64, columns: Int) -> String {
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
            return name.isEmpty || name.count > BrowserLayout.Column.backup.width - 1 ? "no: location" : name
        case .kind(let kind): return "no: \(ItemText.word(for: kind))"
        case .temporaryFile: return "no: unsaved"
        case .fileSystem, .option: return "no"
        }
    }

    private static func style(_ severity: Severity?) -> BrowserScreen.Style {
        switch severity {
        case .error: .error
        case .warning: .warning
        case .note: .note
        case nil: .plain
        }
    }

    // MARK: - Lines above and below

    private var titleText: String {
        let path = index.map { ByteText.escaped($0.path(of: directory)) } ?? ""
        let all = path.isEmpty ? title : (title.hasSuffix("/") ? title : title + "/") + path
        return filter.text.isEmpty || mode == .filter ? all : "\(all)  [/\(ByteText.printable(filter.text))]"
    }

    private var detailText: String {
        guard let index, let item = selected else { return "" }
        if let finding = findings?.findings(of: item).first {
            return "\(finding.severity.rawValue): \(finding.message)"
        }
        return "backed up: \(ItemText.backup(index.decision(for: item).state)), "
            + "decided by \(ItemText.decider(of: item, in: index))"
    }

    private var detailStyle: BrowserScreen.Style {
        Self.style(selected.flatMap { findings?.findings(of: $0).first?.severity })
    }

    /// Progress, then the totals of the directory and of the container.
    private var totalText: String {
        var parts: [String] = []
        if let change { parts.append(change + "…") }
        guard let index else {
            return itemsRead.map { "Reading: \(Quantity.count($0, "item"))…" } ?? "Not read. r: read again, q: quit"
        }
        if itemsRead != nil, change == nil { parts.append("reading again…") }
        let total = index[directory]
        parts.append("Total \(Quantity.bytes(total.total.logical)), \(Quantity.count(total.items, "item"))")
        if rows.count != itemCount { parts.append("\(Quantity.grouped(rows.count)) shown") }
        if !marks.isEmpty {
            let size = targets.reduce(into: ItemSize.zero) { $0 += index[$1].total }
            parts.append("\(Quantity.grouped(marks.count)) marked, \(Quantity.bytes(size.logical))")
        }
        parts.append("backed up \(Quantity.bytes(backedUp))")
        parts.append(findingsText)
        if !index.isComplete { parts.append("\(Quantity.grouped(index.failures.count)) not read") }
        return parts.joined(separator: "; ")
    }

    private var findingsText: String {
        if lintFailure != nil { return "not linted" }
        guard let findings else { return "linting…" }
        let counts = findings.counts(of: ContainerIndex.root)
        let words = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.notes, "note")]
            .filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
        let text = words.isEmpty ? "no findings" : words.joined(separator: ", ")
        return findings.isIncomplete ? text + " (not all linted)" : text
    }

    private static let helpText = "? keys  Enter open  / filter  Space mark  d delete  x exclude  i details  q quit"

    // MARK: - Dialogs

    /// Draws a question, the filter or a long message over the last lines.
    private func drawDialog(_ lines: inout [Line]) {
        var texts: [String] = []
        var keys: String?
        switch mode {
        case .question(let question): (texts, keys) = ([question.text], question.keys)
        case .filter:
            // The end of a long filter is visible.
            let text = ByteText.printable(filter.text)
            var shown = "Filter: \(text)_"
            while Columns.width(shown) > columns, !shown.isEmpty { shown.removeFirst() }
            lines[lines.count - 1] = Line(shown, style: .bold)
            return
        case .items, .details, .help:
            guard let message else { return }
            texts = [message.text]
        }
        var wrapped = texts.flatMap { wrap($0) }
        let room = lines.count - (keys == nil ? 0 : 1)
        if wrapped.count > room { wrapped = Array(wrapped.prefix(max(0, room))) }
        let start = room - wrapped.count
        let isError = message?.isError ?? false
        for (offset, text) in wrapped.enumerated() {
            lines[start + offset] = Line(text, style: isError ? .error : .bold)
        }
        if let keys { lines[lines.count - 1] = Line(fitted(keys), isReversed: true) }
    }

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
