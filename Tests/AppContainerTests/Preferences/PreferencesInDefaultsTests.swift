import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import TestSupport
import Testing

/// Preferences that `UserDefaults` stores, as on Apple's systems, with Foundation's `UserDefaults` of this system.
@Suite("Preferences in UserDefaults", .timeLimit(.minutes(60)), .serialized) struct PreferencesInDefaultsTests {
    /// Runs `body` with preferences in a domain of its own, which is removed afterwards.
    private func withDefaults(
        isShared: Bool = false, _ body: (Preferences, UserDefaults) throws -> Void
    ) throws {
        try withContainer { container throws in
            let domain = "appcontainer.test.\(UUID().uuidString)"
            let defaults = try #require(UserDefaults(suiteName: domain))
            defer {
                defaults.removePersistentDomain(forName: domain)
                _ = defaults.synchronize()
            }
            try body(Preferences(inDefaults: domain, isShared: isShared, container: container), defaults)
        }
    }

    @Test("A value of each type is read as it was set")
    func types() throws {
        try withDefaults { preferences, _ in
            let values: [String: PreferenceValue] = [
                "boolean": true, "integer": -7, "large": .integer(.max), "real": .real(0.5), "string": "ü",
                "data": .data(Data([0, 1, 2])), "date": .date(Date(timeIntervalSinceReferenceDate: 1_000)),
                "array": .array([.integer(1), .string("a"), .boolean(false)]),
                "dictionary": .dictionary(["key": .array([.real(1.5)])]),
            ]
            try preferences.change { edit in
                for (key, value) in values { edit.set(value, forKey: key) }
            }
            #expect(try preferences.values() == values)
            #expect(try preferences.bool(forKey: "boolean"))
            #expect(try preferences.integer(forKey: "integer") == -7)
        }
    }

    @Test("UserDefaults and Preferences see the changes of each other, and other keys are kept")
    func both() throws {
        try withDefaults { preferences, defaults in
            defaults.set(12, forKey: "fontSize")
            defaults.set("x", forKey: "other")
            #expect(try preferences.integer(forKey: "fontSize") == 12)
            try preferences.set(13, forKey: "fontSize")
            #expect(defaults.integer(forKey: "fontSize") == 13)
            try preferences.removeValue(forKey: "fontSize")
            #expect(defaults.object(forKey: "fontSize") == nil)
            #expect(defaults.string(forKey: "other") == "x")
        }
    }

    @Test("A key that other code has changed since the last read is not overwritten by a change of another key")
    func foreignChange() throws {
        try withDefaults { preferences, defaults in
            try preferences.set(1, forKey: "a")
            try preferences.change { edit in
                defaults.set(5, forKey: "b")
                edit.set(2, forKey: "a")
            }
            #expect(defaults.integer(forKey: "b") == 5 && defaults.integer(forKey: "a") == 2)
        }
    }

    @Test("A failed change sets nothing")
    func failure() throws {
        struct Stop: Error {}
        try withDefaults { preferences, defaults in
            #expect(throws: Stop.self) {
                try preferences.change { edit in
                    edit.set(1, forKey: "a")
                    throw Stop()
                }
            }
            let error = #expect(throws: PreferencesError.self) {
                try preferences.set(Data(count: 4_194_304), forKey: "large")
            }
            #expect(error?.code == .tooLarge)
            #expect(defaults.object(forKey: "a") == nil && defaults.object(forKey: "large") == nil)
        }
    }

    /// Posts the notification that Apple's `UserDefaults` posts for a change by this process. Foundation on Linux does
    /// not post it.
    private func postNotificationOfApple(_ defaults: UserDefaults) {
        NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: defaults)
    }

    @Test("A change with UserDefaults is reported to an observer of the key")
    func observation() throws {
        try withDefaults { preferences, defaults in
            let key = Preferences.Key<Int>("volume", default: 5)
            let changes = LockedValue<[PreferenceChange<Int>]>([])
            let observation = preferences.observe(key) { change in changes.withLock { $0.append(change) } }
            try preferences.set(6, for: key)
            #expect(changes.withLock { $0 } == [PreferenceChange(old: 5, new: 6)])
            defaults.set(7, forKey: "volume")
            let end = ContinuousClock.now + .seconds(60)
            while changes.withLock({ $0.count }) < 2, ContinuousClock.now < end {
                // The observer may not listen yet.
                postNotificationOfApple(defaults)
                usleep(1_000)
            }
            #expect(changes.withLock { $0.last } == PreferenceChange(old: 6, new: 7))
            observation.cancel()
        }
    }

    @Test("A change of a domain that other processes may change is detected without a notification")
    func shared() throws {
        try withDefaults(isShared: true) { preferences, defaults in
            let key = Preferences.Key<Int>("volume", default: 5)
            _ = try preferences.value(for: key)
            let changes = LockedValue<[PreferenceChange<Int>]>([])
            let observation = preferences.observe(key) { change in changes.withLock { $0.append(change) } }
            defaults.set(7, forKey: "volume")
            let end = ContinuousClock.now + .seconds(60)
            while changes.withLock({ $0.isEmpty }), ContinuousClock.now < end { usleep(1_000) }
            #expect(changes.withLock { $0 } == [PreferenceChange(old: 5, new: 7)])
            observation.cancel()
        }
    }

    @Test("The durability of changes is that of the storage")
    func durability() throws {
        try withDefaults { preferences, _ in #expect(preferences.durabilityLimit == .none) }
        try withContainer { container throws in
            #expect(try container.preferences().durabilityLimit == .full)
        }
    }

    @Test("Nothing is written into the container")
    func container() throws {
        try withContainer { container throws in
            let domain = "appcontainer.test.\(UUID().uuidString)"
            try Preferences(inDefaults: domain, container: container).set(1, forKey: "a")
            UserDefaults(suiteName: domain)?.removePersistentDomain(forName: domain)
            #expect(try container.list(.preferences).isEmpty)
        }
    }
}
