internal import Dispatch
internal import Foundation
internal import FileSystem

/// Runs `body` on a thread with the 512 KiB of stack that threads have on Darwin.
public func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
    let failure = LockedValue<(any Error)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        do { try body() } catch { failure.withLock { $0 = error } }
        isDone.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    isDone.wait()
    if let error = failure.withLock({ $0 }) { throw error }
}
