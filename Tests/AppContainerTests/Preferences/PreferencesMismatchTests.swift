import AppContainer
import ContainerPreferences
import Foundation
import FileSystem
import SystemPackage
import TestSupport
import Testing

extension Preferences.Keys {
    fileprivate static let volumeName = Preferences.Key<String>("volume", default: "medium")
    fileprivate static let nested = Preferences.Key<Nested>("nested", default: Nested(inner: nil))
    fileprivate static let unfit = Preferences.Key<Unfit>("unfit", default: Unfit())
}

/// A type that can be nested without end.
private struct Nested: Codable, Sendable {
    indirect enum Inner: Codable, Sendable { case one(Nested) }
    var inner: Inner?
}

/// A type that refuses to be encoded.
private struct Unfit: Codable, Sendable {
    struct Refusal: Error {}
    func encode(to encoder: any Encoder) throws { throw Refusal() }
}

@Suite("Typed preferences, values of other types") struct PreferencesMismatchTests {
    @Test("A key that is used with two types throws on a read, and the read by subscript returns the default")
    func twoTypes() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set("loud and secret", for: .volumeName)
            let error = #expect(throws: PreferencesError.self) { try preferences.value(for: .volume) }
            #expect(error?.code == .wrongType && error?.errno == nil)
            #expect(
                error?.description
                    == "“volume” in “Library/Preferences/com.example.app.plist” is not of the type Int: a string was found "
                    + "instead of Int. The file is unchanged. Read it with a key of its type, or set or remove it.")
            let heard = LockedValue<[PreferencesError]>([])
            let observation = preferences.observeErrors { error in heard.withLock { $0.append(error) } }
            #expect(preferences.lastError == nil && preferences[.volume] == 5)
            #expect(preferences.lastError == error && heard.withLock(\.count) == 1)
            observation.cancel()
            _ = preferences[.volume]
            #expect(heard.withLock(\.count) == 1)
            // The value is not lost, and a key of its type reads it.
            #expect(try preferences.value(for: .volumeName) == "loud and secret" && preferences.isSet(.volume))
            // Setting replaces a value of any type.
            try preferences.set(7, for: .volume)
            #expect(try preferences.value(for: .volume) == 7)
            #expect(throws: PreferencesError.self) { try preferences.value(for: .volumeName) }
        }
    }

    private static let wrongValues: [(name: String, value: PreferenceValue)] = [
        ("volume", PreferenceValue.real(1.5)), ("volume", .boolean(true)), ("volume", .unsigned(.max)),
        ("volume", .real(.nan)),
        ("volume", ["x": 1]), ("byte", 256), ("byte", -1), ("nightMode", 2), ("nightMode", "YES"), ("size", "1.5"),
        ("font", 5), ("day", 0), ("bytes", "x"), ("theme", "blue"), ("theme", 1), ("level", 2),
        ("themes", ["dark", "blue"]),
        ("tags", ["a", 1]), ("table", [["a": "b"]]), ("account", ["name": "n"]), ("account", []),
        ("limits", [9, 3]),
        ("limits", [1]), ("place", "no url"), ("place", .data(Data([1]))),
    ]

    @Test("A value that its type cannot have is an error", arguments: wrongValues)
    func wrongValue(name: String, value: PreferenceValue) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(value, forKey: name, durability: .none)
            func code<Value>(_ key: Preferences.Key<Value>) -> PreferencesError.Code? {
                do throws(PreferencesError) { _ = try preferences.value(for: key) } catch { return error.code }
                return nil
            }
            let code =
                switch name {
                case "volume": code(.volume)
                case "byte": code(.byte)
                case "nightMode": code(.isNight)
                case "size": code(.size)
                case "font": code(.font)
                case "day": code(.day)
                case "bytes": code(.bytes)
                case "theme": code(.theme)
                case "level": code(.level)
                case "themes": code(.themes)
                case "tags": code(.tags)
                case "table": code(.table)
                case "account": code(.account)
                case "place": code(.place)
                default: code(.limits)
                }
            #expect(code == .wrongType, "\(name)")
        }
    }

    @Test("A registered default of another type is an error, and the default of the key is returned by subscript")
    func wrongDefault() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            preferences.register(defaults: ["volume": "loud"])
            let error = #expect(throws: PreferencesError.self) { try preferences.value(for: .volume) }
            #expect(error?.code == .wrongType)
            #expect(error?.description.hasPrefix("The registered default of “volume” is not of the type Int") == true)
            #expect(preferences[.volume] == 5)
            try preferences.set(6, for: .volume)
            #expect(try preferences.value(for: .volume) == 6)
        }
    }

    @Test("A file that cannot be read is an error of a read, is reported by subscript, and is used again when repaired")
    func damagedFile() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(7, for: .volume)
            let good = try container.load(.preferences / "com.example.app.plist")
            try container.save("damaged", to: .preferences / "com.example.app.plist")
            #expect(throws: PreferencesError.self) { try preferences.synchronize() }
            let error = #expect(throws: PreferencesError.self) {
                // Values may be as old as documented.
                while try preferences.value(for: .volume) == 7 {}
            }
            #expect(error?.code == .damaged && preferences[.volume] == 5 && preferences.lastError?.code == .damaged)
            @Preference(.volume, in: preferences) var volume
            volume = 8
            #expect(volume == 5)
            #expect(try container.loadText(.preferences / "com.example.app.plist") == "damaged")
            try container.save(good, to: .preferences / "com.example.app.plist")
            #expect(try preferences.value(for: .volume) == 7)
        }
    }

    @Test("A value that refuses to be encoded, or is nested too deeply, is an error, and nothing changes")
    func unfit() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let refused = #expect(throws: PreferencesError.self) { try preferences.set(Unfit(), for: .unfit) }
            #expect(refused?.code == .unsupported && refused?.description.contains("Refusal") == true)
            var value = Nested(inner: nil)
            for _ in 0..<1_000 { value = Nested(inner: .one(value)) }
            let deep = #expect(throws: PreferencesError.self) { try preferences.set(value, for: .nested) }
            #expect(deep?.code == .unsupported && deep?.description.contains("64 levels") == true)
            #expect(
                !FileManager.default.fileExists(
                    atPath: try container.path(.preferences / "com.example.app.plist").string))
            // A file with such a value.
            var stored: PreferenceValue = [:]
            for _ in 0..<150 { stored = ["inner": ["one": ["_0": stored]]] }
            try preferences.set(["inner": ["one": ["_0": [:]]]] as PreferenceValue, forKey: "nested")
            _ = try preferences.value(for: .nested)
            for _ in 0..<2 { stored = ["inner": ["one": ["_0": stored]]] }
            let written = #expect(throws: PreferencesError.self) { try preferences.set(stored, forKey: "nested") }
            #expect(written?.code == .tooLarge)
            var readable: PreferenceValue = [:]
            for _ in 0..<100 { readable = ["inner": ["one": ["_0": readable]]] }
            try preferences.set(readable, forKey: "nested")
            let read = #expect(throws: PreferencesError.self) { try preferences.value(for: .nested) }
            #expect(read?.code == .wrongType)
        }
    }
}
