internal import BackupRepository
internal import Foundation
internal import Synchronization

/// Ctrl-C while a run is at work that tidies up by itself: more than a few files, or a backup tool of someone else's, which
/// is told.
package enum RunCancellation {
    private static let isAtWork = Atomic<Bool>(false)
    private static let isAsked = Atomic<Bool>(false)
    private static let running = Atomic<Int32>(0)

    private static let remarked = Mutex("")

    /// What a person is to know of a run that was ended, where it could not tidy up.
    package static var remark: String {
        get { remarked.withLock { $0 } }
        set { remarked.withLock { $0 = newValue } }
    }

    /// Asks a run to end, if there is one, and waits until it has tidied up.
    package static func cancelRun() {
        guard isAtWork.load(ordering: .sequentiallyConsistent) else { return }
        isAsked.store(true, ordering: .sequentiallyConsistent)
        let program = running.load(ordering: .sequentiallyConsistent)
        if program > 0 { kill(program, SIGINT) }
        while isAtWork.load(ordering: .sequentiallyConsistent) { Thread.sleep(forTimeInterval: 0.01) }
    }

    /// The program that is told.
    static var program: Int32 {
        get { running.load(ordering: .sequentiallyConsistent) }
        set {
            running.store(newValue, ordering: .sequentiallyConsistent)
            // Asked while it was being started.
            if newValue > 0, isAsked.load(ordering: .sequentiallyConsistent) { kill(newValue, SIGINT) }
        }
    }

    /// Whatever a run does is done in here.
    static func during<Result>(_ body: () throws(BackupError) -> Result) throws(BackupError) -> Result {
        isAtWork.store(true, ordering: .sequentiallyConsistent)
        defer { isAtWork.store(false, ordering: .sequentiallyConsistent) }
        return try body()
    }

    /// - Throws: `interrupted` where a person has asked for it.
    static func check() throws(BackupError) {
        guard isAsked.load(ordering: .sequentiallyConsistent) else { return }
        throw BackupError(.interrupted, "interrupted")
    }
}
