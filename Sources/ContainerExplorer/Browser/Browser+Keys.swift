internal import ContainerTree
internal import FileSystem
internal import TextOutput

extension Browser {
    /// Changes the state by a key. Returns the work that the key requests, if any.
    package mutating func press(_ key: BrowserKey) -> BrowserRequest? {
        message = nil
        switch mode {
        case .items: return BrowserCommand(key).flatMap { run($0) }
        case .filter: edit(key)
        case .details(let line): turn(key, from: line, closing: .details) { .details(from: $0) }
        case .help(let line): turn(key, from: line, closing: .help) { .help(from: $0) }
        case .question(let question): return answer(question, key: key)
        }
        return nil
    }

    private mutating func run(_ command: BrowserCommand) -> BrowserRequest? {
        let page = max(1, layout.rows.count - 1)
        switch command {
        case .previous: select(selection - 1)
        case .next: select(selection + 1)
        case .pageUp: select(selection - page)
        case .pageDown: select(selection + page)
        case .first: select(0)
        case .last: select(rows.count - 1)
        case .open: open()
        case .leave: leave()
        case .sortByName: sort(by: .name)
        case .sortBySize: sort(by: .size)
        case .sortByItems: sort(by: .items)
        case .sortByDate: sort(by: .date)
        case .filter: mode = index == nil ? .items : .filter
        case .clear: clear()
        case .mark: mark()
        case .delete: delete()
        case .exclude: return exclude()
        case .details: if selected != nil { mode = .details(from: 0) }
        case .help: mode = .help(from: 0)
        case .refresh: return .refresh
        case .redraw: return .redraw
        case .quit: return .quit
        }
        return nil
    }

    private mutating func select(_ position: Int) {
        selection = position
        scroll()
    }

    private mutating func open() {
        guard let index, let item = selected else { return }
        guard index[item].kind == .directory else {
            mode = .details(from: 0)
            return
        }
        (directory, selection, firstRow, filter) = (item, 0, 0, BrowserFilter(""))
        list()
    }

    private mutating func leave() {
        guard let index, let parent = index.parent(of: directory) else { return }
        let old = directory
        (directory, filter) = (parent, BrowserFilter(""))
        list(selecting: old)
    }

    private mutating func sort(by property: BrowserOrder.Property) {
        order.select(property)
        list(selecting: selected)
    }

    private mutating func clear() {
        if !filter.text.isEmpty {
            filter = BrowserFilter("")
            list(selecting: selected)
        } else {
            marks = []
        }
    }

    private mutating func mark() {
        guard let item = selected else { return }
        if marks.remove(item) == nil { marks.insert(item) }
        select(selection + 1)
    }

    // MARK: - Filter and pages

    private mutating func edit(_ key: BrowserKey) {
        switch key {
        case .enter:
            mode = .items
            return
        case .escape:
            mode = .items
            filter = BrowserFilter("")
        case .backspace: filter = BrowserFilter(String(filter.text.dropLast()))
        case .up, .down, .pageUp, .pageDown, .home, .end:
            mode = .items
            _ = press(key)
            return
        case .character(let character) where character.value >= 0x20 && filter.text.utf8.count < 255:
            filter = BrowserFilter(filter.text + String(character))
        default: return
        }
        list(selecting: selected)
    }

    /// Scrolls a page of text, or closes it.
    private mutating func turn(
        _ key: BrowserKey, from line: Int, closing command: BrowserCommand, _ make: (Int) -> Mode
    ) {
        let last = max(0, pageText.count - pageHeight)
        switch BrowserCommand(key) {
        case .previous: mode = make(max(0, line - 1))
        case .next: mode = make(min(last, line + 1))
        case .pageUp: mode = make(max(0, line - pageHeight))
        case .pageDown: mode = make(min(last, line + pageHeight))
        case .first: mode = make(0)
        case .last: mode = make(last)
        case .leave, .clear, .quit, .open, command: mode = .items
        default: break
        }
    }
}
