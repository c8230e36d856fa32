internal import CFileSystem

/// The request to end a run early: by a signal, or by a caller of the function that runs the command.
package final class Interruption: Sendable {
    private struct State {
        var handlers: [Int: @Sendable () -> Void] = [:]
        var nextHandler = 0
        /// The number of parts of the run that clean up after themselves.
        var cleaningParts = 0
        var note = ""
        var remark = ""
    }

    private let requested = AtomicFlag(false)
    private let state = LockedValue(State())

    package init() {}

    /// True after a request.
    package var isRequested: Bool { requested.value }

    /// Throws `Interrupted` after a request.
    package func check() throws(Interrupted) { if isRequested { throw Interrupted() } }

    /// Requests the end, and calls the handlers of the running parts.
    package func request() {
        guard !requested.exchange(true) else { return }
        for handler in state.withLock({ Array($0.handlers.values) }) { handler() }
    }

    /// Adds a closure that a request calls on its thread.
    package func addHandler(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.nextHandler += 1
            state.handlers[state.nextHandler] = handler
        }
        if isRequested { handler() }
    }

    /// Runs `body`, which ends soon after a request and cleans up after itself. The end of the process waits for it
    /// (`waitForCleanUp`).
    ///
    /// - Parameters:
    ///   - handler: Called by a request in the meantime, on its thread, or at once if there was one before.
    ///   - body: The part of the run.
    /// - Returns: The value of `body`.
    /// - Throws: The error of `body`.
    package func during<Result, Failure>(
        handler: (@Sendable () -> Void)? = nil, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let key = state.withLock { state in
            state.cleaningParts += 1
            state.nextHandler += 1
            state.handlers[state.nextHandler] = handler
            return state.nextHandler
        }
        defer {
            state.withLock { state in
                state.cleaningParts -= 1
                state.handlers[key] = nil
            }
        }
        // The run was interrupted before the handler was registered.
        if isRequested { handler?() }
        return try body()
    }

    /// Waits until no part of the run has anything left to clean up.
    package func waitForCleanUp() { while state.withLock({ $0.cleaningParts > 0 }) { cfs_pause(1) } }

    /// The state on disk after an interruption, for the user.
    package var note: String {
        get { state.withLock { $0.note } }
        set { state.withLock { $0.note = newValue } }
    }

    /// A remark on leftovers of the interrupted part, for the user.
    package var remark: String {
        get { state.withLock { $0.remark } }
        set { state.withLock { $0.remark = newValue } }
    }
}

/// The end of a run after a request.
package struct Interrupted: Error {
    package init() {}
}
