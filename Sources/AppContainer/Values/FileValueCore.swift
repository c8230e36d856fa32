internal import FileSystem
internal import Foundation

/// The state of a `FileValue`, its saves and its watch. Timers and notifications refer to it weakly.
final class FileValueCore<Value: Codable & Sendable & Equatable>: Sendable {
    private struct State {
        var value: Value
        /// The value of the last reading or save.
        var base: Value
        var reading: ValueFile<Value>.Reading
        /// The number of the last change, and of the last saved one.
        var change = 0
        var saved = 0
        /// The times of the first and the last unsaved change, in nanoseconds of the monotonic clock.
        var firstChange: UInt64 = 0
        var lastChange: UInt64 = 0
        var hasTimer = false
        var hasEnded = false
        var lastError: ContainerError?
        /// True if a conflict has not been reported, because the file was locked.
        var hasConflict = false
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextListener = 0
        var observer: (@Sendable () -> Void)?
        var watch: FileWatch?
        /// The number of the registration for events of the life cycle.
        var flushes: Int?
    }

    private let file: ValueFile<Value>
    private let defaultValue: Value
    private let autosave: UInt64?
    private let merge: FileValue<Value>.Merge?
    private let state: LockedValue<State>
    /// Saves and reads, one after the other.
    private let queue = DispatchQueue(label: "FileValue")

    init(
        _ file: ValueFile<Value>, default value: Value, autosave: Duration?, merge: FileValue<Value>.Merge?,
        read reading: ValueFile<Value>.Reading?
    ) {
        self.file = file
        self.defaultValue = value
        self.autosave = autosave.map { UInt64(max(0, min($0 / .nanoseconds(1), 1e18))) }
        self.merge = merge
        let reading = reading ?? ValueFile<Value>.Reading(stamp: nil, value: nil, file: nil)
        let initial = reading.value ?? value
        state = LockedValue(State(value: initial, base: initial, reading: reading))
    }

    /// Watches the file and the life cycle of the app.
    func begin() {
        let watch = try? FileWatch(file.path, in: file.container.folder) { [weak self] in self?.queueRefresh() }
        let number = LifecycleFlushes.shared.add { [weak self] in try? self?.flush() }
        state.withLock { ($0.watch, $0.flushes) = (watch, number) }
    }

    /// Saves unsaved changes and ends everything.
    func end() {
        try? flush()
        let (listeners, number, watch) = state.withLock { state in
            state.hasEnded = true
            defer { (state.listeners, state.flushes, state.watch, state.observer) = ([:], nil, nil, nil) }
            return (Array(state.listeners.values), state.flushes, state.watch)
        }
        for listener in listeners { listener.finish() }
        if let number { LifecycleFlushes.shared.remove(number) }
        // Released outside the lock, because its deallocation acquires locks.
        _ = watch
    }

    // MARK: - The value

    var value: Value { state.withLock(\.value) }
    var isChanged: Bool { state.withLock { $0.change != $0.saved } }
    var lastError: ContainerError? { state.withLock(\.lastError) }

    func setObserver(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { if $0.observer == nil { $0.observer = observer } }
    }

    /// Changes the value. Returns the result of `body`, and true if the value differs from the old one.
    func update<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> (Result, isChanged: Bool) {
        let now = Host.uptime
        var news: (isDue: Bool, listeners: [AsyncStream<Value>.Continuation], value: Value)?
        let result = try state.withLock { (state) throws(Failure) -> Result in
            var value = state.value
            let result = try body(&value)
            guard value != state.value else { return result }
            state.value = value
            if state.change == state.saved { state.firstChange = now }
            state.lastChange = now
            state.change += 1
            let isDue = autosave != nil && !state.hasTimer && !state.hasEnded
            if isDue { state.hasTimer = true }
            news = (isDue, Array(state.listeners.values), value)
            return result
        }
        guard let news else { return (result, false) }
        for listener in news.listeners { listener.yield(news.value) }
        if news.isDue, let autosave { schedule(after: autosave) }
        return (result, true)
    }

    var changes: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    // MARK: - Saves

    private func schedule(after nanoseconds: UInt64) {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in self?.saveWhenQuiet() }
    }

    /// Saves if there was no change for a while, or if changes have gone on for long; otherwise waits again.
    private func saveWhenQuiet() {
        guard let autosave else { return }
        let now = Host.uptime
        let wait = state.withLock { state -> UInt64? in
            guard state.change != state.saved, !state.hasEnded else {
                state.hasTimer = false
                return nil
            }
            let due = min(state.lastChange + autosave, state.firstChange + autosave * 10)
            return due > now ? due - now : 0
        }
        guard let wait else { return }
        guard wait == 0 else { return schedule(after: wait) }
        do throws(ContainerError) {
            try save()
            let isChanged = state.withLock { state in
                state.hasTimer = state.change != state.saved
                return state.hasTimer
            }
            if isChanged { schedule(after: autosave) }
        } catch {
            file.container.report(.failed, file.item, error: error)
            // The disk may have room later.
            schedule(after: max(autosave, 1_000_000_000))
        }
    }

    func flush() throws(ContainerError) {
        guard isChanged else { return }
        let result = queue.sync { () -> Result<Void, ContainerError> in
            do throws(ContainerError) { return .success(try save()) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Saves the value, joined with a change by another process. Runs on the queue.
    private func save() throws(ContainerError) {
        guard isChanged else { return }
        defer { reportConflict() }
        do throws(ContainerError) {
            try file.withLock { () throws(ContainerError) in
                try read()
                let (value, change) = state.withLock { ($0.value, $0.change) }
                let reading = try file.write(value)
                state.withLock { state in
                    (state.base, state.reading, state.saved) = (value, reading, change)
                    state.firstChange = state.lastChange
                }
            }
            state.withLock { $0.lastError = nil }
            file.container.report(.saved, file.item)
        } catch {
            state.withLock { $0.lastError = error }
            throw error
        }
    }

    // MARK: - Reads

    func refresh() throws(ContainerError) {
        let result = queue.sync { () -> Result<Void, ContainerError> in
            defer { reportConflict() }
            do throws(ContainerError) { return .success(try read()) } catch { return .failure(error) }
        }
        try result.get()
    }

    private func reportConflict() {
        let hasConflict = state.withLock { state in
            defer { state.hasConflict = false }
            return state.hasConflict
        }
        if hasConflict { file.container.report(.conflicted, file.item) }
    }

    private func queueRefresh() {
        queue.async { [weak self] in
            guard let self else { return }
            defer { self.reportConflict() }
            do throws(ContainerError) {
                try self.read()
                self.state.withLock { state in if state.change == state.saved { state.lastError = nil } }
            } catch {
                self.state.withLock { $0.lastError = error }
                self.file.container.report(.failed, self.file.item, error: error)
            }
        }
    }

    /// Reads a change by another process. Runs on the queue.
    private func read() throws(ContainerError) {
        guard let reading = try file.read(unless: state.withLock(\.reading)) else { return }
        while !adopt(reading) {}
    }

    /// Adopts a value that was read, joined with unsaved changes. Returns false if the value changed meanwhile.
    private func adopt(_ reading: ValueFile<Value>.Reading) -> Bool {
        let (base, own, change, isSaved) = state.withLock { ($0.base, $0.value, $0.change, $0.change == $0.saved) }
        // A removed file, as by a purge, is no change to join.
        let other = reading.value ?? (isSaved ? defaultValue : base)
        // The closure may use this object, so no lock is held.
        let joined = isSaved ? other : reading.value == nil ? own : merge?(base, own, other) ?? own
        let news = state.withLock { state -> ((@Sendable () -> Void)?, [AsyncStream<Value>.Continuation])? in
            guard state.change == change else { return nil }
            (state.base, state.reading, state.value) = (other, reading, joined)
            return joined != own ? (state.observer, Array(state.listeners.values)) : (nil, [])
        }
        guard let (observer, listeners) = news else { return false }
        if !isSaved, reading.value != nil { state.withLock { $0.hasConflict = true } }
        for listener in listeners { listener.yield(joined) }
        if let observer { DispatchQueue.main.async(execute: observer) }
        return true
    }
}

/// The saves that are made when the app enters the background or ends.
package final class LifecycleFlushes: Sendable {
    package static let shared = LifecycleFlushes()

    private let state = LockedValue((flushes: [Int: @Sendable () -> Void](), next: 0))

    private init() {
        // The notifications of UIKit, AppKit, WatchKit and app extensions before they may be suspended or ended.
        for name in [
            "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification",
            "NSApplicationWillTerminateNotification", "NSExtensionHostDidEnterBackgroundNotification",
            "WKApplicationDidEnterBackgroundNotification",
        ] {
            // For the life of the process.
            _ = NotificationCenter.default.addObserver(
                forName: Notification.Name(name), object: nil, queue: nil
            ) { [weak self] _ in self?.flush() }
        }
    }

    /// Saves all values with unsaved changes.
    package func flush() { for flush in state.withLock({ Array($0.flushes.values) }) { flush() } }

    func add(_ flush: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.flushes[state.next] = flush
            return state.next
        }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.flushes.removeValue(forKey: number) } }
}
