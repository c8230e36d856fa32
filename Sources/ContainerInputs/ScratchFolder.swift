package import FileSystem
internal import Foundation
package import SystemPackage

/// A private directory for the content of an input that cannot be read in place: a copy from a device, or the content of an
/// archive.
///
/// Only this user can access it. It is in `$TMPDIR` and is removed when the last reference ends, when the tool ends
/// (`runTool`), and by a signal (`SignalHandling`).
package final class ScratchFolder: Sendable {
    /// The path of the directory.
    package let path: FilePath
    /// The open directory.
    package let folder: Folder
    private let parent: Folder
    private let name: FilePath

    /// Creates an empty directory.
    ///
    /// - Throws: `InputError` if the temporary directory cannot be written.
    package init() throws(InputError) {
        let directory = FilePath(FileManager.default.temporaryDirectory.path)
        name = FilePath("sandboxlint-input-\(UUID().uuidString)")
        path = directory.appending(name.components)
        do throws(FileSystemError) {
            parent = try Folder(opening: directory)
            try TemporaryFileRegistry.createTree(name, in: parent, permissions: 0o700)
            folder = try parent.openFolder(noFollow: name)
        } catch {
            throw InputError("\(error)", hint: "Set TMPDIR to a directory that you can write.")
        }
    }

    deinit {
        TemporaryFileRegistry.removeTree(name, in: parent)
        TemporaryFileRegistry.unregister(name, in: parent)
    }
}
