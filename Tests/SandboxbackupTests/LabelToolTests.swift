import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A snapshot as `snapshots --format json` prints it.
private struct Listed: Decodable {
    let snapshot: Int
    let id: String
    let host, source: String?
    let tags: [String]

    static func all(in store: String) throws -> [Self] {
        let run = try sandboxbackup("snapshots", "--repository", store, "--format", "jsonl")
        return try run.text.split(separator: "\n").map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}

@Suite("sandboxbackup create of several containers, labels and IDs", .timeLimit(.minutes(60))) struct LabelToolTests {
    @Test("Tags, host and source are kept, and part of the hash")
    func labels() throws {
        try withBackupSample { _, path throws in
            let store = path + "-store"
            try backed("create", path, "--tag", "second", "--tag", "first", "--host", "mac", "--repository", store)
            try backed("create", path, "--repository", store)
            let listed = try Listed.all(in: store)
            #expect(listed.map(\.tags) == [["first", "second"], []])
            var system = utsname()
            uname(&system)
            let host = withUnsafeBytes(of: system.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            #expect(listed.map(\.host) == ["mac", host])
            #expect(listed.map(\.source) == [path, path])
            #expect(try backed("snapshots", "--repository", store).contains("[first, second]"))
            try backed("verify", "--repository", store)
            let changes = [
                "UPDATE label SET value = 'third' WHERE value = 'first'", "DELETE FROM label WHERE name = 'host'",
                "INSERT INTO label VALUES(2, 'tag', 'x')", "UPDATE label SET name = 'other' WHERE name = 'tag'",
            ]
            for change in changes {
                let copy = "\(store)-copy"
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: store, toPath: copy)
                try executeSQL(change, in: "\(copy)/catalogue.sqlite")
                #expect(try sandboxbackup("verify", "--repository", copy).code == 12, "\(change)")
            }
        }
    }

    @Test("A snapshot is named by the beginning of its ID")
    func identifiers() throws {
        try withBackupSample { container, path throws in
            let store = path + "-store"
            try backed("create", path, "--repository", store)
            try container.save("Dear all", to: .documents / "letter.txt")
            try backed("create", path, "--repository", store)
            let listed = try Listed.all(in: store)
            for (one, content) in zip(listed, ["Dear reader", "Dear all"]) {
                #expect(one.id.utf8.count == 64)
                for prefix in [one.id.prefix(8), one.id.prefix(4), one.id.prefix(8).uppercased()[...], one.id[...]] {
                    let text = try backed("dump", String(prefix), "Documents/letter.txt", "--repository", store)
                    #expect(text == content, "\(prefix)")
                }
            }
            let change = "UPDATE snapshot SET sha256 = CAST(x'abcdef01' || substr(sha256, 5) AS BLOB)"
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            let run = try sandboxbackup("ls", "abcd", "--repository", store)
            #expect(run.code == 1 && run.errors.contains("begin with “abcd”: those of 1, 2"), "\(run.errors)")
            #expect(
                try sandboxbackup("ls", "0123456789", "--repository", store).errors.contains("no snapshot “0123456789”")
            )
        }
    }

    @Test("Each of several containers, and of a folder of containers, gets a snapshot; errors do not stop the others")
    func several() throws {
        try withScratch { folder throws in
            for name in ["a", "b", "apps/c", "apps/d"] {
                let path = folder.appending(path: name).path
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                let identifier = "com.example.\(name.suffix(1))"
                let container = try Container.create(at: FilePath(path), bundleIdentifier: identifier)
                try container.save(name, to: .documents / "name")
            }
            let environment = ["SANDBOXBACKUP_REPOSITORY": folder.appending(path: "store").path]
            let run = try sandboxbackup(
                ["create", "a", "missing", "apps", "b", "--tag", "all"], in: folder,
                environment: environment)
            #expect(run.code == 1 && run.errors.contains("missing"), "\(run.errors)")
            let listed = try sandboxbackup(["snapshots"], in: folder, environment: environment).text
            for app in ["a", "b", "c", "d"] { #expect(listed.contains("com.example.\(app)  [all]"), "\(listed)") }
            let sources = try Listed.all(in: folder.appending(path: "store").path).compactMap(\.source)
            #expect(sources.map { $0.dropFirst(folder.path.count + 1) } == ["a", "apps/c", "apps/d", "b"])
            let one = try sandboxbackup(
                ["create", "apps", "--bundle-id", "com.example.d"], in: folder,
                environment: environment)
            #expect(one.code == 0 && one.text.hasPrefix("snapshot 5: "), "\(one.text)\(one.errors)")
        }
    }

    @Test("Without a repository, the message names the option and the variable")
    func noRepository() throws {
        for variable in ["", nil] {
            let environment = variable.map { ["SANDBOXBACKUP_REPOSITORY": $0] } ?? [:]
            let run = try sandboxbackup(["snapshots"], environment: environment)
            #expect(
                run.code == 2 && run.errors.contains("--repository, or set SANDBOXBACKUP_REPOSITORY"), "\(run.errors)")
        }
    }

    @Test(
        "A dry run of forget lists each snapshot with the reasons to keep it, and changes nothing",
        .needs(.externalProgram))
    func retention() throws {
        try withBackupSample { _, path throws in
            let store = path + "-store"
            for tag in ["release", "x", "y"] { try backed("create", path, "--tag", tag, "--repository", store) }
            // The first snapshot is three days older than the last, the second one and a half days.
            let change = """
                UPDATE snapshot SET taken = (SELECT taken FROM snapshot WHERE id = 3) - (3 - id) * 129600 WHERE id < 3
                """
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            try rehash(store)
            let catalogue = try Data(contentsOf: URL(fileURLWithPath: "\(store)/catalogue.sqlite"))
            let text = try backed("forget", "--keep-last", "1", "--keep-tag", "release", "-n", "--repository", store)
            let lines = text.split(separator: "\n")
            #expect(lines.count == 4 && lines[1].hasPrefix("would remove  2  "), "\(text)")
            #expect(lines[0].hasPrefix("would keep    1  ") && lines[0].hasSuffix("  tag release"), "\(text)")
            #expect(lines[2].hasPrefix("would keep    3  ") && lines[2].hasSuffix("  1 of the last 1"), "\(text)")
            #expect(lines[3] == "would remove 1 snapshot and keep 2")
            let within = try backed("forget", "--keep-within", "1d13h", "-n", "--repository", store)
            #expect(
                within.split(separator: "\n").map { $0.prefix(15) } == [
                    "would remove  1", "would keep    2", "would keep    3", "would remove 1 ",
                ], "\(within)")
            let isSame = try Data(contentsOf: URL(fileURLWithPath: "\(store)/catalogue.sqlite")) == catalogue
            #expect(isSame)
            for span in ["", "5", "d", "1s", "0d", "99999999999999999999d", "-1d"] {
                #expect(
                    try sandboxbackup("forget", "--keep-within=\(span)", "--repository", store).code == 2, "\(span)")
            }
            try backed("forget", "--keep-within", "2d", "--keep-tag", "release", "--repository", store)
            #expect(try Listed.all(in: store).count == 3)
            try backed("forget", "--keep-within", "1d", "--repository", store)
            #expect(try Listed.all(in: store).map(\.snapshot) == [3])
        }
    }
}
