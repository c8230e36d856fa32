import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

/// An enumeration that is not `Codable`.
enum Theme: String, Sendable { case light, dark }
/// An enumeration that is `Codable`.
enum Level: Int, Codable, Sendable { case low = 1, high = 9 }

struct Account: Codable, Equatable, Sendable {
    var name: String
    var since: Date
    var photo: Data
    var home: URL
    var levels: [Level]
    var scores: [String: Double?]
    var parent: [Account]
    var note: String?
}

extension Preferences.Keys {
    static let volume = Preferences.Key<Int>("volume", default: 5)
    static let isNight = Preferences.Key<Bool>("nightMode", default: false)
    static let size = Preferences.Key<Double>("size", default: 12)
    static let small = Preferences.Key<Float>("small", default: 0.5)
    static let byte = Preferences.Key<UInt8>("byte", default: 1)
    static let large = Preferences.Key<UInt64>("large", default: 0)
    static let font = Preferences.Key<String>("font", default: "Menlo")
    static let day = Preferences.Key<Date>("day", default: .distantPast)
    static let bytes = Preferences.Key<Data>("bytes", default: Data())
    static let place = Preferences.Key<URL?>("place")
    static let nickname = Preferences.Key<String?>("nickname")
    static let theme = Preferences.Key<Theme>("theme", default: .light)
    static let lastTheme = Preferences.Key<Theme?>("lastTheme")
    static let themes = Preferences.Key<[Theme]>("themes", default: [.dark])
    static let themesByDay = Preferences.Key<[String: Theme]>("themesByDay", default: [:])
    static let level = Preferences.Key<Level>("level", default: .low)
    static let account = Preferences.Key<Account?>("account")
    static let tags = Preferences.Key<Set<String>>("tags", default: [])
    static let table = Preferences.Key<[[String: [Int]]]>("table", default: [])
    static let holes = Preferences.Key<[Int?]>("holes", default: [])
    static let places = Preferences.Key<[String: URL]>("places", default: [:])
    static let limits = Preferences.Key<ClosedRange<Int>>("limits", default: 1...2)
}

@Suite("Typed preferences") struct PreferencesKeyTests {
    @Test("A key has its default until it is set, and again after it is removed")
    func life() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            #expect(try preferences.value(for: .volume) == 5 && preferences[.volume] == 5)
            #expect(try !preferences.isSet(.volume))
            try preferences.set(7, for: .volume)
            #expect(try preferences.value(for: .volume) == 7 && preferences[.volume] == 7)
            #expect(try preferences.isSet(.volume) && preferences.integer(forKey: "volume") == 7)
            try preferences.remove(.volume)
            #expect(try preferences[.volume] == 5 && !preferences.isSet(.volume))
            try preferences.set(7, for: .volume)
            try preferences.set("x", for: .font)
            try preferences.removeAll()
            #expect(try preferences.values().isEmpty && preferences[.font] == "Menlo")
        }
    }

    /// Sets a value, and returns it as a new object reads it from the disk.
    private func stored<Value>(
        _ value: Value, _ key: Preferences.Key<Value>, _ container: Container
    ) throws -> Value {
        try container.preferences().set(value, for: key, durability: .none)
        return try Container.open(container.location.appending(".")).preferences().value(for: key)
    }

    @Test("Each type is read as it was set")
    func types() throws {
        try withContainer { container throws in
            let web = try #require(URL(string: "https://example.com/a?b#c"))
            let file = URL(filePath: container.location.string).appending(path: "Documents/a b.txt")
            for volume in [Int.min, -1, 0, Int.max] { #expect(try stored(volume, .volume, container) == volume) }
            #expect(try stored(true, .isNight, container) && !stored(false, .isNight, container))
            for size in [0.1, -0.0, .infinity, 1e300] {
                #expect(try stored(size, .size, container).bitPattern == size.bitPattern)
            }
            #expect(try stored(.nan, .size, container).isNaN)
            #expect(try stored(12.34, .small, container) == 12.34)
            #expect(try stored(255, .byte, container) == 255 && stored(.max, .large, container) == .max)
            #expect(try stored("Grüße 日本", .font, container) == "Grüße 日本")
            let day = Date(timeIntervalSinceReferenceDate: 793_974_615.25)
            #expect(try stored(day, .day, container) == day)
            #expect(try stored(Data([0, 255]), .bytes, container) == Data([0, 255]))
            #expect(try stored(web, .place, container) == web)
            let place = try #require(try stored(file, .place, container))
            #expect(place.standardizedFileURL.path == file.standardizedFileURL.path)
            #expect(try stored(.dark, .theme, container) == .dark && stored(.high, .level, container) == .high)
            #expect(try stored(.dark, .lastTheme, container) == .dark && stored(nil, .lastTheme, container) == nil)
            #expect(try stored([.light, .dark], .themes, container) == [.light, .dark])
            #expect(try stored(["mon": .dark], .themesByDay, container) == ["mon": .dark])
            #expect(try stored(["a", "b"], .tags, container) == ["a", "b"])
            #expect(try stored([["a": [1, 2]], [:]], .table, container) == [["a": [1, 2]], [:]])
            #expect(try stored([1, nil, 3], .holes, container) == [1, nil, 3])
            #expect(try stored(["web": web], .places, container) == ["web": web])
            #expect(try stored(3...9, .limits, container) == 3...9)
        }
    }

    @Test("A Codable value is read as it was set, with dates, data, URLs and nested values")
    func codable() throws {
        try withContainer { container throws in
            let home = try #require(URL(string: "https://example.com"))
            let child = Account(
                name: "", since: .distantFuture, photo: Data(), home: home, levels: [], scores: [:], parent: [],
                note: "n")
            let account = Account(
                name: "Ümit", since: Date(timeIntervalSinceReferenceDate: 1), photo: Data([1]), home: home,
                levels: [.low, .high], scores: ["a": 0.5, "b": nil], parent: [child], note: nil)
            #expect(try stored(account, .account, container) == account)
            #expect(try stored(nil, .account, container) == nil)
            #expect(try !container.preferences().isSet(.account))
        }
    }

    @Test(
        "plistlib reads the types of a property list as such, raw values, and a Codable value as a dictionary",
        .needs(.externalProgram))
    func nativeTypes() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let inside = URL(filePath: container.location.string).appending(path: "Documents/a.txt")
            try preferences.change { edit in
                try edit.set(7, for: .volume)
                try edit.set(true, for: .isNight)
                try edit.set(1.5, for: .size)
                try edit.set(Date(timeIntervalSinceReferenceDate: 1), for: .day)
                try edit.set(Data([0, 255]), for: .bytes)
                try edit.set(.dark, for: .theme)
                try edit.set(.high, for: .level)
                try edit.set(["b"], for: .tags)
                try edit.set([["a": [1, 2]]], for: .table)
                try edit.set([1, nil], for: .holes)
                try edit.set(inside, for: .place)
                try edit.set(
                    Account(
                        name: "n", since: .init(timeIntervalSinceReferenceDate: 0), photo: Data([1]), home: inside,
                        levels: [.low], scores: [:], parent: [], note: nil), for: .account)
            }
            let read = """
                import plistlib, sys
                for key, value in sorted(plistlib.load(open(sys.argv[1], 'rb')).items()): print(key, value)
                """
            let path = try container.path(.preferences / "com.example.app.plist").string
            #expect(
                try Command("python3", ["-c", read, path]).text == """
                    account {'home': '~/Documents/a.txt', 'levels': [1], 'name': 'n', 'parent': [], 'photo': b'\\x01', \
                    'scores': {}, 'since': datetime.datetime(2001, 1, 1, 0, 0)}
                    bytes b'\\x00\\xff'
                    day 2001-01-01 00:00:01
                    holes [1, '$null']
                    level 9
                    nightMode True
                    place ~/Documents/a.txt
                    size 1.5
                    table [{'a': [1, 2]}]
                    tags ['b']
                    theme dark
                    volume 7

                    """)
        }
    }

    @Test("A value of another number type is converted if nothing is lost")
    func numbers() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.change { edit in
                edit.set(8.0, forKey: "volume")
                edit.set(3, forKey: "size")
                edit.set(1, forKey: "nightMode")
                edit.set(7.0, forKey: "byte")
                edit.set(0.25, forKey: "small")
            }
            #expect(try preferences.value(for: .volume) == 8 && preferences.value(for: .size) == 3)
            #expect(try preferences.value(for: .isNight) && preferences.value(for: .byte) == 7)
            #expect(try preferences.value(for: .small) == 0.25)
        }
    }

    @Test(
        "An equal value is not written: the file remains the same inode with the same times", .needs(.externalProgram))
    func equalValue() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.change { (edit) throws(PreferencesError) in
                try edit.set(7, for: .volume)
                try edit.set("e\u{301}", for: .font)
                try edit.set(0, for: .size)
            }
            let path = try container.path(.preferences / "com.example.app.plist").string
            func state() throws -> String {
                let script =
                    "import os, sys; s = os.stat(sys.argv[1]); print(s.st_ino, s.st_mtime_ns, s.st_ctime_ns, s.st_size)"
                return try Command("python3", ["-c", script, path]).text
            }
            let before = try state()
            try preferences.set(7, for: .volume)
            try preferences.set(7, forKey: "volume")
            try preferences.set(nil, for: .nickname)
            try preferences.remove(.account)
            try preferences.change { edit in
                edit.set(8, forKey: "volume")
                edit.set(7, forKey: "volume")
            }
            #expect(try state() == before)
            // Equal in Swift, but other bytes: another Unicode composition, a negative zero, another type.
            for change in ["font", "size", "volume"] {
                let before = try state()
                switch change {
                case "font": try preferences.set("\u{e9}", for: .font)
                case "size": try preferences.set(-0.0, for: .size)
                default: try preferences.set(7.0, forKey: "volume")
                }
                #expect(try state() != before, "\(change)")
            }
        }
    }

    @Test("A property reads and changes the preference, in classes and structures")
    func wrapper() throws {
        final class Player {
            @Preference var volume: Int
            init(_ preferences: Preferences) { _volume = Preference(.volume, in: preferences) }
        }
        struct Reader {
            @Preference var theme: Theme
            @Preference var nickname: String?
        }
        try withContainer { container throws in
            let preferences = try container.preferences()
            @Preference(.isNight, in: preferences) var isNight
            let player = Player(preferences)
            let reader = Reader(
                theme: Preference(.theme, in: preferences), nickname: Preference(.nickname, in: preferences))
            #expect(player.volume == 5 && reader.theme == .light && reader.nickname == nil && !isNight)
            player.volume += 1
            reader.theme = .dark
            reader.nickname = "n"
            isNight = true
            #expect(try preferences.value(for: .volume) == 6 && preferences.value(for: .theme) == .dark)
            #expect(try preferences.value(for: .nickname) == "n" && preferences.value(for: .isNight))
            #expect(player.$volume.key.name == "volume" && player.$volume.preferences === preferences)
        }
    }

    @Test("A change whose closure throws any error writes nothing")
    func failedChange() async throws {
        struct Refusal: Error {}
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let preferences = try container.preferences()
        func fail() throws {
            try preferences.change { edit in
                try edit.set(7, for: .volume)
                throw Refusal()
            }
        }
        #expect(throws: Refusal.self) { try fail() }
        #expect(throws: Refusal.self) {
            try preferences.change { edit in
                try edit.set(7, for: .volume)
                throw Refusal()
            }
        }
        let old = try preferences.change { edit in
            try edit.set(8, for: .volume)
            return try edit.isSet(.font) ? edit.value(for: .font) : "none"
        }
        #expect(try preferences.values() == ["volume": 8] && old == "none")
    }

}
