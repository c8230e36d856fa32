internal import FileSystem
internal import SystemPackage

/// A lock on a container, held until it is released, dropped, or its process ends.
///
/// It is advisory: it binds those who ask for it too. Single saves need none; take it around what must see several
/// files as they belong together.
public final class ContainerLock: Sendable {
    private let lock: Lock

    init(_ lock: Lock) { self.lock = lock }

    /// Lets the lock go. Dropping the last reference does the same.
    public func release() { lock.release() }
}

extension Container {
    /// Whether others may hold the lock at the same time.
    public enum LockMode: Sendable {
        /// Others may hold it shared too: for readers.
        case shared
        /// No one else holds it: for who changes things.
        case exclusive
    }

    /// Locks the container against other processes, and against other parts of this one, that lock it too.
    ///
    /// It leaves nothing on disk, and ends with the process however that ends. Source: flock(2).
    ///
    /// - Parameters:
    ///   - mode: Whether others may hold it too.
    ///   - timeout: How long to wait for others.
    /// - Returns: The lock; keep it for as long as it is to hold.
    /// - Throws: `locked`, naming the process that holds it where the system tells; `permissionDenied`, `failed`.
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
    /// - Throws: As `lock` does; whatever `body` throws.
    public func withLock<Result>(
        _ mode: LockMode = .exclusive, within timeout: Duration = .seconds(10), _ body: () throws -> Result
    ) throws -> Result {
        let lock = try lock(mode, within: timeout)
        defer { lock.release() }
        return try body()
    }
}

extension ContainerError {
    /// Someone else keeps the lock on a directory.
    init(locked path: FilePath, in folder: Folder) {
        let holder = Lock.holder(of: folder).map { "process \($0)" } ?? "another process or part of this one"
        self.init(
            .locked, path, errno: .resourceTemporarilyUnavailable,
            "“\(path)” is locked by \(holder). Nothing on disk has changed. Try again when it is done.")
    }
}
