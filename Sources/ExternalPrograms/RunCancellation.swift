internal import FileSystem
internal import Foundation

/// Cancellation of a run that cleans up after itself, such as an export or a run of an external tool.
package enum RunCancellation {
    private static let isAtWork = AtomicFlag(false)
    private static let isAsked = AtomicFlag(false)
    private static let running = LockedValue<Int32>(0)

    private static let remarked = LockedValue("")

    /// A note for the user on leftovers of a cancelled run.
    package static var remark: String {
        get { remarked.withLock { $0 } }
        set { remarked.withLock { $0 = newValue } }
    }

    /// True after a cancellation.
    package static var isRequested: Bool { isAsked.value }

    /// Asks the current run, if any, to end, and waits until it has cleaned up.
    package static func cancelRun() {
        guard isAtWork.value else { return }
        isAsked.set(true)
        let program = program
        if program > 0 { kill(program, SIGINT) }
        while isAtWork.value { Thread.sleep(forTimeInterval: 0.01) }
    }

    /// The external program that gets the signal.
    static var program: Int32 {
        get { running.withLock { $0 } }
        set {
            running.withLock { $0 = newValue }
            // The run was cancelled while the program was being started.
            if newValue > 0, isAsked.value { kill(newValue, SIGINT) }
        }
    }

    /// Marks `body` as a cancellable run.
    package static func during<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        isAtWork.set(true)
        defer { isAtWork.set(false) }
        return try body()
    }
}
