package import SystemPackage

/// A private directory for data that a run needs for a while, such as the content of an archive.
///
/// Only this user can access it. It is removed when the last reference ends, when the process of a tool ends, and by a
/// signal, also if its items have modes that forbid it.
package final class ScratchFolder: Sendable {
    /// The path of the directory.
    package let path: FilePath
    /// The open directory.
    package let folder: Folder
    private let parent: Folder
    private let name: FilePath

    /// Creates an empty directory.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of its name.
    ///   - directory: The temporary directory.
    /// - Throws: `FileSystemError` if the temporary directory cannot be written.
    package init(named prefix: String, in directory: FilePath) throws(FileSystemError) {
        name = FilePath("\(prefix)-\(String(UInt64.random(in: .min ... .max), radix: 16))")
        path = directory.appending(name.components)
        parent = try Folder(opening: directory)
        try TemporaryFileRegistry.createTree(name, in: parent, permissions: 0o700)
        folder = try parent.openFolder(noFollow: name)
    }

    deinit {
        TemporaryFileRegistry.removeTree(name, in: parent)
        TemporaryFileRegistry.unregister(name, in: parent)
    }
}
