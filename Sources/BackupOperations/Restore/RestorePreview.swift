internal import BackupPlan
package import BackupRepository
package import FileSystem
internal import SystemPackage

/// The effect that a restore would have, path by path. A preview changes nothing and reads no content of the
/// repository.
package struct RestorePreview: Sendable {
    /// The effect on one path.
    package enum Change: String, Sendable, CaseIterable {
        /// The item does not exist and would be created.
        case added
        /// The file or link exists and would be replaced.
        case replaced
        /// The directory exists, and its mode, times or attributes would be changed.
        case changed
        /// The item exists, matches the snapshot and would not be changed.
        case same
        /// A file or link exists and would stay, because the snapshot has no later version.
        case kept
        /// The item is not in the snapshot and would be deleted.
        case deleted
        /// Another item exists and would stay. The item is not restored, nor anything below it.
        case inTheWay = "in-the-way"
        /// The rows of the item are damaged.
        case damaged
    }

    /// One item of the snapshot.
    package struct Line: Sendable, Hashable {
        package let change: Change
        package let path: [UInt8]
        package let kind: FileKind
        /// The size of the content of a file.
        package let bytes: UInt64
    }

    /// The items in the order of their paths.
    package internal(set) var lines: [Line] = []

    /// Items of an incomplete snapshot that it lacks, or does not have as they were in the container; sorted by path.
    package internal(set) var missing: [Snapshot.Incident] = []

    /// True if the target would have everything that the container had.
    package var isComplete: Bool { missing.isEmpty && !isDamaged && count(of: .inTheWay) == 0 }
    /// True if the rows of an item are damaged.
    package var isDamaged: Bool { count(of: .damaged) > 0 }

    /// Returns the number of items with an effect.
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

/// A walk through the tree and the existing part of the target.
private struct PreviewWalk {
    private let options: RestoreOptions
    private let comparison: TargetComparison
    private let selection: PathSelection
    private let tree: TreeReader
    private var preview = RestorePreview()

    init(_ options: RestoreOptions) throws(BackupError) {
        self.options = options
        comparison = TargetComparison(
            options.repository, reader: try ObjectReader(options.repository),
            preservesSetIDBits: options.preservesSetIDBits,
            readsContent: options.overwrite != .ifChanged)
        selection = try PathSelection(options)
        tree = TreeReader(options.snapshot, of: options.repository)
    }

    mutating func makePreview() throws(BackupError) -> RestorePreview {
        let container = try tree.container()
        preview.missing = selection.missing
        if try !tree.isSnapshotWhole() { add(.damaged, entry: container, path: []) }
        add(try unlessDamaged { try change(ofTarget: container) }, entry: container, path: [])
        try addItems(of: container, at: [], in: options.target)
        guard options.deletes, !preview.isDamaged, let target = options.target else { return preview }
        for path in try Deletion(options, selection: selection).paths {
            guard let status = try? target.status(FilePath(bytes: path)) else { continue }
            add(.deleted, entry: SnapshotEntry(name: [], status), path: path)
        }
        preview.lines.sort { PathOrder.precedes($0.path, $1.path) }
        return preview
    }

    private func change(ofTarget root: SnapshotEntry) throws -> RestorePreview.Change {
        guard let target = options.target else { return .added }
        let isLeft =
            try !options.setsTarget(selection)
            || comparison.isSame(root, there: target.status(""), name: ".", in: target)
        return isLeft ? .same : .changed
    }

    private mutating func addItems(
        of directory: SnapshotEntry, at path: [UInt8], in folder: Folder?
    ) throws(BackupError) {
        let isWhole = try tree.read(directory.child) { entry throws(BackupError) in
            let inner = Restorer.path(of: entry, in: path)
            guard Restorer.isName(entry.name) else { return add(.damaged, entry: entry, path: inner) }
            let (whole, way) = selection.look(at: inner)
            guard whole || (way && entry.kind == .directory), !selection.omits(inner) else { return }
            try addItem(entry, at: inner, in: folder, isWhole: whole)
        }
        if !isWhole { add(.damaged, entry: directory, path: path) }
    }

    private mutating func addItem(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder?, isWhole: Bool
    ) throws(BackupError) {
        let name = FilePath(bytes: entry.name)
        var found = try unlessDamaged { try change(of: entry, name, in: folder) }
        // The directory only leads to selected paths.
        if found == .changed, !isWhole { found = .same }
        add(found, entry: entry, path: path)
        guard entry.kind == .directory, found != .inTheWay else { return }
        let inner: Folder?
        do { inner = found == .added ? nil : try folder?.openFolder(noFollow: name) } catch { throw BackupError(error) }
        try addItems(of: entry, at: path, in: inner)
    }

    private func change(
        of entry: SnapshotEntry, _ name: FilePath, in folder: Folder?
    ) throws -> RestorePreview.Change {
        guard let folder, let there = try folder.statusIfPresent(name) else { return .added }
        if entry.kind == .directory, there.kind != .directory || options.repository.isRepositoryDirectory(there) {
            return .inTheWay
        }
        if try comparison.isSame(entry, there: there, name: name, in: folder) { return .same }
        if entry.kind == .directory { return .changed }
        if options.overwrite.keeps(there, for: entry) { return .kept }
        return options.overwrite != .never && there.kind != .directory ? .replaced : .inTheWay
    }

    /// Returns the result of `look`, or `damaged` if the rows are damaged.
    private func unlessDamaged(_ look: () throws -> RestorePreview.Change) throws(BackupError)
        -> RestorePreview.Change
    {
        do { return try look() } catch {
            let error = BackupError(error)
            guard error.code == .damaged else { throw error }
            return .damaged
        }
    }

    private mutating func add(_ change: RestorePreview.Change, entry: SnapshotEntry, path: [UInt8]) {
        preview.lines.append(
            RestorePreview.Line(
                change: change, path: path, kind: entry.kind, bytes: entry.kind == .file ? entry.size : 0))
    }
}
