internal import FileSystem
public import Foundation
internal import SystemPackage

/// A place for a store of Core Data, SwiftData or another engine: a directory that holds its file with all companions
/// (`-wal`, `-shm`, external data), which are moved, backed up and removed as one.
///
///     let place = try container.storeDirectory(named: "Library", isBackedUp: true)
///     open(place.url)
///
/// For SQLite databases, `ContainerDatabases` opens, migrates and copies them while they are in use, also those of another
/// engine (`StoreDirectory.backup(to:waiting:)`).
public struct StoreDirectory: Sendable {
    /// The directory.
    public let directory: ContainerPath
    /// The file of the store.
    public let item: ContainerPath
    /// The URL of the file of the store.
    public let url: URL
    package let container: Container

    fileprivate init(_ container: Container, directory: ContainerPath, item: ContainerPath, url: URL) {
        (self.container, self.directory, self.item, self.url) = (container, directory, item, url)
    }

    /// True if the store exists.
    ///
    /// - Throws: The errors of `Container.exists(_:)`.
    public var exists: Bool { get throws(ContainerError) { try container.exists(item) } }

    /// Copies the store with its companions to a new directory. No one may write to it meanwhile.
    ///
    /// After a crash the copy is complete or missing.
    ///
    /// The modification date of the copy is the current one, so that `removeAll(in:keepingNewest:)` keeps the last
    /// copies.
    ///
    /// - Throws: The errors of `Container.copy(_:to:in:overwrite:)`.
    public func copy(to target: ContainerPath) throws(ContainerError) {
        try container.copy(directory, to: target)
        try container.setDates(of: target, modified: Date())
    }

    /// Replaces the store by a copy of it, such as a restored backup or the result of a migration, which is moved.
    /// Close the store first.
    ///
    /// Both directories are exchanged at once, so that after a crash there is the old store or the new one, with its
    /// own companions. The exclusion, the protection and the mode of the directory remain.
    ///
    /// - Throws: The errors of `Container.replace(_:with:)`.
    public func replace(with copy: ContainerPath) throws(ContainerError) {
        try container.replace(directory, with: copy)
    }

    /// Removes the store with its companions, and leaves an empty directory with its exclusion. Close the store first.
    ///
    /// - Throws: The errors of `Container.removeAll(in:)`.
    public func destroy() throws(ContainerError) { try container.removeAll(in: directory) }
}

extension Container {
    /// Makes the directory of a store in Application Support, with its exclusion and protection, before the engine
    /// creates the first file.
    ///
    /// - Parameters:
    ///   - name: The name of the directory and, with `pathExtension`, of the file.
    ///   - pathExtension: The extension of the file.
    ///   - isBackedUp: False for a store that can be downloaded or computed again, which is excluded from backup.
    ///   - protection: The data protection of the directory, which new files in it inherit on Apple's systems.
    /// - Returns: The place.
    /// - Throws: `invalidPath` for a name that is not a plain one; the errors of `createDirectory` and of changing the
    ///   exclusion.
    public func storeDirectory(
        named name: String, pathExtension: String = "store", isBackedUp: Bool, protection: FileProtection? = nil
    ) throws(ContainerError) -> StoreDirectory {
        guard let component = FilePath.Component(name), component.kind == .regular, !name.hasPrefix(".") else {
            throw ContainerError(
                .invalidPath, FilePath(name.printable),
                "“\(name)” is not the name of a store. Nothing on disk has changed. Use a name without slashes that does not "
                    + "begin with a dot.")
        }
        let directory = ContainerPath.applicationSupport / "Stores" / name
        let item = directory / (pathExtension.isEmpty ? name : "\(name).\(pathExtension)")
        try createDirectory(directory, protection: protection)
        if isBackedUp { try includeInBackup(directory) } else { try excludeFromBackup(directory) }
        return StoreDirectory(self, directory: directory, item: item, url: try url(for: item))
    }
}
