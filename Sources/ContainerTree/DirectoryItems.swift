package import AppContainer
package import FileSystem

/// The items of a directory, or of a part of a large one, in the order of the file system. Valid during the visit.
package struct DirectoryItems {
    package let directory: Directory
    /// True if these are all items of the directory.
    package let isWhole: Bool
    private let container: Container
    private let source: Source

    private enum Source {
        case entries(WalkEntries)
        /// Items that differ from those on disk, and the names of the whole directory.
        case items([Item], byName: [[UInt8]: Int], names: NameList)
    }

    /// Calls a closure with the name and the kind of every item of a directory.
    package typealias NameList = (_ body: (UnsafeRawBufferPointer, FileKind) -> Void) -> Void

    package init(_ entries: WalkEntries, in directory: Directory, of container: Container) {
        (self.directory, self.container, isWhole) = (directory, container, entries.isWhole)
        source = .entries(entries)
    }

    /// Creates the items of a directory that is not as it is on disk.
    package init(
        _ items: [Item], names: @escaping NameList, in directory: Directory, of container: Container, isWhole: Bool
    ) {
        (self.directory, self.container, self.isWhole) = (directory, container, isWhole)
        let numbered = items.enumerated().map { (Array($0.element.name), $0.offset) }
        source = .items(items, byName: Dictionary(numbered) { first, _ in first }, names: names)
    }

    package var count: Int {
        switch source {
        case .entries(let entries): entries.count
        case .items(let items, _, _): items.count
        }
    }

    package subscript(index: Int) -> Item {
        switch source {
        case .entries(let entries): Item(entries[index])
        case .items(let items, _, _): items[index]
        }
    }

    /// Returns the item with a name; nil if it is not among these.
    package func item(named name: [UInt8]) -> Item? {
        switch source {
        case .entries(let entries): entries.index(of: name).map { Item(entries[$0]) }
        case .items(let items, let byName, _): byName[name].map { items[$0] }
        }
    }

    /// Calls a closure with the name and the kind of every item of the directory, also of those in other parts.
    package func forEachName(_ body: (UnsafeRawBufferPointer, FileKind) -> Void) {
        switch source {
        case .entries(let entries): entries.forEachName(body)
        case .items(_, _, let names): names(body)
        }
    }

    /// Returns the directory that an item is.
    package func subdirectory(_ item: Item) -> Directory { directory.subdirectory(item, of: container) }
}
