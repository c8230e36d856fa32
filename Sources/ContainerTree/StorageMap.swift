/// The sizes of a container's items by directory and class. Small items are combined, so that the size of a map is limited.
package struct StorageMap: Sendable {
    /// A directory or another item.
    package struct Node: Sendable {
        /// The kind of an item in a map.
        package enum Kind: Sendable {
            /// A file, link or special file.
            case item
            /// A directory with its content.
            case directory
            /// A directory that stands for its content.
            case wholeDirectory
        }

        /// The name in the directory. Empty for the container itself.
        package fileprivate(set) var name: [UInt8]
        package let kind: Kind
        /// The class of the item itself.
        package fileprivate(set) var storage: StorageClass
        /// The sums of everything below a directory, or of the item itself.
        package fileprivate(set) var sums: StorageSums
        /// The listed content of a directory, the largest first.
        package fileprivate(set) var children: [Node] = []
        /// The content of a directory that is not listed.
        package fileprivate(set) var rest = StorageSums()

        /// The bytes of the item and everything below it.
        package var bytes: UInt64 { sums.total.bytes }

        /// Creates an item without listed content.
        init(name: [UInt8], kind: Kind = .item, storage: StorageClass, items: Int = 1, bytes: UInt64) {
            (self.name, self.kind, self.storage) = (name, kind, storage)
            sums = StorageSums()
            sums.add(storage, items: items, bytes: bytes)
        }

        /// Creates a directory.
        init(name: [UInt8], storage: StorageClass, children: [Node], rest: StorageSums) {
            (self.name, kind, self.storage) = (name, .directory, storage)
            (self.children, self.rest, sums) = (children, rest, rest)
            self.children.sort { left, right in
                let (first, second) = (left.bytes, right.bytes)
                return first == second ? left.name.lexicographicallyPrecedes(right.name) : first > second
            }
            addUp()
        }

        /// The sums of the item and everything below it.
        var sumsWithItself: StorageSums {
            guard kind == .directory else { return sums }
            var sums = sums
            sums.add(storage, items: 1, bytes: 0)
            return sums
        }

        fileprivate mutating func addUp() {
            sums = rest
            for child in children { sums.add(child.sumsWithItself) }
        }

        /// Returns the item with only the content that has at least a size.
        func reduced(below least: UInt64) -> Node {
            guard kind == .directory else { return self }
            var (children, rest) = ([Node](), rest)
            for child in self.children {
                if child.bytes >= least {
                    children.append(child.reduced(below: least))
                } else {
                    rest.add(child.sumsWithItself)
                }
            }
            return Node(name: name, storage: storage, children: children, rest: rest)
        }

        /// The number of listed items below this one.
        package var listed: Int { children.reduce(children.count) { $0 + $1.listed } }

        /// The number of items below this one that are not listed.
        package var omitted: Int { children.reduce(rest.total.items) { $0 + $1.omitted } }
    }

    /// The maximum depth of a listed item.
    static let mostLevels = 100

    /// The container itself, or a directory with the name of each container.
    package private(set) var root: Node

    init(root: Node) { self.root = root }

    /// Creates a map of several containers, each of which becomes a directory with the given name.
    package init(_ maps: [(name: [UInt8], map: StorageMap)]) {
        let roots = maps.map { name, map in
            var root = map.root
            root.name = name
            return root
        }
        root = Node(name: [], storage: .unknown, children: roots, rest: StorageSums())
    }

    /// Returns the map with at most `limit` listed items below the container: the largest. Of items with the same size all
    /// or none are listed, so the result does not depend on the order in which items were found.
    package func limited(to limit: Int) -> StorageMap {
        var sizes: [UInt64] = []
        func collect(_ node: Node) {
            for child in node.children {
                sizes.append(child.bytes)
                collect(child)
            }
        }
        collect(root)
        // An item without content has no area.
        return StorageMap(root: root.reduced(below: max(1, Self.leastSize(of: &sizes, limit: limit))))
    }

    /// Returns the smallest size that at most `limit` of the sizes reach. Sorts the sizes.
    static func leastSize(of sizes: inout [UInt64], limit: Int) -> UInt64 {
        guard sizes.count > limit else { return 0 }
        sizes.sort(by: >)
        let omitted = sizes[limit]
        return omitted == .max ? .max : omitted + 1
    }

    /// Items that are included in backups, and their class, which became known after the map was built.
    package struct Mark: Sendable {
        fileprivate let storage: StorageClass
        fileprivate let names: [[UInt8]]
        fileprivate let items: Int
        fileprivate let bytes: UInt64

        /// Creates a mark.
        ///
        /// - Parameters:
        ///   - storage: `redownloadable`, or `backedUp` for undecided items.
        ///   - path: The path of an item, or of a directory with several.
        ///   - items: The number of items.
        ///   - bytes: The bytes of their content. Of a directory with more, the largest files are marked.
        package init(_ storage: StorageClass, at path: [UInt8], items: Int, bytes: UInt64) {
            (self.storage, self.items, self.bytes) = (storage, items, bytes)
            names = path.split(separator: UInt8(ascii: "/"), maxSplits: StorageMap.mostLevels).map(Array.init)
        }
    }

    /// Changes the class of items that are included in backups.
    package mutating func apply(_ marks: [Mark]) { root.apply(marks[...], at: 0) }
}

extension StorageMap.Node {
    /// Applies marks of this node and of what is below it, whose first `level` names lead here.
    fileprivate mutating func apply(_ marks: ArraySlice<StorageMap.Mark>, at level: Int) {
        guard kind == .directory else {
            for mark in marks where mark.storage.replaces(storage) {
                storage = mark.storage
                sums.mark(mark.storage, items: .max, bytes: .max)
            }
            return
        }
        let listed = Dictionary(children.indices.map { (children[$0].name, $0) }) { first, _ in first }
        var below: [Int: [StorageMap.Mark]] = [:]
        for mark in marks {
            if mark.names.count > level, let index = listed[mark.names[level]] {
                below[index, default: []].append(mark)
            } else {
                apply(mark, toSeveral: mark.names.count <= level)
            }
        }
        for (index, marks) in below { children[index].apply(marks[...], at: level + 1) }
        addUp()
    }

    /// Marks several items of this directory, or one that is not listed.
    private mutating func apply(_ mark: StorageMap.Mark, toSeveral isSeveral: Bool) {
        var (items, bytes) = (mark.items, mark.bytes)
        if isSeveral {
            for index in children.indices where children[index].kind == .item {
                let child = children[index]
                guard mark.storage.replaces(child.storage), child.bytes <= bytes, items > 0 else { continue }
                bytes -= child.bytes
                items -= 1
                children[index].storage = mark.storage
                children[index].sums.mark(mark.storage, items: .max, bytes: .max)
            }
        }
        rest.mark(mark.storage, items: items, bytes: bytes)
    }
}
