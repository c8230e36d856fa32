internal import AppContainer
internal import FileSystem
internal import Synchronization
internal import SystemPackage

/// The preferences of an app or a group in `Library/Preferences/<name>.plist`.
///
/// It provides for a container what `UserDefaults` provides for the running app, with the same conversions. A value is
/// looked up in the file first, then among the registered defaults. Each read checks if the file has changed (device,
/// inode, size, times) and reads it again if so: a change by another process is visible at the next read.
///
/// A change is on disk when the call returns, as the durability states. Changes are made under a lock on the directory,
/// which every process that uses this library acquires, so that no change to another key is lost.
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
    let file: PreferencesFile
    let state = Mutex(State())

    init(name: String, container: Container) {
        self.name = name
        self.container = container
        path = Self.directory.appending("\(name).plist")
        file = PreferencesFile(folder: container.folder, path: path)
    }

    static let directory = FilePath(Location.preferences.path)

    /// The values of the file and the observers.
    struct State {
        /// The last reading. Nil before the first one and after a change by this object.
        var reading: PreferencesFile.Reading?
        /// True if `values` are those of the file at some time.
        var isKnown = false
        var values: [String: PreferenceValue] = [:]
        var registered: [String: PreferenceValue] = [:]
        var observers: [Int: @Sendable (Set<String>) -> Void] = [:]
        var nextObserver = 0

        /// Adopts the current values of the file.
        mutating func adopt(_ values: [String: PreferenceValue]) -> News {
            let old = self.values
            self.values = values
            defer { isKnown = true }
            guard isKnown else { return News() }
            let keys = Set(old.keys).union(values.keys).filter { old[$0] != values[$0] }
            return News(keys: keys, observers: Array(observers.values))
        }
    }

    /// Changed keys and the observers to notify when no lock is held.
    struct News {
        var keys: Set<String> = []
        var observers: [@Sendable (Set<String>) -> Void] = []

        func deliver() {
            guard !keys.isEmpty else { return }
            for observer in observers { observer(keys) }
        }
    }

    /// Checks if the file has changed and returns its values.
    func load() throws(PreferencesError) -> (values: [String: PreferenceValue], news: News) {
        try state.withLock { (state) throws(PreferencesError) in
            guard let (reading, values) = try file.read(unless: state.reading) else { return (state.values, News()) }
            state.reading = reading
            return (values, state.adopt(values))
        }
    }

    /// Reads changes by other processes and notifies observers.
    ///
    /// - Returns: The keys that have changed since the last read.
    /// - Throws: `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    @discardableResult
    public func refresh() throws(PreferencesError) -> Set<String> {
        let news = try load().news
        news.deliver()
        return news.keys
    }

    /// Registers defaults for keys that are not in the file. They are kept in memory by this object. The last
    /// registration of a key is used.
    public func register(defaults: [String: any PreferenceConvertible]) {
        let defaults = defaults.mapValues(\.preferenceValue)
        state.withLock { $0.registered.merge(defaults) { $1 } }
    }

    /// Returns the values of all keys: those of the file and the registered defaults.
    ///
    /// - Throws: `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    public func values() throws(PreferencesError) -> [String: PreferenceValue] {
        let (values, news) = try load()
        news.deliver()
        return values.merging(state.withLock(\.registered)) { stored, _ in stored }
    }
}

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
