package import AppContainer
internal import FileSystem
internal import SystemPackage

/// A tree of a directory on disk. The fastest implementation.
package struct DirectoryTree: Tree {
    package let container: Container
    /// The rules of the backup that the decisions are about.
    private let rules: BackupRules

    package init(_ container: Container, rules: BackupRules = BackupRules()) {
        (self.container, self.rules) = (container, rules)
    }

    package func visit<Visitor: TreeVisitor>(_ visitor: Visitor, threads: Int) throws(ContainerError) {
        let folder = container.folder
        let status: FileStatus
        var attributes: [String] = []
        var carriesAttributes = container.keepsAttributes
        do throws(FileSystemError) {
            status = try folder.status("")
            do throws(FileSystemError) {
                attributes = try ExtendedAttributes.list(of: folder.descriptor, path: container.location)
                // A file system without attributes may return an empty list and fail only when one is read.
                if attributes.isEmpty {
                    _ = try ExtendedAttributes.read("none", of: folder.descriptor, path: container.location)
                }
            } catch {
                guard error.errno == .notSupported || error.errno == .notSupportedOnSocket else { throw error }
                carriesAttributes = false
            }
        } catch { throw ContainerError(reading: error) }
        let item = Item(
            WalkEntry(of: folder, status: status, carriesAttributes: carriesAttributes), attributes: attributes)
        let root = Directory.root(item, of: container, by: rules)
        var walk = Walk(threads: threads)
        walk.deviceWithoutAttributes = carriesAttributes ? nil : status.identity.device
        walk.run(
            folder, TreeWalk<Visitor>.Position(directory: root, context: visitor.root(item, root)),
            visitor: TreeWalk(container: container, visitor: visitor))
        guard !Invocation.current.interruption.isRequested else {
            // A signal ends the process, which must not act on a part of the tree.
            Host.waitIfTerminating()
            throw ContainerError(reading: FileSystemError("read", container.location, .canceled))
        }
    }

    package func contains(_ path: [UInt8]) -> Bool {
        (try? container.folder.statusIfPresent(FilePath(bytes: path))) != nil
    }

    package func bytes(of path: [UInt8], count: Int, at offset: UInt64) -> [UInt8]? {
        guard let file = try? container.folder.open(FilePath(bytes: path), followingLinks: false) else { return nil }
        return try? file.read(upTo: count, from: offset)
    }

    package func digest(of path: [UInt8], limit: UInt64, within budget: inout ComparisonBudget) -> Int? {
        guard !budget.isSpent,
            let file = try? container.folder.open(FilePath(bytes: path), followingLinks: false)
        else { return nil }
        return ContentComparison.digest(of: file, limit: limit, within: &budget)
    }
}

/// The walk of a directory tree: makes an item of each entry.
private struct TreeWalk<Visitor: TreeVisitor>: WalkVisitor {
    let container: Container
    let visitor: Visitor

    /// A directory and the visitor's data about it.
    struct Position: Sendable {
        let directory: Directory
        let context: Visitor.Context
    }

    func begin(_ position: Position) -> Visitor.Accumulator { visitor.begin(position.directory, position.context) }

    func visit(_ entry: WalkEntry, in parent: Position, _ accumulator: inout Visitor.Accumulator) -> Position? {
        let item = Item(entry)
        guard entry.status.kind == .directory else {
            visitor.visit(item, in: parent.directory, parent.context, &accumulator)
            return nil
        }
        let directory = parent.directory.subdirectory(item, of: container)
        let context = visitor.enter(item, directory, in: parent.directory, parent.context, &accumulator)
        return Position(directory: directory, context: context)
    }

    func end(_ position: Position, _ accumulator: Visitor.Accumulator) {
        visitor.end(position.directory, position.context, accumulator)
    }

    func failed(_ failure: WalkFailure) { visitor.failed(failure) }
}
