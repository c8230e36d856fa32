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

    package init(_ base: Base, _ model: EventModel) { (self.base, self.model) = (base, model) }

    package var container: Container { base.container }

    package func visit<Visitor: TreeVisitor>(_ visitor: Visitor, threads: Int) throws(ContainerError) {
        try base.visit(EventFilter(visitor: visitor, model: model, container: container), threads: threads)
    }

    package func contains(_ path: [UInt8]) -> Bool { base.contains(path) && isThere(path) }

    package func digest(of path: [UInt8], limit: UInt64, within budget: inout ComparisonBudget) -> Int? {
        isThere(path) ? base.digest(of: path, limit: limit, within: &budget) : nil
    }

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
        let shown: (directory: Directory, context: Visitor.Context)?
    }

    func root(_ item: Item, _ directory: Directory) -> Context {
        Context(shown: (directory, visitor.root(item, directory)))
    }

    func begin(_ directory: Directory, _ context: Context) -> Visitor.Accumulator? {
        context.shown.map { visitor.begin($0.directory, $0.context) }
    }

    func visit(
        _ item: Item, in directory: Directory, _ context: Context, _ accumulator: inout Visitor.Accumulator?
    ) {
        let fate = model.fate(of: item, in: directory)
        guard let shown = context.shown, fate.removal == nil else { return }
        let item = self.item(item, fate, in: directory)
        if var inner = accumulator.take() {
            visitor.visit(item, in: shown.directory, shown.context, &inner)
            accumulator = consume inner
        }
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: Context,
        _ accumulator: inout Visitor.Accumulator?
    ) -> Context {
        let fate = model.fate(of: item, as: subdirectory, in: directory)
        guard let shown = context.shown, fate.removal == nil else { return Context(shown: nil) }
        let item = self.item(item, fate, in: directory)
        // A recreated directory has no attributes, so its exclusion is computed again.
        let own = shown.directory.subdirectory(item, of: container)
        guard var inner = accumulator.take() else { return Context(shown: nil) }
        let result = visitor.enter(item, own, in: shown.directory, shown.context, &inner)
        accumulator = consume inner
        return Context(shown: (own, result))
    }

    func end(_ directory: Directory, _ context: Context, _ accumulator: Visitor.Accumulator?) {
        guard let shown = context.shown, let accumulator else { return }
        visitor.end(shown.directory, shown.context, accumulator)
    }

    func failed(_ failure: WalkFailure) { visitor.failed(failure) }

    /// Returns an item as it is after the events: its removed siblings do not exist for it.
    private func item(
        _ item: Item, _ fate: EventModel.Fate, in directory: Directory
    ) -> Item {
        var entry = item.entry
        if model.events.contains(where: \.keepsOnlyBackedUpItems) { entry = entry.restored }
        entry = entry.hidingSiblings { [entry, model, container] name in
            guard let status = entry.status(ofSibling: name) else { return false }
            let attributes = entry.attributes(ofSibling: name) ?? []
            return name.withUnsafeBytes { bytes in
                let sibling = Item(WalkEntry(name: bytes, status: status), attributes: attributes)
                let own = status.kind == .directory ? directory.subdirectory(sibling, of: container) : nil
                return model.fate(of: sibling, as: own, in: directory).removal != nil
            }
        }
        if case .recreated = fate { return Item(entry, attributes: []) }
        return Item(entry, attributes: item.attributes)
    }
}
