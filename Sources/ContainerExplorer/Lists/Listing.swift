internal import AppContainer
package import ContainerTree
internal import FileSystem
package import StoragePolicy
package import TextOutput

/// A list of items with their properties.
package struct Listing: ExplorerOutput {
    /// The order of a list.
    package enum Order: String, CaseIterable, Sendable { case name, size, age }

    private let items: [Int]
    private let index: ContainerIndex
    private let now: Int64
    /// The classes of the items; nil to print none.
    private let classes: ItemClasses?
    /// True to print paths also for items of one directory.
    private let showsPaths: Bool

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - items: The numbers of the items.
    ///   - index: The index of the items.
    ///   - order: The order. Items that are equal in it are ordered by path.
    ///   - isReversed: True to reverse the order.
    ///   - showsPaths: True to print paths also for items of one directory.
    ///   - classes: The classes of the items; nil to print none.
    ///   - now: The date from which ages are computed, in seconds since 1970.
    package init(
        _ items: [Int], of index: ContainerIndex, sortedBy order: Order = .name, isReversed: Bool = false,
        showsPaths: Bool = false, classes: ItemClasses? = nil, now: Int64
    ) {
        (self.classes, self.showsPaths) = (classes, showsPaths)
        let sorted = items.sorted { left, right in
            switch order {
            case .name: break
            case .size:
                let (first, second) = (index[left].total.logical, index[right].total.logical)
                if first != second { return first > second }
            case .age:
                let (first, second) = (index[left].modified, index[right].modified)
                if first != second { return first > second }
            }
            return left < right
        }
        self.items = isReversed ? sorted.reversed() : sorted
        self.index = index
        self.now = now
    }

    /// Returns the items to list for paths: the content of a directory, other items themselves.
    ///
    /// - Parameters:
    ///   - arguments: Paths and patterns. Without any, the content of the container.
    ///   - index: The index.
    ///   - listsDirectories: True to return directories themselves.
    /// - Returns: The numbers of the items.
    /// - Throws: `usage` for a path that leads out of the container, `notFound`.
    package static func items(
        at arguments: [String], in index: ContainerIndex, listsDirectories: Bool
    ) throws(ExplorerError) -> [Int] {
        var items: Set<Int> = []
        for argument in arguments.isEmpty ? [""] : arguments {
            let selection = try index.select(argument)
            if case .item(let number) = selection, !listsDirectories, index[number].kind == .directory {
                items.formUnion(index.children(of: number))
            } else {
                items.formUnion(selection.numbers)
            }
        }
        return items.sorted()
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        var columns: [TextTable.Column] = [
            .init("SIZE", isRightAligned: true), .init("AGE", isRightAligned: true, omission: 2),
            .init("BACKUP", omission: 1), .init("DECIDED BY", omission: 4), .init("POLICY", omission: 3),
            .init("PROVENANCE", omission: 5), .init("NAME"),
        ]
        if classes != nil { columns.insert(.init("CLASS"), at: 2) }
        var table = TextTable(columns)
        let parents = Set(items.map { index.parent(of: $0) })
        for number in items {
            let item = index[number]
            var row = [
                Quantity.bytes(item.total.logical), ItemText.age(of: item.modified, now: now),
                ItemText.backup(index.decision(for: number).state), ItemText.decider(of: number, in: index),
                ItemText.policy(of: index.location(of: number)), item.maker?.rawValue ?? "",
                parents.count == 1 && !showsPaths
                    ? ItemText.name(of: number, in: index) : ItemText.path(of: number, in: index),
            ]
            if let classes { row.insert(classes[index.path(of: number)]?.word ?? "", at: 2) }
            table.add(row)
        }
        if !items.isEmpty { table.write(in: style, to: output) }
    }

    /// Writes the bytes of the paths, each followed by `end`.
    package func writePaths(endingIn end: UInt8, to output: ([UInt8]) -> Void) {
        for number in items { output(index.path(of: number) + [end]) }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("items") { json in
            for number in items {
                json.object { json in
                    json.fields(of: number, in: index, now: now)
                    guard let verdict = classes?[index.path(of: number)] else { return }
                    json.object("class") { verdict.write(to: &$0) }
                }
            }
        }
        json.failures(of: index)
    }
}
