internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Copies a file, a link or a whole directory to a name beneath `target`, with every attribute, mode and
    /// time.
    ///
    /// The copy is made under a staging name, durably, and takes its own name in one step: after a crash it is
    /// there whole or not at all. `Errno.fileExists` if the name is taken.
    package func copy(_ path: FilePath, to newPath: FilePath, in target: Folder) throws(ReplaceError) {
        let (from, to): (Folder, Folder)
        let (oldName, newName): (FilePath, FilePath)
        do throws(FileSystemError) {
            (from, oldName) = try locate(path)
            (to, newName) = try target.locate(newPath)
            if try to.statusIfPresent(newName) != nil { throw FileSystemError("copy to", newPath, .fileExists) }
        } catch { throw ReplaceError(stage: .untouched, cause: error) }

        let staging = FilePath(Replace.stagingPrefix + String(cfs_random(), radix: 16))
        var copy = TreeCopy()
        do throws(FileSystemError) {
            try copy.entry(oldName, of: from, path, as: staging, in: to, newPath, depth: 0)
            let renamed = staging.withPlatformString { old in
                newName.withPlatformString { calls.renameNew(to.descriptor, old, to.descriptor, $0) }
            }
            try succeed(renamed, "put the copy in place as", newPath)
        } catch {
            copy.lock?.release()
            let isLeft = copy.hasBegun && (try? to.remove(staging)) == nil
            let leftover = newPath.removingLastComponent().appending(staging.components)
            throw ReplaceError(stage: isLeft ? .leftover(leftover) : .untouched, cause: error)
        }
        do throws(FileSystemError) { try to.sync() } catch {
            throw ReplaceError(stage: .visible, cause: FileSystemError(error.operation, newPath, error.errno))
        }
    }
}

/// A copy of a file or a directory with all that is in it, as it is made.
private struct TreeCopy {
    /// The copy's own directory, which must not be met among what is copied.
    private var root: (device: UInt64, inode: UInt64)?
    /// Whether anything is on disk.
    private(set) var hasBegun = false
    /// Tells a sweep that the copy's maker is alive.
    private(set) var lock: Lock?

    mutating func entry(
        _ name: FilePath, of source: Folder, _ path: FilePath, as newName: FilePath, in target: Folder,
        _ newPath: FilePath, depth: Int
    ) throws(FileSystemError) {
        let status = try source.status(name)
        switch status.kind {
        case .file: try file(name, of: source, path, as: newName, in: target, newPath)
        case .directory:
            guard depth < 256 else { throw FileSystemError("copy so deep a tree as", path, .tooManyOpenFiles) }
            if let root, root == (status.raw.device, status.raw.inode) {
                throw FileSystemError("copy into itself", newPath, .invalidArgument)
            }
            try folder(name, of: source, path, as: newName, in: target, newPath, depth: depth)
        case .symbolicLink:
            let original = try source.linkTarget(name)
            do throws(FileSystemError) {
                try target.makeLink(newName, to: original)
                hasBegun = true
                try target.setTimes(newName, accessed: status.accessed, modified: status.modified)
            } catch { throw FileSystemError(error.operation, newPath, error.errno) }
        default: throw FileSystemError("copy the special file", path, .invalidArgument)
        }
    }

    private mutating func file(
        _ name: FilePath, of source: Folder, _ path: FilePath, as newName: FilePath, in target: Folder,
        _ newPath: FilePath
    ) throws(FileSystemError) {
        let original = try source.open(name, followingLinks: false)
        let copy: OpenFile
        do throws(FileSystemError) { copy = try target.create(newName, permissions: 0o600) } catch {
            throw FileSystemError(error.operation, newPath, error.errno)
        }
        hasBegun = true
        _ = target.calls.lock(copy.descriptor, true)
        do throws(FileSystemError) {
            try original.copyContent(to: copy)
            try copy.takeMetadata(of: original, times: true)
            try copy.sync()
            try copy.close()
        } catch {
            let isReading = error.path == original.path && error.operation == "read"
            throw FileSystemError(error.operation, isReading ? path : newPath, error.errno)
        }
    }

    private mutating func folder(
        _ name: FilePath, of source: Folder, _ path: FilePath, as newName: FilePath, in target: Folder,
        _ newPath: FilePath, depth: Int
    ) throws(FileSystemError) {
        let original = try source.folder(noFollow: name)
        let made = newName.withPlatformString { target.calls.makeDirectory(target.descriptor, $0, 0o700) }
        try succeed(made, "make the directory", newPath)
        hasBegun = true
        let copy = try target.folder(noFollow: newName)
        let (from, to) = (try original.open("."), try copy.open("."))
        if root == nil {
            let status = try copy.status("").raw
            root = (status.device, status.inode)
            lock = try? Lock(copy, within: .zero)
        }
        // The flag first: what is copied into a flagged directory is never seen without it.
        try to.takeAttributes(of: from)
        for entry in try original.names() {
            let components = entry.components
            try self.entry(
                entry, of: original, path.appending(components), as: entry, in: copy, newPath.appending(components),
                depth: depth + 1)
        }
        do throws(FileSystemError) { try to.takeMetadata(of: from, times: true) } catch {
            throw FileSystemError(error.operation, newPath, error.errno)
        }
        try copy.sync()
    }
}

extension OpenFile {
    /// Writes this file's content to another, a mebibyte at a time.
    package func copyContent(to copy: OpenFile) throws(FileSystemError) {
        var offset: UInt64 = 0
        while true {
            let bytes = try read(upTo: 1 << 20, from: offset)
            if bytes.isEmpty { return }
            try copy.write(bytes)
            offset += UInt64(bytes.count)
        }
    }
}
