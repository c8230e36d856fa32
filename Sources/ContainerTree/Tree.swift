package import AppContainer
package import FileSystem

/// The receiver of the items of a tree.
///
/// The items of one directory are visited one after the other. Different directories may be visited at the same time,
/// in any order.
package protocol TreeVisitor: Sendable {
    /// The visitor's data about a directory before its items are visited.
    associatedtype Context: Sendable
    /// The data that the visitor collects from the items of a directory.
    associatedtype Accumulator

    /// Visits the container itself, which is the first item.
    func root(_ item: Item, _ directory: Directory) -> Context
    func begin(_ directory: Directory, _ context: Context) -> Accumulator
    /// Visits a file, link or special file.
    func visit(_ item: Item, in directory: Directory, _ context: Context, _ accumulator: inout Accumulator)
    /// Visits a directory before its items.
    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: Context,
        _ accumulator: inout Accumulator
    ) -> Context
    func end(_ directory: Directory, _ context: Context, _ accumulator: Accumulator)
    func failed(_ failure: WalkFailure)
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
    /// Returns at most `count` bytes of a file from `offset`, or nil if the file cannot be read.
    func bytes(of path: [UInt8], count: Int, at offset: UInt64) -> [UInt8]?
    /// Returns true if an item with this path exists.
    func contains(_ path: [UInt8]) -> Bool
}
