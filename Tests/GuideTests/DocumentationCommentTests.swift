import AppContainer
import ContainerArchives
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A class of an app, to be archived.
final class Shelf: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let books: [Book]
    init(_ books: [Book]) { self.books = books }
    func encode(with coder: NSCoder) { coder.encode(NSArray(array: books), forKey: "books") }
    init?(coder: NSCoder) {
        books = coder.decodeObject(of: [NSArray.self, Book.self], forKey: "books") as? [Book] ?? []
    }
}

@Suite("Examples in documentation comments") struct DocumentationCommentTests {
    private let cover = Data("JPEG".utf8)

    @Test("Saves of bytes, by kind and of values")
    func saves() throws {
        try withContainer { container throws in
            let url = try #require(URL(string: "https://example.com/1.jpg"))
            let (library, tiles) = (["SICP"], ["8.png": Data("PNG".utf8)])
            // shown in Container+Save.swift
            try container.save(cover, to: .caches / "covers/1.jpg", options: .init(provenance: .downloaded(from: url)))
            // end
            // shown in SaveOptions.swift
            try container.save(cover, to: .caches / "1.jpg", options: .init(provenance: .downloaded(from: url)))
            // end
            // shown in ContentKind.swift
            let place = try container.store(cover, named: "covers/1.jpg", as: .downloaded(from: url, keepOffline: true))
            // end
            // shown in Container+Values.swift
            try container.save(library, to: .applicationSupport / "library.json", encoder: JSONEncoder())
            // end
            // shown in SaveBatch.swift
            try container.batch { batch in
                for (name, tile) in tiles { try batch.save(tile, to: .caches / name) }
            }
            // end
            #expect(try container.provenance(of: .caches / "covers/1.jpg")?.origin == "https://example.com/1.jpg")
            #expect(try container.exclusion(of: place).state == .excluded)
            #expect(try container.loadText(.applicationSupport / "library.json") == #"["SICP"]"#)
            #expect(try container.loadText(.caches / "8.png") == "PNG")
        }
    }

    @Test("A path, and a save to it")
    func place() throws {
        try withContainer { container throws in
            // shown in ContainerPath.swift
            try container.save("Dear reader", to: .documents / "letters/note.txt")
            try container.save(cover, to: .caches / "covers/1.jpg")
            // end
            #expect(try container.loadText(.documents / "letters/note.txt") == "Dear reader")
        }
    }

    /// Stands for the library's type, because a test cannot change the environment of its process.
    private enum Container {
        static func home() throws -> String { "home" }
        static func group(_ identifier: String) throws -> String { identifier }
    }

    @Test("The container of the process and of a group")
    func standard() throws {
        // shown in Container+Home.swift
        let container = try Container.home()
        // end
        // shown in Container+Home.swift
        let shared = try Container.group("group.com.example.reader")
        // end
        #expect(container == "home" && shared == "group.com.example.reader")
    }

    @Test("Values, lists, logs, removals and imports")
    func everyday() throws {
        struct Player: Codable, Equatable { var name = "A" }
        try withContainer { container throws in
            let player = Player()
            // shown in Container+Values.swift
            try container.save(player, to: .applicationSupport / "player.json")
            let loaded: Player = try container.load(from: .applicationSupport / "player.json")
            // end
            #expect(loaded == player)
            try container.save(cover, to: .documents / "book/10.jpg")
            // shown in Container+List.swift
            let pages = try container.list(.documents / "book", recursive: true, matching: "*.jpg")
            // end
            #expect(pages == [.documents / "book/10.jpg"])
            // shown in DiskUsage.swift
            let bytes = try container.usage(of: .caches).all.onDisk
            // end
            #expect(bytes == 0)
            // shown in Appender.swift
            let log = try container.appender(to: .library / "Logs/app.log")
            try log.append("started")
            try log.flush()
            // end
            #expect(try container.loadText(.library / "Logs/app.log") == "started\n")
            // shown in Container+Files.swift
            try container.removeAll(in: .caches)
            // end
            let picked = container.location.removingLastComponent().appending("a.jpg").string
            let scanned = container.location.removingLastComponent().appending("scan-1.pdf").string
            for path in [picked, scanned] { try cover.write(to: URL(filePath: path)) }
            try { (picked: URL, scan: URL) throws in
                // shown in Container+Import.swift
                try container.importFile(at: picked, to: .documents / picked.lastPathComponent)
                try container.importFile(at: scan, to: .documents / "scan.pdf", removingOriginal: true)
                // end
            }(URL(filePath: picked), URL(filePath: scanned))
            #expect(try container.load(.documents / "a.jpg") == cover)
            #expect(try container.load(.documents / "scan.pdf") == cover)
            #expect(FileManager.default.fileExists(atPath: picked) && !FileManager.default.fileExists(atPath: scanned))
            try container.save("x", to: .documents / "diary.txt")
            // shown in FileProtection.swift
            try container.setProtection(.complete, of: .documents / "diary.txt")
            // end
            #expect(try container.protection(of: .documents / "diary.txt") == .complete)
        }
    }

    @Test("Lines of a file, and changes below a directory")
    func sequences() async throws {
        try await withContainer { container async throws in
            try container.save("a\nb\n", to: .documents / "a")
            let reader = try container.reader(of: .documents / "a")
            var printed: [String] = []
            func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
            func all() throws {
                // shown in Reader.swift
                while let line = try reader.nextLine() { print(line) }
                // end
            }
            try all()
            reader.position = 2
            // shown in Reader.swift
            for try await line in reader.lines { print(line) }
            // end
            #expect(printed == ["a", "b", "b"])
            let changes = try container.changes(below: .documents)
            try container.save("c", to: .documents / "c")
            for try await change in changes {
                #expect(change.path == .documents / "c")
                break
            }
            let watching = Task {
                func print(_ items: Any...) {}
                // shown in ContainerChanges.swift
                for try await change in try container.changes(below: .documents) {
                    print(change.kind, change.path)
                }
                // end
            }
            watching.cancel()
            _ = await watching.result
        }
    }

    @Test("Reading and writing piece by piece")
    func pieces() throws {
        struct Hash {
            var bytes = Data()
            mutating func update(data: Data) { bytes += data }
        }
        try withContainer { container throws in
            let film = Data(repeating: 3, count: 200_000)
            let place = ContainerPath.temporary / "film"
            try container.save(film, to: place)
            var hash = Hash()
            func read() throws {
                // shown in Reader.swift
                let reader = try container.reader(of: place)
                while let piece = try reader.next() { hash.update(data: piece) }
                // end
            }
            try read()
            #expect(hash.bytes == film)

            let reader = try container.reader(of: place)
            // shown in Writer.swift
            let writer = try container.writer(
                to: .documents / "film.mov", options: .init(provenance: Provenance(.imported)))
            while let piece = try reader.next() { try writer.write(piece) }
            try writer.finish()
            // end
            #expect(try container.load(.documents / "film.mov") == film)
        }
    }

    @Test("Writing and reading an archive")
    func archive() throws {
        try withContainer { container throws in
            func write() throws {
                let shelf = Shelf([Book(title: "SICP", address: nil)])
                // shown in Container+Archive.swift
                try container.archive(shelf, to: .documents / "shelf.archive")
                // end
            }
            try write()
            // shown in Container+Archive.swift
            let shelf = try container.unarchive(Shelf.self, from: .documents / "shelf.archive", allowing: [Book.self])
            // end
            #expect(shelf.books.map(\.title) == ["SICP"])
        }
    }

    @Test("Reading and changing preferences")
    func preferences() throws {
        try withContainer { container throws in
            // shown in Preferences.swift
            let preferences = try container.preferences()
            preferences.register(defaults: ["fontSize": 12])
            try preferences.set(true, forKey: "nightMode")
            let size = try preferences.integer(forKey: "fontSize")
            // end
            #expect(try size == 12 && preferences.bool(forKey: "nightMode"))
            // shown in Preferences+Write.swift
            try preferences.change { edit in
                edit.set("Menlo", forKey: "font")
                edit.removeValue(forKey: "fontSize")
            }
            // end
            #expect(try preferences.string(forKey: "font") == "Menlo")
        }
    }

    @Test("Work in the background")
    func background() async throws {
        try await withContainer { container in
            try container.save("x", to: .documents / "a")
            // shown in Container+Background.swift
            let sizes = try await container.background { container in
                try container.list(.documents).map { place in try container.load(place).count }
            }
            // end
            #expect(sizes == [1])
            let preferences = try container.preferences()
            try preferences.set(7, for: .volume)
            // shown in Preferences.swift
            let volume = try await preferences.background { try $0.value(for: .volume) }
            // end
            #expect(volume == 7)
        }
    }
}
