import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import FileSystem
import TestSupport
import Testing

@Suite("Preferences, changes") struct PreferencesChangesTests {
    /// The notifications of an observer, in order.
    private final class Heard: Sendable {
        private let told = LockedValue<[Set<String>]>([])
        private let signal = DispatchSemaphore(value: 0)
        var all: [Set<String>] { told.withLock(\.self) }
        func add(_ keys: Set<String>) {
            told.withLock { $0.append(keys) }
            signal.signal()
        }
        /// Waits until all of these keys have been reported. Returns false after a minute.
        func hears(_ keys: Set<String>) -> Bool {
            while !all.reduce(into: Set<String>(), { $0.formUnion($1) }).isSuperset(of: keys) {
                if signal.wait(timeout: .now() + 60) == .timedOut { return false }
            }
            return true
        }
    }

    @Test("A change is reported once, when it is on disk, with the keys that differ")
    func told() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(1, forKey: "a")
            let heard = Heard()
            let place = ContainerPath.preferences / "com.example.app.plist"
            let observation = preferences.observe { [container] keys in
                heard.add(keys)
                // On disk, and no lock is held: another object reads it, and a change can be made.
                let other = try? Container.open(FilePath(container.location.string + "/.")).preferences()
                #expect((try? container.load(place)) != nil && (try? other?.integer(forKey: "a")) == 2)
                if keys.contains("a") { #expect(throws: Never.self) { try preferences.set("x", forKey: "b") } }
            }
            try preferences.change { edit in
                edit.set(2, forKey: "a")
                edit.set(1, forKey: "gone")
                edit.removeValue(forKey: "gone")
            }
            #expect(heard.all == [["a"], ["b"]])
            // Setting an equal value is not a change, and a failed change is not either.
            try preferences.set(2, forKey: "a")
            #expect(throws: PreferencesError.self) { try preferences.set(Data(count: 5_000_000), forKey: "a") }
            preferences.register(defaults: ["c": 1])
            _ = try preferences.values()
            #expect(heard.all == [["a"], ["b"]])
            observation.cancel()
            try preferences.set(3, forKey: "a")
            #expect(heard.all.count == 2)
        }
    }

    @Test("A change by another process is reported without a read, and visible to the next one", .needs(.process))
    func others() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(1, forKey: "own")
            let heard = Heard()
            let observation = preferences.observe { heard.add($0) }
            #expect(
                try Command(Command.probe, ["preferences", container.location.string, "p", "2"]).text == "p-0\np-1\n")
            #expect(heard.hears(["p-0", "p-1"]))
            #expect(try preferences.integer(forKey: "p-1") == 1)
            try container.remove(.preferences / "com.example.app.plist")
            #expect(heard.hears(["own", "p-0", "p-1"]))
            observation.cancel()
            let count = heard.all.count
            #expect(try Command(Command.probe, ["preferences", container.location.string, "q", "1"]).code == 0)
            #expect(try preferences.synchronize() == ["q-0"] && heard.all.count == count)
        }
    }

    @Test("A stream returns the keys of each change, and ends with the preferences")
    func stream() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        var preferences: Preferences? = try container.preferences()
        let changes = try #require(preferences).changes
        try preferences?.set(1, forKey: "a")
        try preferences?.change { edit in
            edit.set(1, forKey: "b")
            edit.removeValue(forKey: "a")
        }
        preferences = nil
        var seen: [Set<String>] = []
        for await keys in changes { seen.append(keys) }
        #expect(seen == [["a"], ["a", "b"]])
    }

    @Test("A deallocated observation receives no notifications")
    func dropped() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let heard = Heard()
            do { _ = preferences.observe { heard.add($0) } }
            try preferences.set(1, forKey: "a")
            #expect(heard.all.isEmpty)
        }
    }
}
