package import AppContainer
package import FileSystem

/// The receiver of the directories of a tree.
///
/// A directory is read completely before it is visited, a large one in parts. Different directories may be visited at the
/// same time, in any order.
package protocol TreeVisitor: Sendable {
    /// The visitor's data about a directory before its items are visited.
    associatedtype Context: Sendable
    /// The data that the visitor collects from the parts of a directory.
    associatedtype Accumulator

    /// Visits the container itself, which is the first item.
    func root(_ item: Item, directory: Directory) -> Context
    func begin(_ directory: Directory, context: Context) -> Accumulator
    /// Visits the items of a directory, or of the next part of a large one. Returns its subdirectories in their order.
    func visit(
        _ items: DirectoryItems, context: Context, into accumulator: inout Accumulator
    ) -> [Subdirectory<TreePosition<Context>>]
    func end(_ directory: Directory, context: Context, accumulator: Accumulator)
    func failed(_ failure: WalkFailure)
}

/// A directory of a tree, and the visitor's data about it.
package struct TreePosition<Context: Sendable>: Sendable {
    package let directory: Directory
    package let context: Context

    package init(_ directory: Directory, context: Context) { (self.directory, self.context) = (directory, context) }
}

/// A receiver of single items, which needs no others of their directory.
package protocol ItemVisitor: TreeVisitor {
    /// Visits a file, link or special file.
    func visit(_ item: Item, in directory: Directory, context: Context, into accumulator: inout Accumulator)
    /// Visits a directory before its items.
    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Context,
        into accumulator: inout Accumulator
    ) -> Context
}

extension ItemVisitor {
    package func visit(
        _ items: DirectoryItems, context: Context, into accumulator: inout Accumulator
    ) -> [Subdirectory<TreePosition<Context>>] {
        var subdirectories: [Subdirectory<TreePosition<Context>>] = []
        for index in 0..<items.count {
            let item = items[index]
            guard item.status.kind == .directory else {
                visit(item, in: items.directory, context: context, into: &accumulator)
                continue
            }
            let subdirectory = items.subdirectory(item)
            let own = enter(item, subdirectory: subdirectory, in: items.directory, context: context, into: &accumulator)
            subdirectories.append(Subdirectory(index: index, data: TreePosition(subdirectory, context: own)))
        }
        return subdirectories
    }
}

/// The content of a container, independent of its storage: the seam for inputs other than directories.
package protocol Tree: Sendable {
    /// The container.
    var container: Container { get }
    /// Visits every item once and returns when all have been visited.
    func visit<Visitor: TreeVisitor>(_ visitor: Visitor, threads: Int) throws(ContainerError)
    /// Returns a number that is equal for files of one size with equal content in this process, in any tree, based on the
    /// whole content or its first `limit` bytes. It has 64 bits and a secret of the process, so that no input can choose it
    /// (SipHash). Nil if the file cannot be read or the budget is exhausted.
    func digest(of path: [UInt8], limit: UInt64, within budget: inout ComparisonBudget) -> Int?
    /// Calls `body` with each of some items of a directory that a visit has shown, as it is now, without its attributes.
    /// Omits what cannot be read.
    func read(_ names: [[UInt8]], in directory: Directory, _ body: (Item) -> Void)
    /// Returns at most `count` bytes of a file from `offset`, or nil if the file cannot be read.
    func bytes(of path: [UInt8], count: Int, at offset: UInt64) -> [UInt8]?
    /// Returns the sizes of the files directly in a directory, none if it cannot be read or has too many.
    func fileSizes(in directory: [UInt8]) -> Set<UInt64>
    /// Returns true if an item with this path exists.
    func contains(_ path: [UInt8]) -> Bool
}
