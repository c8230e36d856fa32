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
