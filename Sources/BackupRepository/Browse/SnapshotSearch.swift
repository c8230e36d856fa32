internal import FileSystem

/// A walk over one or more snapshots, which reads a directory that several of them share only once.
///
/// Every directory is verified by its hash. The walk ends on any catalogue.
package struct SnapshotSearch {
    private let repository: Repository
    private let snapshots: [Snapshot]

    /// A version of an item, and the indexes of the snapshots that contain it.
    private typealias Version = (entry: SnapshotEntry, snapshots: [Int])

    package init(_ snapshots: [Snapshot], in repository: Repository) {
        self.repository = repository
        self.snapshots = snapshots
    }

    /// Calls `body` for each version of each item, in the order of the paths, a directory before its content.
    ///
    /// - Parameters:
    ///   - isEntered: Returns false for a directory whose content is skipped.
    ///   - body: Receives the items.
    ///   - damaged: Receives each damaged directory, whose content is skipped, and the first snapshot that contains it.
    /// - Throws: `damaged` if the entry of the container of a snapshot cannot be read; errors of `body`.
    package func visit(
        entering isEntered: (_ path: [UInt8]) -> Bool = { _ in true },
        _ body: (SnapshotItem) throws(BackupError) -> Void,
        damaged: (_ path: [UInt8], _ snapshot: Snapshot) -> Void = { _, _ in }
    ) throws(BackupError) {
        let readers = snapshots.map { TreeReader($0, of: repository) }
        var roots: [Version] = []
        for index in snapshots.indices { Self.add((try readers[index].container(), [index]), to: &roots) }
        try visit(roots, at: [], readers: readers, isEntered, body, damaged)
    }

    private func visit(
        _ versions: [Version], at path: [UInt8], readers: [TreeReader], _ isEntered: (_ path: [UInt8]) -> Bool,
        _ body: (SnapshotItem) throws(BackupError) -> Void,
        _ damaged: (_ path: [UInt8], _ snapshot: Snapshot) -> Void
    ) throws(BackupError) {
        for version in versions {
            try body(
                SnapshotItem(path: path, entry: version.entry, snapshots: version.snapshots.map { snapshots[$0] }))
        }
        let directories = Self.directories(versions)
        guard !directories.isEmpty, isEntered(path) else { return }
        var names: [[UInt8]: [Version]] = [:]
        for (directory, holders) in directories {
            guard let first = holders.first else { continue }
            // The entries of a damaged directory are not verified, so none is reported.
            var entries: [SnapshotEntry] = []
            guard try readers[first].read(directory, { entries.append($0) }) else {
                damaged(path, snapshots[first])
                continue
            }
            for entry in entries { Self.add((entry, holders), to: &names[entry.name, default: []]) }
        }
        for name in names.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let inner = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
            try visit(names[name] ?? [], at: inner, readers: readers, isEntered, body, damaged)
        }
    }

    /// The contents of directories, each with the snapshots that contain it.
    private static func directories(_ versions: [Version]) -> [(directory: Int64, snapshots: [Int])] {
        var directories: [(directory: Int64, snapshots: [Int])] = []
        for version in versions {
            guard version.entry.kind == .directory, let child = version.entry.child else { continue }
            if let index = directories.firstIndex(where: { $0.directory == child }) {
                directories[index].snapshots += version.snapshots
            } else {
                directories.append((child, version.snapshots))
            }
        }
        return directories
    }

    private static func add(_ version: Version, to versions: inout [Version]) {
        if let index = versions.firstIndex(where: { $0.entry == version.entry }) {
            versions[index].snapshots = (versions[index].snapshots + version.snapshots).sorted()
        } else {
            versions.append(version)
        }
    }
}
