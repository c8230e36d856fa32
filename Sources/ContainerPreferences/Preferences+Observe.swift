internal import Synchronization

extension Preferences {
    /// Calls `body` with the keys that have changed in the file, after the change is on disk.
    ///
    /// A change by this object is told on the thread that made it. One by another process, or by another object, is
    /// told on the thread whose read or `refresh` found it. No lock is held: `body` may read and change preferences.
    ///
    /// - Returns: What keeps it going: it ends when that is cancelled or dropped.
    public func observe(_ body: @escaping @Sendable (Set<String>) -> Void) -> PreferencesObservation {
        // What is there now is no change.
        _ = try? refresh()
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        return PreferencesObservation { [weak self] in
            // The closure is let go outside the lock: with it may go what locks in turn.
            _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
        }
    }

    /// The keys of one change after another, from now on, as `observe` tells them. It keeps what is not asked for yet,
    /// and ends with this object.
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

/// Finishes a stream when the observer that feeds it is gone.
private final class StreamEnd: Sendable {
    let continuation: AsyncStream<Set<String>>.Continuation
    init(_ continuation: AsyncStream<Set<String>>.Continuation) { self.continuation = continuation }
    deinit { continuation.finish() }
}

/// Someone's wish to hear of changes, in force until it is cancelled or dropped.
public final class PreferencesObservation: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }
    deinit { cancel() }

    /// Ends it. What is being told at this moment on another thread may still arrive.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
