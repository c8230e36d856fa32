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

    /// Returns a lock on a directory. `error` is the error for a lock that was not released in time.
    ///
    /// - Throws: `locked`, `interrupted`, or the failure to open the directory.
    fileprivate func lock(
        _ folder: Folder, _ mode: Lock.Mode, atLeast least: Duration = .zero, error: () -> BackupError
    ) throws(BackupError) -> Lock {
        let (start, limit) = (ContinuousClock.now, max(limit, least))
        var isReported = false
        while true {
            let left = limit - (ContinuousClock.now - start)
            // In short steps, so that an interruption ends the wait.
            do throws(FileSystemError) {
                return try Lock(folder, mode, within: min(max(left, .zero), .milliseconds(100)))
            } catch {
                guard error.errno == .resourceTemporarilyUnavailable else { throw BackupError(error) }
            }
            try Invocation.current.interruption.throwIfRequested()
            let waited = ContinuousClock.now - start
            if waited >= limit {
                let error = error()
                guard self.limit > .zero else { throw error }
                throw BackupError(
                    error.code, "\(error.what); waited \(name)", hint: "\(error.hint), or wait longer with --wait")
            }
            if !isReported, waited > .seconds(1), limit > .seconds(1) {
                isReported = true
                report("waiting up to \(name): \(error().what)")
            }
        }
    }
}

/// The lock of a repository. It consists of two kernel locks, which no crash leaves behind: on the repository's
/// directory, shared except for removals, and on `objects`, for one writer at a time. A small file names the writer.
final class RepositoryLock: Sendable {
    private let locks: [Lock]
    private let folder: Folder
    let isWriter: Bool
    private let hasEnded = AtomicFlag(false)
    static let note: FilePath = "writer"

    init(
        _ folder: Folder, _ objects: Folder, _ purpose: Repository.Purpose, command: String, waiting wait: LockWait
    ) throws(BackupError) {
        self.folder = folder
        isWriter = purpose != .reading
        // A process that creates a repository, or finds it created, holds the exclusive lock for a moment.
        var locks = [
            try wait.lock(
                folder, purpose == .removing ? .exclusive : .shared, atLeast: purpose == .adding ? .seconds(1) : .zero
            ) { Self.locked(folder, objects, isRead: purpose == .removing, by: Lock.holder(of: folder)) }
        ]
        if isWriter {
            locks.append(
                try wait.lock(objects, .exclusive) {
                    Self.locked(folder, objects, isRead: false, by: Lock.holder(of: folder))
                })
        }
        self.locks = locks
        guard isWriter else { return }
        let since = Date.now.formatted(.iso8601)
        let text = "process \(ProcessInfo.processInfo.processIdentifier), `\(command)`, since \(since)"
        do throws(FileSystemError) { try Self.write(Array(text.utf8), in: folder) } catch {
            let error = BackupError(FileSystemError(error.operation, Self.note, error.errno))
            // Without the file, others only learn less, and a removal frees space.
            if error.code == .full { return }
            guard error.code == .readOnly else { throw error }
            throw BackupError(
                .readOnly, "the repository is read-only: \(error.what)",
                hint:
                    "check the permissions; `snapshots`, `diff`, `verify`, `restore` and `export` need no write access")
        }
    }

    /// Writes the file atomically, readable only by its owner. There is one writer at a time.
    private static func write(_ text: [UInt8], in folder: Folder) throws(FileSystemError) {
        TemporaryFileRegistry.register(note, in: folder)
        let staging = FilePath(AtomicWrite.stagingPrefix + "writer")
        if try folder.statusIfPresent(staging) != nil { try folder.remove(staging) }
        let file = try TemporaryFileRegistry.createFile(staging, in: folder, permissions: Repository.privateFile)
        defer { TemporaryFileRegistry.unregister(staging, in: folder) }
        do throws(FileSystemError) {
            try file.write(text)
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
            try? folder.remove(Self.note)
            TemporaryFileRegistry.unregister(Self.note, in: folder)
        }
        for lock in locks { lock.release() }
    }

    /// Releases the lock after a failed run.
    deinit { release() }

    /// Locks a directory exclusively for the creation of a repository.
    static func lockForCreation(in folder: Folder, waiting wait: LockWait) throws(BackupError) -> Lock {
        try wait.lock(folder, .exclusive, atLeast: .seconds(10)) {
            locked(folder, nil, isRead: false, by: Lock.holder(of: folder))
        }
    }

    /// Keeps writers away while the lock is held, for reading without SQLite's own locks.
    ///
    /// - Throws: `locked` if a writer is at work.
    static func excludeWriters(
        of folder: Folder, _ objects: Folder, waiting wait: LockWait
    ) throws(BackupError) -> Lock {
        try wait.lock(objects, .shared) { locked(folder, objects, isRead: false, by: Lock.holder(of: objects)) }
    }

    private static func locked(
        _ folder: Folder, _ objects: Folder?, isRead: Bool, by process: Int32?
    ) -> BackupError {
        // A killed process leaves its file but holds no lock.
        let isWritten = objects.map { (try? Lock($0, .shared, within: .zero)) == nil } ?? false
        let note = isWritten ? try? folder.open(note, followingLinks: false).read(upTo: 300) : nil
        let writer = note.map { bytes in
            String(
                String.UnicodeScalarView(
                    String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0.value >= 0x20 }))
        }
        let reader = process.map { "process \($0)" } ?? "a reader"
        return BackupError(
            .locked, "the repository is locked by \(writer ?? reader)",
            hint: isRead && writer == nil ? "wait until the reader ends" : "wait until it ends, or end it")
    }
}
