import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

private struct Notes: Codable, Sendable, Equatable { var lines: [String] = [] }
private struct Settings: Codable { var fontSize = 12 }
private struct Volume: Identifiable { let id: Int }

@Suite("Examples of tasks of one call", .timeLimit(.minutes(60))) struct OneCallGuideTests {
    private func download(_ url: URL) async throws -> Data { Data(url.lastPathComponent.utf8) }

    @Test("A cache of files")
    func caches() async throws {
        try await withContainer { container async throws in
            let url = try #require(URL(string: "https://example.com/1.jpg"))
            do {
                // shown in FileCache.swift
                let images = try container.cache(named: "images", limits: .init(bytes: 200_000_000, memory: 20_000_000))
                let image = try await images.value(forKey: url.absoluteString) { try await download(url) }
                // end
                #expect(image == Data("1.jpg".utf8))
            }
            let images = try container.cache(named: "images")
            // shown in FileCache+Fetch.swift
            let image = try await images.value(forKey: url.absoluteString, lifetime: .seconds(3600)) {
                try await download(url)
            }
            // end
            #expect(image == Data("1.jpg".utf8))
        }
    }

    @Test("A value in a file, an inbox and a finished download")
    func files() async throws {
        try await withContainer { container async throws in
            // shown in FileValue.swift
            let notes = try FileValue(.applicationSupport / "notes.json", in: container, default: Notes())
            notes.value.lines.append("milk")
            try notes.flush()
            // end
            #expect(try container.load(Notes.self, from: .applicationSupport / "notes.json").lines == ["milk"])
            let (group, picture) = (container, Data("JPEG".utf8))
            // shown in Inbox.swift
            try Inbox(.documents / "Shared", in: group).add(picture, named: "picture.jpg")
            // end
            let shown = LockedValue<[Data]>([])
            @Sendable func show(_ data: Data) { shown.withLock { $0.append(data) } }
            let reading = Task {
                // shown in Inbox.swift
                for try await batch in try Inbox(.documents / "Shared", in: group).batches() {
                    for item in batch {
                        show(try item.load())
                        try item.finish()
                    }
                }
                // end
            }
            while shown.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(2)) }
            reading.cancel()
            try await reading.value
            #expect(shown.withLock(\.self) == [picture])
            let url = try #require(URL(string: "https://example.com/film.mp4"))
            let file = URL(filePath: container.location.removingLastComponent().appending("film.tmp").string)
            try Data("film".utf8).write(to: file)
            // shown in Container+Download.swift
            let film = try container.store(downloadAt: file, named: "film.mp4", from: url, checks: [.size(4)])
            // end
            #expect(try container.isBackedUp(film) == false)
        }
    }

    @Test("Names, lists and removals")
    func lists() throws {
        try withContainer { container throws in
            let title = "A note: first"
            // shown in FileName.swift
            let item = try container.freePath(for: .documents / ContainerPath.name(forTitle: title, extension: "txt"))
            // end
            try container.save("x", to: item)
            // shown in ValueFile.swift
            try container.update(.documents / "requests.json", default: [String]()) { $0.append("feed") }
            // end
            try container.remove(.documents / "requests.json")
            // shown in Container+Items.swift
            let newest = try container.items(in: .documents).max { $0.attributes.modified < $1.attributes.modified }
            // end
            #expect(newest?.name == "A note- first.txt")
            let books = [Volume(id: 1)]
            for name in ["1.jpg", "2.jpg"] { try container.save("x", to: .caches / "covers" / name) }
            try container.createDirectory(.library / "Logs")
            // shown in Container+Remove.swift
            try container.removeAll(in: .library / "Logs", matching: "*.log", keepingNewest: 5)
            try container.removeAll(in: .caches / "covers", except: Set(books.map { "\($0.id).jpg" }))
            // end
            #expect(try container.list(.caches / "covers").map(\.name) == ["1.jpg"])
            try container.save("x", to: .documents / "Caches/a")
            // shown in Container+Remove.swift
            try container.move(contentsOf: .documents / "Caches", to: .caches, conflict: .keepExisting)
            // end
            #expect(try container.exists(.caches / "a"))
        }
    }

    @Test("Files for others, places, values and preferences")
    func others() throws {
        try withContainer { made throws in
            let (container, pdf) = (made, Data("%PDF".utf8))
            var shared: [URL] = []
            func share(_ url: URL) { shared.append(url) }
            // shown in TemporaryFile.swift
            let export = try container.temporaryFile(named: "Report.pdf", pdf)
            share(export.url)
            // end
            func encode(to url: URL) throws { try pdf.write(to: url) }
            // shown in TemporaryFile.swift
            let film = try container.temporaryFile(named: "Film.mp4") { url in try encode(to: url) }
            // end
            #expect(try Data(contentsOf: film.url) == pdf)
            func open(_ url: URL) { shared.append(url) }
            // shown in StoreDirectory.swift
            let place = try container.storeDirectory(named: "Library", isBackedUp: true)
            open(place.url)
            // end
            #expect(shared.map(\.lastPathComponent) == ["Report.pdf", "Library.store"])
            let url = export.url
            // shown in PickedItem.swift
            let book = PickedItem(url)
            let data = try book.load()
            // end
            #expect(data == pdf)
            // shown in Container+Values.swift
            let settings = try container.load(from: .applicationSupport / "settings.json", default: Settings())
            // end
            #expect(settings.fontSize == 12)
            let group = container
            // shown in Preferences+Import.swift
            try group.preferences().importValues(from: .standard, keys: ["theme", "fontSize"])
            // end
        }
        // shown in Container+Temporary.swift
        let container = try Container.temporary()
        try container.save("x", to: .documents / "a.txt")
        // end
        #expect(try container.exists(.documents / "a.txt"))
    }
}
