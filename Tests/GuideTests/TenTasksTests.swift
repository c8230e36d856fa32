import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Everyday tasks") struct TenTasksTests {
    private struct Player: Codable, Equatable { var name = "A" }

    @Test("Each task does what it says")
    func tasks() throws {
        try withContainer { container throws in
            let player = Player()
            let picture = Data("JPEG".utf8)
            let url = URL(filePath: container.location.removingLastComponent().appending("book.epub").string)
            try picture.write(to: url)
            var shown: [Any] = []
            func show(_ value: Any) {
                shown.append(value)
                if let error = value as? any Error { Issue.record(error) }
            }
            for name in ["2.jpg", "10.jpg"] { try container.save("x", to: .documents / "book" / name) }
            try container.save(Data(count: 10_000), to: .documents / "map.png")

            // shown in ten-tasks.md
            do {
                try container.save(player, to: .applicationSupport / "player.json")
            } catch { show(error) }
            // end
            #expect(try container.loadText(.applicationSupport / "player.json") == #"{"name":"A"}"#)

            // shown in ten-tasks.md
            do {
                let player: Player = try container.load(from: .applicationSupport / "player.json")
                show(player)
            } catch { show(error) }
            // end
            #expect(shown.last as? Player == player)

            // shown in ten-tasks.md
            do {
                try container.store(picture, named: "1.jpg", as: .appGenerated)
            } catch { show(error) }
            // end
            #expect(try container.exclusion(of: .applicationSupport / "Generated/1.jpg").state == .excluded)

            // shown in ten-tasks.md
            do {
                let pages = try container.list(.documents / "book")
                show(pages)
            } catch { show(error) }
            // end
            #expect((shown.last as? [ContainerPath])?.map(\.name) == ["2.jpg", "10.jpg"])

            // shown in ten-tasks.md
            do {
                let log = try container.appender(to: .library / "Logs/app.log")
                try log.append("started")
                try log.flush()
            } catch { show(error) }
            // end
            #expect(try container.loadText(.library / "Logs/app.log") == "started\n")

            // shown in ten-tasks.md
            do {
                let preferences = try container.preferences()
                preferences.register(defaults: ["volume": 5])
                let volume = try preferences.integer(forKey: "volume")
                try preferences.set(volume + 1, forKey: "volume")
            } catch { show(error) }
            // end
            #expect(try container.preferences().integer(forKey: "volume") == 6)

            // shown in ten-tasks.md
            do {
                try container.move(.documents / "map.png", to: .caches / "map.png")
            } catch { show(error) }
            // end
            #expect(try container.exists(.caches / "map.png") && !container.exists(.documents / "map.png"))

            // shown in ten-tasks.md
            do {
                let bytes = try container.usage(of: .documents).all.onDisk
                show(bytes)
            } catch { show(error) }
            // end
            #expect(shown.last as? UInt64 ?? 0 > 0 && shown.last as? UInt64 ?? .max < 1_000_000)

            // shown in ten-tasks.md
            do {
                try container.removeAll(in: .caches)
            } catch { show(error) }
            // end
            #expect(try container.list(.caches).isEmpty)

            // shown in ten-tasks.md
            do {
                try container.importFile(at: url, to: .documents / url.lastPathComponent)
            } catch { show(error) }
            // end
            #expect(try container.load(.documents / "book.epub") == picture)
        }
    }

    @Test("No task needs more tokens than with Foundation, and the page states the numbers")
    func tokens() throws {
        let page = DocumentationPage("docs/ten-tasks.md")
        let blocks = page.blocks.filter { $0.info == "swift" }.map { SwiftTokens.count(in: $0.text) }
        let rows = page.text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains(". ") }
        try #require(blocks.count == 28 && rows.count == 14)
        for (number, row) in rows.enumerated() {
            let (mine, other) = (blocks[2 * number], blocks[2 * number + 1])
            #expect(mine <= other, "\(row)")
            #expect(row.hasSuffix("| \(mine) | \(other) |"), "\(row): \(mine), \(other)")
        }
    }

    @Test(
        "Names, literals, operators and punctuation marks are one token each",
        arguments: [
            ("", 0), ("a.b(c: 1)", 8), (#"f("a \"b\" (c)")"#, 4), ("a += $0 // not this", 3), ("x ?? 1.5", 3),
        ])
    func counting(code: String, count: Int) {
        #expect(SwiftTokens.count(in: code) == count)
    }

    /// The same tasks with Foundation. Only compiled: they use the directories of the user.
    private func withFoundation(_ player: Player, _ picture: Data, _ url: URL, show: (Any) -> Void) {
        // shown in ten-tasks.md
        do {
            let folder = URL.applicationSupportDirectory
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "player.json")
            try JSONEncoder().encode(player).write(to: file, options: .atomic)
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            let file = URL.applicationSupportDirectory.appending(path: "player.json")
            let player = try JSONDecoder().decode(Player.self, from: Data(contentsOf: file))
            show(player)
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            var folder = URL.applicationSupportDirectory.appending(path: "Generated")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
            try picture.write(to: folder.appending(path: "1.jpg"), options: .atomic)
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            let folder = URL.documentsDirectory.appending(path: "book")
            let pages = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .sorted { $0.lastPathComponent.localizedStandardCompare($1.lastPathComponent) == .orderedAscending }
            show(pages)
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            let folder = URL.libraryDirectory.appending(path: "Logs")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let url = folder.appending(path: "app.log")
            if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
            let log = try FileHandle(forWritingTo: url)
            try log.seekToEnd()
            try log.write(contentsOf: Data("started\n".utf8))
            try log.synchronize()
            try log.close()
        } catch { show(error) }
        // end
        do {
            // shown in ten-tasks.md
            let defaults = UserDefaults.standard
            defaults.register(defaults: ["volume": 5])
            let volume = defaults.integer(forKey: "volume")
            defaults.set(volume + 1, forKey: "volume")
            if !defaults.synchronize() { show(CocoaError(.fileWriteUnknown)) }
            // end
        }
        // shown in ten-tasks.md
        do {
            let folder = URL.cachesDirectory
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = URL.documentsDirectory.appending(path: "map.png")
            try FileManager.default.moveItem(at: file, to: folder.appending(path: "map.png"))
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            var bytes = 0
            let keys: Set<URLResourceKey> = [.totalFileAllocatedSizeKey]
            let files = FileManager.default.enumerator(at: .documentsDirectory, includingPropertiesForKeys: Array(keys))
            while let file = files?.nextObject() as? URL {
                bytes += try file.resourceValues(forKeys: keys).totalFileAllocatedSize ?? 0
            }
            show(bytes)
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            let folder = URL.cachesDirectory
            for item in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                try FileManager.default.removeItem(at: item)
            }
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            guard url.startAccessingSecurityScopedResource() else { throw CocoaError(.fileReadNoPermission) }
            defer { url.stopAccessingSecurityScopedResource() }
            let target = URL.documentsDirectory.appending(path: url.lastPathComponent)
            try FileManager.default.copyItem(at: url, to: target)
        } catch { show(error) }
        // end
    }
}

extension URL {
    // As on Apple's systems.
    fileprivate static var documentsDirectory: URL { URL(filePath: NSHomeDirectory() + "/Documents") }
    fileprivate static var libraryDirectory: URL { URL(filePath: NSHomeDirectory() + "/Library") }
    fileprivate static var cachesDirectory: URL { libraryDirectory.appending(path: "Caches") }
    fileprivate static var applicationSupportDirectory: URL { libraryDirectory.appending(path: "Application Support") }
    fileprivate func startAccessingSecurityScopedResource() -> Bool { true }
    fileprivate func stopAccessingSecurityScopedResource() {}
}

/// A count of the tokens of Swift code.
private enum SwiftTokens {
    static func count(in code: String) -> Int {
        let token = /"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$]*|[0-9]+(?:\.[0-9]+)?|[-+*\/=<>!&|^~?%]+|[^\s\w]/
        return code.split(separator: "\n").reduce(0) { sum, line in
            sum + line.replacing(/\/\/ .*/, with: "").matches(of: token).count
        }
    }
}
