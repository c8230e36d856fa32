package import AppContainer
internal import FileSystem
internal import SystemPackage

/// A tree of a directory on disk. The fastest implementation.
package struct DirectoryTree: Tree {
    package let container: Container

    package init(_ container: Container) { self.container = container }

    package func visit<Visitor: TreeVisitor>(_ visitor: Visitor, threads: Int) throws(ContainerError) {
        let folder = container.folder
        let status: FileStatus
        var attributes: [String] = []
        var carriesAttributes = true
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
            name: UnsafeRawBufferPointer(start: nil, count: 0), status: status, attributes: attributes,
            carriesAttributes: carriesAttributes, source: OpenEntry(directory: folder.descriptor, name: nil))
        let root = Directory.root(item, of: container)
        let place = Place(directory: root, context: visitor.root(item, root))
        Walk(threads: threads).run(
            folder, place,
            visitor: Adapter(
                container: container, visitor: visitor,
                barren: carriesAttributes ? nil : status.identity.device))
    }

    package func contains(_ path: [UInt8]) -> Bool {
        (try? container.folder.statusIfPresent(FilePath(bytes: path))) != nil
    }

    package func hasSameContent(_ path: [UInt8], _ other: [UInt8], within budget: inout ComparisonBudget) -> Bool {
        guard !budget.isSpent, let left = try? container.folder.open(FilePath(bytes: path), followingLinks: false),
            let right = try? container.folder.open(FilePath(bytes: other), followingLinks: false)
        else { return false }
        return ContentComparison.isEqual(left, right, within: &budget)
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

    private struct Place<Context: Sendable>: Sendable {
        let directory: Directory
        let context: Context
    }

    /// A visitor that creates items from the entries of a walk.
    private struct Adapter<Visitor: TreeVisitor>: WalkVisitor {
        let container: Container
        let visitor: Visitor
        /// The device that was found to store no attributes.
        let barren: UInt64?

        func begin(_ place: Place<Visitor.Context>) -> Visitor.Tally { visitor.begin(place.directory, place.context) }

        func visit(
            _ entry: WalkEntry, in place: Place<Visitor.Context>, _ tally: inout Visitor.Tally
        ) -> Place<Visitor.Context>? {
            let list = entry.attributeList
            let item = Item(
                name: UnsafeRawBufferPointer(entry.name), status: entry.status,
                attributes: list.isEmpty ? [] : ExtendedAttributes.names(in: list),
                carriesAttributes: entry.carriesAttributes && entry.status.identity.device != barren,
                source: OpenEntry(directory: entry.directory, name: entry.name.baseAddress))
            guard entry.status.kind == .directory else {
                visitor.visit(item, in: place.directory, place.context, &tally)
                return nil
            }
            let directory = place.directory.subdirectory(item, of: container)
            let context = visitor.enter(item, directory, in: place.directory, place.context, &tally)
            return Place(directory: directory, context: context)
        }

        func end(_ place: Place<Visitor.Context>, _ tally: Visitor.Tally) {
            visitor.end(place.directory, place.context, tally)
        }

        func failed(_ failure: WalkFailure) { visitor.failed(failure) }
    }
}

/// An entry of a directory that is open during the visit. An empty name is the directory itself.
private struct OpenEntry: ItemSource {
    let directory: Int32
    let name: UnsafePointer<CChar>?

    func attribute(_ attribute: String) -> [UInt8]? {
        guard let name else { return try? ExtendedAttributes.read(attribute, of: directory, path: "") }
        return try? ExtendedAttributes.read(attribute, in: directory, entry: name, path: "")
    }

    func bytes(_ count: Int, at offset: UInt64) -> [UInt8]? {
        guard let name else { return nil }
        return try? OpenFile.bytes(count, at: offset, of: name, in: directory)
    }

    func linkTarget() -> [UInt8]? {
        guard let name else { return nil }
        return Folder.linkTarget(of: name, in: directory)
    }

    func status(ofSibling name: [UInt8]) -> FileStatus? {
        withName(name) { try? FileStatus(of: $0, in: directory) } ?? nil
    }

    func bytes(_ count: Int, at offset: UInt64, ofSibling name: [UInt8]) -> [UInt8]? {
        withName(name) { try? OpenFile.bytes(count, at: offset, of: $0, in: directory) } ?? nil
    }

    func attributes(ofSibling name: [UInt8]) -> [String]? {
        withName(name) { try? ExtendedAttributes.list(in: directory, entry: $0, path: "") } ?? nil
    }

    /// A single-component name for system calls.
    private func withName<Result>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
        guard !name.isEmpty, !name.contains(0), !name.contains(UInt8(ascii: "/")) else { return nil }
        let text = name.map { CChar(bitPattern: $0) } + [0]
        return text.withUnsafeBufferPointer { $0.baseAddress.map(body) }
    }
}
