import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Guide: choose the directory for a file") struct WhereDataGoesTests {
    @Test("The container of an app is its home directory")
    func opening() throws {
        try withContainer { made throws in
            // As on iOS.
            enum Container {
                nonisolated(unsafe) static var location: FilePath = ""
                static func home() throws -> AppContainer.Container { try .open(location) }
            }
            Container.location = made.location
            // shown in WhereDataGoes.md
            let container = try Container.home()
            // end
            #expect(container.bundleIdentifier == "com.example.app")
        }
    }

    @Test("A letter, an episode and a thumbnail are saved in their directories with their provenance")
    func storing() throws {
        try withContainer { container throws in
            let (audio, pixels) = (Data("MP3".utf8), Data("PNG".utf8))
            let feed = try #require(URL(string: "https://example.com/42.mp3?token=secret"))
            // shown in WhereDataGoes.md
            let letter = try container.store("Dear reader", named: "letters/first.txt", as: .userDocument)
            // end
            // shown in WhereDataGoes.md
            let episode = try container.store(
                audio, named: "episodes/42.mp3", as: .downloaded(from: feed, keepOffline: true))
            // end
            // shown in WhereDataGoes.md
            let thumbnail = try container.store(pixels, named: "thumbnails/42.png", as: .derived)
            // end
            let places = try [letter, episode, thumbnail].map { try container.path($0).string }
            let support = "Library/Application Support/com.example.app"
            #expect(
                places
                    == [
                        "Documents/letters/first.txt", "\(support)/Downloads/episodes/42.mp3",
                        "Library/Caches/com.example.app/thumbnails/42.png",
                    ].map { container.location.string + "/" + $0 })
            #expect(try container.exclusion(of: letter).state == .included)
            #expect(try container.exclusion(of: episode).carrier == "\(support)/Downloads")

            // shown in WhereDataGoes.md
            try container.setProtection(.complete, of: letter)
            // end
            #expect(try container.protection(of: letter) == .complete)

            let again = try { () throws in
                // shown in WhereDataGoes.md
                let place = ContentKind.derived.path(named: "thumbnails/42.png")
                let url = try container.url(for: place)
                // end
                return (place, url)
            }()
            #expect(again.0 == thumbnail && again.1.path == places[2])

            let name = "1.jpg"
            // shown in WhereDataGoes.md
            let cover = ContainerPath.caches / "covers" / name
            try container.save(pixels, to: cover)
            // end
            #expect(try container.load(cover) == pixels)
            #expect(throws: ContainerError.self) { try container.save(pixels, to: .caches / "../../Documents/1.jpg") }

            let place = again.0
            let kept = try { () throws in
                // shown in WhereDataGoes.md
                let text = place.description  // Library/Caches/{bundle-id}/thumbnails/42.png
                let again = ContainerPath(text)
                // end
                return (text, again)
            }()
            #expect(kept.0 == "Library/Caches/{bundle-id}/thumbnails/42.png" && kept.1 == place)

            // shown in WhereDataGoes.md
            let origin = try container.provenance(of: episode)?.origin
            let line = try container.source(of: episode)
            // end
            #expect(origin == "https://example.com/42.mp3")
            #expect(line?.module == "GuideTests")

            // shown in WhereDataGoes.md
            let usage = try container.usage(naming: 3)
            let cached = usage.byLocation[.urlCache]?.onDisk ?? 0
            let largest = usage.largest.map { "\($0.path): \($0.size)" }
            // end
            #expect(cached > 0 && usage.byLocation[.caches]?.items == 0)
            #expect(largest.count == 3 && largest.contains("Documents/letters/first.txt: 11"))
        }
    }

    @Test("The table matches the code")
    func table() throws {
        let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/AppContainer/AppContainer.docc/WhereDataGoes.md")
        let rows = try String(contentsOf: guide.standardizedFileURL, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `.") }.map {
                $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
        let origin = try #require(URL(string: "https://example.com/a"))
        let kinds: [ContentKind] = [
            .userDocument, .userData, .imported, .downloaded(from: origin, keepOffline: true),
            .downloaded(from: origin, keepOffline: false), .appGenerated, .derived, .cache, .scratch,
        ]
        #expect(rows.count == kinds.count)
        for (row, kind) in zip(rows, kinds) {
            try withContainer { container throws in
                let place = try container.store("x", named: "a", as: kind)
                let directory = place.description.replacing("{bundle-id}", with: "<id>").dropLast(2)
                let flagged = try container.exclusion(of: place).state == .excluded
                #expect(row[2] == "`\(directory)`\(flagged ? ", excluded from backup" : "")")
                let location = try #require(Location.table.last { place.description.hasPrefix($0.path) })
                #expect(row[3] == (flagged ? "no" : location.backup.rawValue))
                let purge = ["no": "never", "yes": "any time", "maybe": "maybe"][location.purge.rawValue]
                #expect(row[4] == purge)
            }
        }
    }
}
