import AppContainer
import ContainerArchives
import ContainerPreferences
import Foundation
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@Suite("Examples of the README, the pages in docs and the landing page") struct ReadmeSnippetTests {
    @Test("The example of the landing page stores a letter and reads it")
    func landingPage() throws {
        try withContainer { made throws in
            let path = made.location
            // shown in AppContainer.md
            let container = try Container.open(path)
            try container.store("Dear reader", named: "letters/first.txt", as: .userDocument)
            let text = try container.loadText(.documents / "letters/first.txt")
            // end
            #expect(text == "Dear reader")
        }
    }

    @Test("The example of the README stores, appends and finds out what excludes a download")
    func readme() throws {
        try withScratch { folder throws in
            let path = FilePath(folder.appending(path: "c").path)
            let tile = Data("PNG".utf8)
            let server = try #require(URL(string: "https://maps.example.com/14/8.png?token=secret"))
            // shown in README.md
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")

            // State the kind of the data. The library chooses the directory and the backup exclusion, and records the origin.
            try container.store("Dear reader", named: "letters/first.txt", as: .userDocument)
            try container.store(tile, named: "8.png", as: .downloaded(from: server, keepOffline: true))

            // Or state the path. The save is atomic and keeps the exclusion and the mode of the old file.
            try container.append("PS: …", to: .documents / "letters/first.txt")
            let state = try container.exclusion(of: .applicationSupport / "Downloads/8.png")  // excluded, by Downloads
            // end
            #expect(try container.loadText(.documents / "letters/first.txt") == "Dear readerPS: …")
            #expect(state.state == .excluded && state.carrier?.hasSuffix("/Downloads") == true)
        }
    }

    @Test("The example of the library's page stores, saves, excludes, purges, sets and archives")
    func library() throws {
        try withScratch { folder throws in
            let path = FilePath(folder.appending(path: "c").path)
            let tile = Data("PNG".utf8)
            let server = try #require(URL(string: "https://maps.example.com/14/8.png?token=secret"))
            let nextMonth = Date(timeIntervalSinceNow: 30 * 86_400)
            let shelf = Shelf([Book(title: "SICP", address: nil)])
            // shown in library.md
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")

            // State the kind of the data. The library chooses the directory and the backup exclusion, and records the origin.
            try container.store("Dear reader", named: "letters/first.txt", as: .userDocument)
            try container.store(tile, named: "8.png", as: .downloaded(from: server, keepOffline: true))

            // Or state the path. The save is atomic and keeps the exclusion and the mode of the old file.
            try container.append("PS: …", to: .documents / "letters/first.txt")
            try container.batch { batch in
                for name in ["1.png", "2.png"] { try batch.save(tile, to: .caches / name) }
            }

            // Exclude a directory from backup, find out what decided, and delete expired files.
            let maps = ContainerPath.applicationSupport / "Maps"
            try container.createDirectory(maps)
            try container.excludeFromBackup(maps)
            try container.save(
                tile, to: maps / "8.png", options: .init(provenance: .downloaded(from: server, expires: nextMonth)))
            let state = try container.exclusion(of: maps / "8.png")  // excluded, by Maps
            try container.purgeExpired()

            // Read and write preferences and keyed archives of Apple's systems. Damaged files are errors.
            try container.preferences().set(true, forKey: "nightMode")
            try container.archive(shelf, to: .documents / "shelf.archive")
            let read = try container.unarchive(Shelf.self, from: .documents / "shelf.archive", allowing: [Book.self])
            // end
            #expect(try container.loadText(.documents / "letters/first.txt") == "Dear readerPS: …")
            #expect(try container.provenance(of: .applicationSupport / "Downloads/8.png")?.maker == .downloaded)
            #expect(try container.list(.caches).count == 2)
            #expect(state.state == .excluded && state.carrier?.hasSuffix("/Maps") == true)
            #expect(try container.list(maps).count == 1)
            #expect(try container.preferences().bool(forKey: "nightMode"))
            #expect(read.books.map(\.title) == ["SICP"])
            // shown in ci.md
            expectCompliant(container, select: ["backup"])
            // end
        }
    }

    @Test("The example of the configuration page stores a suppression on a file")
    func suppression() throws {
        try withContainer { container throws in
            let file = ContainerPath.temporary / "exports/a.zip"
            try container.save("x", to: file)
            // shown in configuration.md
            try container.suppress("stale-tmp", reason: "uploaded at the next launch", at: file)
            // end
            #expect(try container.suppressions(of: file).map(\.rule) == ["stale-tmp"])
        }
    }
}
