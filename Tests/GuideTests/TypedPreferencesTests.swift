import AppContainer
// shown in TypedPreferences.md
import ContainerPreferences

enum Theme: String, Codable { case light, dark }

struct Window: Codable, Equatable {
    var width: Double
    var title: String?
}

extension Preferences.Keys {
    static let volume = Preferences.Key<Int>("volume", default: 5)
    static let theme = Preferences.Key<Theme>("theme", default: .light)
    static let window = Preferences.Key<Window>("window", default: Window(width: 800))
    static let server = Preferences.Key<URL?>("server")
}
// end
import Foundation
import Observation
import FileSystem
import SystemPackage
import TestSupport
import Testing

// shown in Preferences+Key.swift
extension Preferences.Keys {
    static let fontSize = Preferences.Key<Double>("fontSize", default: 12)
    static let nickname = Preferences.Key<String?>("nickname")
}
// end

@Suite("Typed preferences") struct TypedPreferencesTests {
    @Test("The guide's reads and changes")
    func readAndChange() throws {
        try withContainer { container throws in
            // shown in TypedPreferences.md
            let preferences = try container.preferences()
            let volume = try preferences.value(for: .volume)  // 5
            try preferences.set(volume + 1, for: .volume)
            try preferences.set(.dark, for: .theme)
            try preferences.set(nil, for: .server)  // the same as remove(.server)
            if try preferences.isSet(.theme) { try preferences.remove(.theme) }
            // end
            #expect(volume == 5 && preferences[.theme] == .light)
            // shown in TypedPreferences.md
            try preferences.change { edit in
                try edit.set(edit.value(for: .volume) + 1, for: .volume)
                try edit.set(Window(width: 640, title: "Notes"), for: .window)
            }
            // end
            #expect(try preferences.value(for: .volume) == 7)
            #expect(try preferences.value(for: .window) == Window(width: 640, title: "Notes"))
        }
    }

    @Test("The guide's property, errors, closure, defaults and launch arguments")
    func properties() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let server = try #require(URL(string: "https://example.com"))
            // shown in TypedPreferences.md
            let theme = preferences[.theme]

            final class Player {
                @Preference var volume: Int
                init(_ preferences: Preferences) { _volume = Preference(.volume, in: preferences) }
            }
            let player = Player(preferences)
            player.volume = 9
            // end
            #expect(try theme == .light && preferences.value(for: .volume) == 9)
            // shown in TypedPreferences.md
            let errors = preferences.observeErrors { error in print(error) }
            // end
            errors.cancel()
            // shown in TypedPreferences.md
            preferences.register(defaults: ["volume": 7, "server": server])
            preferences.register(launchArguments: CommandLine.arguments)  // reader -volume 3 -theme dark
            // end
            #expect(try preferences.value(for: .server) == server)
        }
    }

    @Test("The guide's migration of a value that is stored as JSON")
    func migration() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            for _ in 0..<2 {
                try preferences.set(#"{"width":640}"#, forKey: "window")
                // shown in TypedPreferences.md
                if let text = try preferences.string(forKey: "window") {
                    try preferences.set(JSONDecoder().decode(Window.self, from: Data(text.utf8)), for: .window)
                }
                // end
                #expect(try preferences.value(for: .window) == Window(width: 640))
                #expect(try preferences.string(forKey: "window") == nil)
            }
        }
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("The guide's observation by a closure, and by a loop")
    func observation() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let preferences = try container.preferences()
        final class Sound: Sendable {
            private let stored = LockedValue(0)
            var volume: Int {
                get { stored.withLock(\.self) }
                set { stored.withLock { $0 = newValue } }
            }
        }
        let player = Sound()
        // shown in TypedPreferences.md
        let observation = preferences.observe(.volume) { change in player.volume = change.new }
        observation.cancel()
        // end
        _ = preferences[.volume]
        let heard = preferences.observe(.volume) { change in player.volume = change.new }
        try preferences.set(8, for: .volume)
        #expect(player.volume == 8)
        heard.cancel()
        // shown in TypedPreferences.md
        let volume = ObservablePreference(.volume, in: preferences)
        withObservationTracking {
            player.volume = volume.value
        } onChange: {
            print("the volume is now \(volume.value)")
        }
        volume.value = 8
        // end
        #expect(preferences[.volume] == 8)
        let task = Task {
            // shown in TypedPreferences.md
            for await change in preferences.changes(of: .volume) {
                print("\(change.old) → \(change.new)")
            }
            // end
        }
        task.cancel()
        await task.value
    }

    @available(macOS 14.0, iOS 17.0, *)
    @Test("Examples of the documentation comments")
    func comments() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let preferences = try container.preferences()
        try blocking(preferences)
        final class Sound: Sendable {
            private let stored = LockedValue(0)
            var volume: Int {
                get { stored.withLock(\.self) }
                set { stored.withLock { $0 = newValue } }
            }
        }
        let player = Sound()
        let task = Task {
            // shown in Preferences+Changes.swift
            for await change in preferences.changes(of: .volume) { player.volume = change.new }
            // end
        }
        task.cancel()
        await task.value
    }

    @available(macOS 14.0, iOS 17.0, *)
    private func blocking(_ preferences: Preferences) throws {
        do {
            // shown in Preferences+Typed.swift
            let volume = try preferences.value(for: .volume)
            // end
            #expect(volume == 5)
        }
        do {
            // shown in Preferences+Typed.swift
            let volume = preferences[.volume]
            // end
            #expect(volume == 5)
        }
        // shown in Preferences+Typed.swift
        try preferences.set(7, for: .volume)
        // end
        #expect(preferences[.volume] == 7)
        do {
            // shown in ObservablePreference.swift
            let volume = ObservablePreference(.volume, in: preferences)
            withObservationTracking {
                print(volume.value)
            } onChange: {
                print("the volume changes")
            }
            // end
            #expect(volume.value == 7)
        }
        // shown in Preference.swift
        final class Player {
            @Preference var volume: Int
            init(_ preferences: Preferences) { _volume = Preference(.volume, in: preferences) }
        }
        // end
        #expect(Player(preferences).volume == 7)
        // shown in Preferences+Changes.swift
        let observation = preferences.observe(.volume) { change in print(change.old, change.new) }
        // end
        observation.cancel()
        // shown in Preferences+Registration.swift
        preferences.register(launchArguments: CommandLine.arguments)  // reader -volume 7 -nightMode YES
        // end
        #expect(preferences[.volume] == 7)
    }
}
