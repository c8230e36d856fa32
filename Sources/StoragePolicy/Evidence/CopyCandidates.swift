internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The files outside the inbox that may have the content of a file in it, by their sizes.
final class CopyCandidates: Sendable {
    /// The sizes of the files that are looked for.
    let sizes: Set<UInt64>
    private struct Found {
        var paths: [UInt64: [[UInt8]]] = [:]
        var count = 0
    }
    private let found = LockedValue(Found())
    private static let limit = 10_000

    init(sizes: Set<UInt64>) { self.sizes = sizes }

    /// Creates the candidates for copies of what another app has handed over to a container.
    init(inboxOf tree: some Tree) {
        let inbox = Location.documentsInbox.path
        sizes = tree.container.kind == .application ? tree.fileSizes(in: Array(inbox.utf8)) : []
    }

    /// Adds a file if its size is looked for.
    @inline(__always)
    func add(_ item: Item, _ availability: @autoclosure () -> Availability, in directory: Directory) {
        guard !sizes.isEmpty, item.status.isFile, sizes.contains(item.status.size),
            directory.location != .documentsInbox, availability() != .evicted
        else { return }
        found.withLock { found in
            found.count += 1
            guard found.count <= Self.limit else { return }
            found.paths[item.status.size, default: []].append(directory.path(of: item))
        }
    }

    /// True if there are more than 10,000, so that some were left out.
    var hasTooMany: Bool { found.withLock { $0.count > Self.limit } }

    /// All paths by size, in order.
    var all: [UInt64: [[UInt8]]] {
        found.withLock { $0.paths.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } } }
    }
}

/// A visit of a tree that gathers candidates.
struct CopySearch: ItemVisitor {
    let candidates: CopyCandidates

    func root(_ item: Item, directory: Directory) {}
    func begin(_ directory: Directory, context: Void) {}

    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout Void) {
        candidates.add(item, directory.availability(of: item), in: directory)
    }

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void, into accumulator: inout Void
    ) {}
    func end(_ directory: Directory, context: Void, accumulator: Void) {}
    // The first walk has reported it.
    func failed(_ failure: WalkFailure) {}
}
