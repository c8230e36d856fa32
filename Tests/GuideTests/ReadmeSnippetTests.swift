import AppContainer
import ContainerArchives
import ContainerPreferences
import Foundation
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@Suite("Examples of the README and the landing page") struct ReadmeSnippetTests {
    @Test("The example of the landing page stores a letter and reads it")
    func landingPage() throws {
        try withContainer { made throws in
            let path = made.location
            // shown in AppContainer.md
            let container = try Container.open(path)
            try container.store("Dear reader", named: "letters/first.txt", as: .userDocument)
            let text = try container.loadText(.documents("letters/first.txt"))
            // end
            #expect(text == "Dear reader")
        }
    }

    @Test("The example of the README stores, saves, excludes, purges, sets and archives")
    func readme() throws {
        try withScratch { folder throws in
            let path = FilePath(folder.appending(path: "c").path)
            let tile = Data("PNG".utf8)
            let server = try #require(URL(string: "https://maps.example.com/14/8.png?token=secret"))
            let nextMonth = Date(timeIntervalSinceNow: 30 * 86_400)
            let shelf = Shelf([Book(title: "SICP", address: nil)])
            // shown in README.md
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")

            // Say what it is: place, flag and provenance follow.
            try container.store("Dear reader", named: "letters/first.txt", as: .userDocument)
            try container.store(tile, named: "8.png", as: .downloaded(from: server, keepOffline: true))

            // Or say where: the old file or the new one, whole, with the old one's flag and mode.
            try container.append("PS: …", to: .documents("letters/first.txt"))
            try container.batch { batch in
                for name in ["1.png", "2.png"] { try batch.save(tile, to: .caches(name)) }
            }

            // Flag a directory of your own, ask what decided, and purge what is flagged yourself.
            let maps = try ContainerPath.applicationSupport("Maps")
            try container.createDirectory(maps)
            try container.excludeFromBackup(maps)
            try container.save(
                tile, to: maps.appending("8.png"), provenance: .downloaded(from: server, expires: nextMonth))
            let state = try container.exclusion(of: maps.appending("8.png"))  // excluded, by Maps
            try container.purgeExpired()

            // Preferences and keyed archives that Apple's systems read; damaged ones are errors.
            try container.preferences().set(true, forKey: "nightMode")
            try container.archive(shelf, to: .documents("shelf.archive"))
            let read = try container.unarchive(Shelf.self, from: .documents("shelf.archive"), allowing: [Book.self])
            // end
            #expect(try container.loadText(.documents("letters/first.txt")) == "Dear readerPS: …")
            #expect(try container.provenance(of: .applicationSupport("Downloads/8.png"))?.maker == .downloaded)
            #expect(try container.list(.caches()).count == 2)
            #expect(state.state == .excluded && state.carrier?.hasSuffix("/Maps") == true)
            #expect(try container.list(maps).count == 1)
            #expect(try container.preferences().bool(forKey: "nightMode"))
            #expect(read.books.map(\.title) == ["SICP"])
            // shown in README.md
            expectCompliant(container, select: ["backup"])
            // end
        }
    }
}
