internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Copies a file, a link or a whole directory to a name in a directory that no other process uses, with all attributes,
    /// modes and times, and flushes it to disk. After a failure, a part of the copy may remain.
    package func copy(
        _ path: FilePath, privatelyAs name: FilePath, in target: Folder, observe: @escaping CopyObserver
    ) throws(FileSystemError) {
        let (from, oldName) = try locate(path)
        var copy = TreeCopy(observe: observe)
        try copy.run(oldName, of: from, path: path, as: name, in: target, newPath: name)
    }

    /// Copies a file, a link or a whole directory to a path beneath `target`, with all attributes, modes and times.
    ///
    /// The copy is written under a temporary name, flushed to disk and renamed: after a crash it is complete or
    /// missing. Throws `Errno.fileExists` if the name is taken.
    package func copy(_ path: FilePath, to newPath: FilePath, in target: Folder) throws(AtomicWriteError) {
        let (from, oldName): (Folder, FilePath)
        do throws(FileSystemError) { (from, oldName) = try locate(path) } catch {
            throw AtomicWriteError(stage: .untouched, cause: error)
        }
        try target.put(newPath, by: TreeCopy()) { copy, staging, to throws(FileSystemError) in
            try copy.run(oldName, of: from, path: path, as: staging, in: to, newPath: newPath)
        }
    }

    /// Copies the content of a directory from outside to a new directory at a path beneath this folder, without
    /// attributes, modes and times. Each copied file gets `attributes`.
    ///
    /// Symbolic links are copied if they stay in the directory. After a crash the copy is complete or missing.
    /// Throws `Errno.fileExists` if the name is taken.
    package func importDirectory(
        _ original: Folder, at path: FilePath, to newPath: FilePath, attributes: [AttributeChange]
    ) throws(AtomicWriteError) {
        try put(newPath, by: TreeCopy(importing: attributes)) { copy, staging, to throws(FileSystemError) in
            try copy.run(original, path: path, as: staging, in: to, newPath: newPath)
        }
    }

    /// Runs a copy to a temporary name and renames it to `newPath`.
    private func put(
        _ newPath: FilePath, by copy: consuming TreeCopy,
        run: (inout TreeCopy, _ staging: FilePath, _ parent: Folder) throws(FileSystemError) -> Void
    ) throws(AtomicWriteError) {
        let (to, newName): (Folder, FilePath)
        do throws(FileSystemError) {
            (to, newName) = try locate(newPath)
            if try to.statusIfPresent(newName) != nil {
                throw FileSystemError("copy to", path: newPath, errno: .fileExists)
            }
        } catch { throw AtomicWriteError(stage: .untouched, cause: error) }

        let staging = AtomicWrite.stagingName()
        do throws(FileSystemError) {
            try run(&copy, staging, to)
            let renamed = staging.withPlatformString { old in
                newName.withPlatformString { calls.renameNew(to.descriptor, old, to.descriptor, $0) }
            }
            try succeed(renamed, operation: "put the copy in place as", newPath)
        } catch {
            copy.lock?.release()
            let isLeft = copy.hasBegun && (try? to.remove(staging)) == nil
            let leftover = newPath.removingLastComponent().appending(staging.components)
            throw AtomicWriteError(stage: isLeft ? .leftover(leftover) : .untouched, cause: error)
        }
        do throws(FileSystemError) { try to.sync() } catch {
            throw AtomicWriteError(
                stage: .visible, cause: FileSystemError(error.operation, path: newPath, errno: error.errno))
        }
    }
}

/// A copy operation for a file or a directory.
private struct TreeCopy {
    /// The directory of the copy, which must not be inside the original.
    private var root: (device: UInt64, inode: UInt64)?
    /// True if the copy exists on disk, at least in part.
    private(set) var hasBegun = false
    /// The lock that shows `sweepLeftovers` that this process is alive.
    private(set) var lock: Lock?
    /// The attributes of the files of an import, which copies only content. Nil for a copy with all metadata.
    private let imported: [AttributeChange]?
    private let observe: CopyObserver?

    init(importing attributes: [AttributeChange]? = nil, observe: CopyObserver? = nil) {
        imported = attributes
        self.observe = observe
    }

    /// A directory whose content is being copied.
    private struct Level {
        let original: Folder
        let copy: Folder
        let path: FilePath
        let newPath: FilePath
        var rest: ArraySlice<FilePath>
    }

    /// The open directories. They are kept in an array, because a thread may have a small stack.
    private var levels: [Level] = []

    /// Copies an entry with everything in it.
    mutating func run(
        _ name: FilePath, of source: Folder, path: FilePath, as newName: FilePath, in target: Folder,
        newPath: FilePath
    ) throws(FileSystemError) {
        try begin(name, of: source, path: path, as: newName, in: target, newPath: newPath)
        try finish()
    }

    /// Copies a directory with everything in it.
    mutating func run(
        _ original: Folder, path: FilePath, as newName: FilePath, in target: Folder, newPath: FilePath
    ) throws(FileSystemError) {
        try beginDirectory(original, path: path, as: newName, in: target, newPath: newPath)
        try finish()
    }

    /// Copies the rest of the open directories.
    private mutating func finish() throws(FileSystemError) {
        while let last = levels.indices.last {
            let level = levels[last]
            if let entry = levels[last].rest.popFirst() {
                try begin(
                    entry, of: level.original, path: level.path.appending(entry.components), as: entry, in: level.copy,
                    newPath: level.newPath.appending(entry.components))
            } else {
                levels.removeLast()
                try end(level)
            }
        }
    }

    /// Copies a file or link, or begins a directory.
    private mutating func begin(
        _ name: FilePath, of source: Folder, path: FilePath, as newName: FilePath, in target: Folder,
        newPath: FilePath
    ) throws(FileSystemError) {
        let status = try source.status(name)
        try observe?(1, 0)
        switch status.kind {
        case .file: try copyFile(name, of: source, path: path, as: newName, in: target, newPath: newPath)
        case .directory:
            guard levels.count < 256 else {
                throw FileSystemError("copy so deep a tree as", path: path, errno: .tooManyOpenFiles)
            }
            if let root, root == (status.raw.device, status.raw.inode) {
                throw FileSystemError("copy into itself", path: newPath, errno: .invalidArgument)
            }
            let original = try source.openFolder(noFollow: name)
            try beginDirectory(original, path: path, as: newName, in: target, newPath: newPath)
        case .symbolicLink:
            let original = try source.linkTarget(name)
            guard imported == nil || staysInside(FilePath(bytes: original)) else {
                throw FileSystemError(
                    "import the link that leads out of its directory,", path: path, errno: .improperLink)
            }
            do throws(FileSystemError) {
                try target.createSymbolicLink(newName, to: original)
                hasBegun = true
                guard imported == nil else { return }
                try target.setTimes(newName, accessed: status.accessed, modified: status.modified)
            } catch { throw FileSystemError(error.operation, path: newPath, errno: error.errno) }
        default: throw FileSystemError("copy the special file", path: path, errno: .invalidArgument)
        }
    }

    /// Returns true if a link in the innermost open directory does not lead out of the outermost one.
    private func staysInside(_ target: FilePath) -> Bool {
        guard !target.isAbsolute else { return false }
        var depth = levels.count - 1
        return target.components.allSatisfy { component in
            depth += component.kind == .parentDirectory ? -1 : component.kind == .regular ? 1 : 0
            return depth >= 0
        }
    }

    private mutating func copyFile(
        _ name: FilePath, of source: Folder, path: FilePath, as newName: FilePath, in target: Folder,
        newPath: FilePath
    ) throws(FileSystemError) {
        let original = try source.open(name, followingLinks: false)
        let copy: OpenFile
        let permissions: UInt32 = imported == nil ? 0o600 : 0o666
        do throws(FileSystemError) { copy = try target.createFile(newName, permissions: permissions) } catch {
            throw FileSystemError(error.operation, path: newPath, errno: error.errno)
        }
        hasBegun = true
        _ = target.calls.lock(copy.descriptor, true)
        do throws(FileSystemError) {
            try original.copyContentKeepingHoles(to: copy, observe: observe)
            if let imported {
                try copy.apply(imported)
            } else {
                try copy.copyMetadata(of: original, times: true)
            }
            try copy.sync()
            try copy.close()
        } catch {
            let isReading = error.path == original.path && error.operation == "read"
            throw FileSystemError(error.operation, path: isReading ? path : newPath, errno: error.errno)
        }
    }

    private mutating func beginDirectory(
        _ original: Folder, path: FilePath, as newName: FilePath, in target: Folder, newPath: FilePath
    ) throws(FileSystemError) {
        let permissions = imported == nil ? 0o700 : Invocation.current.permissions(0o777)
        let made = newName.withPlatformString { target.calls.makeDirectory(target.descriptor, $0, permissions) }
        try succeed(made, operation: "make the directory", newPath)
        hasBegun = true
        let copy: Folder
        do throws(FileSystemError) {
            copy = try target.openFolder(noFollow: newName)
            if root == nil {
                let status = try copy.status("").raw
                root = (status.device, status.inode)
                lock = try? Lock(copy, within: .zero)
            }
            // Attributes first, so that files in an excluded directory are never visible without the exclusion.
            if imported == nil { try copy.open(".").copyAttributes(of: try original.open(".")) }
        } catch { throw FileSystemError(error.operation, path: newPath, errno: error.errno) }
        let names: [FilePath]
        do throws(FileSystemError) { names = try original.names() } catch {
            throw FileSystemError(error.operation, path: path, errno: error.errno)
        }
        levels.append(Level(original: original, copy: copy, path: path, newPath: newPath, rest: names[...]))
    }

    private func end(_ level: Level) throws(FileSystemError) {
        do throws(FileSystemError) {
            if imported == nil { try level.copy.open(".").copyMetadata(of: try level.original.open("."), times: true) }
            try level.copy.sync()
        } catch { throw FileSystemError(error.operation, path: level.newPath, errno: error.errno) }
    }
}

extension OpenFile {
    /// Copies the content to another file, a mebibyte at a time.
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
