internal import FileSystem

/// Builds the map of a container while it is walked, in limited memory.
///
/// Directories may end in any order and on any thread. An item is combined with others as soon as `limit` larger ones are
/// known, so the result is the same in any order.
package final class StorageMapBuilder: Sendable {
    /// The content of one directory.
    package struct Contents: Sendable {
        fileprivate var files: [StorageMap.Node] = []
        fileprivate var rest = StorageSums()
        fileprivate var subdirectories = 0
        private let limit: Int
        /// The smallest size of a file that is listed.
        private var least: UInt64

        fileprivate init(limit: Int, least: UInt64) { (self.limit, self.least) = (limit, max(1, least)) }

        /// Adds a file, link or special file, or a directory that stands for its content.
        package mutating func add(
            _ name: some Sequence<UInt8>, storage: StorageClass, items: Int = 1, bytes: UInt64,
            isWholeDirectory: Bool = false
        ) {
            guard bytes >= least else { return rest.add(storage, items: items, bytes: bytes) }
            files.append(
                StorageMap.Node(
                    name: Array(name), kind: isWholeDirectory ? .wholeDirectory : .item, storage: storage, items: items,
                    bytes: bytes)
            )
            guard files.count >= 2 * limit else { return }
            var sizes = files.map(\.bytes)
            drop(below: StorageMap.leastSize(of: &sizes, limit: limit))
        }

        /// Counts a directory whose content is added separately.
        package mutating func addSubdirectory() { subdirectories += 1 }

        fileprivate mutating func drop(below least: UInt64) {
            self.least = max(self.least, least)
            files.removeAll { file in
                guard file.bytes < self.least else { return false }
                rest.add(file.sums)
                return true
            }
        }
    }

    /// A directory that has been found.
    private final class Branch {
        let name: [UInt8]
        let parent: Branch?
        var storage = StorageClass.unknown
        var files: [StorageMap.Node] = []
        var rest = StorageSums()
        /// The branches below, until they are complete.
        var open: [[UInt8]: Branch] = [:]
        var complete: [StorageMap.Node] = []
        /// The number of subdirectories that have not ended.
        var awaited = 0
        var hasEnded = false

        init(_ name: [UInt8], in parent: Branch?) { (self.name, self.parent) = (name, parent) }

        var isComplete: Bool { hasEnded && awaited <= 0 }

        /// The directory with everything that has been found below it.
        var node: StorageMap.Node {
            StorageMap.Node(
                name: name, storage: storage, children: files + complete + open.values.map(\.node), rest: rest)
        }
    }

    private struct State {
        let root = Branch([], in: nil)
        /// The number of items that are kept.
        var kept = 0
        /// The size below which items are combined.
        var least: UInt64 = 1
        /// The classes that became known after items were added.
        var marks: [StorageMap.Mark] = []
    }

    // Branches are only used under the lock.
    private let state: LockedValue<State>
    private let limit: Int

    /// Creates a builder of a map with at least the `limit` largest items.
    package init(limit: Int) {
        self.limit = limit
        state = LockedValue(State())
    }

    /// Returns a container for the content of a directory.
    package func contents() -> Contents { Contents(limit: limit, least: state.withLock { $0.least }) }

    /// Adds the content of a directory, after all of its items were found.
    ///
    /// - Parameters:
    ///   - contents: The content.
    ///   - path: The path of the directory. Empty for the container itself.
    ///   - storage: The class of the directory itself.
    package func add(_ contents: Contents, at path: [UInt8], storage: StorageClass) {
        var contents = contents
        state.withLock { state in
            contents.drop(below: state.least)
            let names = path.split(separator: UInt8(ascii: "/"))
            var branch = state.root
            for name in names.prefix(StorageMap.mostLevels) {
                let name = Array(name)
                let next = branch.open[name] ?? Branch(name, in: branch)
                branch.open[name] = next
                branch = next
            }
            let isTooDeep = names.count > StorageMap.mostLevels
            branch.awaited += contents.subdirectories
            if isTooDeep {
                contents.drop(below: .max)
                branch.rest.add(storage, items: 1, bytes: 0)
                branch.awaited -= 1
            } else {
                branch.storage = storage
                branch.hasEnded = true
            }
            branch.files += contents.files
            branch.rest.add(contents.rest)
            state.kept += contents.files.count
            Self.close(branch, state: &state)
            if state.kept > 4 * limit { Self.reduce(&state, to: limit) }
        }
    }

    /// Notes the class of one item, or of several in a directory, which became known after they were added.
    package func add(_ mark: StorageMap.Mark) { state.withLock { $0.marks.append(mark) } }

    /// Returns the map of what was added.
    package func map() -> StorageMap {
        state.withLock { state in
            var map = StorageMap(root: state.root.node)
            map.apply(state.marks)
            return map
        }
    }

    /// Makes complete branches nodes, or parts of the rest of the directory above.
    private static func close(_ branch: Branch, state: inout State) {
        var branch = branch
        while branch.isComplete, let parent = branch.parent {
            let node = branch.node
            parent.open[branch.name] = nil
            if node.bytes >= state.least {
                parent.complete.append(node)
                state.kept += 1
            } else {
                state.kept -= node.listed
                parent.rest.add(node.sumsWithItself)
            }
            parent.awaited -= 1
            branch = parent
        }
    }

    /// Combines the items that are smaller than `limit` others.
    private static func reduce(_ state: inout State, to limit: Int) {
        var sizes: [UInt64] = []
        func collect(_ node: StorageMap.Node) {
            sizes.append(node.bytes)
            node.children.forEach(collect)
        }
        func collect(_ branch: Branch) {
            sizes += branch.files.map(\.bytes)
            branch.complete.forEach(collect)
            branch.open.values.forEach(collect)
        }
        collect(state.root)
        state.least = max(state.least, StorageMap.leastSize(of: &sizes, limit: limit))
        let least = state.least
        func reduce(_ branch: Branch) {
            var children = branch.files + branch.complete
            (branch.files, branch.complete) = ([], [])
            children = children.filter { child in
                guard child.bytes < least else { return true }
                branch.rest.add(child.sumsWithItself)
                return false
            }
            for child in children {
                if child.kind == .directory {
                    branch.complete.append(child.reduced(below: least))
                } else {
                    branch.files.append(child)
                }
            }
            state.kept += branch.files.count + branch.complete.reduce(branch.complete.count) { $0 + $1.listed }
            branch.open.values.forEach(reduce)
        }
        state.kept = 0
        reduce(state.root)
    }
}
