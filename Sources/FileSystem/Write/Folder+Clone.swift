internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Returns the absolute path of the folder, without links.
    package func absolutePath() throws(FileSystemError) -> FilePath {
        var bytes = [CChar](repeating: 0, count: 4096)
        let result = cfs_path_of(descriptor, &bytes, bytes.count)
        try succeed(result, operation: "find the path of", path)
        return FilePath(platformString: bytes)
    }

    /// Creates a directory `name` in `target`, on the same file system, as a clone of this folder with the same names,
    /// attributes, modes and times. If possible, files share their content with the original (`FICLONE`, `clonefile`).
    /// Otherwise they are hard links to the original, and only those of `own` are copied.
    ///
    /// Changes to names and to the files of `own` do not affect the original. The content of other files must not be
    /// written.
    package func clone(
        as name: FilePath, in target: Folder, own: Set<[UInt8]>
    ) throws(FileSystemError) {
        try target.createDirectory(name, permissions: 0o700)
        let root = try target.openFolder(noFollow: name)
        var clone = TreeClone(root: root, own: own)
        var directories: [FilePath] = []
        try visit("") { entry throws(FileSystemError) in
            guard entry.status.kind == .directory else {
                try clone.add(entry)
                return false
            }
            try root.createDirectory(entry.path, permissions: 0o700)
            directories.append(entry.path)
            return true
        }
        // Deepest directories first: new entries change the times of a directory, and its mode may prevent them.
        for path in directories.sorted(by: { $0.components.count > $1.components.count }) {
            try root.open(path, followingLinks: false).copyMetadata(
                of: try open(path, followingLinks: false), times: true)
        }
        try root.open(".").copyMetadata(of: try open("."), times: true)
    }
}

/// A clone operation. It tries once which methods the file system supports.
private struct TreeClone {
    let root: Folder
    let own: Set<[UInt8]>
    private var canShare = true
    /// The directory of the last entry.
    private var open: (path: FilePath, folder: Folder)?

    init(root: Folder, own: Set<[UInt8]>) {
        self.root = root
        self.own = own
    }

    mutating func add(_ entry: Folder.Entry) throws(FileSystemError) {
        let folder = try parent(of: entry.path)
        switch entry.status.kind {
        case .file: break
        case .symbolicLink: return try copyLink(entry, in: folder)
        default: return try addLink(entry, in: folder)
        }
        if canShare {
            let original = try entry.open()
            let result = entry.name.withPlatformString {
                root.calls.cloneFile(original.descriptor, folder.descriptor, $0)
            }
            if result == 0 {
                return try folder.open(entry.name, followingLinks: false).copyMetadata(of: original, times: true)
            }
            guard
                [.notSupportedOnSocket, .notSupported, .improperLink, .invalidArgument]
                    .contains(Errno(rawValue: -result))
            else { throw FileSystemError("clone", path: entry.path, errno: Errno(rawValue: -result)) }
            canShare = false
        }
        if !own.contains(entry.path.bytes) {
            do throws(FileSystemError) { return try addLink(entry, in: folder) } catch {
                // A file of another user, one with the maximum of links, or a file system without hard links.
                let refusals: [Errno] = [
                    .notPermitted, .tooManyLinks, .notSupportedOnSocket, .notSupported, .noFunction,
                ]
                guard refusals.contains(error.errno) else { throw error }
            }
        }
        let original = try entry.open()
        let copy = try folder.createFile(entry.name, permissions: 0o600)
        try original.copyContentKeepingHoles(to: copy)
        try copy.copyMetadata(of: original, times: true)
    }

    /// Copies a symbolic link. A hard link to it is impossible on some file systems, and on others leads to its target.
    private func copyLink(_ entry: Folder.Entry, in folder: Folder) throws(FileSystemError) {
        try folder.createSymbolicLink(entry.name, to: try entry.folder.linkTarget(entry.name))
        try folder.applyOwner(entry.name, of: entry.status)
        try folder.setTimes(entry.name, accessed: entry.status.accessed, modified: entry.status.modified)
    }

    private func addLink(_ entry: Folder.Entry, in folder: Folder) throws(FileSystemError) {
        let result = entry.name.withPlatformString {
            root.calls.addName(entry.folder.descriptor, $0, folder.descriptor, $0)
        }
        try succeed(result, operation: "create a hard link to", entry.path)
    }

    private mutating func parent(of path: FilePath) throws(FileSystemError) -> Folder {
        let parent = path.removingLastComponent()
        if let open, open.path == parent { return open.folder }
        let folder = parent.isEmpty ? root : try root.openFolder(parent)
        open = (parent, folder)
        return folder
    }
}
