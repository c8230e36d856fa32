internal import CFileSystem
package import SystemPackage

/// An open directory. Every path given to it is resolved beneath it and cannot lead out.
package final class Folder: Sendable {
    package let descriptor: Int32
    /// How it was named, for errors.
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

    /// Opens a directory by an ordinary path, following links: this is where the caller says what to contain.
    package convenience init(
        opening path: FilePath, calls: Syscalls = .live, resolution: Resolution? = nil
    ) throws(FileSystemError) {
        let how = CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY
        let descriptor = path.withPlatformString { calls.open(cfs_current_directory(), $0, how, 0) }
        try succeed(descriptor, "open the directory", path)
        self.init(
            descriptor: descriptor, path: path, calls: calls, resolution: resolution ?? .preferred)
    }

    /// Opens a directory by an ordinary path, making it (but none above it) where there is none. A new name is brought
    /// down to the medium, if the directory that holds it may be read. A new directory gets `permissions` less the
    /// umask.
    package convenience init(
        makingIfAbsent path: FilePath, permissions: UInt32 = 0o777, calls: Syscalls = .live
    ) throws(FileSystemError) {
        let made = path.withPlatformString { calls.makeDirectory(cfs_current_directory(), $0, permissions) }
        if made != -Errno.fileExists.rawValue {
            try succeed(made, "make the directory", path)
            let parent = path.removingLastComponent()
            do throws(FileSystemError) {
                if let folder = try? Folder(opening: parent.isEmpty ? "." : parent, calls: calls) { try folder.sync() }
            } catch {
                _ = path.withPlatformString { calls.remove(cfs_current_directory(), $0, true) }
                throw error
            }
        }
        try self.init(opening: path, calls: calls)
    }

    /// Opens a directory beneath this one.
    package func folder(_ path: FilePath) throws(FileSystemError) -> Folder {
        let descriptor = resolve(path, CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY)
        try succeed(descriptor, "open the directory", path)
        return Folder(descriptor: descriptor, path: path, calls: calls, resolution: resolution)
    }

    /// Opens a file beneath this folder for reading; its access time is left alone where the kernel allows it.
    package func open(_ path: FilePath, followingLinks: Bool = true) throws(FileSystemError) -> OpenFile {
        let descriptor = resolve(path, CFS_READ | CFS_QUIETLY | (followingLinks ? 0 : CFS_NO_FOLLOW))
        try succeed(descriptor, "open", path)
        return OpenFile(descriptor: descriptor, path: path, calls: calls)
    }

    /// The folder that holds `path`, and the name in it; the name is never `.` or `..`.
    package func locate(_ path: FilePath) throws(FileSystemError) -> (Folder, FilePath) {
        // Taking a path apart takes longer than most calls that it is for.
        if path.isName { return (self, path) }
        guard let last = path.lastComponent, last.kind == .regular else {
            throw FileSystemError("find a name in", path, .invalidArgument)
        }
        let parent = path.removingLastComponent()
        return (parent.isEmpty && !path.isAbsolute ? self : try folder(parent), FilePath(root: nil, components: last))
    }

    /// What the kernel says of the entry itself; a link is not followed.
    package func status(_ path: FilePath) throws(FileSystemError) -> FileStatus {
        var raw = cfs_status()
        guard !path.isEmpty else {
            try succeed(calls.status(descriptor, "", &raw), "examine", self.path)
            return FileStatus(raw)
        }
        let (folder, name) = try locate(path)
        try succeed(name.withPlatformString { calls.status(folder.descriptor, $0, &raw) }, "examine", path)
        return FileStatus(raw)
    }

    /// The same, or nil where there is no such entry.
    package func statusIfPresent(_ path: FilePath) throws(FileSystemError) -> FileStatus? {
        do { return try status(path) } catch {
            if error.errno == .noSuchFileOrDirectory { return nil }
            throw error
        }
    }

    /// Where a symbolic link points.
    func readLink(_ path: FilePath) throws(FileSystemError) -> FilePath {
        let (folder, name) = try locate(path)
        return try readLink(name, in: folder.descriptor)
    }

    func readLink(_ name: FilePath, in directory: Int32) throws(FileSystemError) -> FilePath {
        FilePath(bytes: try linkTarget(name, in: directory))
    }

    /// The bytes of a symbolic link: a path would lose doubled and closing slashes.
    package func linkTarget(_ path: FilePath) throws(FileSystemError) -> [UInt8] {
        let (folder, name) = try locate(path)
        return try linkTarget(name, in: folder.descriptor)
    }

    private func linkTarget(_ name: FilePath, in directory: Int32) throws(FileSystemError) -> [UInt8] {
        let (target, result) = name.withPlatformString { Self.target(of: $0, in: directory, calls) }
        try succeed(result, "read the link", name)
        return target
    }

    /// Where a link in an open directory points; nil where it is no link or cannot be read.
    package static func linkTarget(of name: UnsafePointer<CChar>, in directory: Int32) -> [UInt8]? {
        let (target, result) = target(of: name, in: directory, .live)
        return result < 0 ? nil : target
    }

    private static func target(
        of name: UnsafePointer<CChar>, in directory: Int32, _ calls: Syscalls
    ) -> ([UInt8], Int32) {
        // Linux and Darwin both keep a target under 4,096 bytes.
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            result = buffer.withMemoryRebound(to: CChar.self) {
                calls.readLink(directory, name, $0.baseAddress, $0.count)
            }
            count = max(0, result)
        }
        return (bytes, Int32(min(0, result)))
    }

    /// The names in the folder, or those of them that are wanted, sorted by their bytes.
    package func names(
        where isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true }
    ) throws(FileSystemError) -> [FilePath] {
        // A second descriptor, since reading moves the first one's position.
        let copy = calls.open(descriptor, ".", CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY, 0)
        try succeed(copy, "open the directory", path)
        guard let directory = cfs_directory_take(copy) else {
            throw FileSystemError("list", path, .noMemory)
        }
        defer { cfs_directory_close(directory) }
        var names: [[UInt8]] = []
        var entry = cfs_entry()
        while try succeed(calls.nextEntry(directory, &entry), "list", path) > 0 {
            let name = UnsafeRawBufferPointer(start: entry.name, count: entry.length)
            if isWanted(name) { names.append([UInt8](name)) }
        }
        names.sort { $0.lexicographicallyPrecedes($1) }
        return names.map { FilePath(bytes: $0) }
    }
}

extension FilePath {
    /// A path from bytes as they are on the disk, whatever their encoding.
    package init(bytes: some Sequence<UInt8>) {
        let text = bytes.map { CChar(bitPattern: $0) } + [0]
        self = text.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
        }
    }

    /// Whether it is a name in a directory, and no way to one: neither `.` nor `..`.
    var isName: Bool {
        withPlatformString { start in
            let bytes = UnsafeRawBufferPointer(start: start, count: length)
            return !bytes.isEmpty && !bytes.contains(UInt8(ascii: "/")) && !bytes.elementsEqual(".".utf8)
                && !bytes.elementsEqual("..".utf8)
        }
    }

    /// The path's bytes, without a closing NUL.
    package var bytes: [UInt8] {
        withPlatformString { [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}
