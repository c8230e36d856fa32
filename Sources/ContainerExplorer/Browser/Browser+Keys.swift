internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import TextOutput

extension Browser {
    /// Changes the state by a key. Returns the work that the key requests, if any.
    package mutating func press(_ key: BrowserKey) -> BrowserRequest? {
        message = nil
        switch mode {
        case .items:
            if let pointed = point(key) { return pointed.request }
            guard let command = BrowserCommand(key) else {
                message = Message(
                    text:
                        "The key “\(key.isNamed ? key.name : "pressed")” has no command. ? shows the keys, : all commands.",
                    isError: false)
                return nil
            }
            return run(command)
        case .prompt(let prompt): return edit(prompt, key)
        case .menu(let menu): return choose(in: menu, key)
        case .details(let line): turn(key, from: line, closing: .details) { .details(from: $0) }
        case .help(let line):
            if case .character(let digit) = key, let start = helpStart(of: digit) {
                mode = .help(from: start)
            } else {
                turn(key, from: line, closing: .help) { .help(from: $0) }
            }
        case .text(let title, let lines, let line):
            turn(key, from: line, closing: .details) { .text(title: title, lines: lines, from: $0) }
        case .question(let question): return answer(question, key: key)
        case .decision(let question, let lines, let line):
            if let request = answer(question, key: key) { return request }
            guard case .decision = mode else { return nil }
            turn(key, from: line, closing: .details) { .decision(question, lines: lines, from: $0) }
        }
        return nil
    }

    mutating func run(_ command: BrowserCommand) -> BrowserRequest? {
        let page = max(1, pane.height - 1)
        switch command {
        case .previous: pane.select(pane.selection - 1)
        case .next: pane.select(pane.selection + 1)
        case .pageUp: pane.select(pane.selection - page)
        case .pageDown: pane.select(pane.selection + page)
        case .first: pane.select(0)
        case .last: pane.select(pane.rows.count - 1)
        case .open: open()
        case .leave: return leave()
        case .nextFinding: goToFinding(forward: true)
        case .previousFinding: goToFinding(forward: false)
        case .reveal: if let item = pane.selected { pane.reveal(item) }
        case .sortByName: pane.sort(by: .name)
        case .sortBySize: pane.sort(by: .size)
        case .sortByItems: pane.sort(by: .items)
        case .sortByDate: pane.sort(by: .date)
        case .sortByFindings: pane.sort(by: .findings)
        case .filter, .find, .search, .markMatches, .unmarkMatches, .copy, .move, .rename, .makeDirectory, .openPane:
            ask(command)
        case .clear:
            if pane.work != nil { return .cancel }
            pane.clear()
        case .mark: pane.mark()
        case .invertMarks: pane.marks = Set(pane.rows).subtracting(pane.marks)
        case .delete: return delete(forGood: false)
        case .deleteForGood: return delete(forGood: true)
        case .exclude: return exclude()
        case .fix: return planFix()
        case .undo: return isReadyToChange() ? begin(.undo(nil)) : nil
        case .history: return .history
        case .details: if pane.selected != nil { mode = .details(from: 0) }
        case .preview: togglePreview()
        case .mirrorPane: return panes.count == 2 ? .closePane : .openPane(nil)
        case .switchPane: switchPane()
        case .compare: return compare()
        case .palette: mode = .menu(.palette)
        case .help: mode = .help(from: 0)
        case .refresh: return .refresh
        case .redraw: return .redraw
        case .quit: return .quit
        }
        return nil
    }

    // MARK: - Directories

    private mutating func open() {
        guard let index = pane.index, let item = pane.selected else { return }
        guard index[item].kind == .directory else {
            mode = .details(from: 0)
            return
        }
        pane.enter(item)
    }

    /// Closes a list, also one that still grows, or shows the parent directory.
    private mutating func leave() -> BrowserRequest? {
        let isSearching = pane.found.map { !$0.isComplete } ?? false
        pane.leave()
        return isSearching ? .cancel : nil
    }

    /// Shows the next or the previous item with a finding. After the last one follows the first one.
    private mutating func goToFinding(forward: Bool) {
        guard let index = pane.index else { return }
        guard let findings = pane.findings else {
            message = Message(text: pane.lintFailure.map { "Not linted: \($0)" } ?? "Linting…", isError: false)
            return
        }
        let items = findings.items.filter { $0 != ContainerIndex.root && index.parent(of: $0) != nil }
        let current = pane.selected ?? pane.directory
        let next = forward ? items.first { $0 > current } : items.last { $0 < current }
        guard let item = next ?? (forward ? items.first : items.last) else {
            message = Message(text: "The linter has no findings.", isError: false)
            return
        }
        pane.reveal(item)
        if next == nil {
            message = Message(
                text: forward ? "After the last finding: the first one." : "Before the first finding: the last one.",
                isError: false)
        }
    }

    // MARK: - Panes

    private mutating func togglePreview() {
        showsPreview.toggle()
        if showsPreview, !layout.hasPreview {
            showsPreview = false
            message = Message(text: "The terminal is too small for a preview; i shows the details.", isError: false)
        }
        fit()
    }

    private mutating func switchPane() {
        guard panes.count == 2 else {
            message = Message(
                text: "There is one pane. O opens another container beside it, w the same one.", isError: false)
            return
        }
        active = 1 - active
    }

    private mutating func compare() -> BrowserRequest? {
        guard panes.count == 2 else {
            message = Message(
                text: "Two panes can be compared. O opens another container beside this one.", isError: false)
            return nil
        }
        isComparing.toggle()
        if isComparing { return .compare }
        for position in panes.indices { panes[position].differences = nil }
        return nil
    }

    // MARK: - Mouse

    /// An action of the mouse, with the work that it requests.
    private struct Pointed { var request: BrowserRequest? }

    /// Selects by the mouse: a click selects, a click on the selected item opens it, the wheel scrolls. Returns nil for a key.
    private mutating func point(_ key: BrowserKey) -> Pointed? {
        switch key {
        case .click(let column, let line):
            guard activate(at: column), layout.rows.contains(line) else { return Pointed() }
            let position = pane.firstRow + line - layout.rows.lowerBound
            guard pane.rows.indices.contains(position) else { return Pointed() }
            let isSecond = position == pane.selection && lastClick == pane.selectedPath
            pane.select(position)
            lastClick = pane.selectedPath
            return Pointed(request: isSecond ? run(.open) : nil)
        case .wheel(let isUp, let column, _):
            _ = activate(at: column)
            pane.select(pane.selection + (isUp ? -3 : 3))
            return Pointed()
        default: return nil
        }
    }

    /// Makes the pane at a column active. Returns false for the preview.
    private mutating func activate(at column: Int) -> Bool {
        guard let area = areas.first(where: { $0.columns.contains(column) }) else { return false }
        active = area.pane
        return true
    }

    // MARK: - Menus and pages

    private mutating func choose(in menu: BrowserMenu, _ key: BrowserKey) -> BrowserRequest? {
        var menu = menu
        switch key {
        case .escape: mode = .items
        case .enter:
            guard let entry = menu.selected else { return nil }
            mode = .items
            switch entry.action {
            case .command(let command): return run(command)
            case .change(let change): return isReadyToChange() ? begin(change) : nil
            }
        case .up: menu.move(by: -1)
        case .down: menu.move(by: 1)
        case .pageUp: menu.move(by: -pageHeight)
        case .pageDown: menu.move(by: pageHeight)
        case .home: menu.move(by: .min / 2)
        case .end: menu.move(by: .max / 2)
        case .wheel(let isUp, _, _): menu.move(by: isUp ? -3 : 3)
        case .backspace: menu.erase()
        case .character(let character): menu.type(character)
        default: break
        }
        if case .menu = mode { mode = .menu(menu) }
        return nil
    }

    /// Scrolls a page of text, or closes it.
    private mutating func turn(
        _ key: BrowserKey, from line: Int, closing command: BrowserCommand, _ make: (Int) -> Mode
    ) {
        let last = max(0, pageText.count - pageHeight)
        if case .wheel(let isUp, _, _) = key {
            mode = make(max(0, min(last, line + (isUp ? -3 : 3))))
            return
        }
        switch BrowserCommand(key) {
        case .previous: mode = make(max(0, line - 1))
        case .next: mode = make(min(last, line + 1))
        case .pageUp: mode = make(max(0, line - pageHeight))
        case .pageDown: mode = make(min(last, line + pageHeight))
        case .first: mode = make(0)
        case .last: mode = make(last)
        case .leave, .clear, .quit, .open, command: mode = .items
        default:
            message = Message(text: "Up, Down and Page Down scroll, Esc goes back.", isError: false)
        }
    }
}

extension BrowserKey {
    /// True if the name tells the user which key it is.
    fileprivate var isNamed: Bool {
        if case .character(let character) = self { return character.value >= 0x20 && character.value != 0x7f }
        return self != .other
    }
}
