internal import FileSystem
internal import SystemPackage

/// A reason for which an entry is skipped, or an error that ends the extraction.
enum PlacementError: Error {
    case skipped(ExtractionIncident.Reason)
    case stopped(ExtractionError)

    init(_ error: FileSystemError) {
        switch error.errno {
        case .noSpace, .diskQuotaExceeded, .ioError, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory,
            .readOnlyFileSystem, .permissionDenied:
            self = .stopped(ExtractionError(error))
        case .fileExists: self = .skipped(.duplicate)
        case .tooManySymbolicLinkLevels, .notDirectory: self = .skipped(.throughLink)
        default: self = .skipped(.notStored("\(error)"))
        }
    }
}

/// The folder into which an archive is extracted. No path is resolved through a link, and a directory is only used under
/// the name with which the archive created it. Nothing is flushed to disk.
final class ExtractionFolder {
    private let root: Folder
    /// The created directories, by path. The value is true if the archive has an entry for the directory.
    private var directories: [[UInt8]: Bool] = [[]: false]
    /// The modification times of directories, which are set at the end.
    private var times: [(path: EntryPath, modified: Timestamp)] = []
    /// The bytes of names that may still be kept.
    private var namesLeft: Int
    private let mostNames: Int
    /// The parent directory of the last entry, because entries of one directory usually follow each other.
    private var last: (path: [UInt8], folder: Folder)

    init(_ root: Folder, limits: ExtractionLimits) {
        (self.root, last) = (root, ([], root))
        (namesLeft, mostNames) = (limits.deferredNames, limits.deferredNames)
    }

    /// Counts a path that is kept until the end, with the memory for it.
    func record(_ path: EntryPath) throws(PlacementError) {
        namesLeft -= path.parent.count + path.name.count + 128
        guard namesLeft >= 0 else {
            throw .stopped(
                ExtractionError(
                    .limitExceeded,
                    reason: "the directories and AppleDouble files need more than \(mostNames) bytes of memory")
            )
        }
    }

    /// Opens the parent directory of an entry. Creates it, for its owner only, if the archive has no entry for it before
    /// its content.
    private func parent(of path: EntryPath) throws(PlacementError) -> Folder {
        if last.path == path.parent { return last.folder }
        let folder: Folder
        if path.parent.isEmpty {
            folder = root
        } else if directories[path.parent] != nil {
            folder = try attempt { () throws(FileSystemError) in
                try root.openFolder(noLinks: FilePath(bytes: path.parent))
            }
        } else {
            folder = try makeParent(of: path)
        }
        last = (path.parent, folder)
        return folder
    }

    private func makeParent(of path: EntryPath) throws(PlacementError) -> Folder {
        var (folder, above) = (root, [UInt8]())
        for name in path.parentNames {
            let next = EntryPath(parent: above, name: name.bytes)
            if directories[next.bytes] == nil {
                do throws(FileSystemError) { try folder.createDirectory(name, permissions: 0o700) } catch {
                    // The name is that of a file or link, or of a directory that differs in case.
                    throw error.errno == .fileExists ? .skipped(.throughLink) : PlacementError(error)
                }
                try record(next)
                directories[next.bytes] = false
            }
            folder = try attempt { () throws(FileSystemError) in try folder.openFolder(noFollow: name) }
            above = next.bytes
        }
        return folder
    }

    private func attempt<Result>(_ body: () throws(FileSystemError) -> Result) throws(PlacementError) -> Result {
        do throws(FileSystemError) { return try body() } catch { throw PlacementError(error) }
    }

    /// Creates an empty file that only its owner can read and write.
    func createFile(_ path: EntryPath) throws(PlacementError) -> OpenFile {
        let parent = try parent(of: path)
        return try attempt { () throws(FileSystemError) in
            try parent.createFile(FilePath(bytes: path.name), permissions: 0o600)
        }
    }

    /// Creates a directory, or opens it if an earlier entry was beneath it.
    func makeDirectory(_ path: EntryPath, modified: Timestamp?) throws(PlacementError) -> OpenFile {
        let key = path.bytes
        guard directories[key] != true else { throw .skipped(.duplicate) }
        if directories[key] == nil {
            let parent = try parent(of: path)
            try attempt { () throws(FileSystemError) in
                try parent.createDirectory(FilePath(bytes: path.name), permissions: 0o700)
            }
            try record(path)
        }
        directories[key] = true
        if let modified {
            try record(path)
            times.append((path, modified))
        }
        let (parent, name) = path.isRoot ? (root, ".") : (try parent(of: path), FilePath(bytes: path.name))
        return try attempt { () throws(FileSystemError) in try parent.open(name, followingLinks: false) }
    }

    /// Creates a symbolic link. The target is not examined.
    func createSymbolicLink(_ path: EntryPath, to target: [UInt8], modified: Timestamp?) throws(PlacementError) {
        let (parent, name) = (try parent(of: path), FilePath(bytes: path.name))
        try attempt { () throws(FileSystemError) in try parent.createSymbolicLink(name, to: target) }
        guard let modified else { return }
        try? parent.setTimes(name, accessed: modified, modified: modified)
    }

    /// Gives a file or symbolic link of an earlier entry another name. Does not follow the link.
    func createHardLink(_ path: EntryPath, to target: EntryPath) throws(PlacementError) {
        let parent = try parent(of: path)
        let (folder, name) = try existing(target)
        let kind = try kind(of: target)
        guard let folder, kind == .file || kind == .symbolicLink else { throw .skipped(.noLinkTarget) }
        try attempt { () throws(FileSystemError) in
            try folder.createHardLink(to: name, at: FilePath(bytes: path.name), in: parent)
        }
    }

    /// Returns the kind of an extracted entry, or nil if it does not exist.
    func kind(of path: EntryPath) throws(PlacementError) -> FileKind? {
        if path.isRoot { return .directory }
        let (folder, name) = try existing(path)
        return try attempt { () throws(FileSystemError) in try folder?.status(name).kind }
    }

    /// Opens an extracted file or directory. Returns nil if there is none.
    func open(_ path: EntryPath) throws(PlacementError) -> OpenFile? {
        let kind = try kind(of: path)
        guard kind == .file || kind == .directory else { return nil }
        let (folder, name) = path.isRoot ? (root, ".") : try existing(path)
        return try attempt { () throws(FileSystemError) in try folder?.open(name, followingLinks: false) }
    }

    /// Removes a file.
    func removeFile(_ path: EntryPath) throws(PlacementError) {
        let (folder, name) = try existing(path)
        try attempt { () throws(FileSystemError) in try folder?.removeFile(name) }
    }

    /// Sets the modification times of the directories. A file system that refuses them is left alone.
    func setTimes(_ budget: ExtractionBudget) throws(ExtractionError) {
        for (path, modified) in times {
            try budget.checkTime()
            if path.isRoot {
                try? root.open(".").setTimes(accessed: modified, modified: modified)
            } else {
                try? parent(of: path).setTimes(FilePath(bytes: path.name), accessed: modified, modified: modified)
            }
        }
    }

    /// Removes a directory of the folder if there are no files in it.
    func removeEmptyTree(_ name: FilePath) throws(PlacementError) {
        var hasFiles = false
        try attempt { () throws(FileSystemError) in
            guard try root.statusIfPresent(name)?.kind == .directory else { return }
            try root.visit(name) { entry throws(FileSystemError) in
                if entry.status.kind != .directory { hasFiles = true }
                return !hasFiles
            }
            if !hasFiles { try root.removeWithoutSync(name) }
        }
    }

    /// Returns the parent directory of an extracted entry, with its name. The directory is nil if the entry does not
    /// exist.
    private func existing(_ path: EntryPath) throws(PlacementError) -> (Folder?, FilePath) {
        let name = FilePath(bytes: path.name)
        guard !path.isRoot else { return (nil, name) }
        do throws(FileSystemError) {
            let folder: Folder
            if path.parent.isEmpty {
                folder = root
            } else if path.parent == last.path {
                folder = last.folder
            } else {
                folder = try root.openFolder(noLinks: FilePath(bytes: path.parent))
            }
            return (try folder.statusIfPresent(name) == nil ? nil : folder, name)
        } catch {
            let absent: [Errno] = [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels]
            if absent.contains(error.errno) { return (nil, name) }
            throw PlacementError(error)
        }
    }
}
