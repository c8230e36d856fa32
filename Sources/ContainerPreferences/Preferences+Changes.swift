internal import AppContainer
internal import FileSystem
internal import Foundation

/// A change of a preference.
public struct PreferenceChange<Value: Sendable>: Sendable {
    /// The value at the time of the last report, or of the beginning of the observation.
    public let old: Value
    /// The current value.
    public let new: Value

    /// Creates a change, for instance for a test.
    public init(old: Value, new: Value) {
        self.old = old
        self.new = new
    }
}

/// Equality of the old and the new values.
extension PreferenceChange: Equatable where Value: Equatable {}

extension Preferences {
    /// The changes of the value of a key, by this and by other processes, without a read.
    ///
    ///     for await change in preferences.changes(of: .volume) { player.volume = change.new }
    ///
    /// A change by this process is reported at once, one by another process within 100 milliseconds or by
    /// `synchronize()`. Changes that follow each other quickly may be reported as one, from the value of the last
    /// report to the current one. The last value is always reported. A value that cannot be read is the default of the
    /// key, and the error is reported to `observeErrors`.
    ///
    /// The observation begins with this call and ends with the loop, or when its task is cancelled. Use a separate
    /// sequence for each loop. On Linux it uses inotify, or, if the system has no further watches, a check each 100
    /// milliseconds; on Darwin kqueue.
    public func changes<Value>(of key: Key<Value>) -> PreferenceChanges<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = addObserver(of: key.name) { _ in continuation.yield() }
        let observation = PreferencesObservation { [weak self] in self?.removeObserver(number) }
        continuation.onTermination = { _ in observation.cancel() }
        return PreferenceChanges(preferences: self, key: key, stream: stream, number: number, observation: observation)
    }

    /// Observes the value of a key. `body` receives the old and the new value.
    ///
    ///     let observation = preferences.observe(.volume) { change in print(change.old, change.new) }
    ///
    /// A change by this process is reported on the thread that made it, before the call returns, unless another thread
    /// is reporting an earlier change of the key; then that thread reports both. A change by another process is
    /// reported on a queue within 100 milliseconds. No lock is held, and `body` may read and change preferences. Calls
    /// of `body` do not overlap. Otherwise like `changes(of:)`.
    ///
    /// - Returns: The observation. It ends when it is cancelled or deallocated.
    public func observe<Value>(
        _ key: Key<Value>, _ body: @escaping @Sendable (PreferenceChange<Value>) -> Void
    ) -> PreferencesObservation {
        let delivery = Delivery()
        let number = addObserver(of: key.name) { [weak self] number in
            delivery.run {
                while let self, let change = self.takeChange(number, of: key) { body(change) }
            }
        }
        return PreferencesObservation { [weak self] in self?.removeObserver(number) }
    }

    /// Returns the change since the last report to an observer.
    func takeChange<Value>(_ number: Int, of key: Key<Value>) -> PreferenceChange<Value>? {
        guard let (old, new) = state.withLock({ $0.takeChange(number) }) else { return nil }
        return PreferenceChange(old: reported(old, key: key), new: reported(new, key: key))
    }

    private func reported<Value>(_ found: Found?, key: Key<Value>) -> Value {
        guard let found else { return key.defaultValue }
        do throws(PreferencesError) { return try key.decode(found, in: context) } catch {
            report(error)
            return key.defaultValue
        }
    }

    /// Adds an observer, and returns its number. `notify` is called after each possible change of the value.
    func addObserver(of name: String, _ notify: @escaping @Sendable (Int) -> Void) -> Int {
        let number = state.withLock { state in
            state.nextObserver += 1
            let number = state.nextObserver
            let last: Found?? = state.isKnown ? .some(state.find(name)) : nil
            state.keyObservers[number] = KeyObserver(name: name, last: last) { notify(number) }
            return number
        }
        beginWatching()
        return number
    }

    func removeObserver(_ number: Int) {
        // Released outside the lock, because its deallocation may acquire locks.
        let observer = state.withLock { state in
            state.awaitsReading.remove(number)
            return state.keyObservers.removeValue(forKey: number)
        }
        if observer != nil { endWatching() }
    }

    /// Has an observer notified when the file, which could not be read, is read again.
    func awaitReading(_ number: Int) {
        _ = state.withLock { $0.awaitsReading.insert(number) }
        // The file may have become readable in between.
        queueRead()
    }
}

/// The changes of the value of a key. See `Preferences.changes(of:)`.
public struct PreferenceChanges<Value: Sendable>: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = PreferenceChange<Value>

    let preferences: Preferences
    let key: Preferences.Key<Value>
    let stream: AsyncStream<Void>
    let number: Int
    /// Ends the observation if no loop begins.
    let observation: PreferencesObservation

    /// Returns the iterator of a loop.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self, signals: stream.makeAsyncIterator()) }

    /// The iterator of a loop over changes.
    public struct Iterator: AsyncIteratorProtocol {
        let changes: PreferenceChanges
        var signals: AsyncStream<Void>.Iterator

        /// Waits for the next change. Returns nil if the task is cancelled.
        public mutating func next() async -> PreferenceChange<Value>? {
            while await signals.next() != nil {
                if let change = changes.preferences.takeChange(changes.number, of: changes.key) { return change }
            }
            return nil
        }
    }
}

/// Runs the calls of an observer one after the other, also if the observer causes another one.
private final class Delivery: Sendable {
    private struct State {
        var isRunning = false
        var isRequested = false
    }
    private let state = LockedValue(State())

    /// Runs `body`, or has the running call repeat it.
    func run(_ body: () -> Void) {
        let isFirst = state.withLock { state in
            state.isRequested = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        while takeRequest() { body() }
    }

    private func takeRequest() -> Bool {
        state.withLock { state in
            defer { state.isRequested = false }
            state.isRunning = state.isRequested
            return state.isRequested
        }
    }
}

extension Preferences {
    /// The watch on the file, while it is observed.
    final class Watching: Sendable {
        struct State {
            var observers = 0
            var watch: (any PreferencesWatch)?
            /// Distinguishes the timers of a later watch.
            var generation = 0
            /// True if a further read is scheduled.
            var hasTimer = false
        }
        let state = LockedValue(State())
        /// Reads changes by other processes and reports them.
        let queue = DispatchQueue(label: "ContainerPreferences")
        /// True if a read is queued.
        let isQueued = AtomicFlag(false)
    }

    func beginWatching() {
        let generation = watching.state.withLock { state -> Int? in
            state.observers += 1
            guard state.observers == 1 else { return nil }
            state.generation += 1
            return state.generation
        }
        guard let generation else {
            // The new observer may be the first to need the values.
            return queueRead()
        }
        watching.queue.async { [weak self] in self?.startWatch(generation) }
    }

    func endWatching() {
        // Released outside the lock.
        _ = watching.state.withLock { state -> (any PreferencesWatch)? in
            state.observers -= 1
            guard state.observers == 0 else { return nil }
            state.generation += 1
            defer { state.watch = nil }
            return state.watch
        }
    }

    private func startWatch(_ generation: Int) {
        let watch = storage.watch { [weak self] in self?.queueRead() }
        let isCurrent = watching.state.withLock { state in
            guard state.generation == generation else { return false }
            state.watch = watch
            return true
        }
        guard isCurrent else { return }
        readObserved(generation, failures: 0)
    }

    /// Queues a read of changes by other processes. Requests until it begins are one read.
    func queueRead() {
        guard !watching.isQueued.exchange(true) else { return }
        watching.queue.async { [weak self] in
            guard let self else { return }
            self.watching.isQueued.set(false)
            self.readObserved(self.watching.state.withLock(\.generation), failures: 0)
        }
    }

    /// Reads changes. Repeats it if the file could not be read, and without a watch.
    private func readObserved(_ generation: Int, failures: Int) {
        guard watching.state.withLock({ $0.generation == generation && $0.observers > 0 }) else { return }
        let failed: Int
        do throws(PreferencesError) {
            try synchronize()
            failed = 0
        } catch {
            report(error)
            failed = failures + 1
        }
        let isScheduled = watching.state.withLock { state in
            guard !state.hasTimer, failed > 0 || state.watch?.isComplete != true else { return true }
            state.hasTimer = true
            return false
        }
        if isScheduled { return }
        // Up to 3.2 seconds for a file that remains unreadable.
        watching.queue.asyncAfter(deadline: .now() + .milliseconds(50 << min(failed, 6))) { [weak self] in
            self?.watching.state.withLock { $0.hasTimer = false }
            self?.readObserved(generation, failures: failed)
        }
    }
}
