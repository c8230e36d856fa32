package import BackupRepository
package import FileSystem
internal import SystemPackage

/// What a restoration would do, path by path; it changes nothing, and reads no content of the store's.
package struct RestorePreview: Sendable {
    /// What would become of what lies at a path.
    package enum Change: String, Sendable, CaseIterable {
        /// Nothing is there, and the item would be made.
        case added
        /// A file or link is there that would be replaced.
        case replaced
        /// A directory is there whose mode, times or attributes would be set.
        case changed
        /// It is there as it was kept, and left alone.
        case same
        /// Something else is there and would stay; the item is not restored, nor what lies below it.
        case inTheWay = "in-the-way"
        /// The catalogue does not say of it what could be restored.
        case damaged
    }

    /// One item of the snapshot.
    package struct Line: Sendable, Hashable {
        package let change: Change
        package let path: [UInt8]
        package let kind: FileKind
        /// Of a file's content.
        package let bytes: UInt64
    }

    /// In the order of the snapshot's paths.
    package internal(set) var lines: [Line] = []

    /// Whether all would be restored.
    package var isComplete: Bool { !lines.contains { $0.change == .inTheWay || $0.change == .damaged } }

    /// How many items would become this.
    package func count(of change: Change) -> Int { lines.count { $0.change == change } }
}

extension RestorePreview {
    /// Compares a snapshot with the current content of the target.
    ///
    /// - Throws: As `Restorer` does.
    package init(_ options: RestoreOptions) throws(BackupError) {
        var walk = try PreviewWalk(options)
        self = try walk.makePreview()
    }
}

/// The way down the tree, beside the target as far as that goes.
private struct PreviewWalk {
    private let options: RestoreOptions
    private let comparison: TargetComparison
    private let selection: PathSelection
    private let tree: TreeReader
    private var preview = RestorePreview()

    init(_ options: RestoreOptions) throws(BackupError) {
        self.options = options
        comparison = TargetComparison(
            options.repository, try ObjectReader(options.repository), preservesSetIDBits: options.preservesSetIDBits)
        selection = try PathSelection(options)
        tree = TreeReader(options.snapshot, of: options.repository)
    }

    mutating func makePreview() throws(BackupError) -> RestorePreview {
        let container = try tree.container()
        if try !tree.isSnapshotWhole() { add(.damaged, container, []) }
        add(try unlessDamaged { try change(ofTarget: container) }, container, [])
        try addItems(of: container, at: [], in: options.target)
        return preview
    }

    private func change(ofTarget root: SnapshotEntry) throws -> RestorePreview.Change {
        guard let target = options.target else { return .added }
        let isLeft =
            try !options.setsTarget(selection) || comparison.isSame(root, target.status(""), ".", in: target)
        return isLeft ? .same : .changed
    }

    private mutating func addItems(
        of directory: SnapshotEntry, at path: [UInt8], in folder: Folder?
    ) throws(BackupError) {
        let isWhole = try tree.read(directory.child) { entry throws(BackupError) in
            let inner = Restorer.path(of: entry, in: path)
            guard Restorer.isName(entry.name) else { return add(.damaged, entry, inner) }
            let (whole, way) = selection.look(at: inner)
            guard whole || (way && entry.kind == .directory) else { return }
            try addItem(entry, at: inner, in: folder, isWhole: whole)
        }
        if !isWhole { add(.damaged, directory, path) }
    }

    private mutating func addItem(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder?, isWhole: Bool
    ) throws(BackupError) {
        let name = FilePath(bytes: entry.name)
        var found = try unlessDamaged { try change(of: entry, name, in: folder) }
        // A directory that only leads to what is wanted.
        if found == .changed, !isWhole { found = .same }
        add(found, entry, path)
        guard entry.kind == .directory, found != .inTheWay else { return }
        let inner: Folder?
        do { inner = found == .added ? nil : try folder?.folder(noFollow: name) } catch { throw BackupError(error) }
        try addItems(of: entry, at: path, in: inner)
    }

    private func change(
        of entry: SnapshotEntry, _ name: FilePath, in folder: Folder?
    ) throws -> RestorePreview.Change {
        guard let folder, let there = try folder.statusIfPresent(name) else { return .added }
        if entry.kind == .directory, there.kind != .directory || options.repository.isRepositoryDirectory(there) {
            return .inTheWay
        }
        if try comparison.isSame(entry, there, name, in: folder) { return .same }
        if entry.kind == .directory { return .changed }
        return options.overwritesFiles && there.kind != .directory ? .replaced : .inTheWay
    }

    /// What `look` says, where the catalogue can be believed.
    private func unlessDamaged(_ look: () throws -> RestorePreview.Change) throws(BackupError)
        -> RestorePreview.Change
    {
        do { return try look() } catch {
            let error = BackupError(error)
            guard error.code == .damaged else { throw error }
            return .damaged
        }
    }

    private mutating func add(_ change: RestorePreview.Change, _ entry: SnapshotEntry, _ path: [UInt8]) {
        preview.lines.append(
            RestorePreview.Line(
                change: change, path: path, kind: entry.kind, bytes: entry.kind == .file ? entry.size : 0))
    }
}
