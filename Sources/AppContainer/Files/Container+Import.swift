internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Copies a file or a directory from outside into the container: one that a file picker, a drag or another app
    /// provides.
    ///
    ///     try container.importFile(at: picked, to: .documents / picked.lastPathComponent)
    ///     try container.importFile(at: scan, to: .documents / "scan.pdf", removingOriginal: true)
    ///
    /// Only the content is copied, not the attributes of the other files, such as their backup exclusion. The
    /// provenance of each file is `imported`. After a crash the copy is complete or missing. On Apple's systems, the
    /// security scope of the URL is accessed during the copy. Symbolic links in a directory are copied if they stay in
    /// it.
    ///
    /// - Parameters:
    ///   - url: The URL of the file or directory. A symbolic link in the last component is not followed.
    ///   - target: The path of the copy. Missing parent directories are created.
    ///   - overwrite: The policy for an existing item at `target`. A directory replaces nothing.
    ///   - protection: The data protection of a file, set before its content is written. Nil for that of the directory.
    ///   - removingOriginal: True to remove the original when the copy is complete and on disk. It remains if it has changed
    ///     meanwhile. For files only: a file in a directory could change after it was copied.
    ///   - coordinated: True to coordinate the copy with other processes by `NSFileCoordinator`, which also downloads a file of iCloud
    ///     that is not on this device, and may wait for long. Other systems have no such service; nothing changes there.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Throws: `alreadyExists` if the name is taken, `notFound`, `notAFile` for a link or a special file,
    ///   `leavesContainer` for a link that leads out of the imported directory, `invalidPath` if the URL is not a file
    ///   URL, and the errors of saving bytes. If the original cannot be removed, the error says that the copy is complete.
    public func importFile(
        at url: URL, to target: ContainerPath, overwrite: Overwrite = .never, protection: FileProtection? = nil,
        removingOriginal: Bool = false, coordinated: Bool = false, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let source = try Self.filePath(of: url)
        let scope = SecurityScope(url)
        defer { scope.end() }
        let write = atomicWrite(
            SaveOptions(overwrite: overwrite, provenance: Provenance(.imported), protection: protection),
            source: CodeLocation(fileID: fileID, line: line))
        guard coordinated else {
            return try importItem(at: source, to: target, write, removingOriginal: removingOriginal)
        }
        try scope.coordinating(url, isMove: removingOriginal) { url throws(ContainerError) in
            try importItem(at: Self.filePath(of: url), to: target, write, removingOriginal: removingOriginal)
        }
    }

    private func importItem(
        at source: FilePath, to target: ContainerPath, _ write: AtomicWrite, removingOriginal: Bool
    ) throws(ContainerError) {
        let original: OpenFile
        let status: FileStatus
        let directory: Folder?
        do throws(FileSystemError) {
            // A file picker grants the item, and not its directory.
            original = try OpenFile(opening: source, followingLinks: false)
            status = try original.status()
            guard [.file, .directory].contains(status.kind) else {
                throw FileSystemError("import the special file", path: source, errno: .invalidArgument)
            }
            // Files in a directory can change after they were copied, and would be lost.
            guard !removingOriginal || status.kind == .file else {
                throw FileSystemError("import and remove the directory", path: source, errno: .isDirectory)
            }
            directory = status.kind == .directory ? try Folder(opening: source) : nil
            // It may have been replaced since by a link to another directory.
            if let directory, try directory.status("").identity != status.identity {
                throw FileSystemError("import", path: source, errno: .noSuchFileOrDirectory)
            }
        } catch { throw ContainerError(FileSystemError(error.operation, path: source, errno: error.errno)) }
        let path = directory == nil ? try relativeFile(target) : try relativeItem(target)
        let hasCreated = try createParent(of: path)
        try withPathLock(at: path) { () throws(ContainerError) in
            guard let directory else {
                return try perform(write, at: path, createdDirectories: hasCreated) { file throws(FileSystemError) in
                    try original.copyContentKeepingHoles(to: file)
                }
            }
            do throws(AtomicWriteError) {
                try folder.importDirectory(directory, at: source, to: path, attributes: write.attributes)
            } catch { throw ContainerError(error, createdDirectories: hasCreated) }
        }
        if removingOriginal { try Self.removeOriginal(at: source, status) }
    }

    /// Removes an imported item, unless it has changed since, or another one has its name.
    private static func removeOriginal(at source: FilePath, _ imported: FileStatus) throws(ContainerError) {
        do throws(FileSystemError) {
            let parent = try Folder(opening: source.removingLastComponent())
            guard let name = source.lastComponent.map({ FilePath($0.string) }) else { return }
            let status = try parent.status(name)
            guard status.identity == imported.identity, status.size == imported.size,
                status.changed == imported.changed
            else {
                throw FileSystemError("remove the original, which has changed", path: source, errno: .resourceBusy)
            }
            try parent.remove(name)
        } catch {
            throw ContainerError(
                FileSystemError(error.operation, path: source, errno: error.errno),
                onDisk: "The copy in the container is complete; the original, or a part of it, remains.")
        }
    }
}
