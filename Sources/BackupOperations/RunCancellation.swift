internal import BackupRepository
internal import Foundation
internal import FileSystem

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
    static func during<Result>(_ body: () throws(BackupError) -> Result) throws(BackupError) -> Result {
        isAtWork.set(true)
        defer { isAtWork.set(false) }
        return try body()
    }

    /// Checks for a cancellation.
    ///
    /// - Throws: `interrupted`.
    static func check() throws(BackupError) {
        guard isAsked.value else { return }
        throw BackupError(.interrupted, "interrupted")
    }
}
