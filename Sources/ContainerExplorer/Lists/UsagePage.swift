internal import AppContainer
package import ContainerTree
internal import FileSystem
internal import HTMLReports
internal import TextOutput

/// The sizes of items as a page with a map, for `du --html`.
package struct UsagePage {
    private let index: ContainerIndex
    private let roots: [Int]
    /// The number of items in the table of the largest.
    private static let mostLargest = 50

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - roots: The numbers of the items to show, with everything below them.
    ///   - index: The index of the items.
    package init(of roots: [Int], in index: ContainerIndex) {
        self.index = index
        // An item below another one is shown with it.
        var tops: [Int] = []
        for root in Set(roots).sorted() where tops.last.map({ !index.subtree(of: $0).contains(root) }) ?? true {
            tops.append(root)
        }
        self.roots = tops
    }

    /// Writes the page, piece by piece. `tool` is the name of the tool with its version.
    package func write(tool: String, to output: @escaping (String) -> Void) {
        let map = map.limited(to: HTMLPage.mostItems)
        let total = map.root.sums.total
        let name = index.container.bundleIdentifier ?? "Container"
        let top = roots.count == 1 ? ByteText.escaped(index.path(of: roots[0])) : ""
        var page = HTMLPage(
            tool: tool, title: top.isEmpty ? name : "\(name): \(top)",
            subtitle: "\(Quantity.count(total.items, "item")), \(Quantity.bytes(total.bytes))")
        page.maps = [.init("Map", map: map)]
        if !index.isComplete {
            page.notices = ["\(Quantity.count(index.failures.count, "item")) could not be read: see the table."]
        }
        page.tables = [largest]
        if !index.isComplete {
            page.tables.append(
                .init(
                    "Not read", columns: [.init("Path"), .init("Reason")],
                    rows: index.failures.map { [ByteText.escaped($0.path), $0.reason] }, atMost: 200))
        }
        page.write(to: output)
    }

    /// The sizes of the items. A file with several hard links counts once.
    private var map: StorageMap {
        let builder = StorageMapBuilder(limit: HTMLPage.mostItems)
        if roots.count == 1, index[roots[0]].kind == .directory {
            addDirectories(of: roots[0], to: builder, below: index.path(of: roots[0]))
            return builder.map()
        }
        // Several items are at their own paths, in the directories above them without other content.
        var shown: [Int: Set<Int>] = [ContainerIndex.root: []]
        for root in roots {
            var item = root
            while let parent = index.parent(of: item) {
                shown[parent, default: []].insert(item)
                item = parent
            }
        }
        for (directory, items) in shown.sorted(by: { $0.key < $1.key }) {
            var contents = builder.contents()
            for item in items.sorted() { add(item, to: &contents) }
            builder.add(contents, at: index.path(of: directory), storage: storageClass(of: directory))
        }
        for root in roots where index[root].kind == .directory { addDirectories(of: root, to: builder, below: []) }
        return builder.map()
    }

    private func addDirectories(of root: Int, to builder: StorageMapBuilder, below base: [UInt8]) {
        for number in index.subtree(of: root) where index[number].kind == .directory {
            var contents = builder.contents()
            for child in index.children(of: number) { add(child, to: &contents) }
            let path = index.path(of: number).dropFirst(base.count).drop { $0 == UInt8(ascii: "/") }
            builder.add(contents, at: Array(path), storage: storageClass(of: number))
        }
    }

    private func add(_ number: Int, to contents: inout StorageMapBuilder.Contents) {
        let item = index[number]
        guard item.kind != .directory else { return contents.addSubdirectory() }
        contents.add(
            index.name(of: number), storage: storageClass(of: number), bytes: item.isRepeatedLink ? 0 : item.own.logical
        )
    }

    private func storageClass(of number: Int) -> StorageClass {
        StorageClass(
            index.decision(for: number), availability: index.availability(of: number), maker: index[number].maker)
    }

    /// The largest files.
    private var largest: HTMLPage.Table {
        let files = roots.flatMap { index.subtree(of: $0) }.filter { index[$0].own.logical > 0 }
        let sorted = files.sorted { left, right in
            let (first, second) = (index[left].own.logical, index[right].own.logical)
            return first == second ? left < right : first > second
        }
        let rows = sorted.prefix(Self.mostLargest).map { number in
            [
                ByteText.escaped(index.path(of: number)), storageClass(of: number).label,
                Quantity.bytes(index[number].own.logical), Quantity.bytes(index[number].own.allocated),
            ]
        }
        return .init(
            "Largest files",
            columns: [
                .init("Path"), .init("Treatment"), .init("Size", isNumber: true), .init("On disk", isNumber: true),
            ], rows: rows)
    }
}
