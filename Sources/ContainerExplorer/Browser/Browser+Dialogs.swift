internal import TextOutput

extension Browser {
    /// Draws the entries of a menu.
    func draw(_ menu: BrowserMenu, in layout: BrowserLayout, _ lines: inout [BrowserScreen.Line]) {
        let shown = menu.shown
        let rows = (layout.titleLine == nil ? 0 : 1)..<(layout.helpLine ?? layout.lines)
        let first = max(0, menu.selection - max(1, rows.count) + 1)
        let width = columns < 50 ? 0 : min(24, shown.map { Columns.width($0.key) }.max() ?? 0)
        for (line, position) in zip(rows, shown.indices.dropFirst(first)) {
            let entry = shown[position]
            let sign = position == menu.selection ? "> " : "  "
            let key = width == 0 ? entry.key + ": " : Columns.cut(entry.key, to: width)
            lines[line].add(Columns.cut(sign + key + (width == 0 ? entry.text : ""), to: columns), at: 0)
            if width > 0 {
                lines[line].add(Columns.cut(entry.text, to: max(1, columns - width - 4)), at: width + 4)
            }
            if position == menu.selection { lines[line].reversed = 0..<Int.max }
        }
        if shown.isEmpty, let line = rows.first { lines[line].add(fitted("    (no entry matches)"), at: 0) }
        if let line = layout.helpLine {
            lines[line] = BrowserScreen.Line(fitted("type to narrow  Enter: run  Esc: back"), style: .dim)
        }
    }

    /// Draws a question, a prompt or a message over the last lines.
    func drawDialog(_ lines: inout [BrowserScreen.Line]) {
        var texts: [String] = []
        var keys: String?
        switch mode {
        case .question(let question), .decision(let question, _, _): (texts, keys) = ([question.text], question.keys)
        case .prompt(let prompt):
            if let message, lines.count > 1 {
                lines[lines.count - 2] = BrowserScreen.Line(fitted(message.text), style: .dim)
            }
            lines[lines.count - 1] = BrowserScreen.Line(prompt.line(columns: columns), style: .bold)
            return
        case .items, .details, .help, .menu, .text:
            guard let message else { return }
            texts = [message.text]
        }
        var wrapped = texts.flatMap { wrap($0) }
        let room = lines.count - (keys == nil ? 0 : 1)
        if wrapped.count > room { wrapped = Array(wrapped.prefix(max(0, room))) }
        let start = room - wrapped.count
        let isError = message?.isError ?? false
        for (offset, text) in wrapped.enumerated() {
            lines[start + offset] = BrowserScreen.Line(text, style: isError ? .error : .bold)
        }
        if let keys { lines[lines.count - 1] = BrowserScreen.Line(fitted(keys), isReversed: true) }
    }
}
