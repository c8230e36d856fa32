internal import FileSystem
internal import Foundation
internal import SystemPackage

/// The wait for a lock that another process holds.
package struct LockWait: Sendable {
    fileprivate let limit: Duration
    fileprivate let name: String
    fileprivate let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - limit: The longest wait.
    ///   - name: The longest wait for messages, such as `1m`.
    ///   - report: Called once if the wait takes more than a second, with the holder of the lock.
    package init(limit: Duration, name: String, report: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.limit, self.name, self.report) = (limit, name, report)
    }

    package static let none = LockWait(limit: .zero, name: "0s")

    /// The same wait without a limit, for a run that has work to lose.
    fileprivate var unlimited: LockWait { LockWait(limit: .seconds(1 << 40), name: "", report: report) }

    /// Returns a lock on a directory. `error` is the error for a lock that was not released in time.
    ///
    /// - Throws: `locked`, `interrupted`, or the failure to open the directory.
    fileprivate func lock(
        _ folder: Folder, mode: Lock.Mode, atLeast least: Duration = .zero, error: () -> BackupError
    ) throws(BackupError) -> Lock {
        try retry(atLeast: least, error: error) { time throws(FileSystemError) in
            try Lock(folder, mode, within: time)
        }
    }

    /// Calls `attempt` until it succeeds, with the time that it may wait.
    fileprivate func retry<Result>(
        atLeast least: Duration, error: () -> BackupError,
        _ attempt: (Duration) throws(FileSystemError) -> Result
    ) throws(BackupError) -> Result {
        let (start, limit) = (ContinuousClock.now, max(limit, least))
        var isReported = false
        while true {
            let left = limit - (ContinuousClock.now - start)
            // In short steps, so that an interruption ends the wait.
            do throws(FileSystemError) {
                return try attempt(min(max(left, .zero), .milliseconds(100)))
            } catch {
                guard error.errno == .resourceTemporarilyUnavailable else { throw BackupError(error) }
            }
            try Invocation.current.interruption.throwIfRequested()
            let waited = ContinuousClock.now - start
            if waited >= limit {
                let error = error()
                guard self.limit > .zero else { throw error }
                throw BackupError(
                    error.code, what: "\(error.what); waited \(name)", hint: "\(error.hint), or wait longer with --wait"
                )
            }
            if !isReported, waited > .seconds(1), limit > .seconds(1) {
                isReported = true
                report("waiting\(name.isEmpty ? "" : " up to \(name)"): \(error().what)")
            }
        }
    }
}

/// The lock of a repository. It consists of two kernel locks, which no crash leaves behind: on the repository's
/// directory, shared except for removals, and on `objects`, for one writer of the catalogue at a time. Runs that create
/// snapshots hold the second one only in turns, while they change the catalogue, and read and store content at the same
/// time. A small file names the writer, or the last run of several.
final class RepositoryLock: Sendable {
    private let lock: Lock
    /// The lock on `objects`; nil for a reader, and between the turns of a run that creates snapshots.
    private let writing = LockedValue<Lock?>(nil)
    private let folder: Folder
    private let objects: Folder
    private let wait: LockWait
    let isWriter: Bool
    /// True if the run changes the catalogue in turns with others.
    let takesTurns: Bool
    private let hasEnded = AtomicFlag(false)
    static let note: FilePath = "writer"
    private let text: String

    /// Acquires the locks of a purpose. A run that takes turns has its first one, for opening the catalogue.
    init(
        _ folder: Folder, objects: Folder, purpose: Repository.Purpose, command: String, waiting wait: LockWait
    ) throws(BackupError) {
        (self.folder, self.objects, self.wait) = (folder, objects, wait)
        (isWriter, takesTurns) = (purpose != .reading, purpose == .creating)
        text = "\(Self.ownName), `\(command)`, since \(Date.now.formatted(.iso8601))"
        // A process that creates a repository, or finds it created, holds the exclusive lock for a moment.
        let isCreation = purpose == .adding || purpose == .creating
        lock = try wait.lock(
            folder, mode: purpose == .removing ? .exclusive : .shared, atLeast: isCreation ? .seconds(1) : .zero
        ) { Self.locked(folder, objects: objects, isRead: purpose == .removing, on: folder) }
        guard isWriter else { return }
        try takeTurn(waiting: wait)
        do throws(FileSystemError) { try writeNote() } catch {
            let error = BackupError(FileSystemError(error.operation, path: Self.note, errno: error.errno))
            // Without the file, others only learn less, and a removal frees space.
            if error.code == .full { return }
            guard error.code == .readOnly else { throw error }
            throw BackupError(
                .readOnly, what: "the repository is read-only: \(error.what)",
                hint:
                    "check the permissions; `snapshots`, `diff`, `verify`, `restore` and `export` need no write access")
        }
    }

    /// The beginning of the text in the file of this process.
    private static var ownName: String { "process \(ProcessInfo.processInfo.processIdentifier)" }

    /// Waits until no other run changes the catalogue, and keeps others away until `endTurn`. A run that takes no turns has one
    /// until its end.
    ///
    /// - Throws: `interrupted`; `failed` if the directory cannot be opened.
    func takeTurn() throws(BackupError) {
        guard isWriter, writing.withLock({ $0 == nil }) else { return }
        try takeTurn(waiting: wait.unlimited)
        // The run that the file named may have ended.
        try? writeNote()
    }

    private func takeTurn(waiting wait: LockWait) throws(BackupError) {
        let lock = try wait.lock(objects, mode: .exclusive) {
            Self.locked(folder, objects: objects, isRead: false, on: objects)
        }
        writing.withLock { $0 = lock }
    }

    /// Lets other runs change the catalogue.
    func endTurn() {
        guard takesTurns else { return }
        writing.withLock { held in
            held?.release()
            held = nil
        }
    }

    /// Writes the file atomically, readable only by its owner, unless it names another run that goes on. There is one writer at
    /// a time.
    private func writeNote() throws(FileSystemError) {
        if let found = Self.text(in: folder), found == text || takesTurns && Self.holder(found, of: folder) != nil {
            return
        }
        let note = Self.note
        TemporaryFileRegistry.register(note, in: folder)
        let staging = FilePath(AtomicWrite.stagingPrefix + "writer")
        if try folder.statusIfPresent(staging) != nil { try folder.remove(staging) }
        let file = try TemporaryFileRegistry.createFile(staging, in: folder, permissions: Repository.privateFile)
        defer { TemporaryFileRegistry.unregister(staging, in: folder) }
        do throws(FileSystemError) {
            try file.write(Array(text.utf8))
            try file.close()
            try folder.rename(staging, over: note, in: folder)
        } catch {
            try? folder.remove(staging)
            throw error
        }
    }

    /// Releases the lock.
    func release() {
        guard !hasEnded.exchange(true) else { return }
        if isWriter {
            // The file may name another run by now.
            if Self.text(in: folder)?.hasPrefix(Self.ownName + ",") ?? false { try? folder.remove(Self.note) }
            TemporaryFileRegistry.unregister(Self.note, in: folder)
        }
        writing.withLock { $0?.release() }
        lock.release()
    }

    /// Releases the lock after a failed run.
    deinit { release() }

    /// Locks a directory exclusively for the creation of a repository. Returns nil if another run has created it, which may
    /// use it for a long time.
    static func lockForCreation(
        in folder: Folder, waiting wait: LockWait, while isAbsent: () throws(FileSystemError) -> Bool
    ) throws(BackupError) -> Lock? {
        try wait.retry(atLeast: .seconds(10), error: { locked(folder, objects: nil, isRead: false, on: folder) }) {
            time throws(FileSystemError) in
            try isAbsent() ? Lock(folder, .exclusive, within: time) : nil
        }
    }

    /// Keeps writers away while the lock is held, for reading without SQLite's own locks.
    ///
    /// - Throws: `locked` if a writer is at work.
    static func excludeWriters(
        of folder: Folder, _ objects: Folder, waiting wait: LockWait
    ) throws(BackupError) -> Lock {
        try wait.lock(objects, mode: .shared) { locked(folder, objects: objects, isRead: false, on: objects) }
    }

    private static func locked(
        _ folder: Folder, objects: Folder?, isRead: Bool, on held: Folder
    ) -> BackupError {
        // A killed process leaves its file but holds no lock.
        let text = text(in: folder)
        let isWritten = objects.map { (try? Lock($0, .shared, within: .zero)) == nil } ?? false
        let writer = isWritten || text.flatMap { holder($0, of: folder) } != nil ? text : nil
        let reader = Lock.holder(of: held).map { "process \($0)" } ?? "a reader"
        return BackupError(
            .locked, what: "the repository is locked by \(writer ?? reader)",
            hint: isRead && writer == nil ? "wait until it ends" : "wait until it ends, or end it")
    }

    /// Returns the process that a text of the file names, if it holds a lock on the repository.
    private static func holder(_ text: String, of folder: Folder) -> Int32? {
        let word = text.split(whereSeparator: { " ,".contains($0) }).dropFirst().first
        guard let process = word.flatMap({ Int32($0) }) else { return nil }
        return Lock.holder(of: folder, preferring: process) == process ? process : nil
    }

    /// Returns the text of the file that names the writer, without control characters; nil without a file.
    private static func text(in folder: Folder) -> String? {
        guard let bytes = try? folder.open(note, followingLinks: false).read(upTo: 300) else { return nil }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0.value >= 0x20 }
        return String(String.UnicodeScalarView(scalars))
    }
}
