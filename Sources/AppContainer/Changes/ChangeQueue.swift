internal import FileSystem

/// Changes that wait to be read, with a bound.
final class ChangeQueue: Sendable {
    private struct State {
        var changes: [ContainerChange] = []
        /// The index of the first change that has not been read.
        var start = 0
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Outcome, Never>)] = []
        var nextID: UInt64 = 0
        var end: Outcome?
    }
    private enum Outcome {
        case change(ContainerChange), cancelled
        case failed(ContainerError)
    }

    /// The maximum number of changes that wait.
    static let capacity = 1_024

    private let directory: ContainerPath
    private let state = LockedValue(State())

    init(_ directory: ContainerPath) { self.directory = directory }

    /// Adds a change. If there are too many, all are replaced by `overflow`.
    func add(_ kind: ContainerChange.Kind, path: ContainerPath) {
        let change = ContainerChange(kind: kind, path: kind == .overflow ? directory : path)
        let reader = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            // Whoever reads the overflow reads the directory afterwards.
            guard state.changes.last != change, state.changes.last?.kind != .overflow else { return nil }
            if kind == .overflow || state.changes.count - state.start >= Self.capacity {
                state.changes = [ContainerChange(kind: .overflow, path: directory)]
                state.start = 0
            } else {
                state.changes.append(change)
            }
            return nil
        }
        reader?.resume(returning: .change(change))
    }

    /// Ends the sequence with an error, after the changes that wait.
    func fail(_ error: ContainerError) {
        let readers = state.withLock { state in
            state.end = .failed(error)
            defer { state.waiting = [] }
            return state.waiting
        }
        for reader in readers { reader.continuation.resume(returning: .failed(error)) }
    }

    /// Waits for the next change. Returns nil if the task is cancelled.
    func next() async throws(ContainerError) -> ContainerChange? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Outcome? in
                    if state.start < state.changes.count { return .change(Self.next(&state)) }
                    if let end = state.end { return end }
                    if Task.isCancelled { return .cancelled }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiting.remove(at: index).continuation
            }
            continuation?.resume(returning: .cancelled)
        }
        switch outcome {
        case .change(let change): return change
        case .cancelled: return nil
        case .failed(let error): throw error
        }
    }

    private static func next(_ state: inout State) -> ContainerChange {
        let change = state.changes[state.start]
        state.start += 1
        if state.start == state.changes.count { (state.changes, state.start) = ([], 0) }
        return change
    }
}
