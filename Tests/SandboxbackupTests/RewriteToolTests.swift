import AppContainer
import Foundation
import TestSupport
import Testing
import ToolSupport

/// A snapshot as `tag`, `rewrite` and `snapshots` print it.
private struct Listed: Decodable, Equatable {
    let snapshot: Int
    let id: String
    let taken: String
    let files: Int
    let bytes: Int
    let tags: [String]
    let changed: Bool?
    let removed: [String]?

    static func all(_ arguments: String..., in store: String) throws -> [Self] {
        let run = try sandboxbackup(arguments + ["--repository", store, "--format", "jsonl"]).succeeded()
        return try run.text.split(separator: "\n").map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}

@Suite("sandboxbackup tag and rewrite", .timeLimit(.minutes(60))) struct RewriteToolTests {
    /// Calls `body` with a repository that has two snapshots, of which the first has the tag `first`.
    private func withSnapshots(_ body: (Container, _ path: String, _ store: String) throws -> Void) throws {
        try withBackupSample { container, path throws in
            let store = path + "-store"
            try container.save("hidden", to: .documents / "secrets/token.txt")
            try container.save("hidden, too", to: .documents / "notes/token.txt")
            try backed("create", path, "--tag", "first", "--repository", store)
            try container.save("more", to: .documents / "more.txt")
            try backed("create", path, "--repository", store)
            try body(container, path, store)
        }
    }

    @Test("Tags are added, removed and set, and the snapshot stays valid under another ID")
    func tags() throws {
        try withSnapshots { _, _, store throws in
            let before = try Listed.all("snapshots", in: store)
            let added = try Listed.all("tag", "1", "2", "--add", "b,a", "--remove", "first", in: store)
            #expect(added.map(\.tags) == [["a", "b"], ["a", "b"]] && added.allSatisfy { $0.changed == true })
            let after = try Listed.all("snapshots", in: store)
            #expect(after.map(\.id) == added.map(\.id) && after[0].id != before[0].id)
            #expect(after.map(\.taken) == before.map(\.taken) && after.map(\.snapshot) == [1, 2])
            #expect(try backed("verify", "--repository", store).contains("no damage"))
            let same = try Listed.all("tag", "1", "--add", "a", in: store)
            #expect(same.first?.changed == false && same.first?.id == after[0].id)
            #expect(
                try backed("tag", "latest", "--set", "x", "--repository", store).hasPrefix("snapshot 2: tags [x], now ")
            )
            #expect(
                try backed("tag", "2", "--remove", "x", "--repository", store).hasPrefix("snapshot 2: no tags, now "))
            #expect(try Listed.all("snapshots", in: store).map(\.tags) == [["a", "b"], []])
            #expect(try backed("verify", "--repository", store).contains("no damage"))
        }
    }

    @Test("Nothing is changed if a snapshot is missing or damaged, or the options contradict each other")
    func refused() throws {
        try withSnapshots { _, _, store throws in
            let before = try Listed.all("snapshots", in: store)
            for (arguments, code) in [
                (["1", "9", "--add", "x"], 1), (["1"], 2), (["1", "--add", "x", "--set", "y"], 2), (["--add", "x"], 2),
                (["1", "--add", "x,"], 2),
            ] as [([String], Int32)] {
                #expect(try sandboxbackup(["tag", "--repository", store] + arguments).code == code, "\(arguments)")
            }
            #expect(try Listed.all("snapshots", in: store) == before)
            try executeSQL("UPDATE snapshot SET files = files + 1 WHERE id = 2", in: "\(store)/catalogue.sqlite")
            let tag = try sandboxbackup("tag", "1", "2", "--add", "x", "--repository", store)
            #expect(tag.code == 12 && tag.errors.contains("nothing was changed"), "\(tag.errors)")
            #expect(try Listed.all("snapshots", in: store)[0] == before[0])
            let rewrite = try sandboxbackup("rewrite", "--all", "--exclude", "more.txt", "--repository", store)
            #expect(rewrite.code == 12 && rewrite.errors.contains("snapshot 2 is damaged"), "\(rewrite.errors)")
        }
    }

    @Test("An item is removed from all snapshots, and after a pruning its content is gone")
    func rewritten() throws {
        try withSnapshots { container, path, store throws in
            let object = try executeSQL(
                "SELECT object FROM entry WHERE CAST(name AS TEXT) = 'token.txt' LIMIT 1",
                in: "\(store)/catalogue.sqlite")
            #expect(!object.isEmpty)
            let before = try Listed.all("snapshots", in: store)
            let dry = try backed("rewrite", "--all", "--exclude", "Documents/secrets", "-n", "--repository", store)
            #expect(dry.contains("  would remove Documents/secrets\n"))
            #expect(try Listed.all("snapshots", in: store) == before)
            let changes = try Listed.all("rewrite", "--all", "--exclude", "Documents/secrets", in: store)
            #expect(changes.map(\.removed) == [["Documents/secrets"], ["Documents/secrets"]])
            let after = try Listed.all("snapshots", in: store)
            #expect(
                after.map(\.files) == before.map { $0.files - 1 } && after.map(\.bytes) == before.map { $0.bytes - 6 })
            #expect(after.map(\.taken) == before.map(\.taken) && after.map(\.tags) == before.map(\.tags))
            #expect(after[0].id != before[0].id)
            try backed("verify", "--repository", store)
            #expect(try backed("find", "token.txt", "--repository", store).split(separator: "\n").count == 1)
            #expect(try backed("prune", "--repository", store).hasPrefix("1 object of 6 bytes"))
            try backed("verify", "--repository", store)
            try backed("restore", "1", "--to", path + "-out", "--repository", store)
            #expect(!FileManager.default.fileExists(atPath: path + "-out/Documents/secrets"))
            #expect(
                try String(contentsOfFile: path + "-out/Documents/notes/token.txt", encoding: .utf8) == "hidden, too")
            // The next backup contains it again, and reads nothing else.
            #expect(try backed("create", path, "--repository", store).contains("1 file read"))
        }
    }

    @Test("One snapshot is rewritten by name, with the exclusions that name the item")
    func one() throws {
        try withSnapshots { _, _, store throws in
            let excluded = "SELECT count(*) FROM excluded JOIN snapshot s USING(exclusions) WHERE s.id = "
            func count(_ number: Int) throws -> String {
                try executeSQL(excluded + "\(number)", in: "\(store)/catalogue.sqlite")
            }
            let before = try count(1)
            #expect(
                try Listed.all("rewrite", "1", "--exclude", "tiles", "--exclude", "token.txt", in: store).first?.removed
                    == ["Documents/notes/token.txt", "Documents/secrets/token.txt"])
            #expect(try count(1) != before)
            #expect(try count(2) == before)
            try backed("verify", "--repository", store)
            #expect(
                try backed("rewrite", "1", "--exclude", "nothing", "--repository", store) == "snapshot 1: unchanged\n")
            #expect(
                try backed("ls", "2", "Documents/secrets", "--repository", store) == "Documents/secrets/token.txt\n")
            for arguments in [["1"], ["--all"], ["--exclude", "x"], ["1", "--all", "--exclude", "x"]] {
                #expect(try sandboxbackup(["rewrite", "--repository", store] + arguments).code == 2, "\(arguments)")
            }
        }
    }
}
