public import Foundation
public import SystemPackage

// Async versions of the blocking calls of the same names. See Container+AsyncSave.
extension Container {
    // MARK: - Containers

    /// Creates a container. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public static func create(at path: FilePath, bundleIdentifier: String) async throws(ContainerError) -> Container {
        try await inBackground(path) { () throws(ContainerError) in
            try create(at: path, bundleIdentifier: bundleIdentifier)
        }
    }

    /// Creates a container at a file URL. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public static func create(at url: URL, bundleIdentifier: String) async throws(ContainerError) -> Container {
        try await inBackground(FilePath(url.path)) { () throws(ContainerError) in
            try create(at: url, bundleIdentifier: bundleIdentifier)
        }
    }

    /// Opens an existing container. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public static func open(
        _ path: FilePath, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) async throws(ContainerError) -> Container {
        try await inBackground(path) { () throws(ContainerError) in
            try open(path, bundleIdentifier: bundleIdentifier, sweepingLeftoversOlderThan: age)
        }
    }

    /// Opens a container at a file URL. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public static func open(
        _ url: URL, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) async throws(ContainerError) -> Container {
        try await inBackground(FilePath(url.path)) { () throws(ContainerError) in
            try open(url, bundleIdentifier: bundleIdentifier, sweepingLeftoversOlderThan: age)
        }
    }

    /// Opens the container of this process. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public static func home() async throws(ContainerError) -> Container {
        try await inBackground("") { () throws(ContainerError) in try home() }
    }

    /// Opens the container of a group of apps. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public static func group(_ identifier: String) async throws(ContainerError) -> Container {
        try await inBackground(FilePath("")) { () throws(ContainerError) in try group(identifier) }
    }

    private static func inBackground(
        _ path: FilePath, _ body: @escaping @Sendable () throws(ContainerError) -> Container
    ) async throws(ContainerError) -> Container {
        try await Background.run(orThrow: ContainerError(cancelledAt: path), body)
    }

    // MARK: - Files and directories

    /// Creates a directory. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func createDirectory(_ item: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in try container.createDirectory(item) }
    }

    /// Copies an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func copy(
        _ item: ContainerPath, to target: ContainerPath, in other: Container? = nil, overwrite: Overwrite = .never
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.copy(item, to: target, in: other, overwrite: overwrite)
        }
    }

    /// Moves an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func move(
        _ item: ContainerPath, to target: ContainerPath, in other: Container? = nil, overwrite: Overwrite = .never
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.move(item, to: target, in: other, overwrite: overwrite)
        }
    }

    /// Replaces an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func replace(_ item: ContainerPath, with replacement: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.replace(item, with: replacement)
        }
    }

    /// Removes an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func remove(_ item: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in try container.remove(item) }
    }

    /// Removes the content of a directory. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func removeAll(in directory: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in try container.removeAll(in: directory) }
    }

    /// Copies a file from outside into the container. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func importFile(
        at url: URL, to target: ContainerPath, overwrite: Overwrite = .never, fileID: String = #fileID,
        line: UInt = #line
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.importFile(at: url, to: target, overwrite: overwrite, fileID: fileID, line: line)
        }
    }

    // MARK: - Housekeeping

    /// Returns the capacity of the file system. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, `failed`.
    public func capacity() async throws(ContainerError) -> Capacity {
        try await inBackground { container throws(ContainerError) in try container.capacity() }
    }

    /// Returns the number and size of the files in a directory. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func usage(
        of item: ContainerPath = .root, naming count: Int = 10
    ) async throws(ContainerError) -> DiskUsage {
        try await inBackground { container throws(ContainerError) in try container.usage(of: item, naming: count) }
    }

    /// Removes the leftovers of interrupted saves. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func sweepLeftovers(
        olderThan age: Duration = .seconds(3_600)
    ) async throws(ContainerError) -> [ContainerPath] {
        try await inBackground { container throws(ContainerError) in try container.sweepLeftovers(olderThan: age) }
    }

    /// Removes expired files. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func purgeExpired(now: Date = Date()) async throws(ContainerError) -> [DiskUsage.Item] {
        try await inBackground { container throws(ContainerError) in try container.purgeExpired(now: now) }
    }
}

// Async versions of the blocking calls of the same names. See Container+AsyncSave.
extension Container {
    /// Locks the container. See the blocking call of the same name. Waits without occupying a thread, which the holder
    /// of the lock may need.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func lock(
        _ mode: LockMode = .exclusive, within timeout: Duration = .seconds(10)
    ) async throws(ContainerError) -> ContainerLock {
        let clock = ContinuousClock()
        let start = clock.now
        var pause = Duration.milliseconds(1)
        while true {
            do throws(ContainerError) {
                return try await inBackground { container throws(ContainerError) in
                    try container.lock(mode, within: .zero)
                }
            } catch {
                guard error.code == .locked, start.duration(to: clock.now) < timeout else { throw error }
            }
            do { try await Task.sleep(for: pause) } catch { throw ContainerError(cancelledAt: location) }
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    /// Runs `body` while the container is locked. See the blocking call of the same name. `body` runs in the caller's
    /// context.
    ///
    /// - Throws: The errors of `lock`, and any error of `body`.
    nonisolated(nonsending) public func withLock<Result>(
        _ mode: LockMode = .exclusive, within timeout: Duration = .seconds(10),
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let lock = try await lock(mode, within: timeout)
        defer { lock.release() }
        return try await body()
    }
}
