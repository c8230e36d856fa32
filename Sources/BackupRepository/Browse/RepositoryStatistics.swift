internal import BackupPlan
internal import ContainerTree
internal import FileSystem
internal import GRDB
internal import SystemPackage

/// The sizes of a repository and of the apps in it.
package struct RepositoryStatistics: Sendable {
    /// The content of some snapshots.
    package struct Content: Sendable {
        package var snapshots = 0
        /// The number and size of the files of all snapshots, as restored.
        package var files = 0
        package var restored: UInt64 = 0
        /// The size of the same content if each piece is counted once, in bytes.
        package var deduplicated: UInt64 = 0
    }

    /// The content of one app.
    package struct App: Sendable {
        /// Nil for containers without an identifier.
        package let bundleIdentifier: String?
        package let content: Content
    }

    package let total: Content
    /// The apps by identifier.
    package let apps: [App]
    /// The size of the repository on disk: the catalogue and the compressed objects, in bytes.
    package let stored: UInt64

    /// - Throws: `damaged`, `failed`.
    package init(_ snapshots: [Snapshot], in repository: Repository) throws(BackupError) {
        total = try Self.content(snapshots, in: repository)
        var apps: [App] = []
        for (identifier, group) in Dictionary(grouping: snapshots, by: \.bundleIdentifier) {
            apps.append(App(bundleIdentifier: identifier, content: try Self.content(group, in: repository)))
        }
        self.apps = apps.sorted { ($0.bundleIdentifier ?? "") < ($1.bundleIdentifier ?? "") }
        do throws(FileSystemError) { stored = try Self.size(of: repository.folder, depth: 0) } catch {
            throw BackupError(error)
        }
    }

    private static func content(_ snapshots: [Snapshot], in repository: Repository) throws(BackupError) -> Content {
        var content = Content()
        content.snapshots = snapshots.count
        for snapshot in snapshots {
            content.files += snapshot.files
            content.restored.addClamped(snapshot.bytes)
        }
        content.deduplicated = try repository.size(ofContentIn: snapshots)
        return content
    }

    /// The repository is two directories deep.
    private static func size(of folder: Folder, depth: Int) throws(FileSystemError) -> UInt64 {
        var size: UInt64 = 0
        for name in try folder.names() {
            guard let status = try folder.statusIfPresent(name) else { continue }
            if status.kind == .directory, depth < 3 {
                size.addClamped(try Self.size(of: folder.openFolder(noFollow: name), depth: depth + 1))
            } else if status.kind == .file {
                size.addClamped(status.size)
            }
        }
        return size
    }
}

extension Repository {
    /// Returns the size of the content of some snapshots, each object counted once, in bytes.
    fileprivate func size(ofContentIn snapshots: [Snapshot]) throws(BackupError) -> UInt64 {
        try withCatalogue { database in
            // Parts are objects, too; a content in parts is counted by its parts.
            let size = try Int64.fetchOne(
                database,
                sql: """
                    WITH RECURSIVE tree(id) AS (
                        SELECT value FROM json_each(?)
                        UNION SELECT child FROM entry JOIN tree ON entry.directory = tree.id WHERE child IS NOT NULL),
                    content(id) AS (
                        SELECT object FROM entry JOIN tree ON entry.directory = tree.id WHERE object IS NOT NULL),
                    used(id) AS (SELECT id FROM content UNION SELECT part FROM part WHERE object IN content)
                    SELECT sum(size) FROM object WHERE id IN used AND form <> 2
                    """, arguments: ["[" + snapshots.map { "\($0.tree)" }.joined(separator: ",") + "]"])
            return UInt64(clamping: size ?? 0)
        }
    }
}
