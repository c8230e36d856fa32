internal import FileSystem
internal import Foundation
package import SystemPackage

/// A pool of threads for blocking work, which must not block Swift's own threads.
package enum Background {
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "AppContainer"
        // A disk handles several requests at once. More waiting threads would only use memory.
        queue.maxConcurrentOperationCount = max(4, Host.processorCount)
        return queue
    }()

    /// Runs `body` when a thread is available, to its end.
    ///
    /// - Throws: The error of `body`. If the task was cancelled before `body` began, the error of `Failure` for that;
    ///   if it has none, `body` runs.
    package static func run<Value, Failure: Error>(
        at path: FilePath, _ body: @escaping @Sendable () throws(Failure) -> sending Value
    ) async throws(Failure) -> sending Value {
        let cancellation = cancellation(at: path, of: Failure.self)
        let isCancelled = AtomicFlag(false)
        let outcome: Result<Value, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation {
                    if let cancellation, isCancelled.value {
                        return continuation.resume(returning: .failure(cancellation))
                    }
                    do throws(Failure) { continuation.resume(returning: .success(try body())) } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
        } onCancel: {
            isCancelled.set(true)
        }
        return try outcome.get()
    }

    /// Returns the error of a type for a cancelled task: `cancelled` of this library, or `CancellationError`. Nil if
    /// the type has neither.
    private static func cancellation<Failure: Error>(at path: FilePath, of type: Failure.Type) -> Failure? {
        guard let type = type as? any CancellableError.Type else { return CancellationError() as? Failure }
        return type.init(cancelledAt: path) as? Failure
    }
}

extension Container {
    /// Runs calls on the container in the background: the one way to make them from a task. All calls block their
    /// thread, and Swift's own threads must not block.
    ///
    ///     let sizes = try await container.background { container in
    ///         try container.list(.documents).map { place in try container.load(place).count }
    ///     }
    ///
    /// The error type of `body` is kept, if it is stated: `{ container throws(ContainerError) in … }`. A result that is
    /// not Sendable is transferred to the caller.
    ///
    /// - Parameter body: The work. It begins when a thread is available. If the task is cancelled before that, it does
    ///   not begin; otherwise it runs to its end.
    /// - Returns: The result of `body`.
    /// - Throws: Any error of `body`. For a task that is cancelled before `body` begins, `CancellationError`, or
    ///   `cancelled` if the error type of `body` is one of this library. With another error type, `body` runs.
    public func background<Result, Failure: Error>(
        _ body: @escaping @Sendable (Container) throws(Failure) -> sending Result
    ) async throws(Failure) -> sending Result {
        try await Background.run(at: location) { () throws(Failure) -> sending Result in try body(self) }
    }
}
