internal import FileSystem
internal import SystemPackage

/// The file of a log, as one appender opens, locks, repairs and rotates it.
struct LogFile: Sendable {
    /// The attribute with the identity of a file whose last line, if it is torn, an appender wrote. A copy of the file
    /// has another identity.
    private static let attribute = "appcontainer.appender"
    /// The maximum time to wait for the lock.
    private static let patience = Duration.seconds(10)

    /// The folder of the container.
    let folder: Folder
    let path: FilePath
    /// The attributes and the mode of a new file.
    let create: AtomicWrite
    private(set) var file: OpenFile?
    /// True if the file has the attribute.
    private var isMarked = false

    init(_ path: FilePath, in folder: Folder, creatingBy create: AtomicWrite) {
        self.path = path
        self.folder = folder
        self.create = create
    }

    /// Opens or creates the file that has the path now, locks it, and repairs its last line. Returns its size.
    ///
    /// The file remains locked until `unlock`, unless an error is thrown.
    mutating func lock() throws(FileSystemError) -> UInt64 {
        let deadline = ContinuousClock.now + Self.patience
        var pause = Pause()
        while true {
            if file == nil { try reopen() }
            if let file, file.tryLock() {
                do throws(FileSystemError) {
                    // Another process may have replaced or rotated the file before it released the lock.
                    let current = try folder.statusIfPresent(path)
                    if let current, try file.status().identity == current.identity { return try prepare(file) }
                } catch {
                    file.unlock()
                    throw error
                }
                file.unlock()
                self.file = nil
            } else {
                pause.wait()
            }
            guard ContinuousClock.now < deadline else {
                throw FileSystemError("lock", path: path, errno: .resourceTemporarilyUnavailable)
            }
        }
    }

    func unlock() { file?.unlock() }

    /// Closes the file. The next `lock` opens it again.
    mutating func close() { file = nil }

    /// Renames the locked file to its name with `.1`, after earlier ones to the next number, and closes it.
    ///
    /// - Parameter count: The number of rotated files that are kept, at least 1.
    /// - Returns: The renamed file, still locked.
    /// - Throws: The error of a system call.
    mutating func rotate(keeping count: Int) throws(FileSystemError) -> OpenFile? {
        for number in stride(from: count - 1, to: 0, by: -1) {
            let old = rotated(number)
            if try folder.statusIfPresent(old) != nil { try folder.rename(old, over: rotated(number + 1), in: folder) }
        }
        try folder.rename(path, over: rotated(1), in: folder)
        defer { file = nil }
        return file
    }

    /// The time of the last change of the open file.
    func modified() throws(FileSystemError) -> Timestamp? { try file?.status().modified }

    /// The name with `.1`, `.2` and so on. A name that is too long for it is shortened, between characters.
    private func rotated(_ number: Int) -> FilePath {
        guard let (parent, name) = path.split else { return path }
        let suffix = Array(".\(number)".utf8)
        let bytes = Array(name.bytes)
        var length = bytes.count
        if length > ContainerPath.longestName - suffix.count {
            length = ContainerPath.longestName - suffix.count
            // The other bytes of a character of UTF-8.
            while length > 0, bytes[length] & 0xc0 == 0x80 { length -= 1 }
        }
        return parent.joined(FilePath(bytes: bytes[..<length] + suffix))
    }

    /// Opens the file, and creates it if necessary. Does nothing if it has disappeared again.
    private mutating func reopen() throws(FileSystemError) {
        try folder.createDirectories(path.removingLastComponent())
        if let status = try folder.statusIfPresent(path) {
            try requireFile(status)
        } else {
            try make()
        }
        let opened: OpenFile
        do throws(FileSystemError) { opened = try folder.openToAppend(path) } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            return
        }
        try requireFile(try opened.status())
        // Also the name of a file that another process has created and not flushed yet.
        try folder.locate(path).0.sync()
        file = opened
        isMarked = false
    }

    private func requireFile(_ status: FileStatus) throws(FileSystemError) {
        switch status.kind {
        case .file: return
        case .directory: throw FileSystemError("append to the directory", path: path, errno: .isDirectory)
        case .symbolicLink:
            throw FileSystemError("append to the symbolic link", path: path, errno: .tooManySymbolicLinkLevels)
        default: throw FileSystemError("append to the special file", path: path, errno: .invalidArgument)
        }
    }

    /// Creates the file with the metadata of the rotated file, if there is one. It is complete when it is visible.
    private func make() throws(FileSystemError) {
        let last = rotated(1)
        let isRotated = try folder.statusIfPresent(last)?.kind == .file
        let model = isRotated ? try? folder.open(last, followingLinks: false) : nil
        do throws(AtomicWriteError) {
            let staged = try StagedFile(create, for: path, in: folder, isPrivate: model != nil)
            try staged.seal(modelledOn: model)
            try staged.publish()
        } catch {
            // Another process has created it just now.
            guard error.cause.errno == .fileExists else { throw error.cause }
        }
    }

    private mutating func prepare(_ file: OpenFile) throws(FileSystemError) -> UInt64 {
        let size = try repair(file)
        if !isMarked {
            let value = Self.value(try file.status())
            // On a file system without attributes, a torn line is ended, not removed.
            if (try? file.attribute(Self.attribute)) != value { try? file.setAttribute(Self.attribute, value: value) }
            isMarked = true
        }
        return size
    }

    /// The identity of a file. A file system may use the inode of a removed file again, and a save copies attributes.
    private static func value(_ status: FileStatus) -> [UInt8] {
        let birth = status.birth.map { " \($0.seconds).\($0.nanoseconds)" } ?? ""
        return Array("\(status.identity.inode)\(birth)".utf8)
    }

    /// Removes a torn last line, or ends it if no appender wrote it. Returns the size of the file.
    private func repair(_ file: OpenFile) throws(FileSystemError) -> UInt64 {
        let status = try file.status()
        guard status.size > 0, try file.read(upTo: 1, from: status.size - 1) != [UInt8(ascii: "\n")] else {
            return status.size
        }
        let isOwn = (try? file.attribute(Self.attribute)) == Self.value(status)
        if isOwn, let end = try endOfLastLine(file, size: status.size) {
            try file.setSize(end)
            return end
        }
        try file.write([UInt8(ascii: "\n")])
        return status.size + 1
    }

    /// Returns the offset behind the last line end, or nil if the last line is longer than any that an appender writes.
    private func endOfLastLine(_ file: OpenFile, size: UInt64) throws(FileSystemError) -> UInt64? {
        var end = size
        // With the line end before it.
        let most = UInt64(Appender.maximumLineLength) + 1
        let limit = size > most ? size - most : 0
        while end > limit {
            let start = end - min(end - limit, 64 << 10)
            let bytes = try file.read(upTo: Int(end - start), from: start)
            if let found = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + UInt64(found) + 1 }
            end = start
        }
        return limit == 0 ? 0 : nil
    }
}
