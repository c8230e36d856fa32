import AppContainer
import ContainerArchives
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Tasks for which apps used to need several calls.
@Suite("Tasks of one call", .timeLimit(.minutes(60))) struct OneCallTests {
    private func names(_ container: Container, _ directory: ContainerPath) throws -> [String] {
        try container.list(directory).map(\.name)
    }

    // MARK: - Names

    @Test(
        "A title becomes a name that users read",
        arguments: [
            ("AC/DC: Live", "txt", "AC-DC- Live.txt"), ("  .hidden. ", "", "hidden"), ("", "pdf", "Untitled.pdf"),
            ("..", "", "Untitled"), ("a\nb\u{0}c\u{202e}d", "", "a b c d"), ("日本語 👩‍👩‍👧", "md", "日本語 👩‍👩‍👧.md"),
            ("a\\b", "", "a-b"), ("Grüße", "a/b", "Grüße.a-b"),
        ])
    func titles(title: String, pathExtension: String, expected: String) {
        #expect(ContainerPath.name(forTitle: title, extension: pathExtension) == expected)
    }

    @Test("A name for a title has at most 255 bytes and whole characters", arguments: ["é", "👩‍👩‍👧", "a"])
    func longTitles(character: String) throws {
        try withContainer { container throws in
            let name = ContainerPath.name(forTitle: String(repeating: character, count: 400), extension: "txt")
            #expect(name.utf8.count <= 255 && name.utf8.count > 220 && name.hasSuffix(".txt"))
            try container.save("x", to: .documents / name)
            #expect(try names(container, .documents) == [name])
        }
    }

    @Test("A free path has the next number, also for long names and names without an extension")
    func freePaths() throws {
        try withContainer { container throws in
            let long = String(repeating: "é", count: 125) + ".txt"
            for name in ["a.txt", "b", ".c", long, "d.tar.gz"] {
                #expect(try container.freePath(for: .documents / name) == .documents / name)
                try container.save("x", to: .documents / name)
            }
            for (name, free) in [("a.txt", "a 2.txt"), ("b", "b 2"), ("d.tar.gz", "d.tar 2.gz")] {
                #expect(try container.freePath(for: .documents / name) == .documents / free)
                try container.save("x", to: .documents / free)
            }
            #expect(try container.freePath(for: .documents / "a.txt").name == "a 3.txt")
            let free = try container.freePath(for: .documents / long).name
            #expect(free.hasSuffix(" 2.txt") && free.utf8.count <= 255)
        }
    }

    // MARK: - Lists and removals

    @Test("A list has the attributes that each item has by itself")
    func items() throws {
        try withContainer { container throws in
            #expect(try container.items(in: .caches).isEmpty)
            for name in ["10.jpg", "2.jpg", "excluded", "d/x"] { try container.save(name, to: .documents / "l" / name) }
            try container.excludeFromBackup(.documents / "l/excluded")
            try container.save("x", to: .documents / "out/a")
            try container.excludeFromBackup(.documents / "out")
            symlink("2.jpg", try container.path(.documents / "l/link").string)
            mkfifo(try container.path(.documents / "l/pipe").string, 0o600)
            try container.save("Signature: 8a477f597d28d172789f06886806bc55", to: .documents / "l/d/CACHEDIR.TAG")
            for directory in [ContainerPath.documents / "l", .documents / "out", .documents, .root] {
                let items = try container.items(in: directory)
                #expect(try items.map(\.path) == container.list(directory))
                for item in items { #expect(try item.attributes == container.attributes(of: item.path)) }
            }
            #expect(try container.items(in: .documents / "l", matching: "*.jpg").map(\.name) == ["2.jpg", "10.jpg"])
            #expect(throws: ContainerError.self) { try container.items(in: .documents / "none") }
        }
    }

    @Test("Items are removed by pattern, age, number and name")
    func removals() throws {
        try withContainer { container throws in
            let logs = ContainerPath.library / "Logs"
            #expect(try container.removeAll(in: .caches, olderThan: .seconds(1)).isEmpty)
            for number in 0..<8 {
                try container.save("x", to: logs / "\(number).log")
                try container.setDates(
                    of: logs / "\(number).log", modified: Date(timeIntervalSinceNow: Double(number - 8) * 86_400))
            }
            try container.save("x", to: logs / "notes.txt")
            let old = try container.removeAll(in: logs, matching: "*.log", olderThan: .seconds(86_400 * 13 / 2))
            #expect(old.map(\.name) == ["0.log", "1.log"])
            let named = try container.removeAll(in: logs, matching: "*.log", keepingNewest: 3, except: ["2.log"])
            #expect(named.map(\.name) == ["3.log", "4.log"])
            #expect(try names(container, logs) == ["2.log", "5.log", "6.log", "7.log", "notes.txt"])
            #expect(try container.removeIfPresent(logs / "2.log") && !container.removeIfPresent(logs / "2.log"))
        }
    }

    @Test("The dates of a file are set, also before 1970")
    func dates() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            for seconds in [1_000_000_000.25, -0.5, 0] {
                let date = Date(timeIntervalSince1970: seconds)
                try container.setDates(of: .documents / "a", modified: date)
                #expect(try abs(container.attributes(of: .documents / "a").modified.timeIntervalSince(date)) < 0.001)
            }
        }
    }

    // MARK: - Moves

    @Test("The content of a directory is moved, with each policy for names that are taken")
    func moves() throws {
        for (policy, expected) in [
            (Container.MoveConflict.keepExisting, ["a": "new", "d": "-", "d/x": "new", "e": "old"]),
            (.replace, ["a": "old", "d": "-", "d/x": "old", "d/y": "old", "e": "old"]),
            (
                .keepBoth,
                [
                    "a": "new", "a 2": "old", "d": "-", "d/x": "new", "d 2": "-", "d 2/x": "old", "d 2/y": "old",
                    "e": "old",
                ]
            ),
        ] {
            try withContainer { container throws in
                let (from, to) = (ContainerPath.documents / "Old", ContainerPath.library / "New")
                for name in ["a", "d/x", "d/y", "e"] { try container.save("old", to: from / name) }
                for name in ["a", "d/x"] { try container.save("new", to: to / name) }
                try container.move(contentsOf: from, to: to, conflict: policy)
                var found: [String: String] = [:]
                for item in try container.list(to, recursive: true) {
                    let isFile = try container.attributes(of: item).kind == .file
                    let name = String(item.description.dropFirst("Library/New/".count))
                    found[name] = isFile ? try container.loadText(item) : "-"
                }
                #expect(try found == expected && !container.exists(from), "\(policy)")
                try container.move(contentsOf: from, to: to, conflict: policy)
            }
        }
        try withContainer { container throws in
            try container.save("old", to: .documents / "a")
            try container.save("new", to: .library / "New/a")
            let error = #expect(throws: ContainerError.self) {
                try container.move(contentsOf: .documents, to: .library / "New")
            }
            #expect(error?.code == .alreadyExists)
            #expect(try container.loadText(.documents / "a") == "old")
        }
    }

    // MARK: - Files for others

    @Test("A temporary file exists with its object, and leftovers of others are swept")
    func temporaryFiles() throws {
        try withContainer { container throws in
            var file: TemporaryFile? = try container.temporaryFile(named: "Bericht Mai.pdf", Data("pdf".utf8))
            let url = try #require(file?.url)
            #expect(try url.lastPathComponent == "Bericht Mai.pdf" && Data(contentsOf: url) == Data("pdf".utf8))
            try container.removeAll(in: .temporary)
            try container.sweepLeftovers(olderThan: .zero)
            #expect(FileManager.default.fileExists(atPath: url.path))
            file = nil
            #expect(!FileManager.default.fileExists(atPath: url.path))
            #expect(try container.list(.temporary).isEmpty)
            try container.save("x", to: .documents / "a")
            let copy = try container.temporaryFile(named: "b", copying: .documents / "a", protection: .complete)
            #expect(try String(contentsOf: copy.url, encoding: .utf8) == "x")
            copy.remove()
            copy.remove()
            for name in ["", "a/b", "..", "."] {
                let error = #expect(throws: ContainerError.self) { try container.temporaryFile(named: name, Data()) }
                #expect(error?.code == .invalidPath)
            }
            #expect(try container.list(.temporary).isEmpty)
        }
    }

    @Test("A picked file is read in place")
    func picked() throws {
        try withContainer { container throws in
            let outside = URL(filePath: container.location.removingLastComponent().appending("picked").string)
            try Data("x".utf8).write(to: outside)
            #expect(try PickedItem(outside).load() == Data("x".utf8))
            let error = #expect(throws: ContainerError.self) {
                try PickedItem(outside.deletingLastPathComponent()).load()
            }
            #expect(error?.code == .notAFile)
        }
    }

    // MARK: - Places and protection

    @Test("A store is made, copied, replaced and removed with its companions", arguments: [true, false])
    func stores(isBackedUp: Bool) throws {
        try withContainer { container throws in
            let store = try container.storeDirectory(named: "Library", isBackedUp: isBackedUp, protection: .complete)
            #expect(try !store.exists && container.isBackedUp(store.directory) == isBackedUp)
            #expect(try container.protection(of: store.directory) == .complete)
            for suffix in ["", "-wal", "-shm"] { try Data("1".utf8).write(to: URL(filePath: store.url.path + suffix)) }
            try store.copy(to: .applicationSupport / "Backups/1")
            try Data("2".utf8).write(to: store.url)
            #expect(try store.exists)
            try store.replace(with: .applicationSupport / "Backups/1")
            #expect(try Data(contentsOf: store.url) == Data("1".utf8) && names(container, store.directory).count == 3)
            #expect(try container.isBackedUp(store.item) == isBackedUp)
            try store.destroy()
            #expect(try !store.exists && names(container, store.directory).isEmpty)
            #expect(try container.isBackedUp(store.directory) == isBackedUp)
            let again = try container.storeDirectory(named: "Library", isBackedUp: !isBackedUp)
            #expect(try container.isBackedUp(again.directory) == !isBackedUp)
        }
    }

    @Test("The protection is set when a file or directory is made, and for a whole tree")
    func protection() throws {
        try withContainer { container throws in
            try container.save("x", to: .documents / "a", options: .init(protection: .complete))
            #expect(try container.protection(of: .documents / "a") == .complete)
            try container.save("y", to: .documents / "a")
            #expect(try container.protection(of: .documents / "a") == .complete)
            try container.createDirectory(.documents / "d/e", protection: .completeUnlessOpen)
            #expect(try container.protection(of: .documents / "d/e") == .completeUnlessOpen)
            try container.save("x", to: .documents / "d/e/f")
            try container.setProtection(FileProtection.always, of: .documents / "d", recursively: true)
            for name in ["d", "d/e", "d/e/f"] {
                #expect(try container.protection(of: .documents / name) == FileProtection.always)
            }
        }
    }

    // MARK: - Values

    @Test("A missing value is a default, and a damaged one an error")
    func defaults() throws {
        try withContainer { container throws in
            let item = ContainerPath.applicationSupport / "a.json"
            #expect(try container.load(from: item, default: [1]) == [1])
            let numbers: [Int] = [2]
            try container.save(numbers, to: item)
            #expect(try container.load(from: item, default: [1]) == [2])
            try container.save("{", to: item)
            let error = #expect(throws: ContainerError.self) { try container.load(from: item, default: [1]) }
            #expect(error?.code == .damaged)
        }
    }

    @Test("An object is archived in memory and read again, with limits")
    func archives() throws {
        let data = try Container.archived(NSArray(array: [1, "two"]))
        #expect(try Container.unarchive(NSArray.self, from: data).count == 2)
        let error = #expect(throws: ArchiveError.self) { try Container.unarchive(NSString.self, from: data) }
        #expect(error?.code == .wrongType)
        #expect(throws: ArchiveError.self) { try Container.unarchive(NSArray.self, from: Data("x".utf8)) }
    }

    @Test("Values of UserDefaults are copied in one save, and existing ones are kept")
    func importedPreferences() throws {
        try withContainer { container throws in
            let suite = "com.example.\(UUID().uuidString)"
            let defaults = try #require(UserDefaults(suiteName: suite))
            defer { defaults.removePersistentDomain(forName: suite) }
            defaults.set(5, forKey: "volume")
            defaults.set(["a": [1, 2]], forKey: "tables")
            defaults.set("theirs", forKey: "name")
            let preferences = try container.preferences()
            try preferences.set("own", forKey: "name")
            let keys = ["volume", "tables", "name", "missing"]
            #expect(try preferences.importValues(from: defaults, keys: keys) == ["volume", "tables"])
            #expect(try preferences.integer(forKey: "volume") == 5 && preferences.string(forKey: "name") == "own")
            #expect(try preferences.importValues(from: defaults, keys: keys, overwriting: true).contains("name"))
            #expect(try preferences.string(forKey: "name") == "theirs")
        }
    }

    @Test("A temporary container is removed with its last copy")
    func temporaryContainer() throws {
        var container: Container? = try Container.temporary()
        let path = try #require(container?.location.string)
        try container?.save("x", to: .documents / "a")
        var copy = container
        container = nil
        #expect(try copy?.loadText(.documents / "a") == "x")
        copy = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("Several old logs are kept, and a new log begins with the day")
    func logs() throws {
        try withContainer { container throws in
            let item = ContainerPath.library / "Logs/app.log"
            let log = try container.appender(to: item, rotation: .init(maximumSize: 4, keeping: 3))
            for line in ["one", "two", "three", "four", "five"] {
                try log.append(line)
                try log.flush()
            }
            #expect(try names(container, .library / "Logs") == ["app.log", "app.log.1", "app.log.2", "app.log.3"])
            let texts = try ["", ".1", ".2", ".3"].map { try container.loadText(.library / "Logs/app.log\($0)") }
            #expect(texts == ["five\n", "four\n", "three\n", "two\n"])
            let daily = try container.appender(to: .library / "Logs/daily.log", rotation: .init(isDaily: true))
            try daily.append("yesterday")
            try daily.flush()
            try container.setDates(of: .library / "Logs/daily.log", modified: Date(timeIntervalSinceNow: -86_400))
            try daily.append("today")
            try daily.append("later")
            try daily.flush()
            #expect(try container.loadText(.library / "Logs/daily.log") == "today\nlater\n")
            #expect(try container.loadText(.library / "Logs/daily.log.1") == "yesterday\n")
        }
    }

    // MARK: - Parts, attributes and changes

    @Test("A part of a file, a file that may be missing, and an attribute are read in one call")
    func parts() throws {
        try withContainer { container throws in
            try container.save("0123456789", to: .documents / "a")
            #expect(try container.load(.documents / "a", from: 2, upTo: 3) == Data("234".utf8))
            #expect(try container.load(.documents / "a", from: 8, upTo: 5) == Data("89".utf8))
            #expect(try container.loadIfPresent(.documents / "a")?.count == 10)
            #expect(try container.loadIfPresent(.documents / "none") == nil)
            #expect(throws: ContainerError.self) { try container.loadIfPresent(.documents) }
            try container.setAttribute("com.example.hash", to: Data([1, 2]), of: .documents / "a")
            try container.save("new", to: .documents / "a")
            #expect(try container.attribute("com.example.hash", of: .documents / "a") == Data([1, 2]))
            try container.setAttribute("com.example.hash", to: nil, of: .documents / "a")
            #expect(try container.attribute("com.example.hash", of: .documents / "a") == nil)
        }
    }

    @Test("A value is changed under a lock of processes, and not at all if the change fails")
    func updates() throws {
        try withContainer { container throws in
            let item = ContainerPath.documents / "requests.json"
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for _ in 0..<25 {
                    #expect(throws: Never.self) {
                        // As another process, which has a lock of its own.
                        let other = try Container.open(FilePath(container.location.string + "/."))
                        try other.update(item, default: 0...0) { $0 = 0...($0.upperBound + 1) }
                    }
                }
            }
            #expect(try container.load(ClosedRange<Int>.self, from: item).upperBound == 100)
            struct Refusal: Error {}
            #expect(throws: Refusal.self) {
                try container.update(item, default: 0...0) { value in
                    value = 0...1
                    throw Refusal()
                }
            }
            #expect(try container.load(ClosedRange<Int>.self, from: item).upperBound == 100)
        }
    }

    @Test("An export is written to a temporary file by code that needs a URL, and nothing remains of a failed one")
    func exports() throws {
        try withContainer { container throws in
            let file = try container.temporaryFile(named: "Film.mp4") { url in try Data("film".utf8).write(to: url) }
            #expect(try Data(contentsOf: file.url) == Data("film".utf8))
            struct Refusal: Error {}
            #expect(throws: Refusal.self) {
                _ = try container.temporaryFile(named: "a") { url in
                    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
                    throw Refusal()
                }
            }
            let copy = try container.temporaryFile(named: "b.mp4", copying: file.url)
            #expect(try Data(contentsOf: copy.url) == Data("film".utf8))
            #expect(try PickedItem(file.url).reader().next(upTo: 2) == Data("fi".utf8))
            #expect(try container.list(.temporary).count == 2)
            file.remove()
            copy.remove()
            #expect(try container.list(.temporary).isEmpty)
        }
    }

    @Test("An archive outside of the container is read in one call")
    func outsideArchive() throws {
        try withContainer { container throws in
            try container.archive(NSArray(array: [1]), to: .documents / "a")
            let url = try container.url(for: .documents / "a")
            #expect(try Container.unarchive(NSArray.self, at: url).count == 1)
            #expect(throws: ArchiveError.self) {
                try Container.unarchive(NSArray.self, at: url.appendingPathExtension("x"))
            }
        }
    }
}
