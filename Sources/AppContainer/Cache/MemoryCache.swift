internal import FileSystem
internal import Foundation

/// The entries of a cache that are also in memory: the most recently used ones up to a number of bytes.
final class MemoryCache: Sendable {
    /// The state of the file whose content is in memory.
    struct Identity: Hashable {
        private let inode: UInt64
        private let size: UInt64
        private let birth: Timestamp?

        init(_ status: FileStatus) { (inode, size, birth) = (status.identity.inode, status.size, status.birth) }
    }

    /// An entry in a list that is sorted by the time of the last use.
    private struct Node {
        let name: String
        var data: Data
        var identity: Identity
        var record: CacheRecord?
        var previous: Int?
        var next: Int?
    }

    private struct State {
        var nodes: [Node] = []
        var positions: [String: Int] = [:]
        var free: [Int] = []
        /// The most and the least recently used entry.
        var first: Int?
        var last: Int?
        var bytes = 0

        mutating func unlink(_ index: Int) {
            let node = nodes[index]
            if let previous = node.previous { nodes[previous].next = node.next } else { first = node.next }
            if let next = node.next { nodes[next].previous = node.previous } else { last = node.previous }
        }

        mutating func linkFirst(_ index: Int) {
            nodes[index].previous = nil
            nodes[index].next = first
            if let first { nodes[first].previous = index } else { last = index }
            first = index
        }

        mutating func remove(_ index: Int) {
            unlink(index)
            bytes -= nodes[index].data.count
            positions[nodes[index].name] = nil
            nodes[index].data = Data()
            free.append(index)
        }
    }

    private let state = LockedValue(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Returns the content of an entry with the identity of its file, and makes it the most recently used one.
    func value(_ name: String) -> (data: Data, identity: Identity, record: CacheRecord?)? {
        guard limit > 0 else { return nil }
        return state.withLock { state in
            guard let index = state.positions[name] else { return nil }
            state.unlink(index)
            state.linkFirst(index)
            let node = state.nodes[index]
            return (node.data, node.identity, node.record)
        }
    }

    func insert(_ name: String, _ data: Data, _ identity: Identity, _ record: CacheRecord?) {
        guard limit > 0 else { return }
        state.withLock { state in
            if let index = state.positions[name] { state.remove(index) }
            guard data.count <= limit else { return }
            let node = Node(name: name, data: data, identity: identity, record: record)
            let index = state.free.popLast() ?? state.nodes.count
            if index == state.nodes.count { state.nodes.append(node) } else { state.nodes[index] = node }
            state.positions[name] = index
            state.linkFirst(index)
            state.bytes += data.count
            while state.bytes > limit, let last = state.last { state.remove(last) }
        }
    }

    func remove(_ name: String) {
        guard limit > 0 else { return }
        state.withLock { state in if let index = state.positions[name] { state.remove(index) } }
    }

    func removeAll() { state.withLock { $0 = State() } }
}
