internal import FileSystem
internal import Foundation

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
    /// - Returns: The result of `body`, or nil if the task was cancelled before `body` began.
    static func outcome<Outcome: Sendable>(of body: @escaping @Sendable () -> Outcome) async -> Outcome? {
        let state = Cancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { continuation.resume(returning: state.isCancelled ? nil : body()) }
            }
        } onCancel: {
            state.cancel()
        }
    }

    /// Runs `body` even in a cancelled task. For cleanup and for work that cannot fail.
    package static func always<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: body()) }
        }
    }

    /// Runs `body` like `outcome(of:)`.
    ///
    /// - Throws: The error of `body`; `cancellation` if the task was cancelled before `body` began.
    package static func run<Value: Sendable, Failure: Error>(
        orThrow cancellation: @autoclosure () -> Failure, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome = await outcome { () -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        guard let outcome else { throw cancellation() }
        return try outcome.get()
    }
}

/// A cancellation flag that is shared between threads.
final class Cancellation: Sendable {
    private let flag = AtomicFlag(false)

    var isCancelled: Bool { flag.value }
    func cancel() { flag.set(true) }
}

extension Container {
    /// Runs several calls on the container in the background, on threads other than Swift's own, which must not block.
    /// A single call has an async version of its own.
    ///
    ///     let sizes = try await container.background { container in
    ///         try container.list(.documents).map { place in try container.load(place).count }
    ///     }
    ///
    /// - Parameter body: The work. It begins when a thread is available. If the task is cancelled before that, it does
    ///   not begin; otherwise it runs to its end.
    /// - Returns: The result of `body`.
    /// - Throws: `cancelled`; any error of `body`.
    public func background<Result: Sendable>(
        _ body: @escaping @Sendable (Container) throws -> Result
    ) async throws -> Result {
        try await Background.run(orThrow: ContainerError(cancelledAt: location) as any Error) { try body(self) }
    }

    /// Runs work that throws `ContainerError` in the background.
    func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Container) throws(ContainerError) -> Value
    ) async throws(ContainerError) -> Value {
        try await Background.run(orThrow: ContainerError(cancelledAt: location)) { () throws(ContainerError) in
            try body(self)
        }
    }
}
