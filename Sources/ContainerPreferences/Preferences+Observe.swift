internal import Synchronization

extension Preferences {
    /// Observes changes. `body` receives the changed keys after the change is on disk.
    ///
    /// A change by this object is reported on the thread that made it. A change by another process or object is
    /// reported on the thread whose read or `refresh` detected it. No lock is held: `body` may read and change
    /// preferences.
    ///
    /// - Returns: The observation. It ends when it is cancelled or deallocated.
    public func observe(_ body: @escaping @Sendable (Set<String>) -> Void) -> PreferencesObservation {
        // The existing values are not a change.
        _ = try? refresh()
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        return PreferencesObservation { [weak self] in
            // Released outside the lock, because its deallocation may acquire locks.
            _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
        }
    }

    /// The keys of all further changes, as reported by `observe`. Changes are buffered. The stream ends with this
    /// object.
    public var changes: AsyncStream<Set<String>> {
        get async {
            let (stream, continuation) = AsyncStream.makeStream(of: Set<String>.self)
            let end = StreamEnd(continuation)
            let observation = await observe { keys in end.continuation.yield(keys) }
            continuation.onTermination = { _ in observation.cancel() }
            return stream
        }
    }
}

/// Finishes a stream when its observer is deallocated.
private final class StreamEnd: Sendable {
    let continuation: AsyncStream<Set<String>>.Continuation
    init(_ continuation: AsyncStream<Set<String>>.Continuation) { self.continuation = continuation }
    deinit { continuation.finish() }
}

/// An observation of changes, in effect until it is cancelled or deallocated.
public final class PreferencesObservation: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }
    deinit { cancel() }

    /// Ends the observation. A notification in progress on another thread may still arrive.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
