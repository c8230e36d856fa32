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
