internal import FileSystem
public import Foundation
internal import SystemPackage

/// A file for a share sheet, an upload or a preview, which is removed when this object is deallocated.
///
///     let export = try container.temporaryFile(named: "Report.pdf", pdf)
///     share(export.url)
///
/// The file is in a directory of its own in `tmp`, so its name is the one that other apps show. If the process ends
/// before, `sweepLeftovers` removes it; while the process runs, neither that nor `removeAll(in: .temporary)` does.
public final class TemporaryFile: Sendable {
    /// The URL of the file.
    public let url: URL
    private let parent: Folder
    /// The directory of the file.
    fileprivate let folder: Folder
    private let name: FilePath
    /// Shows that the process runs.
    private let lock: Lock?
    private let isRemoved = AtomicFlag(false)

    fileprivate init(url: URL, parent: Folder, folder: Folder, name: FilePath, lock: Lock?) {
        (self.url, self.parent, self.folder, self.name, self.lock) = (url, parent, folder, name, lock)
    }

    deinit { remove() }

    /// Removes the file now. Errors are ignored; `sweepLeftovers` removes what remains.
    public func remove() {
        guard !isRemoved.exchange(true) else { return }
        try? parent.remove(name)
        lock?.release()
    }
}

extension Container {
    /// Writes a temporary file that removes itself.
    ///
    /// - Parameters:
    ///   - name: The name of the file. A title becomes one with `ContainerPath.name(forTitle:extension:)`.
    ///   - bytes: The content.
    ///   - protection: The data protection. Nil for the default.
    /// - Returns: The file, which exists as long as this object.
    /// - Throws: `invalidPath` for a name with a slash or no name; the errors of saving bytes.
    public func temporaryFile(
        named name: String, _ bytes: some ContiguousBytes, protection: FileProtection? = nil
    ) throws(ContainerError) -> TemporaryFile {
        try temporaryFile(named: name, protection: protection) { file throws(FileSystemError) in try file.write(bytes) }
    }

    /// Copies a file of the container to a temporary file with another name.
    ///
    /// - Throws: `notFound`, `notAFile`, and the errors of the call with bytes.
    public func temporaryFile(
        named name: String, copying item: ContainerPath, protection: FileProtection? = nil
    ) throws(ContainerError) -> TemporaryFile {
        let original = try open(item, followingLinks: false)
        return try temporaryFile(named: name, protection: protection) { file throws(FileSystemError) in
            try original.copyContentKeepingHoles(to: file)
        }
    }

    /// Has an export written to a temporary file, by code that needs a URL: an exporter of films or documents.
    ///
    ///     let film = try container.temporaryFile(named: "Film.mp4") { url in try encode(to: url) }
    ///
    /// - Parameters:
    ///   - name: The name of the file or directory.
    ///   - write: Creates the file or directory at the URL, whose directory exists.
    /// - Returns: The file, which exists as long as this object.
    /// - Throws: `invalidPath`, the errors of creating a directory, and those of `write`. Then nothing remains.
    public func temporaryFile(
        named name: String, writing write: (URL) throws -> Void
    ) throws -> TemporaryFile {
        let file = try reserveTemporaryFile(named: name)
        // Deallocation removes what was written before an error.
        try write(file.url)
        return file
    }

    /// Copies a file from outside of the container to a temporary file with another name.
    ///
    /// - Throws: `invalidPath`, `notFound`, `notAFile`, and the errors of the call with bytes.
    public func temporaryFile(
        named name: String, copying url: URL, protection: FileProtection? = nil
    ) throws(ContainerError) -> TemporaryFile {
        let original = try PickedItem(url).open()
        return try temporaryFile(named: name, protection: protection) { file throws(FileSystemError) in
            try original.copyContentKeepingHoles(to: file)
        }
    }

    private func temporaryFile(
        named name: String, protection: FileProtection?, fill: (OpenFile) throws(FileSystemError) -> Void
    ) throws(ContainerError) -> TemporaryFile {
        let reserved = try reserveTemporaryFile(named: name)
        do throws(FileSystemError) {
            let file = try reserved.folder.createFile(FilePath(name), permissions: 0o600)
            if let protection { try file.setProtectionClass(protection.systemClass) }
            try fill(file)
            try file.close()
            return reserved
        } catch {
            let path = FilePath(Location.temporary.path).joined(FilePath(name))
            throw ContainerError(FileSystemError(error.operation, path: path, errno: error.errno))
        }
    }

    /// Makes the directory of a temporary file.
    private func reserveTemporaryFile(named name: String) throws(ContainerError) -> TemporaryFile {
        guard let component = FilePath.Component(name), component.kind == .regular, !name.utf8.contains(0) else {
            throw ContainerError(
                .invalidPath, FilePath(name.printable),
                "“\(name)” is not the name of a file. Nothing on disk has changed. Use a name without slashes, as "
                    + "ContainerPath.name(forTitle:) returns it.")
        }
        let directory = AtomicWrite.stagingName()
        let path = try relative(.temporary).joined(directory)
        do throws(FileSystemError) {
            try folder.createDirectories(try relativeTemporary())
            let parent = try folder.openFolder(noLinks: try relativeTemporary())
            try parent.createDirectory(directory, permissions: 0o700)
            let own = try parent.openFolder(noFollow: directory)
            let lock = try? Lock(own, within: .zero)
            let url = URL(filePath: location.joined(path).joined(FilePath(name)).string, directoryHint: .notDirectory)
            return TemporaryFile(url: url, parent: parent, folder: own, name: directory, lock: lock)
        } catch { throw ContainerError(FileSystemError(error.operation, path: path, errno: error.errno)) }
    }

    private func relativeTemporary() throws(FileSystemError) -> FilePath { FilePath(Location.temporary.path) }
}
