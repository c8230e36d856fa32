import AppContainer
import ContainerPreferences
import Foundation
import FileSystem
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences with the behaviour of UserDefaults") struct PreferencesLikeUserDefaultsTests {
    @Test("A single-precision number is converted to its original text, also from a file of Foundation")
    func float() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            for (value, text) in [(12.34, "12.34"), (0.1, "0.1"), (-7.25, "-7.25"), (1, "1")] as [(Float, String)] {
                try preferences.set(value, forKey: "a")
                #expect(try preferences.string(forKey: "a") == text)
                #expect(try preferences.float(forKey: "a") == value)
                #expect(try preferences.double(forKey: "a") == Double(value))
            }
            let written = try PropertyListSerialization.data(
                fromPropertyList: ["f": 12.34 as Float, "d": 12.34], format: .binary, options: 0)
            try container.save(written, to: .preferences / "com.example.app.plist")
            #expect(try preferences.string(forKey: "f") == "12.34" && preferences.string(forKey: "d") == "12.34")
            try preferences.set(1, forKey: "other")
            let read = try PropertyListSerialization.propertyList(
                from: container.load(.preferences / "com.example.app.plist"), format: nil)
            let number = try #require((read as? [String: Any])?["f"] as? NSNumber)
            #expect(number.stringValue == "12.34")
        }
    }

    @Test("NaN is not reported as a change at each read")
    func notANumber() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let odd: PreferenceValue = [.real(.nan), .float(.nan), ["x": .real(-.nan)]]
            try preferences.set(odd, forKey: "odd")
            try preferences.set(Double.nan, forKey: "a")
            let told = LockedValue<[Set<String>]>([])
            let observation = preferences.observe { keys in told.withLock { $0.append(keys) } }
            defer { observation.cancel() }
            try preferences.set(1, forKey: "b")
            #expect(try preferences.synchronize().isEmpty)
            #expect(told.withLock { $0 } == [["b"]])
            #expect(PreferenceValue.real(.nan) == .real(.nan) && PreferenceValue.real(0) == .real(-0.0))
            #expect(Set([PreferenceValue.real(.nan), .real(-.nan), .real(0), .real(-0.0)]).count == 2)
        }
    }

    @Test(
        "A web URL is stored as the archive of UserDefaults, and Foundation reads it",
        arguments: [
            "https://example.com/a%20b?q=1#x", "mailto:a@example.com", "a/relative?way", "http://user@example.com:8080",
        ])
    func webURLs(text: String) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let url = try #require(URL(string: text))
            try preferences.set(url, forKey: "a")
            #expect(try preferences.string(forKey: "a") == nil)
            let data = try #require(try preferences.data(forKey: "a"))
            #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: data) as URL? == url)
            let again = try Container.open(container.location.appending("."))
            #expect(try again.preferences().url(forKey: "a") == url)
        }
    }

    @Test("An archive of a URL by Foundation is read, and its base is kept")
    func foundationArchive() throws {
        try withContainer { container throws in
            let base = try #require(URL(string: "https://example.com/a/"))
            let object = try #require(NSURL(string: "b?c#d", relativeTo: base))
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            let preferences = try container.preferences()
            try preferences.set(data, forKey: "a")
            let url = try preferences.url(forKey: "a")
            #expect(url?.relativeString == "b?c#d" && url?.baseURL == base)
            let relative = try #require(URL(string: "b?c#d", relativeTo: base))
            try preferences.set(relative, forKey: "b")
            #expect(try preferences.url(forKey: "b")?.baseURL == base)
        }
    }

    @Test("Data that is not the archive of a URL returns nil")
    func otherData() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(Data("https://example.com".utf8), forKey: "a")
            let archive = try NSKeyedArchiver.archivedData(withRootObject: NSDate(), requiringSecureCoding: true)
            try preferences.set(archive, forKey: "b")
            #expect(try preferences.url(forKey: "a") == nil && preferences.url(forKey: "b") == nil)
        }
    }

    @Test(
        "A suite may have any valid file name", arguments: ["my_suite", "My Suite", "Grüße", "a+b(c)", "x.y"])
    func suites(name: String) throws {
        try withContainer { container throws in
            try container.preferences(suite: name).set(1, forKey: "a")
            let place = ContainerPath.preferences / (name + ".plist")
            #expect(try container.list(.preferences) == [place])
            let again = try Container.open(container.location.appending("."))
            #expect(try again.preferences(suite: name).integer(forKey: "a") == 1)
        }
    }

    @Test("In XML the last value of a repeated key is used, and UTF-16 is read")
    func xml() throws {
        try withContainer { container throws in
            let text =
                "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist version=\"1.0\"><dict><key>k</key><string>ü</string>"
                + "<key>k</key><integer>2</integer><key>d</key><date>10000-01-01T00:00:00Z</date></dict></plist>"
            let place = ContainerPath.preferences / "com.example.app.plist"
            try container.save(text, to: place, encoding: .utf16)
            let preferences = try container.preferences()
            #expect(try preferences.integer(forKey: "k") == 2)
            #expect(try preferences.date(forKey: "d") == Date(timeIntervalSinceReferenceDate: 252_423_993_600))
            try preferences.set(3, forKey: "l")
            #expect(try preferences.integer(forKey: "k") == 2)
        }
    }
}
