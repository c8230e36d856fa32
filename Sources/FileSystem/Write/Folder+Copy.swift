internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Copies a file, a link or a whole directory beneath this folder, with every attribute, mode and time.
    ///
    /// Each file is copied durably; stopped part-way, the copy is incomplete and each file in it whole.
    /// `Errno.fileExists` if the new name is taken.
    package func copy(_ path: FilePath, to newPath: FilePath) throws(FileSystemError) {
        let (from, oldName) = try locate(path)
        let (to, newName) = try locate(newPath)
        guard !newPath.starts(with: path) else {
            throw FileSystemError("copy “\(path)” into itself as", newPath, .invalidArgument)
        }
        if try to.statusIfPresent(newName) != nil { throw FileSystemError("copy to", newPath, .fileExists) }
        try from.copyEntry(oldName, path, to: newName, newPath, in: to, depth: 0)
        try to.sync()
    }

    private func copyEntry(
        _ name: FilePath, _ path: FilePath, to newName: FilePath, _ newPath: FilePath, in target: Folder, depth: Int
    ) throws(FileSystemError) {
        let status = try status(name)
        switch status.kind {
        case .file:
            let source = try open(name, followingLinks: false)
            do {
                try Replace(durability: .file, mayReplace: false).write(to: newName, in: target, modelledOn: source) {
                    copy throws(FileSystemError) in try source.copyContent(to: copy)
                }
            } catch { throw error.cause }
        case .directory:
            guard depth < 256 else { throw FileSystemError("copy so deep a tree as", path, .tooManyOpenFiles) }
            try copyFolder(name, path, to: newName, newPath, in: target, depth: depth)
        case .symbolicLink:
            try target.makeLink(newName, to: try readLink(name))
            try target.setTimes(newName, accessed: status.accessed, modified: status.modified)
        default:
            throw FileSystemError("copy the special file", path, .invalidArgument)
        }
    }

    private func copyFolder(
        _ name: FilePath, _ path: FilePath, to newName: FilePath, _ newPath: FilePath, in target: Folder, depth: Int
    ) throws(FileSystemError) {
        let source = try folder(noFollow: name)
        let made = newName.withPlatformString { calls.makeDirectory(target.descriptor, $0, 0o700) }
        try succeed(made, "make the directory", newPath)
        let copy = try target.folder(noFollow: newName)
        // The flag first: what is copied into a flagged directory is never seen without it.
        var hasAccessList = false
        try succeed(
            calls.copyAttributes(source.descriptor, copy.descriptor, &hasAccessList), "carry attributes to", newPath)
        for entry in try source.names() {
            try source.copyEntry(
                entry, path.appending(entry.components), to: entry, newPath.appending(entry.components), in: copy,
                depth: depth + 1)
        }
        if hasAccessList {
            try succeed(
                calls.copyAccessList(source.descriptor, copy.descriptor), "carry the access list to", newPath)
        }
        let status = try source.status("")
        try succeed(calls.setPermissions(copy.descriptor, status.permissions), "carry the mode to", newPath)
        try succeed(
            calls.setTimes(copy.descriptor, status.raw.accessed, status.raw.modified), "carry the times to", newPath)
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
