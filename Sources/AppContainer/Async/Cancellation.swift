internal import Synchronization

/// A cancellation flag that is shared between threads.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }
    func cancel() { flag.store(true, ordering: .relaxed) }
}
