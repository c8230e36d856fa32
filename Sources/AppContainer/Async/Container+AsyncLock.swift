internal import Foundation

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
