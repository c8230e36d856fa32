internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Synchronization

/// Looks through a tree for files of certain sizes: those that may be copies of what lies in the inbox.
struct CopySearch: TreeVisitor {
    let sizes: Set<UInt64>
    let found = Found()

    /// The paths by size; at most 10,000.
    final class Found: Sendable {
        private let paths = Mutex<[UInt64: [[UInt8]]]>([:])
        private let count = Mutex(0)
        private static let limit = 10_000

        fileprivate func add(_ path: [UInt8], size: UInt64) {
            let isKept = count.withLock { count in
                count += 1
                return count <= Self.limit
            }
            if isKept { paths.withLock { $0[size, default: []].append(path) } }
        }

        var hasTooMany: Bool { count.withLock { $0 > Self.limit } }

        /// All paths by size, in order.
        var all: [UInt64: [[UInt8]]] {
            paths.withLock { $0.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } } }
        }

        func paths(ofSize size: UInt64) -> [[UInt8]] {
            paths.withLock { ($0[size] ?? []).sorted { $0.lexicographicallyPrecedes($1) } }
        }
    }

    func root(_ item: Item, _ directory: Directory) {}
    func begin(_ directory: Directory, _ context: Void) {}

    func visit(_ item: Item, in directory: Directory, _ context: Void, _ accumulator: inout Void) {
        guard item.status.kind == .file, sizes.contains(item.status.size), directory.location != .documentsInbox else {
            return
        }
        found.add(directory.path(of: item), size: item.status.size)
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: Void, _ accumulator: inout Void
    ) {}
    func end(_ directory: Directory, _ context: Void, _ accumulator: Void) {}
    // The first walk has reported it.
    func failed(_ failure: WalkFailure) {}
}
