import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The behaviours that users of Sindre Sorhus' Defaults know. Differences are in the guide on typed preferences.
@Suite("Preferences with the behaviour of Defaults: keys and values") struct PreferencesLikeDefaultsTests {
    typealias Key = Preferences.Key

    private enum Duration: String, Codable, Sendable { case short = "10 minutes", long = "1 hour" }
    private enum Size: Int, Sendable { case small = 1, large = 9 }
    private struct Zone: Codable, Hashable, Sendable {
        var id: String
        var name: String?
    }
    private struct Days: OptionSet, Codable, Hashable, Sendable {
        let rawValue: Int
        static let monday = Days(rawValue: 1)
        static let friday = Days(rawValue: 16)
    }
    /// A collection of an app, stored as the array in it.
    private struct Bag<Element: Codable & Sendable & Equatable>: Codable, Equatable, Sendable {
        var items: [Element]
        init(_ items: [Element]) { self.items = items }
        init(from decoder: any Decoder) throws { items = try [Element](from: decoder) }
        func encode(to encoder: any Encoder) throws { try items.encode(to: encoder) }
    }

    /// Sets a value, and returns it as a new object reads it from the disk.
    private func stored<Value>(_ value: Value, _ key: Key<Value>, _ container: Container) throws -> Value {
        try container.preferences().set(value, for: key, durability: .none)
        return try Container.open(container.location.appending(".")).preferences().value(for: key)
    }

    @Test("A key that is declared at its use has its default until it is set")
    func independentKey() throws {
        try withContainer { container throws in
            let key = Key<Bool>("independent", default: false)
            #expect(try container.preferences()[key] == false)
            #expect(try stored(true, key, container))
        }
    }

    @Test("An optional key is nil, has a value, and is nil again")
    func optionalKey() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let flag = Key<Bool?>("flag")
            let site = Key<URL?>("site")
            let home = try #require(URL(string: "https://example.com"))
            #expect(preferences[flag] == nil && preferences[site] == nil)
            #expect(try stored(true, flag, container) == true && stored(home, site, container) == home)
            #expect(try stored(nil, flag, container) == nil && stored(nil, site, container) == nil)
            #expect(try stored(false, flag, container) == false)
        }
    }

    @Test("An optional key with a default returns the default after it was set to nil")
    func optionalDefault() throws {
        try withContainer { container throws in
            let key = Key<String?>("name", default: "none")
            #expect(try stored("a", key, container) == "a" && stored(nil, key, container) == "none")
        }
    }

    @Test("The default of a key is not stored, and reads by name do not return it")
    func defaultIsNotStored() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let key = Key<Bool>("registers", default: true)
            #expect(preferences[key])
            #expect(try !preferences.isSet(key) && !preferences.bool(forKey: "registers"))
            preferences.register(defaults: ["registers": true])
            #expect(try preferences.bool(forKey: "registers"))
        }
    }

    @Test("A value that equals the default is set, and is the default again only after it is removed")
    func isDefault() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let key = Key<String>("text", default: "a")
            #expect(try stored("a", key, container) == "a" && preferences.isSet(key))
            try preferences.remove(key)
            #expect(try !preferences.isSet(key) && preferences[key] == "a")
        }
    }

    @Test("A URL, a file URL, data and a date are read as they were set, also as defaults")
    func basicTypes() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let page = try #require(URL(string: "https://example.com/a"))
            let file = URL(filePath: "/usr/share/icon.png")
            let (site, icon) = (Key<URL>("site", default: page), Key<URL>("icon", default: file))
            #expect(preferences[site] == page && preferences[icon] == file)
            let other = try #require(URL(string: "https://example.org"))
            #expect(try stored(other, site, container) == other)
            #expect(try stored(URL(filePath: "/a b"), icon, container).path == "/a b")
            #expect(try stored(Data([255]), Key("data", default: Data()), container) == Data([255]))
            let date = Date(timeIntervalSinceReferenceDate: 793_000_000.5)
            #expect(try stored(date, Key("date", default: .distantPast), container) == date)
        }
    }

    @Test("removeAll returns each key to its default, and leaves other suites")
    func removeAll() throws {
        try withContainer { container throws in
            let (app, suite) = (try container.preferences(), try container.preferences(suite: "com.example.suite"))
            let (first, second) = (Key<Bool>("first", default: false), Key<Int>("second", default: 42))
            try app.set(true, for: first)
            try app.set(1, for: second)
            try suite.set(2, for: second)
            try app.removeAll()
            #expect(!app[first] && app[second] == 42 && suite[second] == 2)
        }
    }

    @Test("One key has a value in each suite")
    func suites() throws {
        try withContainer { container throws in
            let app = try container.preferences()
            let group = try container.preferences(suite: "group.com.example")
            let key = Key<String>("key", default: "none")
            try group.set("group", for: key)
            #expect(app[key] == "none" && group[key] == "group")
            try app.set("app", for: key)
            try group.remove(key)
            #expect(app[key] == "app" && group[key] == "none")
        }
    }

    @Test("Removing some keys returns them to their defaults, in one save, and leaves the others")
    func reset() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let (text, number) = (Key<String>("text", default: "a"), Key<Int>("number", default: 0))
            let (name, kept) = (Key<String?>("name"), Key<String?>("kept"))
            try preferences.change { edit in
                try edit.set("b", for: text)
                try edit.set(1, for: number)
                try edit.set("n", for: name)
                try edit.set("k", for: kept)
            }
            try preferences.remove(text)
            #expect(preferences[text] == "a" && preferences[number] == 1)
            try preferences.change { edit in
                edit.remove(number)
                edit.remove(name)
            }
            #expect(preferences[number] == 0 && preferences[name] == nil && preferences[kept] == "k")
        }
    }

    @Test("A Codable structure, in an array, a dictionary, and optional")
    func codable() throws {
        try withContainer { container throws in
            let (here, there) = (Zone(id: "0", name: "Taipei"), Zone(id: "1", name: nil))
            #expect(try stored(there, Key("a", default: here), container) == there)
            #expect(try stored([here, there], Key("b", default: []), container) == [here, there])
            #expect(try stored(["x": there], Key("c", default: [:]), container) == ["x": there])
            #expect(try stored(here, Key<Zone?>("d"), container) == here)
            #expect(try stored([[here], []], Key("e", default: []), container) == [[here], []])
            #expect(try stored([["x": [there]]], Key("f", default: []), container) == [["x": [there]]])
        }
    }

    @Test("An enumeration, Codable or not, is its raw value, also in an array, a dictionary, and optional")
    func enumeration() throws {
        try withContainer { container throws in
            #expect(try stored(.long, Key<Duration>("a", default: .short), container) == .long)
            #expect(try stored([.long], Key<[Duration]>("b", default: []), container) == [.long])
            #expect(try stored(["x": .long], Key<[String: Duration]>("c", default: [:]), container) == ["x": .long])
            #expect(try stored(.large, Key<Size?>("d"), container) == .large)
            #expect(try stored([.large], Key<[Size]>("e", default: []), container) == [.large])
            #expect(
                try container.preferences().values() == [
                    "a": "1 hour", "b": ["1 hour"], "c": ["x": "1 hour"], "d": 9, "e": [9],
                ])
        }
    }

    @Test("A set, of an app's type too, is an array in the file, and an option set is its raw value")
    func sets() throws {
        try withContainer { container throws in
            let zones: Set = [Zone(id: "0", name: nil), Zone(id: "1", name: "Tokyo")]
            #expect(try stored(["a", "b"], Key<Set<String>>("a", default: []), container) == ["a", "b"])
            #expect(try stored(zones, Key<Set<Zone>?>("b"), container) == zones)
            #expect(try stored([zones], Key<[Set<Zone>]>("c", default: []), container) == [zones])
            let days: Days = [.monday, .friday]
            #expect(try stored(days, Key<Days>("d", default: []), container) == days)
            #expect(try container.preferences().integer(forKey: "d") == 17)
            #expect(try container.preferences().array(forKey: "a")?.count == 2)
        }
    }

    @Test("A collection type of the app is stored as what it encodes")
    func collection() throws {
        try withContainer { container throws in
            let bag = Bag(["a", "b"])
            #expect(try stored(bag, Key("a", default: Bag([])), container) == bag)
            #expect(try container.preferences().stringArray(forKey: "a") == ["a", "b"])
            let zones = ["x": Bag([Zone(id: "0", name: nil)])]
            #expect(try stored(zones, Key<[String: Bag<Zone>]?>("b"), container) == zones)
        }
    }

    @Test("A dictionary with integers as keys has their text as keys in the file")
    func dictionary() throws {
        try withContainer { container throws in
            let names = [1: "a", -2: "b"]
            #expect(try stored(names, Key<[Int: String]>("a", default: [:]), container) == names)
            #expect(try container.preferences().dictionary(forKey: "a") == ["1": "a", "-2": "b"])
        }
    }

    @Test("Ranges of integers and of dates")
    func ranges() throws {
        try withContainer { container throws in
            #expect(try stored(-1..<3, Key<Range<Int>>("a", default: 0..<1), container) == -1..<3)
            let dates = Date(timeIntervalSinceReferenceDate: 0)...Date(timeIntervalSinceReferenceDate: 86_400.5)
            #expect(try stored(dates, Key<ClosedRange<Date>?>("b"), container) == dates)
            #expect(try stored([1...2], Key<[ClosedRange<Int>]>("c", default: []), container) == [1...2])
        }
    }

    @Test("Nil within an array or a dictionary remains, and both levels of a nested optional remove the key")
    func nestedOptionals() throws {
        try withContainer { container throws in
            #expect(try stored([1, nil], Key<[Int?]?>("a"), container) == [1, nil])
            let holes: [String: [Int?]?] = ["x": [nil, 2], "y": nil]
            #expect(try stored(holes, Key<[String: [Int?]?]>("b", default: [:]), container) == holes)
            let nested = Key<Int??>("c")
            #expect(try stored(7, nested, container) == 7)
            #expect(try stored(.some(nil), nested, container) == nil)
            #expect(try !container.preferences().isSet(nested))
        }
    }

    @Test("A dictionary of values of several types")
    func mixed() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let mixed: PreferenceValue = ["n": 1, "s": "text", "a": [true, 2.5], "d": ["x": "y"]]
            try preferences.set(mixed, forKey: "mixed")
            #expect(try preferences.value(forKey: "mixed") == mixed)
        }
    }

    @Test("An empty text, array, set or dictionary is a value, not the default")
    func emptyValues() throws {
        try withContainer { container throws in
            #expect(try stored("", Key("a", default: "default"), container) == "")
            #expect(try stored([], Key<[Int]>("b", default: [1]), container) == [])
            #expect(try stored([], Key<Set<String>>("c", default: ["a"]), container) == [])
            #expect(try stored([:], Key<[String: Int]>("d", default: ["a": 1]), container) == [:])
        }
    }

    @Test("Text of any script, control characters and emoji")
    func unicode() throws {
        try withContainer { container throws in
            let key = Key<String>("text", default: "")
            for text in [
                "世界 🌍", "مرحبا", "שלום", "∑∏∞", "\u{200B}a\u{200D}", "a\n\r\tb", String(repeating: "🦄", count: 1000),
            ] {
                #expect(try stored(text, key, container) == text)
            }
        }
    }

    @Test("The limits of numbers")
    func numbers() throws {
        try withContainer { container throws in
            for number in [Int.min, .max] { #expect(try stored(number, Key("a", default: 0), container) == number) }
            #expect(try stored(.max, Key<UInt>("b", default: 0), container) == .max)
            for number in [.infinity, -.infinity, Double.leastNormalMagnitude, .greatestFiniteMagnitude] {
                #expect(try stored(number, Key("c", default: 0), container) == number)
            }
            #expect(try stored(.nan, Key("c", default: 0.0), container).isNaN)
            #expect(try stored(.infinity, Key<Float>("d", default: 0), container) == .infinity)
        }
    }

    @Test("Large values, and an error for a value that belongs in a file")
    func large() throws {
        try withContainer { container throws in
            let text = String(repeating: "A", count: 100_000)
            #expect(try stored(text, Key("a", default: ""), container) == text)
            #expect(try stored(Array(0..<10_000), Key("b", default: []), container) == Array(0..<10_000))
            let table = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("key \($0)", $0) })
            #expect(try stored(table, Key("c", default: [:]), container) == table)
            let error = #expect(throws: PreferencesError.self) {
                try container.preferences().set(Data(count: 5_000_000), for: Key("d", default: Data()))
            }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("Names with dots, at signs and spaces are keys, too, and are observed", arguments: ["a.b", "@a", " ", "ä/b"])
    func names(name: String) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let key = Key<Int>(name, default: 0)
            let heard = Heard<Int>()
            _ = preferences[key]
            let observation = preferences.observe(key) { heard.add($0) }
            defer { observation.cancel() }
            #expect(try stored(1, key, container) == 1)
            #expect(heard.all == [PreferenceChange(old: 0, new: 1)])
        }
    }

    @Test("An element that cannot be read is an error of the whole value, not a shorter array")
    func damagedElement() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(["1 hour", "1 week"], forKey: "durations")
            let error = #expect(throws: PreferencesError.self) {
                try preferences.value(for: Key<[Duration]>("durations", default: []))
            }
            #expect(error?.code == .wrongType)
            #expect(try preferences.array(forKey: "durations")?.count == 2)
        }
    }

    @Test("JSON text, as Defaults stores Codable values, is not the value, and is migrated by decoding it")
    func migration() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let key = Key<Zone?>("zone")
            try preferences.set(#"{"id":"0","name":"Taipei"}"#, forKey: "zone")
            let error = #expect(throws: PreferencesError.self) { try preferences.value(for: key) }
            #expect(error?.code == .wrongType)
            let text = try #require(try preferences.string(forKey: "zone"))
            try preferences.set(JSONDecoder().decode(Zone.self, from: Data(text.utf8)), for: key)
            #expect(try preferences.value(for: key) == Zone(id: "0", name: "Taipei"))
        }
    }
}
