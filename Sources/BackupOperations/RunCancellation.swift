internal import BackupRepository
internal import Foundation
internal import Synchronization

/// Cancellation of a run that cleans up after itself, such as an export or a run of an external tool.
package enum RunCancellation {
    private static let isAtWork = Atomic<Bool>(false)
    private static let isAsked = Atomic<Bool>(false)
    private static let running = Atomic<Int32>(0)

    private static let remarked = Mutex("")

    /// A note for the user on leftovers of a cancelled run.
    package static var remark: String {
        get { remarked.withLock { $0 } }
        set { remarked.withLock { $0 = newValue } }
    }

    /// Asks the current run, if any, to end, and waits until it has cleaned up.
    package static func cancelRun() {
        guard isAtWork.load(ordering: .sequentiallyConsistent) else { return }
        isAsked.store(true, ordering: .sequentiallyConsistent)
        let program = running.load(ordering: .sequentiallyConsistent)
        if program > 0 { kill(program, SIGINT) }
        while isAtWork.load(ordering: .sequentiallyConsistent) { Thread.sleep(forTimeInterval: 0.01) }
    }

    /// The external program that gets the signal.
    static var program: Int32 {
        get { running.load(ordering: .sequentiallyConsistent) }
        set {
            running.store(newValue, ordering: .sequentiallyConsistent)
            // The run was cancelled while the program was being started.
            if newValue > 0, isAsked.load(ordering: .sequentiallyConsistent) { kill(newValue, SIGINT) }
        }
    }

    /// Marks `body` as a cancellable run.
    static func during<Result>(_ body: () throws(BackupError) -> Result) throws(BackupError) -> Result {
        isAtWork.store(true, ordering: .sequentiallyConsistent)
        defer { isAtWork.store(false, ordering: .sequentiallyConsistent) }
        return try body()
    }

    /// Checks for a cancellation.
    ///
    /// - Throws: `interrupted`.
    static func check() throws(BackupError) {
        guard isAsked.load(ordering: .sequentiallyConsistent) else { return }
        throw BackupError(.interrupted, "interrupted")
    }
}
