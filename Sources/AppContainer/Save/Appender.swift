internal import FileSystem
public import Foundation
internal import Synchronization
public import SystemPackage

/// A writer that adds lines to a log without copying it.
///
///     let log = try container.appender(to: .library / "Logs/app.log")
///     try log.append("started")
///     try log.flush()
///
/// Lines are collected in memory. `flush` adds all of them with one write and flushes them to disk, so they survive a
/// power loss. A crash during a flush leaves whole lines: those of earlier flushes, and perhaps the first ones of the
/// interrupted flush. A torn last line was never confirmed, and the next flush by any appender removes it. A last line
/// without a line end that another program wrote is kept and ended.
///
/// Several appenders, also in several processes, can add to one file: each flush is written as a whole. If the file is
/// replaced, moved away or removed, the next flush continues in the file that has the path then.
///
/// On Apple's systems, the lock of a flush in an app group's container must not be held when the app is suspended: flush
/// within a background task.
public final class Appender: Sendable {
    /// The maximum size of the text of one `append` in bytes.
    public static let maximumLineLength = 1 << 20
    /// The bytes that are collected before they are written.
    static let bufferSize = 64 << 10
    /// The attribute with the inode of a file whose last line, if it is torn, an appender wrote. A copy of the file has
    /// another inode.
    static let attribute = "appcontainer.appender"

    private struct State {
        var lines: [UInt8] = []
        var file: OpenFile?
        var parent: Folder?
        /// True if the file has the attribute.
        var isMarked = false
    }

    private let container: Container
    let path: FilePath
    private let create: AtomicWrite
    private let maximumSize: UInt64?
    private let state = Mutex(State())

    init(
        _ container: Container, _ path: FilePath, creatingBy create: AtomicWrite, maximumSize: UInt64?
    ) throws(ContainerError) {
        self.container = container
        self.path = path
        self.create = create
        self.maximumSize = maximumSize
        // Repairs a torn line and reports a path that cannot be used before the first line is added.
        try flush()
    }

    deinit { try? flush() }

    /// Adds text, which is one or several lines. A line end is added if the text does not end in one.
    ///
    /// Writes earlier lines if more than 64 KiB are collected.
    ///
    /// - Throws: `tooLarge` for more than 1 MiB, and the errors of `flush`. The text has then not been added.
    public func append(_ text: String) throws(ContainerError) { try append(Array(text.utf8)) }

    /// Adds bytes, which are one or several lines. Otherwise like text.
    ///
    /// - Throws: The errors of adding text.
    public func append(_ bytes: some ContiguousBytes) throws(ContainerError) {
        var bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        guard bytes.count <= Self.maximumLineLength else {
            throw ContainerError(
                .tooLarge, path,
                "The text for “\(path)” has \(bytes.count) bytes, more than \(Self.maximumLineLength). "
                    + "It was not added. Add it in several lines.")
        }
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        try withState { state throws(ContainerError) in
            if !state.lines.isEmpty, state.lines.count + bytes.count > Self.bufferSize { try flush(&state) }
            state.lines += bytes
        }
    }

    /// Writes all lines that were added and flushes them to disk.
    ///
    /// - Throws: `noSpace` if the disk is full; the file then has none of these lines, and they remain for the next flush.
    ///   `durabilityUnknown` if the lines are written but may not survive a power loss. `locked` if another process holds
    ///   the file for more than ten seconds. `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    public func flush() throws(ContainerError) {
        try withState { state throws(ContainerError) in try flush(&state) }
    }

    private func withState(_ body: (inout State) throws(ContainerError) -> Void) throws(ContainerError) {
        // The path is locked before the state, as by every other caller.
        try container.withPathLock(at: path) { () throws(ContainerError) in
            let failure = state.withLock { state -> ContainerError? in
                do throws(ContainerError) { try body(&state) } catch { return error }
                return nil
            }
            if let failure { throw failure }
        }
    }

    private func flush(_ state: inout State) throws(ContainerError) {
        let file: OpenFile
        var failure: ContainerError?
        do throws(FileSystemError) {
            file = try openLocked(&state)
            let locked = file
            // After a rotation, two files are locked.
            defer {
                state.file?.unlock()
                locked.unlock()
            }
            var size = try repair(file)
            if !state.isMarked {
                try mark(file)
                state.isMarked = true
            }
            if let maximumSize, size > 0, size + UInt64(state.lines.count) > maximumSize {
                try rotate(&state)
                size = 0
            }
            failure = write(&state, at: size)
        } catch { throw ContainerError(error, onDisk: "No line was added; the lines remain for the next flush.") }
        if let failure { throw failure }
    }

    /// Writes the lines at the end of the open file, which is locked and has `size` bytes.
    private func write(_ state: inout State, at size: UInt64) -> ContainerError? {
        guard !state.lines.isEmpty, let file = state.file else { return nil }
        do throws(FileSystemError) { try file.write(state.lines) } catch {
            let isWhole = (try? file.setSize(size)) != nil
            return ContainerError(
                error,
                onDisk: isWhole
                    ? "No line was added; the lines remain for the next flush."
                    : "A part of the lines was added; the next flush removes it and adds all of them.")
        }
        state.lines.removeAll(keepingCapacity: true)
        do throws(FileSystemError) { try file.syncData() } catch {
            // A second flush of the same file could report success for pages that the kernel has discarded.
            state.file = nil
            return ContainerError(
                .durabilityUnknown, path, errno: error.errno,
                "\(error). The lines are in the file but may not survive a power loss.")
        }
        return nil
    }

    /// Returns the file that has the path now, locked. Opens or creates it if necessary.
    private func openLocked(_ state: inout State) throws(FileSystemError) -> OpenFile {
        let deadline = ContinuousClock.now + .seconds(10)
        var pause = Pause()
        while true {
            let file: OpenFile
            if let open = state.file { file = open } else { file = try open(&state) }
            guard file.tryLock() else {
                guard ContinuousClock.now < deadline else {
                    throw FileSystemError("lock", path, .resourceTemporarilyUnavailable)
                }
                pause.wait()
                continue
            }
            // Another process may have replaced or rotated the file before it released the lock.
            let current = try state.parent?.statusIfPresent(name)
            if let current, try file.status().identity == current.identity { return file }
            file.unlock()
            state.file = nil
        }
    }

    private var name: FilePath { path.lastComponent.map { FilePath(root: nil, [$0]) } ?? path }

    private func open(_ state: inout State) throws(FileSystemError) -> OpenFile {
        try container.folder.createDirectories(path.removingLastComponent())
        let (parent, name) = try container.folder.locate(path)
        state.parent = parent
        let file: OpenFile
        if let status = try parent.statusIfPresent(name) {
            guard status.kind == .file else {
                throw FileSystemError(
                    "append to", path, status.kind == .directory ? .isDirectory : .tooManySymbolicLinkLevels)
            }
            file = try parent.openToAppend(name)
        } else {
            do throws(FileSystemError) { file = try makeFile(name, in: parent) } catch {
                // Another process created it just now.
                guard error.errno == .fileExists else { throw error }
                return try open(&state)
            }
        }
        state.file = file
        state.isMarked = false
        return file
    }

    private func makeFile(_ name: FilePath, in parent: Folder) throws(FileSystemError) -> OpenFile {
        let made = try parent.createFile(name, permissions: create.permissions.map { UInt32($0) } ?? 0o666)
        do throws(FileSystemError) {
            if let permissions = create.permissions { try made.setPermissions(permissions) }
            try made.apply(create.attributes)
            try mark(made)
            try made.sync()
            try parent.sync()
            return try parent.openToAppend(name)
        } catch {
            try? parent.remove(name)
            throw error
        }
    }

    /// Records that an appender wrote the last line of the file. It is only called when the file ends with a line end.
    private func mark(_ file: OpenFile) throws(FileSystemError) {
        let value = Self.value(try file.status())
        if (try? file.attribute(Self.attribute)) == value { return }
        // Without attributes, a torn line is ended, not removed.
        try? file.setAttribute(Self.attribute, value)
    }

    private static func value(_ status: FileStatus) -> [UInt8] { Array("\(status.identity.inode)".utf8) }

    /// Removes a torn last line, or ends it if no appender wrote it. Returns the size of the file.
    private func repair(_ file: OpenFile) throws(FileSystemError) -> UInt64 {
        let status = try file.status()
        guard status.size > 0, try file.read(upTo: 1, from: status.size - 1) != [UInt8(ascii: "\n")] else {
            return status.size
        }
        let isOwn = (try? file.attribute(Self.attribute)) == Self.value(status)
        if isOwn, let end = try endOfLastLine(file, status.size) {
            try file.setSize(end)
            return end
        }
        try file.write([UInt8(ascii: "\n")])
        return status.size + 1
    }

    /// Returns the offset behind the last line end, or nil if the last line is longer than any that an appender writes.
    private func endOfLastLine(_ file: OpenFile, _ size: UInt64) throws(FileSystemError) -> UInt64? {
        var end = size
        let limit = size > UInt64(Self.maximumLineLength) ? size - UInt64(Self.maximumLineLength) : 0
        while end > limit {
            let start = end - min(end - limit, 64 << 10)
            let bytes = try file.read(upTo: Int(end - start), from: start)
            if let found = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + UInt64(found) + 1 }
            end = start
        }
        return limit == 0 ? 0 : nil
    }

    /// Renames the file to its name with `.1` and creates a new one.
    private func rotate(_ state: inout State) throws(FileSystemError) {
        guard let parent = state.parent, let last = path.lastComponent else { return }
        try parent.rename(name, over: FilePath(root: nil, [last]).appendingSuffix(".1"), in: parent)
        // The caller holds the lock of the renamed file until the new one has its first lines.
        let file = try makeFile(name, in: parent)
        _ = file.tryLock()
        state.file = file
        try parent.sync()
    }
}

extension FilePath {
    fileprivate func appendingSuffix(_ suffix: String) -> FilePath { FilePath(bytes: bytes + Array(suffix.utf8)) }
}

extension Container {
    /// Opens a log to which lines are added. The file is created if it is missing.
    ///
    /// - Parameters:
    ///   - item: The path of the log. Missing parent directories are created.
    ///   - permissions: The permission bits of a new file. Nil for the default of the process (umask).
    ///   - maximumSize: The size in bytes from which a flush first renames the log to its name with `.1`, replaces the
    ///     previous one, and begins a new log. Nil for no limit.
    ///   - provenance: The origin of the content of a new file.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Returns: The appender. Deallocation flushes it and ignores errors.
    /// - Throws: `notAFile` for a directory or a link, and the errors of `Appender.flush`.
    public func appender(
        to item: ContainerPath, permissions: FilePermissions? = nil, maximumSize: UInt64? = nil,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> Appender {
        let path = try relativeFile(item)
        var create = atomicWrite(.never, .full, provenance, CodeLocation(fileID: fileID, line: line))
        create.permissions = permissions.map { UInt16($0.rawValue & 0o777) }
        return try Appender(self, path, creatingBy: create, maximumSize: maximumSize)
    }
}
