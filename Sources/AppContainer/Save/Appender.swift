internal import FileSystem
public import Foundation
internal import SystemPackage

/// A writer that adds lines to a log without copying it.
///
///     let log = try container.appender(to: .library / "Logs/app.log")
///     try log.append("started")
///     try log.flush()
///
/// Lines are collected in memory. `flush` adds all of them with one write and flushes them to disk, so they survive a
/// power loss. A crash during a flush leaves whole lines: those of earlier flushes, and perhaps the first ones of the
/// interrupted flush. A torn last line was never confirmed, and the next flush by any appender removes it. In a file to
/// which no appender has written yet, such as one that another program saved, a last line without a line end is kept
/// and ended.
///
/// Several appenders, also in several processes, can add to one file: each flush is written as a whole. Other programs
/// do not respect the lock, and must add whole lines. If the file or its directory is replaced, moved away or removed,
/// the next flush continues in the file that has the path then. The file is changed in place: it keeps its exclusion,
/// mode and attributes, and its other hard links show the lines too.
///
/// On Apple's systems, the lock of a flush in an app group's container must not be held when the app is suspended:
/// flush within a background task.
public final class Appender: Sendable {
    /// The maximum size of the text of one `append` in bytes.
    package static let maximumLineLength = 1 << 20
    /// The bytes that are collected before they are written.
    private static let bufferSize = 64 << 10

    private struct State {
        var lines: [UInt8] = []
        var log: LogFile
    }

    private let container: Container
    let path: FilePath
    private let rotation: LogRotation
    private let state: LockedValue<State>

    init(
        _ container: Container, path: FilePath, creatingBy create: AtomicWrite, rotation: LogRotation
    ) throws(ContainerError) {
        self.container = container
        self.path = path
        self.rotation = rotation
        state = LockedValue(State(log: LogFile(path, in: container.folder, creatingBy: create)))
        // Repairs a torn line and reports a path that cannot be used before the first line is added.
        try flush()
    }

    deinit {
        // Without lines, a log that was removed is not created again.
        if state.withLock({ !$0.lines.isEmpty }) { try? flush() }
    }

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
        let count = bytes.withUnsafeBytes { $0.count }
        guard count <= Self.maximumLineLength else {
            throw ContainerError(
                .tooLarge, path,
                "The text for “\(path)” has \(count) bytes, more than \(Self.maximumLineLength). "
                    + "It was not added. Add it in several lines.")
        }
        var bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        try withState { state throws(ContainerError) in
            if !state.lines.isEmpty, state.lines.count + bytes.count > Self.bufferSize { try flush(&state) }
            state.lines += bytes
        }
    }

    /// Writes all lines that were added and flushes them to disk.
    ///
    /// - Throws: `noSpace` if the disk is full; the file then has none of these lines, and they remain for the next
    ///   flush. `durabilityUnknown` if the lines are written but may not survive a power loss. `locked` if another
    ///   process holds the file for more than ten seconds. `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
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
        var failure: ContainerError?
        do throws(FileSystemError) {
            var size = try state.log.lock()
            var locked = [state.log.file]
            defer { for file in locked { file?.unlock() } }
            if size > 0, try isRotationDue(state, at: size) {
                // The renamed file remains locked until the new one has its first lines.
                _ = try state.log.rotate(keeping: max(1, rotation.count))
                // Another process may have created the new file and added lines.
                size = try state.log.lock()
                locked.append(state.log.file)
            }
            failure = write(&state, at: size)
        } catch { throw ContainerError(flushing: error) }
        if let failure { throw failure }
    }

    private func isRotationDue(_ state: State, at size: UInt64) throws(FileSystemError) -> Bool {
        if let maximumSize = rotation.maximumSize, size + UInt64(state.lines.count) > maximumSize { return true }
        guard rotation.isDaily, !state.lines.isEmpty, let modified = try state.log.modified() else { return false }
        return !Calendar.current.isDate(modified.date, inSameDayAs: Date())
    }

    /// Writes the lines at the end of the open file, which is locked and has `size` bytes.
    private func write(_ state: inout State, at size: UInt64) -> ContainerError? {
        guard !state.lines.isEmpty, let file = state.log.file else { return nil }
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
            state.log.close()
            return ContainerError(
                .durabilityUnknown, path, errno: error.errno,
                "\(error). The lines are in the file but may not survive a power loss. Add important lines again.")
        }
        return nil
    }
}

extension ContainerError {
    /// Creates an error of a flush that added no line.
    fileprivate init(flushing error: FileSystemError) {
        let onDisk = "No line was added; the lines remain for the next flush."
        guard error.errno == .resourceTemporarilyUnavailable, error.operation == "lock" else {
            self.init(error, onDisk: onDisk)
            return
        }
        self.init(
            .locked, error.path, errno: error.errno,
            "“\(error.path)” was locked by another process for 10 seconds. \(onDisk) Try again later.")
    }
}

/// The time at which a flush begins a new log. The old one is renamed to its name with `.1`, and earlier ones to the
/// next number.
public struct LogRotation: Sendable, Hashable {
    /// The size in bytes beyond which a new log begins. Nil for no limit.
    public var maximumSize: UInt64?
    /// True to begin a new log with the first line of a day, in the time zone of the device.
    public var isDaily: Bool
    /// The number of old logs that are kept.
    public var count: Int

    /// Creates a rotation.
    public init(maximumSize: UInt64? = nil, isDaily: Bool = false, keeping count: Int = 1) {
        (self.maximumSize, self.isDaily, self.count) = (maximumSize, isDaily, count)
    }
}

extension Container {
    /// Opens a log to which lines are added. The file is created if it is missing.
    ///
    /// - Parameters:
    ///   - item: The path of the log. Missing parent directories are created.
    ///   - rotation: The time at which a flush begins a new log, which has the exclusion, mode and attributes of the
    ///     old one.
    ///   - options: The permissions and the origin of a new file. Without permissions, it has those of the rotated log,
    ///     or else the default of the process (umask). A log exists or is created, and `flush` is durable, whatever the
    ///     other options are.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Returns: The appender. Deallocation flushes lines that remain and ignores errors.
    /// - Throws: `notAFile` for a directory, a link or a special file, and the errors of `Appender.flush`.
    public func appender(
        to item: ContainerPath, rotation: LogRotation = LogRotation(), options: SaveOptions = SaveOptions(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> Appender {
        let path = try relativeFile(item)
        var options = options
        (options.overwrite, options.durability) = (.never, .full)
        let create = atomicWrite(options, source: CodeLocation(fileID: fileID, line: line))
        return try Appender(self, path: path, creatingBy: create, rotation: rotation)
    }
}
