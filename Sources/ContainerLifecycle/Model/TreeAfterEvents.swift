package import AppContainer
package import ContainerTree
internal import FileSystem

/// A container as it is after events, seen through another tree that does not change.
///
/// Removed items are not visited. What an app or the system creates after the events is not part of the model, except
/// the directories of a new container, which are shown if the original has them.
package struct TreeAfterEvents<Base: Tree>: Tree {
    private let base: Base
    private let model: EventModel

    package init(_ base: Base, model: EventModel) { (self.base, self.model) = (base, model) }

    package var container: Container { base.container }

    package func visit<Visitor: TreeVisitor>(_ visitor: Visitor, threads: Int) throws(ContainerError) {
        try base.visit(EventFilter(visitor: visitor, model: model, container: container), threads: threads)
    }

    package func contains(_ path: [UInt8]) -> Bool { base.contains(path) && isThere(path) }

    package func digest(of path: [UInt8], limit: UInt64, within budget: inout ComparisonBudget) -> Int? {
        isThere(path) ? base.digest(of: path, limit: limit, within: &budget) : nil
    }

    package func read(_ names: [[UInt8]], in directory: Directory, _ body: (Item) -> Void) {
        // The items that a visit shows are there after the events.
        base.read(names, in: directory) { body(model.item($0, fate: .kept, in: directory, of: container)) }
    }

    package func fileSizes(in directory: [UInt8]) -> Set<UInt64> { base.fileSizes(in: directory) }

    package func bytes(of path: [UInt8], count: Int, at offset: UInt64) -> [UInt8]? {
        isThere(path) ? base.bytes(of: path, count: count, at: offset) : nil
    }

    private func isThere(_ path: [UInt8]) -> Bool {
        model.outcome(ofItemAt: path).map { $0.fate.removal == nil } ?? false
    }
}

/// Passes the items that exist after the events to another visitor.
private struct EventFilter<Visitor: TreeVisitor>: TreeVisitor {
    let visitor: Visitor
    let model: EventModel
    let container: Container

    struct Context: Sendable {
        /// The directory as it is afterwards, and the visitor's data about it. Nil for a removed directory.
        let shown: TreePosition<Visitor.Context>?
    }

    func root(_ item: Item, directory: Directory) -> Context {
        Context(shown: TreePosition(directory, context: visitor.root(item, directory: directory)))
    }

    func begin(_ directory: Directory, context: Context) -> Visitor.Accumulator? {
        context.shown.map { visitor.begin($0.directory, context: $0.context) }
    }

    func visit(
        _ items: DirectoryItems, context: Context, into accumulator: inout Visitor.Accumulator?
    ) -> [Subdirectory<TreePosition<Context>>] {
        let directory = items.directory
        guard let shown = context.shown, var inner = accumulator.take() else {
            return (0..<items.count).compactMap { index in
                let item = items[index]
                guard item.status.kind == .directory else { return nil }
                return Subdirectory(
                    index: index, data: TreePosition(items.subdirectory(item), context: Context(shown: nil)))
            }
        }
        var remaining: [(index: Int, item: Item)] = []
        var subdirectories: [Int: Directory] = [:]
        for index in 0..<items.count {
            let item = items[index]
            let own = item.status.kind == .directory ? items.subdirectory(item) : nil
            subdirectories[index] = own
            let fate = model.fate(of: item, as: own, in: directory)
            if fate.removal == nil {
                remaining.append((index, model.item(item, fate: fate, in: directory, of: container)))
            }
        }
        let isHidden = items.count == 0 ? nil : model.isHidden(items[0].entry, in: directory, of: container)
        let inside = DirectoryItems(
            remaining.map(\.item),
            names: { body in
                items.forEachName { name, kind in
                    if isHidden?(Array(name)) != true { body(name, kind) }
                }
            }, in: shown.directory, of: container, isWhole: items.isWhole)
        var entered: [Int: TreePosition<Visitor.Context>] = [:]
        for found in visitor.visit(inside, context: shown.context, into: &inner) {
            entered[remaining[found.index].index] = found.data
        }
        accumulator = consume inner
        // Also a removed directory is read, so that a failure in it is known.
        return subdirectories.sorted { $0.key < $1.key }.map { index, own in
            Subdirectory(index: index, data: TreePosition(own, context: Context(shown: entered[index])))
        }
    }

    func end(_ directory: Directory, context: Context, accumulator: Visitor.Accumulator?) {
        guard let shown = context.shown, let accumulator else { return }
        visitor.end(shown.directory, context: shown.context, accumulator: accumulator)
    }

    func failed(_ failure: WalkFailure) { visitor.failed(failure) }
}

extension EventModel {
    /// Returns an item as it is after the events: its removed siblings do not exist for it.
    fileprivate func item(_ item: Item, fate: Fate, in directory: Directory, of container: Container) -> Item {
        var entry = item.entry
        if events.contains(where: \.keepsOnlyBackedUpItems) { entry = entry.restored }
        entry = entry.hidingSiblings(where: isHidden(entry, in: directory, of: container))
        if case .recreated = fate { return Item(entry, attributes: []) }
        return Item(entry, attributes: item.attributes)
    }

    /// Returns a test of names: true for a sibling of an entry that the events removed.
    fileprivate func isHidden(
        _ entry: WalkEntry, in directory: Directory, of container: Container
    ) -> ([UInt8]) -> Bool {
        { name in
            guard let status = entry.status(ofSibling: name) else { return false }
            let attributes = entry.attributes(ofSibling: name) ?? []
            return name.withUnsafeBytes { bytes in
                let sibling = Item(WalkEntry(name: bytes, status: status), attributes: attributes)
                let own = status.kind == .directory ? directory.subdirectory(sibling, of: container) : nil
                return fate(of: sibling, as: own, in: directory).removal != nil
            }
        }
    }
}
