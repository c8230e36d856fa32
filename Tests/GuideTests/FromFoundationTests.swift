import AppContainer
import ContainerArchives
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Guide: from Foundation to AppContainer") struct FromFoundationTests {
    private struct Player: Codable, Equatable { var name: String }

    @Test("The replacements of Foundation's calls do what their callers expect")
    func calls() throws {
        try withContainer { container throws in
            let (data, players) = (Data("Dear reader".utf8), [Player(name: "A")])
            // shown in FromFoundation.md
            // was: try data.write(to: url, options: .atomic)
            try container.save(data, to: .documents / "letter.txt")

            // was: try JSONEncoder().encode(players).write(to: url, options: .atomic)
            try container.save(players, to: .documents / "players.json")
            // end
            #expect(try container.load(.documents / "letter.txt") == data)
            let path = try container.path(.documents / "players.json").string
            #expect(
                try JSONDecoder().decode([Player].self, from: Data(contentsOf: URL(filePath: path))) == players)

            // shown in FromFoundation.md
            // was: FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
            let caches = try container.url(for: .library / "Caches")
            // end
            #expect(caches.path == container.location.string + "/Library/Caches")

            try container.createDirectory(.library / "Application Support")
            try container.save("[]", to: .library / "Application Support/library.json")
            // shown in FromFoundation.md
            let old = ContainerPath.library / "Application Support/library.json"
            if try container.list(.library / "Application Support").contains(old) {
                try container.move(old, to: .applicationSupport / "library.json")
            }
            // end
            #expect(try container.loadText(.applicationSupport / "library.json") == "[]")

            // shown in FromFoundation.md
            // was: var values = URLResourceValues(); values.isExcludedFromBackup = true; try url.setResourceValues(values)
            try container.createDirectory(.applicationSupport / "Maps")
            try container.excludeFromBackup(.applicationSupport / "Maps")
            // end
            #expect(try container.exclusion(of: .applicationSupport / "Maps").state == .excluded)

            let shelf = NSArray(array: [Book(title: "SICP", address: nil)])
            try container.archive(shelf, to: .documents / "shelf.archive")
            // shown in FromFoundation.md
            // was: try NSKeyedUnarchiver.unarchivedObject(ofClass: NSArray.self, from: Data(contentsOf: url))
            let books = try container.unarchive(NSArray.self, from: .documents / "shelf.archive", allowing: [Book.self])
            // end
            #expect(books.count == 1)

            // shown in FromFoundation.md
            // was: UserDefaults.standard.set(true, forKey: "nightMode")
            try container.preferences().set(true, forKey: "nightMode")
            // end
            #expect(try container.preferences().bool(forKey: "nightMode"))
        }
    }

    @Test("Foundation's directories are those that the guide lists")
    func directories() throws {
        try withContainer { container throws in
            let home = container.location.string
            let guide = URL(filePath: #filePath).appending(path: "../../../Sources/AppContainer/AppContainer.docc")
                .appending(path: "FromFoundation.md").standardized
            let text = try String(contentsOf: guide, encoding: .utf8)
            for row in [
                "| `.documentDirectory` | `.documents` | – |",
                "| `.libraryDirectory` | `.library` | – |",
                #"| `.cachesDirectory` | `.library / "Caches"` | `.caches`: `Library/Caches/<id>` |"#,
                #"| `.applicationSupportDirectory` | `.library / "Application Support"` | "#,
            ] { #expect(text.contains(row), "\(row)") }
            // Foundation's paths, relative to an app's home directory on Apple's systems.
            #expect(try container.path(.documents).string == home + "/Documents")
            #expect(try container.path(.library).string == home + "/Library")
            #expect(try container.path(.library / "Caches").string == home + "/Library/Caches")
            #expect(
                try container.path(.library / "Application Support").string == home + "/Library/Application Support")
            #expect(try container.path(.caches).string == home + "/Library/Caches/com.example.app")
            #expect(
                try container.path(.applicationSupport).string
                    == home + "/Library/Application Support/com.example.app")
        }
    }
}
