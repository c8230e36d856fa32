internal import FileSystem

/// A change of a simulated device.
public struct DeviceEvent: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable, Hashable {
        /// The app changed from one state to another.
        case transition(from: AppState, to: AppState)
        /// The handler of a registered value saved it.
        case saved(name: String)
        /// The handler of a registered value failed; the value is still unsaved.
        case saveFailed(name: String)
        /// The app was terminated, and a registered value was unsaved.
        case lost(name: String)
        /// An event changed the container. An offloaded app is not installed.
        case container(LifecycleEvent)
        /// The app was installed again after it had been offloaded.
        case reinstalled
    }
    /// The number of the event, from 1. A gap shows that an observer did not read in time.
    public let number: UInt64
    /// The kind.
    public let kind: Kind
}

/// The events of a simulated device, as an asynchronous sequence. See `SimulatedDevice.events()`.
///
/// At most 256 events wait to be read; then the oldest ones are dropped. The sequence ends with the device. Each event
/// is delivered to one iterator of a sequence.
public struct DeviceEvents: AsyncSequence, Sendable {
    /// The maximum number of events that wait to be read.
    package static let capacity = 256
    private let stream: AsyncStream<DeviceEvent>

    init(_ stream: AsyncStream<DeviceEvent>) { self.stream = stream }

    /// An iterator over events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var iterator: AsyncStream<DeviceEvent>.Iterator

        /// Waits for the next event. Returns nil if the device has ended or the task is cancelled.
        public mutating func next() async -> DeviceEvent? { await iterator.next() }

        /// Waits for the next event. Returns nil if the device has ended or the task is cancelled.
        @available(macOS 15.0, iOS 18.0, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> DeviceEvent? {
            await iterator.next(isolation: actor)
        }
    }

    /// Returns an iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
}

/// The observers of a device.
final class DeviceObservers: Sendable {
    private struct State {
        var observers: [UInt64: AsyncStream<DeviceEvent>.Continuation] = [:]
        var nextObserver: UInt64 = 0
        var nextEvent: UInt64 = 1
        var hasEnded = false
    }
    private let state = LockedValue(State())

    /// Creates a sequence of the events from now on. It is empty if the device has ended.
    func observe() -> DeviceEvents {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DeviceEvent.self, bufferingPolicy: .bufferingNewest(DeviceEvents.capacity))
        let number = state.withLock { state -> UInt64? in
            guard !state.hasEnded else { return nil }
            state.nextObserver += 1
            state.observers[state.nextObserver] = continuation
            return state.nextObserver
        }
        guard let number else {
            continuation.finish()
            return DeviceEvents(stream)
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return DeviceEvents(stream)
    }

    /// Sends events in order to all observers.
    func send(_ kinds: [DeviceEvent.Kind]) {
        state.withLock { state in
            for kind in kinds {
                let event = DeviceEvent(number: state.nextEvent, kind: kind)
                state.nextEvent += 1
                // A continuation never calls its observer here, so the order of events is that of the calls.
                for observer in state.observers.values { observer.yield(event) }
            }
        }
    }

    /// Ends all sequences.
    func finish() {
        let observers = state.withLock { state in
            state.hasEnded = true
            defer { state.observers = [:] }
            return Array(state.observers.values)
        }
        for observer in observers { observer.finish() }
    }

    private func remove(_ number: UInt64) {
        let removed = state.withLock { $0.observers.removeValue(forKey: number) }
        // Released outside of the lock, because its release may call `remove` again.
        _ = removed
    }
}
