import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Launch arguments and registered defaults") struct PreferencesArgumentsTests {
    @Test("A launch argument precedes the file, is converted to the type of the key, and is not written")
    func arguments() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(3, for: .volume)
            preferences.register(launchArguments: [
                "reader", "-volume", "7", "-nightMode", "YES", "-size", "-1.5", "-font", "Helvetica Neue", "-theme",
                "dark",
                "-tags", "(a, \"b c\", a-b)", "-table", "({a = (1, 2);}, {})", "-bytes", "<00 ff>", "-day",
                "2026-01-31T12:00:00Z", "-place", "https://example.com/x", "-holes",
                "<plist><array><integer>4</integer></array></plist>",
                "-verbose",
            ])
            #expect(try preferences.value(for: .volume) == 7 && preferences.integer(forKey: "volume") == 7)
            #expect(try preferences.value(for: .isNight) && preferences.value(for: .size) == -1.5)
            #expect(try preferences.value(for: .font) == "Helvetica Neue" && preferences.value(for: .theme) == .dark)
            #expect(try preferences.value(for: .tags) == ["a", "b c", "a-b"])
            #expect(try preferences.value(for: .table) == [["a": [1, 2]], [:]])
            #expect(try preferences.value(for: .bytes) == Data([0, 255]))
            #expect(try preferences.value(for: .day) == Date(timeIntervalSince1970: 1_769_860_800))
            #expect(try preferences.value(for: .place)?.absoluteString == "https://example.com/x")
            #expect(try preferences.value(for: .holes) == [4])
            // A change is stored, and the argument remains in effect.
            try preferences.set(4, for: .volume)
            #expect(try preferences.value(for: .volume) == 7)
            let other = try Container.open(container.location.appending(".")).preferences()
            #expect(try other.value(for: .volume) == 4 && other.value(for: .font) == "Menlo" && !other.isSet(.isNight))
        }
    }

    @Test(
        "Only a key with a value is an argument, as for UserDefaults",
        arguments: [
            (["-a", "-volume", "7"], 7), (["volume", "7"], 5), (["-volume"], 5), (["-", "7"], 5),
            (["--volume", "7"], 5),
            (["-volume", "7", "-volume", "8"], 8), (["-volume", "-8"], -8), (["-x", "7", "8", "-volume", "9"], 9),
            ([], 5),
        ])
    func pairs(arguments: [String], volume: Int) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            preferences.register(launchArguments: arguments)
            #expect(try preferences.value(for: .volume) == volume)
        }
    }

    @Test(
        "A value that is not a complete property list is a string",
        arguments: [
            "(a", "{a = 1", "(a,,b)", "<0g>", "<0>", "\"open", "(a) b", "<plist>",
            String(repeating: "(", count: 100_000),
        ])
    func notALists(text: String) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            preferences.register(launchArguments: ["-font", text])
            #expect(try preferences.value(for: .font) == text)
        }
    }

    @Test("An argument of another type is an error that names it, and the subscript returns the default of the key")
    func wrongArgument() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            preferences.register(launchArguments: ["-volume", "loud"])
            let error = #expect(throws: PreferencesError.self) { try preferences.value(for: .volume) }
            #expect(error?.code == .wrongType && error?.description.hasPrefix("The launch argument “-volume”") == true)
            #expect(preferences[.volume] == 5)
        }
    }

    @Test("Text of the file is not converted, as text of an argument is")
    func textInFile() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set("7", forKey: "volume")
            #expect(throws: PreferencesError.self) { try preferences.value(for: .volume) }
            #expect(try preferences.integer(forKey: "volume") == 7)
        }
    }

    @Test("Registered defaults precede the default of the key, follow the file, and may be URLs")
    func registered() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let web = try #require(URL(string: "https://example.com/a%20b"))
            let file = URL(filePath: container.location.string).appending(path: "Documents/a.txt")
            preferences.register(defaults: ["volume": 8, "place": web, "tags": ["x"]])
            #expect(try preferences.value(for: .volume) == 8 && preferences.value(for: .place) == web)
            #expect(try preferences.value(for: .tags) == ["x"] && !preferences.isSet(.volume))
            #expect(try preferences.url(forKey: "place") == web)
            preferences.register(defaults: ["place": file])
            #expect(try preferences.value(for: .place)?.path == file.path)
            try preferences.set(9, for: .volume)
            #expect(try preferences.value(for: .volume) == 9)
            try preferences.removeAll()
            #expect(try preferences.value(for: .volume) == 8)
            #expect(try container.preferences().values()["volume"] == 8)
        }
    }
}
