internal import FileSystem
internal import Foundation

/// Work done away from Swift's own threads, of which there are few, and which must not wait for a disk.
package enum Background {
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "AppContainer"
        // A disk serves several at once; more waiting threads than this only cost memory.
        queue.maxConcurrentOperationCount = max(4, Host.processorCount)
        return queue
    }()

    /// Runs `body` as soon as a thread is free; once begun, it goes on to its end.
    ///
    /// - Returns: Its outcome; nil where the task was cancelled before it was begun.
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

    /// Runs `body` also in a task that is cancelled, for what cleans up or cannot fail.
    package static func always<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: body()) }
        }
    }

    /// Runs `body` as `outcome(of:)` does.
    ///
    /// - Throws: What `body` throws; `cancellation` where the task was cancelled before it was begun.
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
