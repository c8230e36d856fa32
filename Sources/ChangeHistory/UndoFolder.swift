internal import AppContainer
package import FileSystem
package import SystemPackage

/// The folder beside a container, `<container>.sandboxlint-undo`, with journals of changes and the items that they removed.
///
/// It is on the container's disk, so that removed items can be renamed into it. Inside the container it would be linted,
/// backed up and found by the app. The folder itself is the `ChangeEntry` of the last fix of the linter; the directory
/// `sandboxfm` in it has the entries of the file manager (`UndoHistory`). Each tool reverts only its own entries.
package struct UndoFolder {
    private let parent: Folder
    /// The name beside the container.
    package let name: FilePath

    package init(of container: Folder) throws(FileSystemError) {
        let path = try container.absolutePath()
        guard let last = path.lastComponent else {
            throw FileSystemError("store removed items beside", path: path, errno: .notSupported)
        }
        parent = try Folder(opening: path.removingLastComponent(), calls: container.calls)
        name = FilePath(bytes: FilePath(root: nil, [last]).bytes + Array(DeviceLayout.undoSuffix.utf8))
    }

    /// Opens the folder, if it exists.
    ///
    /// - Throws: `UntrustedUndoFolder` for one that another user owns, or that is open to others.
    package func open() throws -> Folder? {
        guard let status = try parent.statusIfPresent(name) else { return nil }
        guard status.kind == .directory else {
            throw FileSystemError("store removed items in", path: name, errno: .fileExists)
        }
        let folder = try parent.openFolder(noFollow: name)
        // The status is that of the open directory: the name may be another's by now.
        let opened = try folder.status("")
        guard opened.owner.user == Host.user, opened.permissions & 0o077 == 0 else {
            throw UntrustedUndoFolder(name: name, status: opened)
        }
        return folder
    }

    /// Opens or creates the folder.
    package func make() throws -> Folder {
        if let folder = try open() { return folder }
        do throws(FileSystemError) {
            try parent.createDirectory(name, permissions: 0o700)
            try parent.sync()
        } catch {
            // Another process may have created it.
            guard error.errno == .fileExists else { throw error }
        }
        guard let folder = try open() else {
            throw FileSystemError("store removed items in", path: name, errno: .noSuchFileOrDirectory)
        }
        return folder
    }

    /// Removes the folder if it is empty.
    package func removeIfEmpty() throws(FileSystemError) {
        do throws(FileSystemError) {
            try parent.removeEmptyDirectory(name)
            try parent.sync()
        } catch {
            // Another process may have removed it, and content of others stays.
            guard [.directoryNotEmpty, .fileExists, .noSuchFileOrDirectory].contains(error.errno) else { throw error }
        }
    }

    /// Removes the leftovers of a trial of the linter, and the folder if neither a fix nor the file manager needs it.
    package func tidy() throws {
        guard let folder = try open() else { return }
        for name in ["trial", "trial-aside"] as [FilePath] where try folder.statusIfPresent(name) != nil {
            try folder.remove(name)
        }
        let fix = ChangeEntry(folder)
        guard try fix.state() == nil else { return }
        try fix.removeTemporaryFiles()
        if try folder.statusIfPresent("aside") != nil {
            do throws(FileSystemError) { try folder.removeEmptyDirectory("aside") } catch {
                guard error.errno == .directoryNotEmpty else { throw error }
            }
        }
        try removeIfEmpty()
    }
}

/// An undo folder that another user owns or can change. It is not used and not changed.
package struct UntrustedUndoFolder: Error, CustomStringConvertible {
    private let name: FilePath
    private let status: FileStatus

    init(name: FilePath, status: FileStatus) { (self.name, self.status) = (name, status) }

    package var description: String {
        let reason =
            status.owner.user == Host.user
            ? "is open to other users (mode 0\(String(status.permissions, radix: 8)))"
            : "belongs to another user (uid \(status.owner.user))"
        return
            "“\(name.string.printable)” beside the container \(reason), so its content cannot be trusted. Nothing "
            + "was changed. Inspect and remove it, or run the command as its owner with mode 0700."
    }
}
