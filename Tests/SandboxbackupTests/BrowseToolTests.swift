import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import TextOutput
import ToolSupport

/// An item as `ls --recursive --format jsonl` prints it, and as the listings of other tools have it.
private struct ListedItem: Decodable, Hashable, CustomStringConvertible {
    var path: String
    var kind: String
    var size: UInt64
    /// The time to the second, in UTC.
    var modified: String
    var mode: String

    var description: String { "\(path) \(kind) \(size) \(modified) \(mode)" }
}

@Suite("sandboxbackup ls, find, dump, history and stats", .timeLimit(.minutes(60))) struct BrowseToolTests {
    private static let kinds = [
        "file": "file", "dir": "directory", "symlink": "symbolicLink", "-": "file", "d": "directory",
        "l": "symbolicLink",
    ]

    /// Returns the items below `Documents`, without the one whose name is not UTF-8: JSON cannot contain it.
    private static func listed(_ store: String) throws -> Set<ListedItem> {
        let lines = try backed("ls", "1", "Documents", "--recursive", "--format", "jsonl", "--repository", store)
        let items = try lines.split(separator: "\n").map {
            try JSONDecoder().decode(ListedItem.self, from: Data($0.utf8))
        }
        return Set(
            items.filter { !$0.path.contains("%FF") }.map { item in
                var item = item
                item.path = String(decoding: ByteText.unescaped(item.path), as: UTF8.self)
                item.size = item.kind == "file" ? item.size : 0
                item.mode = item.kind == "symbolicLink" ? "" : String(item.mode.suffix(3))
                return item
            })
    }

    @Test("A listing has the same items, sizes, modes and times as that of restic", .needs(.externalProgram))
    func restic() throws {
        struct Node: Decodable {
            let path, type, mtime: String
            let size: UInt64?
            let mode: UInt32
        }
        try withEngineSample("restic") { sample throws in
            let store = sample.folder.appending(path: "store").path
            try backed("create", sample.container.path, "--repository", store)
            let snapshot = try EngineReport(sample.create("--format", "json")).snapshot
            let text = try sample.shell("TZ=UTC restic -r repository ls --json \(snapshot)").text
            let nodes = try text.split(separator: "\n").filter { $0.contains(#""path":"/Documents/"#) }
                .map { try JSONDecoder().decode(Node.self, from: Data($0.utf8)) }
                .filter { !$0.path.contains("\u{FFFD}") }
            let theirs = nodes.map { node in
                ListedItem(
                    path: String(node.path.dropFirst()), kind: Self.kinds[node.type] ?? node.type,
                    size: node.size ?? 0, modified: node.mtime.prefix(19) + "Z",
                    mode: node.type == "symlink" ? "" : String(node.mode & 0o777, radix: 8))
            }
            #expect(theirs.count > 45)
            #expect(try Self.listed(store).symmetricDifference(theirs).map(\.description).sorted() == [])

            let found = try backed("find", "*.txt", "--format", "jsonl", "--repository", store).split(separator: "\n")
                .map { try JSONDecoder().decode(ListedItem.self, from: Data($0.utf8)).path }
            struct Matches: Decodable {
                struct Match: Decodable { let path: String }
                let matches: [Match]
            }
            let search = try sample.shell("restic -r repository find --json '*.txt'").output
            let matches = try JSONDecoder().decode([Matches].self, from: search).flatMap(\.matches).map(\.path)
            #expect(found.count == 42 && Set(found.map { "/" + $0 }) == Set(matches))
        }
    }

    @Test("A listing has the same items, sizes, modes and times as that of borg", .needs(.externalProgram))
    func borg() throws {
        struct Item: Decodable {
            let path, type, mode, mtime: String
            let size: UInt64
        }
        try withEngineSample("borg") { sample throws in
            let store = sample.folder.appending(path: "store").path
            try backed("create", sample.container.path, "--repository", store)
            let archive = try EngineReport(sample.create("--format", "json")).snapshot
            let text = try sample.shell("TZ=UTC borg list --json-lines 'repository::\(archive)'").text
            // Further names of a file are listed as links without a size, and names that are not UTF-8 with “?”.
            let items = try text.split(separator: "\n")
                .map { try JSONDecoder().decode(Item.self, from: Data($0.utf8)) }
                .filter { $0.path.hasPrefix("Documents/") && !$0.mode.hasPrefix("h") && !$0.path.contains("?") }
            let names = Set(items.map(\.path))
            let long = try backed("ls", "1", "Documents", "--recursive", "--long", "--repository", store)
            let modes = Set(long.split(separator: "\n").map { $0.prefix(10) })
            #expect(Set(items.map { $0.mode.prefix(10) }).isSubset(of: modes))
            let theirs = items.map { item in
                ListedItem(
                    path: item.path, kind: Self.kinds[item.type] ?? item.type, size: item.type == "-" ? item.size : 0,
                    modified: item.mtime.prefix(19) + "Z", mode: "")
            }
            let ours = try Self.listed(store).filter { names.contains($0.path) }.map { item in
                var item = item
                item.mode = ""
                // borg stores no times before 1970.
                if item.modified < "1970" { item.modified = "1970-01-01T00:00:00Z" }
                return item
            }
            #expect(theirs.count > 44)
            #expect(Set(ours).symmetricDifference(theirs).map(\.description).sorted() == [])
        }
    }

    @Test(
        "The content of a file is the same as that from restic and borg", .needs(.externalProgram),
        arguments: EngineToolTests.tools)
    func dump(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            let store = sample.folder.appending(path: "store").path
            try backed("create", sample.container.path, "--repository", store)
            let snapshot = try EngineReport(sample.create("--format", "json")).snapshot
            for name in ["letter.txt", "film.bin", "sparse.bin", "hole.bin", "nothing", "notes/7.txt"] {
                let path = "Documents/\(name)"
                let theirs = try sample.shell(
                    tool == "restic"
                        ? "restic -r repository dump \(snapshot) '/\(path)'"
                        : "borg extract --stdout 'repository::\(snapshot)' '\(path)'")
                let ours = try sandboxbackup("dump", "latest", path, "--repository", store)
                #expect(ours.code == 0 && ours.errors.isEmpty, "\(ours.errors)")
                let isSame = ours.output == theirs.output
                #expect(isSame, "\(name)")
            }
        }
    }

    @Test(
        "Names of any bytes are listed, and accepted as they are listed",
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func names() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let text = try backed("ls", "latest", "-r", "--repository", store)
            let listed = Set(text.split(separator: "\n").map { ByteText.unescaped(String($0)) })
            let paths = try itemPaths(beneath: URL(fileURLWithPath: container)) { $0 ? "/" : "" }
            let expected = Set(paths.filter { $0.starts(with: "Documents".utf8) })
            #expect(expected.count > 50 && expected.isSubset(of: listed), "\(text)")
            #expect(try backed("dump", "latest", "Documents/%FFbytes", "--repository", store) == "y")
            #expect(try backed("ls", "latest", "Documents/%FFbytes", "--repository", store) == "Documents/%FFbytes\n")
            #expect(
                try backed("ls", "latest", "Documents/notes/link", "-l", "--repository", store).contains(
                    " -> ../letter.txt")
            )
        }
    }

    @Test("Each version is found once, and the history of a path names its changes")
    func versions() throws {
        try withBackupSample { container, path throws in
            let store = path + "-store"
            try container.save("Dear reader", to: .documents / "Other.TXT")
            try backed("create", path, "--repository", store)
            try container.save("Dear readers", to: .documents / "letter.txt")
            try backed("create", path, "--repository", store)
            try backed("create", path, "--repository", store)
            try FileManager.default.removeItem(atPath: path + "/Documents/letter.txt")
            try backed("create", path, "--repository", store)
            let found = try backed("find", "lett*", "--repository", store).split(separator: "\n")
            #expect(found.count == 2, "\(found)")
            #expect(found.first?.hasPrefix("1  ") == true && found.last?.hasPrefix("2-3  ") == true, "\(found)")
            #expect(try backed("find", "*.txt", "-i", "--repository", store).contains("1-4  "))
            #expect(try backed("find", "*.png", "--repository", store) == "nothing found\n")
            let history = try backed("history", "Documents/letter.txt", "--repository", store).split(separator: "\n")
            #expect(history.map { $0.split(separator: " ").first } == ["1", "2-3", "4"], "\(history)")
            #expect(
                history.first?.hasSuffix("added") == true && history.last?.hasSuffix("not in these snapshots") == true)
            #expect(try backed("dump", "1", "Documents/letter.txt", "--repository", store) == "Dear reader")
            #expect(try backed("dump", "3", "Documents/letter.txt", "--repository", store) == "Dear readers")
            let gone = try sandboxbackup(
                "restore", "4", "Documents/letter.txt", "--to", path + "-out", "--repository", store)
            #expect(gone.code == 1 && gone.errors.contains("`find`"), "\(gone.errors)")
        }
    }

    @Test(
        "Sizes count each content once, in total and for each app",
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func statistics() throws {
        struct Content: Decodable, Equatable { let snapshots, files, restored, deduplicated: Int }
        struct Report: Decodable {
            struct App: Decodable { let bundleID: String }
            let stored: Int
            let apps: [App]
        }
        try withScratch { folder throws in
            let store = folder.appending(path: "store").path
            for app in ["a", "b"] {
                let path = folder.appending(path: app).path
                let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.\(app)")
                for name in ["own", "copy"] {
                    try container.save(Data(repeating: app.utf8.first ?? 0, count: 5_000), to: .documents / name)
                }
                try container.save(Data(repeating: 1, count: 7_000), to: .documents / "shared")
                for _ in 1...2 { try backed("create", path, "--repository", store) }
            }
            let data = Data(try backed("stats", "--repository", store, "--format", "json").utf8)
            let total = try JSONDecoder().decode(Content.self, from: data)
            #expect(total == Content(snapshots: 4, files: 12, restored: 4 * 17_000, deduplicated: 17_000))
            let report = try JSONDecoder().decode(Report.self, from: data)
            #expect(report.apps.map(\.bundleID) == ["com.example.a", "com.example.b"])
            #expect(try report.stored == contentSize(beneath: folder.appending(path: "store")))
        }
    }

    @Test("What is missing is named, with the nearest item")
    func missing() throws {
        try withBackupSample { container, path throws in
            let store = path + "-store"
            try backed("create", path, "--repository", store)
            let cases: [([String], String)] = [
                (["ls", "99"], "no snapshot “99”"), (["ls", "1", "Document"], "did you mean “Documents”?"),
                (["dump", "1", "Documents/Letter.txt"], "did you mean “Documents/letter.txt”?"),
                (["dump", "1", "nowhere/at/all"], "no item “nowhere/at/all”"),
                (["history", "Documents/none"], "no snapshot has an item “Documents/none”"),
                (["history", "Documents", "--bundle-id", "com.example.none"], "no snapshot “com.example.none”"),
            ]
            for (words, message) in cases {
                let run = try sandboxbackup(words + ["--repository", store])
                #expect(run.code == 1 && run.output.isEmpty && run.errors.contains(message), "\(words): \(run.errors)")
            }
            for (words, message) in [
                (["find"], "Give a pattern"),
                (["find", String(repeating: "*", count: 10_000)], "pattern"),
            ] {
                let run = try sandboxbackup(words + ["--repository", store])
                #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(message), "\(words): \(run.errors)")
            }
        }
    }

    @Test("A damaged directory is reported, and everything else is listed")
    func damagedDirectory() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let change =
                "UPDATE entry SET mode = mode + 1 WHERE CAST(name AS TEXT) = '7.txt' AND directory = (SELECT child FROM entry WHERE CAST(name AS TEXT) = 'notes')"
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            for words in [["ls", "1", "-r"], ["find", "letter.txt"]] {
                let run = try sandboxbackup(words + ["--repository", store])
                #expect(run.code == 12 && run.errors.contains("“Documents/notes” of snapshot 1"), "\(run.errors)")
                #expect(run.text.contains("Documents/letter.txt\n") && !run.text.contains("notes/7.txt"))
            }
            let inside = try sandboxbackup("dump", "1", "Documents/notes/8.txt", "--repository", store)
            #expect(
                inside.code == 12 && inside.output.isEmpty && inside.errors.contains("“Documents/notes” is damaged"))
        }
    }

    @Test("Damaged content ends the output before the damage")
    func damagedContent() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let original = try Data(contentsOf: URL(fileURLWithPath: container).appending(path: "Documents/film.bin"))
            try damageFilm(of: store)
            let run = try sandboxbackup("dump", "1", "Documents/film.bin", "--repository", store)
            #expect(run.code == 12 && run.errors.contains("which are intact"), "\(run.errors)")
            // The three parts before the damage.
            let isPrefix = original.starts(with: run.output) && (3 * 131_072...3 << 20).contains(run.output.count)
            #expect(isPrefix, "\(run.output.count) bytes")
        }
    }

    @Test(
        "A reader that ends early ends the output without a message", .needs(.process),
        arguments: ["dump 1 Documents/film.bin", "ls 1 -r"])
    func closed(command: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let script = "set -o pipefail; \"$TOOL\" \(command) --repository store | head -c 10 > first"
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect([0, 141].contains(run.code) && run.errors.isEmpty, "\(run.code) \(run.errors)")
            #expect(try Data(contentsOf: folder.appending(path: "first")).count == 10)
        }
    }
}
