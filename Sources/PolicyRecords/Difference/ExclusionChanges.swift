package import AppContainer
internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import TextOutput

/// Items that two containers have both, and that a flag keeps out of backups in one and not in the other.
///
/// Eight bytes an item are kept of the earlier container: a hash of the path, with its state in the last two bits. What
/// changes with a directory is reported at the directory.
package struct ExclusionChanges: Sendable {
    /// An item that changed by itself, and what in it changed with it.
    package struct Change: Codable, Sendable, Hashable {
        /// Safe to show; empty for the container itself.
        package let path: String
        @Word package private(set) var before: BackupState
        @Word package private(set) var after: BackupState
        /// The number of items that changed in the same way, including the item itself.
        @Count package private(set) var items: Int
        /// The bytes of their content, as they are now.
        package let bytes: UInt64
    }

    /// The first by path.
    package let listed: [Change]
    /// The number of changes that are not listed.
    package let others: Int
    /// True if every item was compared.
    package let isComplete: Bool

    /// The maximum number of listed changes.
    static let most = 1_000
    /// The maximum number of items of the earlier container in memory: 128 MiB.
    static let mostItems = 16 << 20

    /// Compares two containers, each of which is walked once.
    ///
    /// - Throws: `ContainerError` where one of them cannot be read at all.
    package init(
        from before: Container, to after: Container, threads: Int = Host.processorCount, limit: Int = mostItems
    ) throws(ContainerError) {
        let earlier = Earlier(limit: limit)
        try DirectoryTree(before).visit(earlier, threads: threads)
        let states = earlier.states.value.withLock { value in
            defer { value.words = [] }
            return (words: value.words.sorted(), isComplete: value.isComplete)
        }
        let later = Later(words: states.words)
        try DirectoryTree(after).visit(later, threads: threads)
        let changes = later.found.nodes.withLock { $0.sorted { $0.path.lexicographicallyPrecedes($1.path) } }
        listed = changes.prefix(Self.most).map(\.change)
        others = later.found.dropped.withLock { $0 } + max(0, changes.count - Self.most)
        isComplete = states.isComplete && !later.found.hasFailed.value
    }

    /// The states of the earlier container's items.
    private final class States: Sendable {
        struct Value {
            var words: [UInt64] = []
            var isComplete = true
        }
        let value = LockedValue(Value())
    }

    private static func key(_ path: [UInt8]) -> UInt64 {
        // Seeded anew in each process, so that no one can choose names that meet.
        var hasher = Hasher()
        path.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt64(bitPattern: Int64(hasher.finalize())) & ~3
    }

    private static func bits(_ state: BackupState) -> UInt64 {
        switch state {
        case .included: 0
        case .excluded: 1
        case .unknown: 2
        }
    }

    private static func state(_ bits: UInt64) -> BackupState {
        [BackupState.included, .excluded, .unknown][Int(min(bits, 2))]
    }

    private struct Earlier: ItemVisitor {
        let states = States()
        let limit: Int

        func root(_ item: Item, directory: Directory) {
            add([ExclusionChanges.key([]) | ExclusionChanges.bits(directory.exclusion.state)])
        }
        func begin(_ directory: Directory, context: Void) -> [UInt64] { [] }
        func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout [UInt64]) {
            accumulator.append(
                ExclusionChanges.key(directory.path(of: item))
                    | ExclusionChanges.bits(directory.exclusion(stateOf: item)))
        }
        func enter(
            _ item: Item, subdirectory: Directory, in directory: Directory, context: Void,
            into accumulator: inout [UInt64]
        ) {
            accumulator.append(
                ExclusionChanges.key(subdirectory.path) | ExclusionChanges.bits(subdirectory.exclusion.state))
        }
        func end(_ directory: Directory, context: Void, accumulator: [UInt64]) { add(accumulator) }
        func failed(_ failure: WalkFailure) { states.value.withLock { $0.isComplete = false } }

        private func add(_ words: [UInt64]) {
            states.value.withLock { value in
                guard value.words.count + words.count <= limit else {
                    value.isComplete = false
                    return
                }
                value.words += words
            }
        }
    }

    /// A change under way: what lies in a directory is added to it while it is found.
    private final class Node: Sendable {
        let path: [UInt8]
        let before: BackupState
        let after: BackupState
        private let sum = LockedValue((items: 0, bytes: UInt64(0)))

        init(_ path: [UInt8], before: BackupState, _ after: BackupState) {
            (self.path, self.before, self.after) = (path, before, after)
        }

        func add(_ status: FileStatus) {
            sum.withLock { sum in
                sum.items += 1
                sum.bytes += status.isFile ? status.size : 0
            }
        }

        var change: Change {
            let sum = sum.withLock { $0 }
            return Change(
                path: ByteText.escaped(path), before: before, after: after, items: sum.items, bytes: sum.bytes)
        }
    }

    private final class Found: Sendable {
        let nodes = LockedValue<[Node]>([])
        let dropped = LockedValue(0)
        /// True if a part could not be read.
        let hasFailed = AtomicFlag(false)

        func add(_ node: Node) {
            let excess = nodes.withLock { nodes in
                nodes.append(node)
                guard nodes.count > 2 * ExclusionChanges.most else { return 0 }
                // The first ones by path stay, whatever the order of arrival.
                nodes.sort { $0.path.lexicographicallyPrecedes($1.path) }
                let excess = nodes.count - ExclusionChanges.most
                nodes.removeLast(excess)
                return excess
            }
            dropped.withLock { $0 += excess }
        }
    }

    private struct Later: ItemVisitor {
        /// Sorted.
        let words: [UInt64]
        let found = Found()

        func root(_ item: Item, directory: Directory) -> Node? {
            change(of: item, [], state: directory.exclusion.state, above: nil)
        }
        func begin(_ directory: Directory, context above: Node?) {}
        func visit(_ item: Item, in directory: Directory, context above: Node?, into accumulator: inout Void) {
            _ = change(of: item, directory.path(of: item), state: directory.exclusion(stateOf: item), above: above)
        }
        func enter(
            _ item: Item, subdirectory: Directory, in directory: Directory, context above: Node?,
            into accumulator: inout Void
        ) -> Node? { change(of: item, subdirectory.path, state: subdirectory.exclusion.state, above: above) }
        func end(_ directory: Directory, context above: Node?, accumulator: Void) {}
        func failed(_ failure: WalkFailure) { found.hasFailed.set(true) }

        /// Returns the change of an item: that of its directory or its own; nil without a change.
        private func change(
            of item: Item, _ path: [UInt8], state: BackupState, above: Node?
        ) -> Node? {
            guard let old = old(path), old != state else { return nil }
            if let above, above.before == old, above.after == state {
                above.add(item.status)
                return above
            }
            let node = Node(path, before: old, state)
            node.add(item.status)
            found.add(node)
            return node
        }

        private func old(_ path: [UInt8]) -> BackupState? {
            let key = ExclusionChanges.key(path)
            var (low, high) = (0, words.count)
            while low < high {
                let middle = (low + high) / 2
                if words[middle] & ~3 < key { low = middle + 1 } else { high = middle }
            }
            guard low < words.count, words[low] & ~3 == key else { return nil }
            return ExclusionChanges.state(words[low] & 3)
        }
    }
}
