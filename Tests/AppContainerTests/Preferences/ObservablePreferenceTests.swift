import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import Observation
import SystemPackage
import TestSupport
import Testing

extension Preferences.Keys {
    /// The key that `container-probe` sets.
    fileprivate static let counter = Preferences.Key<Int>("counter", default: 0)
}

@Suite("Preferences in views", .timeLimit(.minutes(60))) struct ObservablePreferenceTests {
    /// The values that tracked code finds when it is notified.
    @available(macOS 14.0, iOS 17.0, *)
    private final class Heard<Value: Sendable>: Sendable {
        private let values = LockedValue<[Value]>([])
        var all: [Value] { values.withLock(\.self) }

        /// Reads the value as a view does, and records the value at the next notification.
        @discardableResult
        func track(_ preference: ObservablePreference<Value>) -> Value {
            withObservationTracking {
                preference.value
            } onChange: { [weak preference] in
                if let value = preference?.value { self.values.withLock { $0.append(value) } }
            }
        }

        /// Waits for a number of notifications.
        func wait(for count: Int) async -> Bool {
            let end = ContinuousClock.now + .seconds(60)
            while all.count < count, ContinuousClock.now < end { await Task.yield() }
            return all.count >= count
        }
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("An own change is reported before the assignment returns, with the new value, and once for each read")
    func own() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let volume = ObservablePreference(.volume, in: preferences)
            let heard = Heard<Int>()
            #expect(heard.track(volume) == 5)
            volume.value = 6
            #expect(heard.all == [6])
            volume.value = 7
            #expect(heard.all == [6])
            #expect(try heard.track(volume) == 7 && preferences.value(for: .volume) == 7)
            try preferences.set("x", for: .font)
            #expect(heard.all == [6])
        }
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test(
        "A change by other code of the process is reported",
        arguments: ["set", "by name", "edit", "remove", "removeAll", "default", "argument", "property", "object"])
    func others(change: String) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            if change != "default" { try preferences.set(7, for: .volume) }
            let volume = ObservablePreference(.volume, in: preferences)
            let heard = Heard<Int>()
            heard.track(volume)
            switch change {
            case "set": try preferences.set(8, for: .volume)
            case "by name": try preferences.set(8, forKey: "volume")
            case "edit": try preferences.change { edit in try edit.set(8, for: .volume) }
            case "remove": try preferences.remove(.volume)
            case "removeAll": try preferences.removeAll()
            case "default": preferences.register(defaults: ["volume": 8])
            case "argument": preferences.register(launchArguments: ["-volume", "8"])
            case "property":
                @Preference(.volume, in: preferences) var property
                property = 8
            default: ObservablePreference(.volume, in: preferences).value = 8
            }
            #expect(heard.all == [change.hasPrefix("remove") ? 5 : 8])
        }
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("A change by another process is reported without a read", .needs(.process))
    func process() async throws {
        try await withContainer { container in
            let preferences = try container.preferences()
            let counter = ObservablePreference(.counter, in: preferences)
            let heard = Heard<Int>()
            for value in 1...3 {
                #expect(heard.track(counter) == value - 1)
                #expect(try Command(Command.probe, ["set", container.location.string, "\(value)"]).code == 0)
                #expect(await heard.wait(for: value))
            }
            #expect(heard.all == [1, 2, 3])
        }
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("An equal value is not reported, in this process and in another one", .needs(.process))
    func equal() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let counter = ObservablePreference(.counter, in: preferences)
            counter.value = 4
            let heard = Heard<Int>()
            #expect(heard.track(counter) == 4)
            counter.value = 4
            try preferences.set(4, for: .counter)
            #expect(try Command(Command.probe, ["set", container.location.string, "4"]).code == 0)
            try preferences.synchronize()
            #expect(heard.all.isEmpty)
            counter.value = 5
            #expect(heard.all == [5])
        }
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("Neither the preference nor the preferences remain in memory after the last reference")
    func release() throws {
        try withContainer { container throws in
            let heard = Heard<Int>()
            var preferences: Preferences? = try container.preferences()
            weak let kept = preferences
            var volume = preferences.map { ObservablePreference(.volume, in: $0) }
            weak let observed = volume
            heard.track(try #require(volume))
            volume?.value = 6
            heard.track(try #require(volume))
            volume = nil
            #expect(observed == nil)
            try preferences?.set(7, for: .volume)
            #expect(heard.all == [6])
            preferences = nil
            // The queue of the observation may hold a reference for a moment.
            let end = ContinuousClock.now + .seconds(60)
            while kept != nil, ContinuousClock.now < end { usleep(1_000) }
            #expect(kept == nil)
        }
    }

    @MainActor
    @available(macOS 14.0, iOS 17.0, *)
    @Test("A change between the read and the registration of a view is reported on the main queue, once")
    func late() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let preferences = try container.preferences()
        let volume = ObservablePreference(.volume, in: preferences)
        let queue = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: queue, value: true)
        let heard = LockedValue<[Bool]>([])
        let read = withObservationTracking {
            let read = volume.value
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                volume.value = 6
                done.signal()
            }
            done.wait()
            return read
        } onChange: {
            heard.withLock { $0.append(DispatchQueue.getSpecific(key: queue) == true) }
        }
        #expect(read == 5 && heard.withLock(\.self).isEmpty)
        let end = ContinuousClock.now + .seconds(60)
        while heard.withLock(\.isEmpty), ContinuousClock.now < end { await Task.yield() }
        #expect(heard.withLock(\.self) == [true] && volume.value == 6)
        volume.value = 7
        #expect(heard.withLock(\.self) == [true])
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("A default that was read because the file is damaged is reported when the file is repaired")
    func damaged() async throws {
        try await withContainer { container in
            let preferences = try container.preferences()
            let file = ContainerPath.preferences / "com.example.app.plist"
            let counter = ObservablePreference(.counter, in: preferences)
            let heard = Heard<Int>()
            for value in 1...2 {
                try container.save("damaged", to: file)
                #expect(throws: PreferencesError.self) { () throws in try preferences.synchronize() }
                // A later read returns the last values while they are recent, at first those of no file.
                let end = ContinuousClock.now + .seconds(60)
                while heard.track(counter) != 0 || preferences.lastError == nil, ContinuousClock.now < end {
                    await Task.yield()
                }
                #expect(preferences.lastError?.code == .damaged)
                let count = heard.all.count
                try container.save(
                    "<plist><dict><key>counter</key><integer>2</integer></dict></plist>", to: file)
                #expect(await heard.wait(for: count + 1))
                #expect(heard.all.last == 2, "\(value)")
            }
        }
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("A value of another type is the default, with a reported error, and does not repeat notifications")
    func mismatch() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set("seven", forKey: "volume")
            let volume = ObservablePreference(.volume, in: preferences)
            let heard = Heard<Int>()
            #expect(heard.track(volume) == 5 && preferences.lastError?.code == .wrongType)
            try preferences.synchronize()
            try preferences.set("x", for: .font)
            #expect(heard.all.isEmpty)
            try preferences.set(7, for: .volume)
            #expect(heard.all == [7])
        }
    }
}
