internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// A search for exclusion marks in a tree.
final class MarkSearch: ItemVisitor {
    private let isFound = AtomicFlag(false)

    /// Returns true if an item of the container has a mark that Apple's backups honor.
    static func hasMarks(_ container: Container) -> Bool {
        let search = MarkSearch()
        try? DirectoryTree(container).visit(search, threads: 2)
        return search.isFound.value
    }

    private func look(at item: Item) { if !item.marks.isEmpty { isFound.set(true) } }

    func root(_ item: Item, directory: Directory) { look(at: item) }
    func begin(_ directory: Directory, context: Void) {}
    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout Void) { look(at: item) }
    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void, into accumulator: inout Void
    ) { look(at: item) }
    func end(_ directory: Directory, context: Void, accumulator: Void) {}
    // The lint reports what cannot be read.
    func failed(_ failure: WalkFailure) {}
}
