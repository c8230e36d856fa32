public import Foundation
public import SystemPackage

// As in Container+AsyncSave: the same as the calls of these names that wait, for a task.
extension Container {
    // MARK: - Containers

    /// Makes a container: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what making a container throws.
    public static func create(at path: FilePath, bundleIdentifier: String) async throws(ContainerError) -> Container {
        try await inBackground(path) { () throws(ContainerError) in
            try create(at: path, bundleIdentifier: bundleIdentifier)
        }
    }

    /// Makes a container at a file URL: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what making a container throws.
    public static func create(at url: URL, bundleIdentifier: String) async throws(ContainerError) -> Container {
        try await inBackground(FilePath(url.path)) { () throws(ContainerError) in
            try create(at: url, bundleIdentifier: bundleIdentifier)
        }
    }

    /// Opens a container that is there: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what opening a container throws.
    public static func open(
        _ path: FilePath, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) async throws(ContainerError) -> Container {
        try await inBackground(path) { () throws(ContainerError) in
            try open(path, bundleIdentifier: bundleIdentifier, sweepingLeftoversOlderThan: age)
        }
    }

    /// Opens a container at a file URL: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what opening a container throws.
    public static func open(
        _ url: URL, bundleIdentifier: String? = nil, sweepingLeftoversOlderThan age: Duration? = nil
    ) async throws(ContainerError) -> Container {
        try await inBackground(FilePath(url.path)) { () throws(ContainerError) in
            try open(url, bundleIdentifier: bundleIdentifier, sweepingLeftoversOlderThan: age)
        }
    }

    private static func inBackground(
        _ path: FilePath, _ body: @escaping @Sendable () throws(ContainerError) -> Container
    ) async throws(ContainerError) -> Container {
        try await Background.run(orThrow: ContainerError(cancelledAt: path), body)
    }

    // MARK: - Files and directories

    /// Makes a directory: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what making a directory throws.
    public func createDirectory(_ place: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in try container.createDirectory(place) }
    }

    /// Copies an item: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what copying throws.
    public func copy(
        _ place: ContainerPath, to target: ContainerPath, in other: Container? = nil
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.copy(place, to: target, in: other)
        }
    }

    /// Moves an item: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what moving throws.
    public func move(
        _ place: ContainerPath, to target: ContainerPath, in other: Container? = nil
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.move(place, to: target, in: other)
        }
    }

    /// Lets an item take the place of another: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what replacing throws.
    public func replace(_ place: ContainerPath, with replacement: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.replace(place, with: replacement)
        }
    }

    /// Removes an item: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what removing throws.
    public func remove(_ place: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in try container.remove(place) }
    }

    // MARK: - Housekeeping

    /// Returns the room on the disk: see the call that waits.
    ///
    /// - Throws: `cancelled`, `failed`.
    public func capacity() async throws(ContainerError) -> Capacity {
        try await inBackground { container throws(ContainerError) in try container.capacity() }
    }

    /// Counts what the container's files take: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what counting throws.
    public func usage(naming count: Int = 10) async throws(ContainerError) -> Usage {
        try await inBackground { container throws(ContainerError) in try container.usage(naming: count) }
    }

    /// Removes what saves that never ended left behind: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what sweeping throws.
    @discardableResult
    public func sweepLeftovers(
        olderThan age: Duration = .seconds(3_600)
    ) async throws(ContainerError) -> [ContainerPath] {
        try await inBackground { container throws(ContainerError) in try container.sweepLeftovers(olderThan: age) }
    }

    /// Removes files that have expired: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what purging throws.
    @discardableResult
    public func purgeExpired(now: Date = Date()) async throws(ContainerError) -> [Usage.Item] {
        try await inBackground { container throws(ContainerError) in try container.purgeExpired(now: now) }
    }
}
