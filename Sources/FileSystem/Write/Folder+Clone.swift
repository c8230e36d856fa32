internal import CFileSystem
package import SystemPackage

extension Folder {
    /// The absolute path of the folder, without links.
    package func absolutePath() throws(FileSystemError) -> FilePath {
        var bytes = [CChar](repeating: 0, count: 4096)
        let result = cfs_path_of(descriptor, &bytes, bytes.count)
        try succeed(result, "find the path of", path)
        return FilePath(platformString: bytes)
    }

    /// Makes a directory `name` in `target`, on the same disk, that holds what this folder holds, with the same names,
    /// attributes, modes and times. It takes no room that grows with the content of files where the disk can help it:
    /// a file shares its content with the original (`FICLONE`, `clonefile`); where the file system cannot do that, it is
    /// the original under a second name, and only those of `own` are copied.
    ///
    /// So what is done to the files of `own` and to names touches nothing of the original; the content of other files
    /// must not be written.
    package func clone(
        as name: FilePath, in target: Folder, own: Set<[UInt8]>
    ) throws(FileSystemError) {
        try target.makeDirectory(name, permissions: 0o700)
        let root = try target.folder(noFollow: name)
        var clone = TreeClone(root: root, own: own)
        var directories: [FilePath] = []
        try visit("") { entry throws(FileSystemError) in
            guard entry.status.kind == .directory else {
                try clone.add(entry)
                return false
            }
            try root.makeDirectory(entry.path, permissions: 0o700)
            directories.append(entry.path)
            return true
        }
        // What lies deepest first: making what is in a directory changes its times, and its mode may forbid it.
        for path in directories.sorted(by: { $0.components.count > $1.components.count }) {
            try root.open(path, followingLinks: false).takeMetadata(
                of: try open(path, followingLinks: false), times: true)
        }
        try root.open(".").takeMetadata(of: try open("."), times: true)
    }
}

/// A clone as it is made: which way the file system allows is found out once.
private struct TreeClone {
    let root: Folder
    let own: Set<[UInt8]>
    private var canShare = true
    /// The directory that was written to last.
    private var open: (path: FilePath, folder: Folder)?

    init(root: Folder, own: Set<[UInt8]>) {
        self.root = root
        self.own = own
    }

    mutating func add(_ entry: Folder.Entry) throws(FileSystemError) {
        let folder = try parent(of: entry.path)
        guard entry.status.kind == .file else { return try addName(entry, in: folder) }
        if canShare {
            let original = try entry.open()
            let result = entry.name.withPlatformString {
                root.calls.cloneFile(original.descriptor, folder.descriptor, $0)
            }
            if result == 0 {
                return try folder.open(entry.name, followingLinks: false).takeMetadata(of: original, times: true)
            }
            guard
                [.notSupportedOnSocket, .notSupported, .improperLink, .invalidArgument]
                    .contains(Errno(rawValue: -result))
            else { throw FileSystemError("clone", entry.path, Errno(rawValue: -result)) }
            canShare = false
        }
        if !own.contains(entry.path.bytes) {
            do throws(FileSystemError) { return try addName(entry, in: folder) } catch {
                // Another's file, one with all the names it may have, or a file system that gives no second name.
                guard [.notPermitted, .tooManyLinks, .notSupportedOnSocket].contains(error.errno) else { throw error }
            }
        }
        let original = try entry.open()
        let copy = try folder.create(entry.name, permissions: 0o600)
        try original.copyContentKeepingHoles(to: copy)
        try copy.takeMetadata(of: original, times: true)
    }

    private func addName(_ entry: Folder.Entry, in folder: Folder) throws(FileSystemError) {
        let result = entry.name.withPlatformString {
            root.calls.addName(entry.folder.descriptor, $0, folder.descriptor, $0)
        }
        try succeed(result, "give a second name to", entry.path)
    }

    private mutating func parent(of path: FilePath) throws(FileSystemError) -> Folder {
        let parent = path.removingLastComponent()
        if let open, open.path == parent { return open.folder }
        let folder = parent.isEmpty ? root : try root.folder(parent)
        open = (parent, folder)
        return folder
    }
}
