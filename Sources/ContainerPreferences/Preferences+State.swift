internal import AppContainer
internal import FileSystem

extension Preferences {
    /// A value with its source.
    struct Found: Equatable {
        enum Source { case argument, file, registered }
        let value: PreferenceValue
        let source: Source
    }

    /// An observer of one key.
    struct KeyObserver {
        let name: String
        /// The last reported value. Nil if the file has not been read since the beginning of the observation.
        var last: Found??
        let notify: @Sendable () -> Void
    }

    /// The values of the file and the observers.
    struct State {
        /// The maximum age of the values for typed reads: half of what is documented, in nanoseconds.
        static let maximumAge: UInt64 = 50_000_000

        /// The last reading. Nil before the first one and after a change by this object.
        var reading: PreferencesFile.Reading?
        /// The time of the last check of the file.
        var checked: UInt64 = 0
        /// True while this object writes the file. Then the file is not read, so that the thread that makes a change is
        /// the one that reports it.
        var isWriting = false
        /// True if the file was not read because of that.
        var hasSkippedRead = false
        /// True if `values` are those of the file at some time.
        var isKnown = false
        var values: [String: PreferenceValue] = [:]
        var registered: [String: PreferenceValue] = [:]
        var arguments: [String: PreferenceValue] = [:]
        var observers: [Int: @Sendable (Set<String>) -> Void] = [:]
        var keyObservers: [Int: KeyObserver] = [:]
        /// The observers that have seen a default because the file could not be read.
        var awaitsReading: Set<Int> = []
        var errorObservers: [Int: @Sendable (PreferencesError) -> Void] = [:]
        var lastError: PreferencesError?
        var nextObserver = 0

        func isFresh(at now: UInt64) -> Bool { isKnown && now &- checked < Self.maximumAge }

        /// Returns the value of a key, without the default of the key.
        func find(_ name: String) -> Found? {
            if !arguments.isEmpty, let value = arguments[name] { return Found(value: value, source: .argument) }
            if let value = values[name] { return Found(value: value, source: .file) }
            if let value = registered[name] { return Found(value: value, source: .registered) }
            return nil
        }

        /// Adopts the current values of the file.
        mutating func adopt(_ values: [String: PreferenceValue]) -> News {
            var news = changes(to: values)
            news.notifications += confirmReading()
            return news
        }

        /// Returns the notifications of the observers that await a reading of the file.
        mutating func confirmReading() -> [@Sendable () -> Void] {
            guard !awaitsReading.isEmpty else { return [] }
            defer { awaitsReading = [] }
            return awaitsReading.compactMap { keyObservers[$0]?.notify }
        }

        private mutating func changes(to values: [String: PreferenceValue]) -> News {
            let old = self.values
            self.values = values
            defer { isKnown = true }
            guard isKnown else {
                for (number, observer) in keyObservers where observer.last == nil {
                    let found = find(observer.name)
                    keyObservers[number]?.last = .some(found)
                }
                return News()
            }
            let keys = Set(old.keys).union(values.keys).filter { old[$0] != values[$0] }
            return News(keys: keys, observers: Array(observers.values), notifications: notifications(of: keys))
        }

        /// Returns the notifications of the observers of keys.
        func notifications(of keys: some Collection<String>) -> [@Sendable () -> Void] {
            guard !keyObservers.isEmpty, !keys.isEmpty else { return [] }
            let keys = Set(keys)
            return keyObservers.values.filter { keys.contains($0.name) }.map(\.notify)
        }

        /// Returns the change since the last report to an observer. Nil if the value is unchanged.
        mutating func takeChange(_ number: Int) -> (old: Found?, new: Found?)? {
            guard isKnown, let observer = keyObservers[number] else { return nil }
            let new = find(observer.name)
            keyObservers[number]?.last = .some(new)
            guard let old = observer.last, old != new else { return nil }
            return (old, new)
        }
    }

    /// Changed keys and the observers to notify when no lock is held.
    struct News {
        var keys: Set<String> = []
        var observers: [@Sendable (Set<String>) -> Void] = []
        var notifications: [@Sendable () -> Void] = []

        func deliver() {
            for notify in notifications { notify() }
            guard !keys.isEmpty else { return }
            for observer in observers { observer(keys) }
        }
    }
}
