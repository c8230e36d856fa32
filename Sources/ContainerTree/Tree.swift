package import AppContainer
package import FileSystem

/// Who is told what a tree holds.
///
/// The items of one directory come one after the other; different directories may come at the same time, in
/// any order.
package protocol TreeVisitor: Sendable {
    /// What the visitor itself knows of a directory before its items come.
    associatedtype Context: Sendable
    /// What it gathers while they come.
    associatedtype Tally

    /// The container itself: the first item of all.
    func root(_ item: Item, _ directory: Directory) -> Context
    func begin(_ directory: Directory, _ context: Context) -> Tally
    /// A file, link or special file.
    func visit(_ item: Item, in directory: Directory, _ context: Context, _ tally: inout Tally)
    /// A directory, whose own items will come.
    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: Context, _ tally: inout Tally
    ) -> Context
    func end(_ directory: Directory, _ context: Context, _ tally: Tally)
    func failed(_ failure: WalkFailure)
}

/// What a container holds, whatever it is kept in.
package protocol Tree: Sendable {
    /// Whose tree it is.
    var container: Container { get }
    /// Shows every item once to the visitor; returns when all have been shown.
    func visit<Visitor: TreeVisitor>(_ visitor: Visitor, threads: Int) throws(ContainerError)
    /// Returns true if two files, by their paths from the root, have equal content; false where one cannot be read, or
    /// where the budget does not suffice.
    func hasSameContent(_ path: [UInt8], _ other: [UInt8], within budget: inout ComparisonBudget) -> Bool
    /// Returns a number that files of equal content have in common in this process, of the whole content or of its first
    /// `limit` bytes; nil where the file cannot be read, or where the budget does not suffice.
    func digest(of path: [UInt8], limit: UInt64, within budget: inout ComparisonBudget) -> Int?
    /// Returns at most `count` bytes of a file from `offset`; nil where the file cannot be read.
    func bytes(of path: [UInt8], count: Int, at offset: UInt64) -> [UInt8]?
    /// Whether something has this path.
    func contains(_ path: [UInt8]) -> Bool
}

extension Tree {
    /// A tree that has no quicker way tells nothing; files are then compared one with the other.
    package func digest(of path: [UInt8], limit: UInt64, within budget: inout ComparisonBudget) -> Int? { nil }
}
