import Foundation
import TestSupport
import Testing
import ToolSupport

/// Contents of more than 1 MiB, which are stored in parts.
@Suite("Large contents in a repository", .timeLimit(.minutes(60))) struct LargeContentTests {
    @Test("A large content is never confused with a small file that contains its list of parts")
    func lists() throws {
        try withRepositorySample { folder, container, store throws in
            // A content of zeros has no parts: its list contains only the size.
            let documents = URL(fileURLWithPath: container + "/Documents")
            for (name, size) in [("2", 16), ("4", 16), ("3", 32)] as [(String, Int64)] {
                try documents.makeHole("\(name).image", size: size << 20)
            }
            for (name, byte) in [("1", 1), ("5", 1), ("6", 2)] as [(String, UInt8)] {
                try documents.write(Data([0, 0, 0, 0, byte, 0, 0, 0]), to: "\(name).size")
            }
            try backed("create", container, "--repository", store)
            let target = folder.appending(path: "restored")
            try backed("restore", "1", "--repository", store, "--to", target.path)
            let differences = try listing(URL(fileURLWithPath: container)).differences(from: listing(target))
            #expect(differences == [], "\(differences)")
        }
    }

    @Test("Each damaged part is reported with all files that use it, and repaired", .needs(.process))
    func damagedParts() throws {
        try withRepositorySample { folder, container, store throws in
            let documents = URL(fileURLWithPath: container + "/Documents")
            let film = try Data(contentsOf: documents.appending(path: "film.bin"))
            try backed("create", container, "--repository", store)
            func part(_ column: String, _ number: Int) throws -> String {
                let query = """
                    SELECT \(column) FROM entry e JOIN part p ON p.object = e.object JOIN object o ON o.id = p.part
                    WHERE CAST(e.name AS TEXT) = 'film.bin' ORDER BY p.position LIMIT 1 OFFSET \(number)
                    """
                return String(try executeSQL(query, in: store + "/catalogue.sqlite").dropLast())
            }
            try documents.write(film.prefix(try #require(Int(part("p.position", 1)))), to: "beginning")
            try documents.write(film + (1...100_000).map { "\($0)\n" }.joined().utf8, to: "longer.bin")
            try backed("create", container, "--repository", store)
            let names = try [part("lower(hex(o.sha256))", 0), part("lower(hex(o.sha256))", 3)]
            for name in names {
                let object = URL(fileURLWithPath: "\(store)/objects/\(name.prefix(2))/\(name)")
                try Data(contentsOf: object).dropLast(7).write(to: object)
            }
            let run = try sandboxbackup("verify", "--repository", store)
            #expect(run.code == 12 && run.text.contains("2 problems found"), "\(run.text)")
            let parts = run.text.components(separatedBy: "  object ").dropFirst().sorted()
            for (part, name) in zip(parts, names.sorted()) {
                #expect(part.hasPrefix(name), "\(part)")
                #expect(part.contains("2:Documents/film.bin\n") && part.contains("2:Documents/longer.bin\n"), "\(part)")
                #expect(part.contains("2:Documents/beginning\n") == (name == names[0]), "\(part)")
            }
            try documents.remove("film.bin")
            try backed("verify", "--repository", store, "--repair", "--from", container)
        }
    }

    @Test(
        "The next run repairs rows that the catalogue has lost",
        arguments: [
            "DELETE FROM part", "UPDATE object SET size = size + 1 WHERE form = 2", "UPDATE part SET part = 1",
            "UPDATE object SET size = 7 WHERE form = 0",
        ])
    func healed(change: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try executeSQL(change, in: store + "/catalogue.sqlite")
            #expect(try sandboxbackup("verify", "--repository", store).code == 12)
            // A changed file is read completely.
            try URL(fileURLWithPath: container + "/Documents").setAllTimes("2025-01-01") { !$1 }
            try backed("create", container, "--repository", store)
            try backed("verify", "--repository", store)
        }
    }

    @Test("A damaged leftover of an interrupted run is not used as content")
    func damagedLeftover() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let other = folder.appending(path: "other").path
            try folder.makeDirectories("empty/Documents", "empty/Library", "empty/tmp")
            try backed("create", folder.appending(path: "empty").path, "--repository", other)
            for path in try FileManager.default.subpathsOfDirectory(atPath: store + "/objects") where path.contains("/")
            {
                try folder.write("damaged\n", to: "other/objects/\(path)")
            }
            try backed("create", container, "--repository", other)
            try backed("verify", "--repository", other)
        }
    }

    @Test(
        "Sizes beyond 64 bits end no run, and the repository stays readable",
        .enabled(if: Platform.isLinux, "stores files of 7 EiB in /dev/shm"))
    func sums() throws {
        // If the file system allows files of this size.
        let folder = URL(fileURLWithPath: "/dev/shm").appending(path: "sandboxbackup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try folder.makeDirectories("container/Library/Preferences", "container/tmp")
        for name in ["a", "b", "c", "d"] { try folder.makeHole("container/Documents/\(name)", size: 7 << 60) }
        let (container, store) = (folder.appending(path: "container").path, folder.appending(path: "store").path)
        for _ in 1...2 { try backed("create", container, "--repository", store) }
        #expect(try backed("snapshots", "--repository", store).split(separator: "\n").count == 3)
        try backed("verify", "--repository", store)
        let target = folder.appending(path: "restored").path
        for more in [["--dry-run", "--format", "json"], []] {
            let run = try sandboxbackup(
                ["restore", "latest", "--repository", store, "--to", target] + more)
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    @Test(
        "Bytes that are inserted into a large file cost the parts around them", arguments: [0, 20_000_000, 39_999_999])
    func insertion(position: Int) throws {
        try withRepositorySample { folder, container, store throws in
            let documents = URL(fileURLWithPath: container + "/Documents")
            // Always the same bytes, because the cost depends on them.
            var state: UInt64 = 7
            let words = (0..<5_000_000).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state ^ (state >> 29)
            }
            let content = words.withUnsafeBytes { Data($0) }
            try documents.write(content, to: "large.bin")
            try backed("create", container, "--repository", store)
            func size() throws -> Int {
                let objects = URL(fileURLWithPath: store + "/objects")
                return try FileManager.default.subpathsOfDirectory(atPath: objects.path).reduce(0) { sum, path in
                    let values = try objects.appending(path: path).resourceValues(forKeys: [.fileSizeKey])
                    return sum + (values.fileSize ?? 0)
                }
            }
            let before = try size()
            try documents.write(
                content.prefix(position) + Data("insert\n".utf8) + content.dropFirst(position), to: "large.bin")
            try backed("create", container, "--repository", store)
            #expect(try size() - before <= 2_000_000)
            let target = folder.appending(path: "restored")
            try backed("restore", "latest", "--repository", store, "--to", target.path)
            let restored = try Data(contentsOf: target.appending(path: "Documents/large.bin"))
            #expect(restored == content.prefix(position) + Data("insert\n".utf8) + content.dropFirst(position))
            try backed("verify", "--repository", store)
        }
    }

    @Test("A hole and written zeros have the same parts, and zeros take no space")
    func zeros() throws {
        try withRepositorySample { folder, container, store throws in
            let documents = URL(fileURLWithPath: container + "/Documents")
            let (size, marks) = (12 << 20, [0, 3_000_000, 3_100_000, 9_437_184, 12_582_911])
            try documents.makeHole("hole.image", size: Int64(size))
            var zeros = Data(count: size)
            for position in marks {
                try documents.write(Data("mark".utf8.prefix(size - position)), to: "hole.image", at: UInt64(position))
                zeros.replaceSubrange(position..<min(position + 4, size), with: "mark".utf8.prefix(size - position))
            }
            try documents.write(zeros, to: "zeros.image")
            try backed("create", container, "--repository", store)
            let query = """
                SELECT count(DISTINCT object), count(*), (SELECT sum(size) FROM part JOIN object o ON o.id = part.part
                WHERE part.object = entry.object) FROM entry WHERE CAST(name AS TEXT) LIKE '%.image'
                """
            let found = try executeSQL(query, in: store + "/catalogue.sqlite")
            let numbers = found.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
            #expect(numbers.prefix(2) == [1, 2], "\(found)")
            #expect(try #require(numbers.last) <= marks.count * 65_536, "\(found)")
            let target = folder.appending(path: "restored")
            try backed("restore", "1", "--repository", store, "--to", target.path)
            for name in ["hole.image", "zeros.image"] {
                #expect(try Data(contentsOf: target.appending(path: "Documents/\(name)")) == zeros)
            }
        }
    }
}
