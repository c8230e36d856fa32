public import AppContainer
internal import FileSystem
internal import SystemPackage

/// The preferences of an app or a group in `Library/Preferences/<name>.plist`.
///
/// It provides for a container what `UserDefaults` provides for the running app. A value is looked up in the launch
/// arguments, then in the file, then among the registered defaults.
///
/// Reads with a `Key` are typed. They use values that are at most 100 milliseconds old: a change by another process is
/// visible after that time, or at once after `synchronize()`. Reads with a name (`integer(forKey:)`) convert values as
/// `UserDefaults` does. Each checks if the file has changed (device, inode, size, times) and reads it again if so.
///
/// A change is visible to all reads of this process at once, and on disk when the call returns, as the durability
/// states. An object of a container that was opened by another path is like another process. Of keys in a file that
/// differ only in Unicode composition, which Swift considers equal, the last is used, and the next change keeps only
/// that one.
///
/// On Apple's systems, `UserDefaults` stores the preferences of the container of the app and of its groups, because the
/// system caches them and no program may change their file. Then a change reaches the disk some time after the call, as
/// `durabilityLimit` states, and no lock is needed. `UserDefaults` and this object see the changes of each other.
///
/// Changes are made under a lock on the directory, which every process that uses this library acquires, so that no
/// change to another key is lost. iOS ends an app that is suspended during a change in the container of an app group
/// (exception code `0xdead10cc`), because it holds the lock: make such changes in a background task.
///
///     let preferences = try container.preferences()
///     preferences.register(defaults: ["fontSize": 12])
///     try preferences.set(true, forKey: "nightMode")
///     let size = try preferences.integer(forKey: "fontSize")
public final class Preferences: Sendable {
    /// The identifier of the app or group, which is the name of the file.
    public let name: String
    let container: Container
    /// The path relative to the container.
    let path: FilePath
    let storage: any PreferencesStorage
    let state = LockedValue(State())
    let watching = Watching()

    convenience init(name: String, container: Container) {
        let path = Self.directory.appending("\(name).plist")
        self.init(name: name, container: container, Self.makeStorage(named: name, in: container, path: path))
    }

    private init(name: String, container: Container, _ storage: any PreferencesStorage) {
        self.name = name
        self.container = container
        self.storage = storage
        path = Self.directory.appending("\(name).plist")
    }

    /// Creates preferences that `UserDefaults` stores, on any system.
    package convenience init(inDefaults domain: String, isShared: Bool = false, container: Container) {
        let path = Self.directory.appending("\(domain).plist")
        self.init(
            name: domain, container: container,
            DefaultsStorage(domain: domain, isStandard: false, isShared: isShared, path: path))
    }

    /// The strongest durability that a change reaches, whatever its `durability` is: `full` in a file, and `none` with
    /// `UserDefaults`, which writes to disk later. Then a change survives the end of the process, but a power loss may
    /// undo it.
    public var durabilityLimit: Durability { storage.durabilityLimit }

    static let directory = FilePath(Location.preferences.path)

    var context: PreferenceContext { PreferenceContext(container: container, path: path) }

    /// Checks if the file has changed and returns its values.
    func load() throws(PreferencesError) -> (values: [String: PreferenceValue], news: News) {
        try state.withLock { (state) throws(PreferencesError) in
            guard !state.isWriting else {
                state.hasSkippedRead = true
                return (state.values, News())
            }
            let now = Host.coarseUptime
            guard let (reading, values) = try storage.read(unless: state.reading) else {
                state.checked = now
                return (state.values, News(notifications: state.confirmReading()))
            }
            state.reading = reading
            state.checked = now
            return (values, state.adopt(values))
        }
    }

    /// Reads changes by other processes and notifies observers.
    ///
    /// - Returns: The keys that have changed since the last read.
    /// - Throws: `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    @discardableResult
    public func synchronize() throws(PreferencesError) -> Set<String> {
        let news = try load().news
        news.deliver()
        return news.keys
    }

    /// Returns the values of all keys: launch arguments, those of the file, and the registered defaults.
    ///
    /// - Throws: `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    public func values() throws(PreferencesError) -> [String: PreferenceValue] {
        let (values, news) = try load()
        news.deliver()
        return state.withLock { state in
            state.arguments.merging(values) { argument, _ in argument }.merging(state.registered) { found, _ in found }
        }
    }
}

extension Preferences {
    /// Runs calls on the preferences in the background, as `Container.background` runs those on a container.
    ///
    ///     let volume = try await preferences.background { try $0.value(for: .volume) }
    ///
    /// - Throws: Any error of `body`. For a task that is cancelled before `body` begins, `CancellationError`, or
    ///   `cancelled` if the error type of `body` is one of this library.
    public func background<Result, Failure: Error>(
        _ body: @escaping @Sendable (Preferences) throws(Failure) -> sending Result
    ) async throws(Failure) -> sending Result {
        try await Background.run(at: path) { () throws(Failure) -> sending Result in try body(self) }
    }

    /// Observes changes. `body` receives the changed keys after the change is on disk.
    ///
    /// A change by this object is reported on the thread that made it. A change by another process or object is
    /// reported within 100 milliseconds on a queue, or on the thread whose read or `synchronize` detects it. No lock is
    /// held: `body` may read and change preferences.
    ///
    /// - Returns: The observation. It ends when it is cancelled or deallocated.
    public func observe(_ body: @escaping @Sendable (Set<String>) -> Void) -> PreferencesObservation {
        // The existing values are not a change.
        _ = try? synchronize()
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        beginWatching()
        return PreferencesObservation { [weak self] in
            // Released outside the lock, because its deallocation may acquire locks.
            _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
            self?.endWatching()
        }
    }

    /// The keys of all further changes, as reported by `observe`. Changes are buffered. The stream ends with this
    /// object.
    public var changes: AsyncStream<Set<String>> {
        let (stream, continuation) = AsyncStream.makeStream(of: Set<String>.self)
        let end = StreamEnd(continuation)
        let observation = observe { keys in end.continuation.yield(keys) }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
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
    private let end: LockedValue<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) { self.end = LockedValue(end) }
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
