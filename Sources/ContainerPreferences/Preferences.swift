internal import AppContainer
internal import FileSystem
internal import Synchronization
internal import SystemPackage

/// The preferences of an app or a group: `Library/Preferences/<name>.plist`, read and written here.
///
/// It does for a container what `UserDefaults` does for the running app, with the same coercions. A value is looked
/// up in the file first, then among the registered defaults. Every read asks the kernel whether the file is
/// still the one that was read last (device, inode, size, times), and reads it anew if not: what another process has
/// saved is seen at the next read, and never later.
///
/// A change is on disk when its call returns, as lasting as its durability says. Changes are read, made and saved
/// under a lock on the directory, which every process that uses this library heeds; none loses another's key.
///
///     let preferences = try container.preferences()
///     preferences.register(defaults: ["fontSize": 12])
///     try preferences.set(true, forKey: "nightMode")
///     let size = try preferences.integer(forKey: "fontSize")
public final class Preferences: Sendable {
    /// The app's or group's identifier, after which the file is named.
    public let name: String
    let container: Container
    /// Relative to the container.
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

    /// What is known of the file, and who wants to hear of it.
    struct State {
        /// Nil before the first read, and after a change of our own.
        var reading: PreferencesFile.Reading?
        /// Whether `values` is what the file has held.
        var isKnown = false
        var values: [String: PreferenceValue] = [:]
        var registered: [String: PreferenceValue] = [:]
        var observers: [Int: @Sendable (Set<String>) -> Void] = [:]
        var nextObserver = 0

        /// Takes over what the file holds now.
        mutating func adopt(_ values: [String: PreferenceValue]) -> News {
            let old = self.values
            self.values = values
            defer { isKnown = true }
            guard isKnown else { return News() }
            let keys = Set(old.keys).union(values.keys).filter { old[$0] != values[$0] }
            return News(keys: keys, observers: Array(observers.values))
        }
    }

    /// Keys that have changed, and who is to hear of it; delivered when no lock is held any more.
    struct News {
        var keys: Set<String> = []
        var observers: [@Sendable (Set<String>) -> Void] = []

        func deliver() {
            guard !keys.isEmpty else { return }
            for observer in observers { observer(keys) }
        }
    }

    /// Looks whether the file has changed, and gives what it holds.
    func load() throws(PreferencesError) -> (values: [String: PreferenceValue], news: News) {
        try state.withLock { (state) throws(PreferencesError) in
            guard let (reading, values) = try file.read(unless: state.reading) else { return (state.values, News()) }
            state.reading = reading
            return (values, state.adopt(values))
        }
    }

    /// Looks for changes that others have made, so that those who observe hear of them.
    ///
    /// - Returns: The keys that have changed since the file was last read.
    /// - Throws: `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    @discardableResult
    public func refresh() throws(PreferencesError) -> Set<String> {
        let news = try load().news
        news.deliver()
        return news.keys
    }

    /// Registers values for keys that the file does not hold. They are kept in memory, as long as this object is;
    /// of a key that is registered twice, the last.
    public func register(defaults: [String: any PreferenceConvertible]) {
        let defaults = defaults.mapValues(\.preferenceValue)
        state.withLock { $0.registered.merge(defaults) { $1 } }
    }

    /// Every key's value: the file's, and the registered ones where it has none.
    ///
    /// - Throws: `damaged`, `tooLarge`, `notAFile`, `leavesContainer`, `permissionDenied`, `failed`.
    public func values() throws(PreferencesError) -> [String: PreferenceValue] {
        let (values, news) = try load()
        news.deliver()
        return values.merging(state.withLock(\.registered)) { stored, _ in stored }
    }
}
