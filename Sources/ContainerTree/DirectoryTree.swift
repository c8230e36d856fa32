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
            folder, directory: TreePosition(root, context: visitor.root(item, directory: root)),
            visitor: TreeWalk(container: container, visitor: visitor))
        guard !Invocation.current.interruption.isRequested else {
            // A signal ends the process, which must not act on a part of the tree.
            Host.waitIfTerminating()
            throw ContainerError(reading: FileSystemError("read", path: container.location, errno: .canceled))
        }
    }

    package func contains(_ path: [UInt8]) -> Bool {
        (try? container.folder.statusIfPresent(FilePath(bytes: path))) != nil
    }

    package func fileSizes(in directory: [UInt8]) -> Set<UInt64> {
        guard let folder = try? container.folder.openFolder(noLinks: FilePath(bytes: directory)) else { return [] }
        let listing = SizeListing()
        Walk(threads: 1).run(folder, directory: (), visitor: listing)
        return listing.sizes.withLock { $0 } ?? []
    }

    package func read(_ names: [[UInt8]], in directory: Directory, _ body: (Item) -> Void) {
        let folder = try? container.folder.openFolder(noLinks: FilePath(bytes: directory.path))
        folder?.read(names, carryingAttributes: container.keepsAttributes) { body(Item($0)) }
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

/// The walk of a directory tree.
private struct TreeWalk<Visitor: TreeVisitor>: WalkVisitor {
    let container: Container
    let visitor: Visitor

    typealias Position = TreePosition<Visitor.Context>

    func begin(_ position: Position) -> Visitor.Accumulator {
        visitor.begin(position.directory, context: position.context)
    }

    func visit(
        _ entries: WalkEntries, in position: Position, into accumulator: inout Visitor.Accumulator
    ) -> [Subdirectory<Position>] {
        visitor.visit(
            DirectoryItems(entries, in: position.directory, of: container), context: position.context,
            into: &accumulator)
    }

    func end(_ position: Position, accumulator: Visitor.Accumulator) {
        visitor.end(position.directory, context: position.context, accumulator: accumulator)
    }

    func failed(_ failure: WalkFailure) { visitor.failed(failure) }
}

/// A visit of one directory that gathers the sizes of its files.
private final class SizeListing: WalkVisitor {
    /// The sizes; nil if there are too many.
    let sizes = LockedValue<Set<UInt64>?>([])
    private static let most = 10_000

    func begin(_ directory: Void) {}
    func visit(_ entries: WalkEntries, in directory: Void, into accumulator: inout Void) -> [Subdirectory<Void>] {
        sizes.withLock { sizes in
            for index in 0..<entries.count where entries[index].status.isFile {
                sizes?.insert(entries[index].status.size)
            }
            if sizes?.count ?? 0 > Self.most { sizes = nil }
        }
        return []
    }
    func end(_ directory: Void, accumulator: Void) {}
    func failed(_ failure: WalkFailure) {}
}
