internal import FileSystem
internal import SystemPackage

/// A lock on a container, held until it is released, deallocated, or its process ends.
///
/// The lock is advisory: it only affects code that requests it too. A single save needs no lock. Use it for operations
/// that need a consistent view of several files.
public final class ContainerLock: Sendable {
    private let lock: Lock

    init(_ lock: Lock) { self.lock = lock }

    /// Releases the lock. Deallocation does the same.
    public func release() { lock.release() }
}

extension Container {
    /// The mode of a lock.
    public enum LockMode: Sendable {
        /// Others may hold a shared lock at the same time. For readers.
        case shared
        /// No one else holds the lock. For writers.
        case exclusive
    }

    /// Locks the container against other processes and other parts of this process that request the lock too.
    ///
    /// The lock leaves nothing on disk, and ends with the process. Source: flock(2).
    ///
    /// - Important: iOS ends an app that is suspended while it holds a lock on a file in a shared container, such as that of
    ///   an app group (exception code `0xdead10cc`). Release the lock before the app is suspended, or hold a background
    ///   task (`UIApplication.beginBackgroundTask`, `ProcessInfo.performExpiringActivity`) for as long as the lock.
    ///
    /// - Parameters:
    ///   - mode: The mode of the lock.
    ///   - timeout: The maximum time to wait for others.
    /// - Returns: The lock. Keep a reference for as long as you need it.
    /// - Throws: `locked`, with the process that holds the lock if known; `permissionDenied`, `failed`.
    public func lock(
        _ mode: LockMode = .exclusive, within timeout: Duration = .seconds(10)
    ) throws(ContainerError) -> ContainerLock {
        do throws(FileSystemError) {
            return ContainerLock(try Lock(folder, mode == .exclusive ? .exclusive : .shared, within: timeout))
        } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { throw ContainerError(error) }
            throw ContainerError(locked: location, in: folder)
        }
    }

    /// Runs `body` while the container is locked.
    ///
    /// - Throws: The errors of `lock`, and any error of `body`.
    public func withLock<Result>(
        _ mode: LockMode = .exclusive, within timeout: Duration = .seconds(10), _ body: () throws -> Result
    ) throws -> Result {
        let lock = try lock(mode, within: timeout)
        defer { lock.release() }
        return try body()
    }
}

extension ContainerError {
    /// Creates an error for a directory that is locked by another process.
    init(locked path: FilePath, in folder: Folder) {
        let holder = Lock.holder(of: folder).map { "process \($0)" } ?? "another process or part of this one"
        self.init(
            .locked, path, errno: .resourceTemporarilyUnavailable,
            "“\(path)” is locked by \(holder). Nothing on disk has changed. Try again later.")
    }
}

extension Container {
    /// Runs `body` while the container is locked, in the caller's context. Waits for the lock without a thread, which
    /// its holder may need.
    ///
    /// - Throws: `CancellationError`, the errors of `lock`, and any error of `body`.
    nonisolated(nonsending) public func withLock<Result>(
        _ mode: LockMode = .exclusive, within timeout: Duration = .seconds(10),
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let lock = try await wait(for: mode, within: timeout)
        defer { lock.release() }
        return try await body()
    }

    private func wait(for mode: LockMode, within timeout: Duration) async throws -> ContainerLock {
        let clock = ContinuousClock()
        let start = clock.now
        var pause = Duration.milliseconds(1)
        while true {
            do {
                return try await background { container in try container.lock(mode, within: .zero) }
            } catch let error as ContainerError where error.code == .locked {
                guard start.duration(to: clock.now) < timeout else { throw error }
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(20))
        }
    }
}
