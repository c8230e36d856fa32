import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences, URLs") struct PreferencesURLTests {
    @Test("A URL in the container is stored relative to it, and is valid after the container has moved")
    func moves() throws {
        try withContainer { container throws in
            try container.save("Dear reader", to: .documents / "letters/ä b%.txt")
            try container.preferences().set(try container.url(for: .documents / "letters/ä b%.txt"), forKey: "last")
            try container.preferences().set(URL(filePath: container.location.string + "/Documents/"), forKey: "dir")
            try container.preferences().set(URL(filePath: container.location.string), forKey: "all")
            #expect(try container.preferences().string(forKey: "last") == "~/Documents/letters/ä b%.txt")
            #expect(try container.preferences().string(forKey: "dir") == "~/Documents/")
            #expect(try container.preferences().string(forKey: "all") == "~")
            let other = container.location.removingLastComponent().appending("moved")
            try FileManager.default.moveItem(atPath: container.location.string, toPath: other.string)
            let moved = try Container.open(other).preferences()
            let url = try #require(try moved.url(forKey: "last"))
            #expect(url == URL(filePath: other.string + "/Documents/letters/ä b%.txt"))
            #expect(try String(contentsOf: url, encoding: .utf8) == "Dear reader")
            #expect(try moved.url(forKey: "dir")?.path == other.string + "/Documents")
            #expect(try moved.url(forKey: "dir")?.hasDirectoryPath == true)
            #expect(try moved.url(forKey: "all")?.path == other.string)
        }
    }

    @Test("A container is identified by any of its paths")
    func otherName() throws {
        try withContainer { container throws in
            let link = container.location.removingLastComponent().appending("link")
            try FileManager.default.createSymbolicLink(
                atPath: link.string, withDestinationPath: container.location.string)
            let preferences = try container.preferences()
            try preferences.set(URL(filePath: link.string + "/tmp/../Documents/./a"), forKey: "a")
            #expect(try preferences.string(forKey: "a") == "~/Documents/a")
            #expect(try preferences.url(forKey: "a") == container.url(for: .documents / "a"))
            // A neighbour with the same prefix is outside.
            try preferences.set(URL(filePath: container.location.string + "2/a"), forKey: "b")
            #expect(try preferences.string(forKey: "b") == container.location.string + "2/a")
        }
    }

    @Test(
        "URLs of other files are read as they were set",
        arguments: [
            ("file:///etc/hosts", "/etc/hosts"), ("file:///etc/", "/etc/"), ("file:///", "/"),
        ])
    func others(url: String, text: String) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            let url = try #require(URL(string: url))
            try preferences.set(url, forKey: "a")
            #expect(try preferences.string(forKey: "a") == text)
            #expect(try preferences.url(forKey: "a") == url)
        }
    }

    @Test(
        "A value that is not a URL, or leads out of the container, returns nil",
        arguments: ["", "hello", "a b", "~/../x", "~me/x"])
    func none(text: String) throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(text, forKey: "a")
            #expect(try preferences.url(forKey: "a") == nil)
        }
    }

    @Test("A web URL that an older version stored as text is read")
    func text() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set("https://example.com/a%20b?q=1#x", forKey: "a")
            #expect(try preferences.url(forKey: "a")?.absoluteString == "https://example.com/a%20b?q=1#x")
        }
    }
}
