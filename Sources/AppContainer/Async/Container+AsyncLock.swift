internal import Foundation

// As in Container+AsyncSave: the same as the calls of these names that wait, for a task.
extension Container {
    /// Locks the container: see the call that waits. Others are waited for without a thread, since those who hold the
    /// lock may need one to go on.
    ///
    /// - Throws: `cancelled`, and what locking throws.
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

    /// Runs `body` while the container is locked: see the call that waits. It runs where the caller does.
    ///
    /// - Throws: As `lock` does; whatever `body` throws.
    nonisolated(nonsending) public func withLock<Result>(
        _ mode: LockMode = .exclusive, within timeout: Duration = .seconds(10),
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let lock = try await lock(mode, within: timeout)
        defer { lock.release() }
        return try await body()
    }
}
