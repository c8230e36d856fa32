internal import FileSystem
public import Foundation
public import SystemPackage

/// The attributes of a file, a directory or a link.
public struct ItemAttributes: Sendable, Hashable {
    /// The kind of an item.
    public enum Kind: Sendable, CaseIterable {
        case file, directory, symbolicLink
        /// A pipe, a socket or a device.
        case special
    }

    /// The kind.
    public let kind: Kind
    /// The bytes of content of a file. 0 for other items; see `usage(of:)` for directories.
    public let size: UInt64
    /// The allocated bytes on disk.
    public let allocatedSize: UInt64
    /// The creation date, if the file system stores it.
    public let created: Date?
    /// The modification date.
    public let modified: Date
    /// The permission bits.
    public let permissions: FilePermissions
    /// The backup exclusion, which may be that of a parent directory.
    public let exclusion: BackupExclusion
}

extension Container {
    /// Returns true if there is an item at this path. A symbolic link is an item, also if its target is missing.
    ///
    /// - Throws: `leavesContainer`, `invalidPath`, `noIdentifier`, `permissionDenied`, `failed`.
    public func exists(_ item: ContainerPath) throws(ContainerError) -> Bool {
        let path = try relative(item)
        do throws(FileSystemError) { return try folder.statusIfPresent(path) != nil } catch {
            // A file in place of a directory on the path.
            if error.errno == .notDirectory { return false }
            throw ContainerError(reading: error)
        }
    }

    /// Returns the attributes of an item. A symbolic link is not followed.
    ///
    /// - Throws: `notFound`, `leavesContainer`, `invalidPath`, `noIdentifier`, `permissionDenied`, `failed`.
    public func attributes(of item: ContainerPath) throws(ContainerError) -> ItemAttributes {
        let path = try relative(item)
        let status: FileStatus
        do throws(FileSystemError) { status = try folder.status(path) } catch { throw ContainerError(reading: error) }
        return ItemAttributes(status, try exclusion(of: item))
    }
}

extension ItemAttributes {
    init(_ status: FileStatus, _ exclusion: BackupExclusion) {
        let kind: Kind =
            switch status.kind {
            case .file: .file
            case .directory: .directory
            case .symbolicLink: .symbolicLink
            default: .special
            }
        self.init(
            kind: kind, size: kind == .file ? status.size : 0, allocatedSize: status.allocated,
            created: status.birth?.date, modified: status.modified.date,
            permissions: FilePermissions(rawValue: CModeT(status.permissions)), exclusion: exclusion)
    }
}
