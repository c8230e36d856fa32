internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The files of a container that can name others: gathered by its walk, read after it.
///
/// A store is a database, a property list, JSON, or another file that is no media, archive or code, but not the cache of an SDK.
final class StoreFiles: Sendable {
    /// Stores of one directory.
    private struct Part {
        let directory: Directory
        let context: DirectoryContext
        let names: [[UInt8]]
    }
    private struct Gathered {
        var parts: [Part] = []
        var items = 0
        var stores = 0
    }
    private let gathered = LockedValue(Gathered())
    private let mostItems: Int

    /// More stores are not read.
    static let mostStores = 20_000
    /// A lint reads the stores of a container with at most so many items.
    static let mostItemsOfLint = 100_000
    /// So many names are read by one thread at a time.
    private static let namesOfPart = 64

    /// - Parameter mostItems: The size of the largest container whose stores are gathered.
    init(mostItems: Int) { self.mostItems = mostItems }

    /// True if the container has too many items, so that stores are missing.
    var isCut: Bool { gathered.withLock { $0.items > mostItems } }
    /// True if the container has too many stores, so that some are missing.
    var isFull: Bool { gathered.withLock { $0.stores > Self.mostStores } }

    /// Adds the stores among the items of a directory, or of a part of a large one.
    func add(_ items: [Item], of directory: Directory, _ context: DirectoryContext, run: RunContext) {
        guard mostItems > 0, countsAll(items.count) else { return }
        let stores = items.lazy.filter { Self.isStore($0, context: context, run: run) }
        add(stores.map { Array($0.name) }, of: directory, context)
    }

    /// Adds a file if it is a store.
    func add(_ item: Item, in directory: Directory, context: DirectoryContext, run: RunContext) {
        if Self.isStore(item, context: context, run: run) { add([Array(item.name)], of: directory, context) }
    }

    private func add(_ names: [[UInt8]], of directory: Directory, _ context: DirectoryContext) {
        guard !names.isEmpty else { return }
        gathered.withLock { gathered in
            gathered.stores += names.count
            guard gathered.stores <= Self.mostStores else { return }
            for start in stride(from: 0, to: names.count, by: Self.namesOfPart) {
                let part = Array(names[start..<min(start + Self.namesOfPart, names.count)])
                gathered.parts.append(Part(directory: directory, context: context, names: part))
            }
        }
    }

    /// Counts items. Returns false if there are too many; then nothing is kept.
    private func countsAll(_ items: Int) -> Bool {
        gathered.withLock { gathered in
            gathered.items += items
            guard gathered.items > mostItems else { return gathered.stores <= Self.mostStores }
            gathered.parts = []
            return false
        }
    }

    /// Kinds of files that hold no records of an app.
    private static let others: Set<String> = [
        "picture", "sound", "video", "document", "text", "font", "archive", "code", "model", "derived", "log",
    ]

    /// The system's file about the container, which contains no records of the app.
    private static let metadata = Array(Location.metadata.path.utf8)

    private static func isStore(_ item: Item, context: DirectoryContext, run: RunContext) -> Bool {
        guard item.status.kind == .file, item.status.size >= 4, !item.name.elementsEqual(metadata) else { return false }
        if let vocabulary = run.model?.vocabulary,
            others.contains(vocabulary.kinds[vocabulary.kind(of: item.name)])
        {
            return false
        }
        guard context.isRegistered(item) else { return true }
        return !context.registry.matches(item.name, isDirectory: false).contains { index in
            let entry = run.registry.entries[index]
            return entry.isProof && [.regenerable, .diagnostics].contains(entry.holds)
        }
    }

    /// Calls `body` on several threads with each store that still exists, and `failed` with the path of each other.
    func read(
        in tree: any Tree, _ body: @Sendable (Item, Directory, DirectoryContext) -> Void,
        failed: @Sendable ([UInt8]) -> Void
    ) {
        let parts = gathered.withLock { $0.parts }.sorted {
            $0.directory.path.lexicographicallyPrecedes($1.directory.path)
        }
        let next = LockedValue(0)
        Invocation.current.concurrentPerform(iterations: min(2, parts.count)) { _ in
            while let number = next.withLock({ next -> Int? in
                next += 1
                return next <= parts.count ? next - 1 : nil
            }) {
                let part = parts[number]
                var missing = Set(part.names)
                tree.read(part.names, in: part.directory) { item in
                    missing.remove(Array(item.name))
                    body(item, part.directory, part.context)
                }
                for name in missing { failed(name.withUnsafeBytes { part.directory.path(of: $0) }) }
            }
        }
    }
}

/// A visit of a container that gathers its stores.
struct StoreSearch: ItemVisitor {
    let stores: StoreFiles
    let state: RunState

    func root(_ item: Item, directory: Directory) -> DirectoryContext {
        DirectoryContext(root: item, directory, state: state)
    }
    func begin(_ directory: Directory, context: DirectoryContext) {}
    func end(_ directory: Directory, context: DirectoryContext, accumulator: Void) {}
    // The lint of that container reports it.
    func failed(_ failure: WalkFailure) {}

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: DirectoryContext,
        into accumulator: inout Void
    ) -> DirectoryContext { context.entering(item, directory: subdirectory, state: state) }

    func visit(_ item: Item, in directory: Directory, context: DirectoryContext, into accumulator: inout Void) {
        stores.add(item, in: directory, context: context, run: state.run)
    }
}
