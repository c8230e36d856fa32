internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// A list of items from any directory, such as those that a search found.
struct BrowserList: Sendable {
    let title: String
    /// The items, in the order in which they were found.
    var items: [Int] = []
    /// The places of a text in items, for the row.
    var places: [Int: [String]] = [:]
    /// True if the search has ended.
    var isComplete = false
}

/// A container on the screen: its items, the directory or the list that is shown, and the marks.
///
/// Items are shown from an index that may be older than the container. After each change the container is read again, and
/// position, filter, list and marks are kept by path.
struct BrowserPane: Sendable {
    /// The path of the container, as given.
    let title: String
    /// True if the container is a copy, whose changes would be lost.
    let isReadOnly: Bool

    /// The items. Nil until the container has been read for the first time.
    var index: ContainerIndex?
    /// The number of the reading that `index` is from.
    private(set) var generation = 0
    /// The container's items during the first reading, with the bytes found in them.
    var firstItems: [BrowserSession.FirstItem] = []
    /// The number of items that the running reading has found. Nil if no reading is running.
    var itemsRead: Int? = 0
    /// The bytes of all items that are backed up.
    var backedUp: UInt64 = 0
    /// The findings. Nil until the linter has run for the first time.
    var findings: BrowserFindings?
    /// The reason why there are no findings.
    var lintFailure: String?
    /// The work on the container that is running, such as “deleting 2 items”.
    var work: String?
    /// The differences to the container of the other pane.
    var differences: BrowserDifferences?

    /// The directory that is shown.
    var directory = ContainerIndex.root
    /// The list that is shown instead of the directory.
    var found: BrowserList?
    /// The shown items, in order.
    var rows: [Int] = []
    /// The number of items of the directory or the list, also those that the filter hides.
    var itemCount = 0
    /// The size of the largest item.
    var largest: UInt64 = 0
    /// The position of the selected row.
    var selection = 0
    /// The position of the first visible row.
    var firstRow = 0
    /// The number of visible rows.
    var height = 1
    var order = BrowserOrder()
    var filter = BrowserFilter("")
    var marks: Set<Int> = []

    init(title: String, isReadOnly: Bool) {
        self.title = ByteText.escaped(Array(title.utf8))
        self.isReadOnly = isReadOnly
    }

    /// The selected item, or nil if no item is shown.
    var selected: Int? { rows.indices.contains(selection) ? rows[selection] : nil }

    /// The path of the selected item, or nil.
    var selectedPath: [UInt8]? { selected.flatMap { index?.path(of: $0) } }

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

    /// The paths of the targets.
    var targetPaths: [[UInt8]] { index.map { index in targets.map { index.path(of: $0) } } ?? [] }

    /// The path of the shown directory. Empty for the container itself.
    var directoryPath: [UInt8] { index?.path(of: directory) ?? [] }

    /// Replaces the items by those of a later reading.
    mutating func install(_ content: BrowserSession.Content) {
        let old = index
        let (shown, current) = (old?.path(of: directory) ?? [], selectedPath)
        let marked = marks.compactMap { old?.path(of: $0) }
        let listed = found.map { list in list.items.map { (old?.path(of: $0) ?? [], list.places[$0]) } }
        (index, generation, backedUp) = (content.index, content.generation, content.backedUp)
        // The findings of an earlier run belong to the items of the old index.
        findings = content.findings
        differences = nil
        var lookup = IndexLookup(content.index)
        directory = lookup.nearest(to: shown)
        if content.index[directory].kind != .directory { directory = ContainerIndex.root }
        marks = Set(marked.compactMap { lookup.number(at: $0) })
        if let listed {
            var (items, places): ([Int], [Int: [String]]) = ([], [:])
            for (path, place) in listed {
                guard let item = lookup.number(at: path) else { continue }
                items.append(item)
                places[item] = place
            }
            found?.items = items
            found?.places = places
        }
        list(selecting: current.flatMap { lookup.number(at: $0) })
    }

    /// Receives findings for the index of a reading.
    mutating func receive(_ findings: BrowserFindings, generation: Int) {
        lintFailure = nil
        guard generation == self.generation else { return }
        self.findings = findings
        if order.property == .findings { list(selecting: selected) }
    }

    // MARK: - Rows

    /// Lists the directory or what was found, and selects an item, or the same position as before.
    mutating func list(selecting item: Int? = nil) {
        guard let index else { return }
        let all = found?.items ?? index.children(of: directory)
        itemCount = all.count
        largest = all.reduce(0) { max($0, index[$1].total.logical) }
        let filtered = filter.text.isEmpty ? all : all.filter { filter.matches(index.name(of: $0)) }
        rows = order.sorted(filtered, in: index, by: findings)
        selection = item.flatMap { rows.firstIndex(of: $0) } ?? selection
        scroll()
    }

    /// Selects an existing row, and scrolls so that it is visible.
    mutating func scroll() {
        selection = max(0, min(selection, rows.count - 1))
        firstRow = max(min(firstRow, selection), selection - height + 1)
        firstRow = max(0, min(firstRow, rows.count - height))
    }

    mutating func select(_ position: Int) {
        selection = position
        scroll()
    }

    /// Shows a directory from its first row.
    mutating func enter(_ directory: Int) {
        (self.directory, found, selection, firstRow, filter) = (directory, nil, 0, 0, BrowserFilter(""))
        list()
    }

    /// Closes the list of found items, or shows the parent directory.
    mutating func leave() {
        guard let index else { return }
        if found != nil {
            (found, filter) = (nil, BrowserFilter(""))
            return list()
        }
        guard let parent = index.parent(of: directory) else { return }
        let old = directory
        (directory, filter) = (parent, BrowserFilter(""))
        list(selecting: old)
    }

    /// Shows an item in its directory.
    mutating func reveal(_ item: Int) {
        guard let index else { return }
        (directory, found, filter) = (index.parent(of: item) ?? ContainerIndex.root, nil, BrowserFilter(""))
        list(selecting: item)
    }

    mutating func sort(by property: BrowserOrder.Property) {
        order.select(property)
        list(selecting: selected)
    }

    /// Removes the filter, or without one the marks.
    mutating func clear() {
        if !filter.text.isEmpty {
            filter = BrowserFilter("")
            list(selecting: selected)
        } else {
            marks = []
        }
    }

    mutating func mark() {
        guard let item = selected else { return }
        if marks.remove(item) == nil { marks.insert(item) }
        select(selection + 1)
    }

    // MARK: - Lists

    /// Shows a list that grows.
    mutating func begin(_ list: BrowserList) {
        (found, selection, firstRow, filter) = (list, 0, 0, BrowserFilter(""))
        self.list()
    }

    /// Adds found items to the list, with the place of each if it has one.
    mutating func add(_ hits: [BrowserSession.Hit]) {
        guard let index, found != nil else { return }
        var lookup = IndexLookup(index)
        var known = Set(found?.items ?? [])
        for hit in hits {
            guard let item = lookup.number(at: hit.path) else { continue }
            if known.insert(item).inserted { found?.items.append(item) }
            if let place = hit.place { found?.places[item, default: []].append(place) }
        }
        list(selecting: selected)
    }
}
