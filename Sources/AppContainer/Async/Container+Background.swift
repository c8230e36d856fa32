internal import FileSystem
internal import Foundation

extension Container {
    /// Does something with the container away from Swift's own threads, of which there are few, and which must not
    /// wait for a disk.
    ///
    ///     let usage = try await container.background { container in try container.usage() }
    ///
    /// - Parameter body: What is to be done. It begins as soon as one of a few threads is free; it is not begun in a
    ///   task that has been cancelled by then, and goes on to its end once begun.
    /// - Returns: What `body` gives.
    /// - Throws: `cancelled`; whatever `body` throws.
    public func background<Result: Sendable>(
        _ body: @escaping @Sendable (Container) throws -> Result
    ) async throws -> Result {
        let outcome = await outcome { container -> Swift.Result<Result, any Error> in
            Swift.Result { try body(container) }
        }
        guard let outcome else { throw ContainerError(cancelledAt: location) }
        return try outcome.get()
    }

    /// The same for what fails in a container's own way.
    func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Container) throws(ContainerError) -> Value
    ) async throws(ContainerError) -> Value {
        let outcome = await outcome { container -> Swift.Result<Value, ContainerError> in
            do throws(ContainerError) { return .success(try body(container)) } catch { return .failure(error) }
        }
        guard let outcome else { throw ContainerError(cancelledAt: location) }
        return try outcome.get()
    }

    /// Nil where the task was cancelled before its turn came.
    private func outcome<Outcome: Sendable>(_ body: @escaping @Sendable (Container) -> Outcome) async -> Outcome? {
        let container = self
        let state = Cancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Self.queue.addOperation {
                    continuation.resume(returning: state.isCancelled ? nil : body(container))
                }
            }
        } onCancel: {
            state.cancel()
        }
    }

    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "AppContainer"
        // A disk serves several at once; more waiting threads than this only cost memory.
        queue.maxConcurrentOperationCount = max(4, Host.processorCount)
        return queue
    }()
}
