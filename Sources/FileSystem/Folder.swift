internal import CFileSystem
package import SystemPackage

/// An open directory. Paths are resolved beneath it and cannot lead out of it.
package final class Folder: Sendable {
    package let descriptor: Int32
    /// The path for error messages.
    package let path: FilePath
    package let calls: Syscalls
    package let resolution: Resolution

    init(descriptor: Int32, path: FilePath, calls: Syscalls, resolution: Resolution) {
        self.descriptor = descriptor
        self.path = path
        self.calls = calls
        self.resolution = resolution
    }

    deinit { _ = calls.close(descriptor) }

    /// The descriptor of the directory from which a path starts that is not beneath a folder.
    static func start(of path: FilePath) -> Int32 {
        path.isAbsolute ? cfs_current_directory() : Invocation.current.workingDirectory.descriptor
    }

    /// Opens a directory at any path of the file system. Follows links.
    package convenience init(
        opening path: FilePath, calls: Syscalls = .live, resolution: Resolution? = nil
    ) throws(FileSystemError) {
        let how = CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY
        let start = Self.start(of: path)
        let descriptor = path.withPlatformString { calls.open(start, $0, how, 0) }
        try succeed(descriptor, operation: "open the directory", path)
        self.init(
            descriptor: descriptor, path: path, calls: calls, resolution: resolution ?? .preferred)
    }

    /// Opens a directory at any path of the file system, and creates it, but not its parents, if it is missing. A new
    /// directory gets `permissions` less the umask and is flushed to disk, if its parent is readable.
    package convenience init(
        makingIfAbsent path: FilePath, permissions: UInt32 = 0o777, calls: Syscalls = .live
    ) throws(FileSystemError) {
        let start = Self.start(of: path)
        let permissions = Invocation.current.permissions(permissions)
        let made = path.withPlatformString { calls.makeDirectory(start, $0, permissions) }
        if made != -Errno.fileExists.rawValue {
            try succeed(made, operation: "make the directory", path)
            let parent = path.removingLastComponent()
            do throws(FileSystemError) {
                if let folder = try? Folder(opening: parent.isEmpty ? "." : parent, calls: calls) { try folder.sync() }
            } catch {
                _ = path.withPlatformString { calls.remove(start, $0, true) }
                throw error
            }
        }
        try self.init(opening: path, calls: calls)
    }

    /// Opens a directory beneath this one.
    package func openFolder(_ path: FilePath) throws(FileSystemError) -> Folder {
        let descriptor = resolve(path, how: CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY)
        try succeed(descriptor, operation: "open the directory", path)
        return Folder(descriptor: descriptor, path: path, calls: calls, resolution: resolution)
    }

    /// Opens a file beneath this folder for reading. Does not change its access time if the kernel allows that.
    package func open(_ path: FilePath, followingLinks: Bool = true) throws(FileSystemError) -> OpenFile {
        let descriptor = resolve(path, how: CFS_READ | CFS_QUIETLY | (followingLinks ? 0 : CFS_NO_FOLLOW))
        try succeed(descriptor, operation: "open", path)
        return OpenFile(descriptor: descriptor, path: path, calls: calls)
    }

    /// Opens a file beneath this folder for reading and for writing at its end. Does not follow a link in the last
    /// component.
    package func openToAppend(_ path: FilePath) throws(FileSystemError) -> OpenFile {
        let descriptor = resolve(path, how: CFS_READ | CFS_WRITE | CFS_APPEND | CFS_NO_FOLLOW)
        try succeed(descriptor, operation: "open", path)
        return OpenFile(descriptor: descriptor, path: path, calls: calls)
    }

    /// Opens the parent folder of `path` and returns it with the name, which is never `.` or `..`.
    package func locate(_ path: FilePath) throws(FileSystemError) -> (Folder, FilePath) {
        // Splitting a path takes longer than most system calls.
        if path.isName { return (self, path) }
        guard let (parent, name) = path.split, name.isName else {
            throw FileSystemError("find a name in", path: path, errno: .invalidArgument)
        }
        return (parent.isEmpty ? self : try openFolder(parent), name)
    }

    /// Returns the status of an entry. Does not follow a link.
    package func status(_ path: FilePath) throws(FileSystemError) -> FileStatus {
        var raw = cfs_status()
        guard !path.isEmpty else {
            try succeed(calls.status(descriptor, "", &raw), operation: "examine", self.path)
            return FileStatus(raw)
        }
        let (folder, name) = try locate(path)
        try succeed(name.withPlatformString { calls.status(folder.descriptor, $0, &raw) }, operation: "examine", path)
        return FileStatus(raw)
    }

    /// Returns the status of an entry, or nil if it does not exist.
    package func statusIfPresent(_ path: FilePath) throws(FileSystemError) -> FileStatus? {
        do { return try status(path) } catch {
            if error.errno == .noSuchFileOrDirectory { return nil }
            throw error
        }
    }

    /// Returns the target of a symbolic link.
    func readLink(_ path: FilePath) throws(FileSystemError) -> FilePath {
        FilePath(bytes: try linkTarget(path))
    }

    /// Returns the bytes of the target of a symbolic link. A `FilePath` would lose double and trailing slashes.
    package func linkTarget(_ path: FilePath) throws(FileSystemError) -> [UInt8] {
        let (folder, name) = try locate(path)
        let (target, result) = name.withPlatformString { Self.target(of: $0, in: folder.descriptor, calls) }
        try succeed(result, operation: "read the link", name)
        return target
    }

    /// Returns the target of a link in an open directory, or nil if it is not a readable link.
    package static func linkTarget(
        of name: UnsafePointer<CChar>, in directory: Int32, calls: Syscalls = .live
    ) -> [UInt8]? {
        let (target, result) = target(of: name, in: directory, calls)
        return result < 0 ? nil : target
    }

    private static func target(
        of name: UnsafePointer<CChar>, in directory: Int32, _ calls: Syscalls
    ) -> ([UInt8], Int32) {
        // On Linux and Darwin a target has fewer than 4,096 bytes.
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            result = buffer.withMemoryRebound(to: CChar.self) {
                calls.readLink(directory, name, $0.baseAddress, $0.count)
            }
            count = max(0, result)
        }
        return (bytes, Int32(min(0, result)))
    }

    /// Returns the names in the folder for which `isWanted` is true, sorted by their bytes.
    package func names(
        where isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true }
    ) throws(FileSystemError) -> [FilePath] {
        // A second descriptor, because reading moves the position of the first one.
        let copy = calls.open(descriptor, ".", CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY, 0)
        try succeed(copy, operation: "open the directory", path)
        guard let directory = cfs_directory_take(copy) else {
            throw FileSystemError("list", path: path, errno: .noMemory)
        }
        defer { cfs_directory_close(directory) }
        var names: [[UInt8]] = []
        var entry = cfs_entry()
        while try succeed(calls.nextEntry(directory, &entry), operation: "list", path) > 0 {
            let name = UnsafeRawBufferPointer(start: entry.name, count: entry.length)
            if isWanted(name) { names.append([UInt8](name)) }
        }
        names.sort { $0.precedes($1) }
        return names.map { FilePath(bytes: $0) }
    }
}

extension FilePath {
    /// Creates a path from the bytes on disk, in any encoding.
    package init(bytes: some Sequence<UInt8>) {
        let text = bytes.map { CChar(bitPattern: $0) } + [0]
        self = text.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
        }
    }

    /// True for a single component other than `.` and `..`.
    var isName: Bool {
        withPlatformString { start in
            let bytes = UnsafeRawBufferPointer(start: start, count: length)
            return !bytes.isEmpty && !bytes.contains(UInt8(ascii: "/")) && !bytes.elementsEqual(".".utf8)
                && !bytes.elementsEqual("..".utf8)
        }
    }

    /// The path of the parent directory and the last component. The parent of a single name is the empty path. Nil for
    /// the empty path and for the root.
    ///
    /// In a debug build, `lastComponent` and `removingLastComponent()` check the whole path several times.
    package var split: (parent: FilePath, name: FilePath)? {
        let bytes = bytes
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
            return bytes.isEmpty ? nil : (FilePath(), self)
        }
        guard slash + 1 < bytes.count else { return nil }
        return (FilePath(bytes: bytes[..<max(slash, 1)]), FilePath(bytes: bytes[(slash + 1)...]))
    }

    /// Returns the path with a relative path appended. In a debug build, `appending` checks the whole path for each
    /// character.
    package func joined(_ other: FilePath) -> FilePath {
        if isEmpty || other.isEmpty { return isEmpty ? other : self }
        let bytes = bytes
        return FilePath(bytes: bytes + (bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + other.bytes)
    }

    /// The components, each as a path.
    package var names: [FilePath] {
        bytes.split(separator: UInt8(ascii: "/")).map { FilePath(bytes: $0) }
    }

    /// The bytes of the path without the terminating NUL.
    package var bytes: [UInt8] {
        withPlatformString { [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}
