internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import TextOutput

/// The state of the interactive mode, without a terminal: keys and events change it, and it draws a picture.
///
/// Items are shown from an index that may be older than the container. After each change the container is read again, and
/// position, filter and marks are kept by path.
package struct Browser: Sendable {
    /// The part of the screen that receives the keys.
    enum Mode: Sendable, Hashable {
        case items
        case filter
        /// The details of the selected item, or the help, from a line on.
        case details(from: Int)
        case help(from: Int)
        case question(BrowserQuestion)
    }

    /// A text below the items until the next key.
    struct Message: Sendable, Hashable {
        let text: String
        let isError: Bool
    }

    /// The path of the container, as given.
    let title: String
    /// True if the container is a copy, whose changes would be lost.
    let isReadOnly: Bool
    /// The size of the terminal.
    var (columns, lines) = (80, 24)

    /// The items. Nil until the container has been read for the first time.
    var index: ContainerIndex?
    /// The number of the reading that `index` is from.
    private var generation = 0
    /// The names of the container's items during the first reading.
    var firstNames: [String] = []
    /// The number of items that the running reading has found. Nil if no reading is running.
    var itemsRead: Int? = 0
    /// The bytes of all items that are backed up.
    var backedUp: UInt64 = 0
    /// The findings. Nil until the linter has run for the first time.
    var findings: BrowserFindings?
    /// The reason why there are no findings.
    var lintFailure: String?
    /// The change of the container that is running, such as “deleting”.
    var change: String?
    /// True if the browser ends when the running change has ended.
    package var isQuitting = false

    /// The directory that is shown.
    var directory = ContainerIndex.root
    /// The shown items of the directory, in order.
    var rows: [Int] = []
    /// The number of items of the directory, also those that the filter hides.
    var itemCount = 0
    /// The size of the largest item of the directory.
    var largest: UInt64 = 0
    /// The position of the selected row.
    var selection = 0
    /// The position of the first visible row.
    var firstRow = 0
    var order = BrowserOrder()
    var filter = BrowserFilter("")
    var marks: Set<Int> = []
    var mode = Mode.items
    var message: Message?

    /// Creates the browser of a container.
    ///
    /// - Parameters:
    ///   - title: The path of the container, as given.
    ///   - isReadOnly: True if the container cannot be changed.
    package init(title: String, isReadOnly: Bool = false) {
        self.title = ByteText.escaped(Array(title.utf8))
        self.isReadOnly = isReadOnly
    }

    /// The selected item, or nil if no item is shown.
    var selected: Int? { rows.indices.contains(selection) ? rows[selection] : nil }

    /// The marked items, or the selected one, without items in a directory that is one of them. In the order of paths.
    var targets: [Int] {
        guard let index, !marks.isEmpty else { return selected.map { [$0] } ?? [] }
        var targets: [Int] = []
        var end = 0
        for item in marks.sorted() where item >= end {
            targets.append(item)
            end = index.subtree(of: item).upperBound
        }
        return targets
    }

    /// Sets the size of the terminal.
    package mutating func resize(columns: Int, lines: Int) {
        (self.columns, self.lines) = (max(1, columns), max(1, lines))
        scroll()
    }

    /// Receives an event of the session.
    package mutating func receive(_ event: BrowserSession.Event) {
        switch event {
        case .names(let names): firstNames = names
        case .reading(let items): itemsRead = items
        case .read(let content):
            itemsRead = nil
            install(content)
        case .linted(let findings, let generation):
            lintFailure = nil
            if generation == self.generation { self.findings = findings }
        case .notLinted(let reason): lintFailure = reason
        case .notRead(let reason):
            itemsRead = nil
            message = Message(text: reason, isError: true)
        case .changed(let text, let isError):
            change = nil
            message = Message(text: text, isError: isError)
        }
    }

    private mutating func install(_ content: BrowserSession.Content) {
        let old = index
        let (shown, current) = (old?.path(of: directory) ?? [], selected.flatMap { old?.path(of: $0) })
        let marked = marks.compactMap { old?.path(of: $0) }
        (index, generation, backedUp) = (content.index, content.generation, content.backedUp)
        // The findings of an earlier run belong to the items of the old index.
        findings = content.findings
        var lookup = IndexLookup(content.index)
        directory = lookup.nearest(to: shown)
        if content.index[directory].kind != .directory { directory = ContainerIndex.root }
        marks = Set(marked.compactMap { lookup.number(at: $0) })
        list(selecting: current.flatMap { lookup.number(at: $0) })
        if case .details(_) = mode, current != selected.map({ content.index.path(of: $0) }) { mode = .items }
        // The numbers of a question belong to the old index, but its request has paths, so that it stays valid.
    }

    /// Lists the directory, and selects an item, or the same position as before.
    mutating func list(selecting item: Int? = nil) {
        guard let index else { return }
        let all = index.children(of: directory)
        itemCount = all.count
        largest = all.reduce(0) { max($0, index[$1].total.logical) }
        let filtered = filter.text.isEmpty ? all : all.filter { filter.matches(index.name(of: $0)) }
        rows = order.sorted(filtered, in: index)
        selection = item.flatMap { rows.firstIndex(of: $0) } ?? selection
        scroll()
    }

    /// Selects an existing row, and scrolls so that it is visible.
    mutating func scroll() {
        selection = max(0, min(selection, rows.count - 1))
        let height = max(1, layout.rows.count)
        firstRow = max(min(firstRow, selection), selection - height + 1)
        firstRow = max(0, min(firstRow, rows.count - height))
    }

    var layout: BrowserLayout { BrowserLayout(columns: columns, lines: lines) }
}
