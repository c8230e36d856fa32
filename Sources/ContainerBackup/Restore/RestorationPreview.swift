package import FileSystem
internal import SystemPackage

/// What a restoration would do, path by path; it changes nothing, and reads no content of the store's.
package struct RestorationPreview: Sendable {
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

extension Restoration {
    /// What `run` would do with what is in the target now.
    ///
    /// - Throws: As `run` does.
    package func preview() throws(BackupError) -> RestorationPreview {
        var walk = try PreviewWalk(self)
        return try walk.lines()
    }
}

/// The way down the tree, beside the target as far as that goes.
private struct PreviewWalk {
    private let restoration: Restoration
    private let comparison: TargetComparison
    private let wanted: WantedPaths
    private var preview = RestorationPreview()

    init(_ restoration: Restoration) throws(BackupError) {
        self.restoration = restoration
        comparison = TargetComparison(restoration.store, try ObjectReader(restoration.store))
        wanted = try WantedPaths(restoration)
    }

    mutating func lines() throws(BackupError) -> RestorationPreview {
        for root in try restoration.store.entries(of: restoration.snapshot.tree) where root.kind == .directory {
            do {
                add(try change(ofTarget: root), root, [])
                try items(of: root, at: [], in: restoration.target, depth: 0)
            } catch { throw BackupError(error) }
        }
        return preview
    }

    private func change(ofTarget root: SnapshotEntry) throws -> RestorationPreview.Change {
        guard let target = restoration.target else { return .added }
        let isLeft = try !restoration.setsTarget(wanted) || isSame(root, target.status(""), ".", in: target)
        return isLeft ? .same : .changed
    }

    private mutating func items(
        of directory: SnapshotEntry, at path: [UInt8], in folder: Folder?, depth: Int
    ) throws {
        guard let child = directory.child, depth < SnapshotEntry.maximumDepth else {
            return add(.damaged, directory, path)
        }
        let entries: [SnapshotEntry]
        do throws(BackupError) { entries = try restoration.store.entries(of: child) } catch {
            guard error.code == .damaged else { throw error }
            return add(.damaged, directory, path)
        }
        for entry in entries {
            let inner = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
            guard RestorationRun.isName(entry.name) else {
                add(.damaged, entry, inner)
                continue
            }
            let (whole, way) = wanted.look(at: inner)
            guard whole || (way && entry.kind == .directory) else { continue }
            try item(entry, at: inner, in: folder, depth: depth, isWhole: whole)
        }
    }

    private mutating func item(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder?, depth: Int, isWhole: Bool
    ) throws {
        let name = FilePath(bytes: entry.name)
        var change = try change(of: entry, name, in: folder)
        // A directory that only leads to what is wanted.
        if change == .changed, !isWhole { change = .same }
        add(change, entry, path)
        guard entry.kind == .directory, change != .inTheWay else { return }
        let inner = change == .added ? nil : try folder?.folder(noFollow: name)
        try items(of: entry, at: path, in: inner, depth: depth + 1)
    }

    private func change(
        of entry: SnapshotEntry, _ name: FilePath, in folder: Folder?
    ) throws -> RestorationPreview.Change {
        guard let folder, let there = try folder.statusIfPresent(name) else { return .added }
        if entry.kind == .directory, there.kind != .directory { return .inTheWay }
        if try isSame(entry, there, name, in: folder) { return .same }
        if entry.kind == .directory { return .changed }
        return restoration.replacesFiles && there.kind != .directory ? .replaced : .inTheWay
    }

    private func isSame(_ entry: SnapshotEntry, _ there: FileStatus, _ name: FilePath, in folder: Folder) throws -> Bool
    {
        do { return try comparison.isSame(entry, there, name, in: folder) } catch is FileSystemError {
            // What cannot be looked at is not known to be the same.
            return false
        }
    }

    private mutating func add(_ change: RestorationPreview.Change, _ entry: SnapshotEntry, _ path: [UInt8]) {
        preview.lines.append(
            RestorationPreview.Line(
                change: change, path: path, kind: entry.kind, bytes: entry.kind == .file ? entry.size : 0))
    }
}
