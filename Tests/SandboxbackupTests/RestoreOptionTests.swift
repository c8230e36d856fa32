import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("Options of sandboxbackup restore", .timeLimit(.minutes(60))) struct RestoreOptionTests {
    /// Creates a snapshot and restores it into `out`.
    private func withRestored(_ body: (URL, _ documents: URL, _ restore: [String]) throws -> Void) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let restore = ["restore", "latest", "--repository", store, "--to", folder.path + "/out"]
            #expect(try sandboxbackup(restore).code == 0)
            try body(folder, folder.appending(path: "out/Documents"), restore)
        }
    }

    private func text(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static let items = ["notes/1.txt", "notes/2.txt", "notes/3.txt", "notes/4.txt"]

    @Test(
        "Existing files are replaced always, never, if changed or if newer",
        arguments: [
            ([], 3, ["older", "newer", "same time", "4"]), (["never"], 3, ["older", "newer", "same time", "4"]),
            (["always"], 0, ["1", "2", "3 of  9 b", "4"]), (["if-changed"], 0, ["1", "2", "same time", "4"]),
            (["if-newer"], 0, ["1", "newer", "same time", "4"]),
        ])
    func overwritten(value: [String], code: Int, expected: [String]) throws {
        try withRepositorySample { folder, container, store throws in
            let original = URL(fileURLWithPath: container + "/Documents")
            for (index, name) in Self.items.enumerated() {
                try original.write(index == 2 ? "3 of  9 b" : "\(index + 1)", to: name)
                try original.setTimes("2024-05-06T07:08:09Z", of: name)
            }
            try backed("create", container, "--repository", store)
            let restore = ["restore", "latest", "--repository", store, "--to", folder.path + "/out"]
            #expect(try sandboxbackup(restore).code == 0)
            let documents = folder.appending(path: "out/Documents")
            let contents = ["older", "newer", "same time"]
            for (name, content) in zip(Self.items, contents) { try documents.write(content, to: name) }
            try documents.setTimes("2023-01-01T00:00:00Z", of: Self.items[0])
            try documents.setTimes("2025-01-01T00:00:00Z", of: Self.items[1])
            try documents.setTimes("2024-05-06T07:08:09Z", of: Self.items[2])
            let options = value.isEmpty ? [] : ["--overwrite"] + value
            let preview = try sandboxbackup(restore + options + ["-n"])
            #expect(Int(preview.code) == code, "\(preview.text)")
            let run = try sandboxbackup(restore + options)
            #expect(Int(run.code) == code, "\(run.text)\(run.errors)")
            let found = try Self.items.map { try text($0, in: documents) }
            // The third file has nine bytes and the same time in both.
            #expect(found == expected, "\(value): \(found)")
            #expect(
                run.text.contains("2 items kept, because the snapshot has no later version") == (value == ["if-newer"]))
        }
    }

    @Test("Patterns select and omit items, also below selected paths")
    func patterns() throws {
        try withRestored { folder, _, restore throws in
            func restored(_ options: String...) throws -> Set<String> {
                let target = folder.appending(path: "part")
                try? FileManager.default.removeItem(at: target)
                let command = restore.dropLast() + [target.path] + options
                let preview = try sandboxbackup(command + ["-n", "--format", "json"])
                let run = try sandboxbackup(Array(command))
                #expect(run.code == 0 && preview.code == 0, "\(options): \(run.text)\(run.errors)")
                let paths = Set(try FileManager.default.subpathsOfDirectory(atPath: target.path))
                #expect(preview.text.components(separatedBy: #""change":"added""#).count == paths.count + 2)
                return paths
            }
            #expect(
                try restored("--include", "letter.txt", "--include", "Documents/notes/3?.txt", "--exclude", "*7.txt")
                    == Set(
                        ["Documents", "Documents/letter.txt", "Documents/notes"]
                            + [30, 31, 32, 33, 34, 35, 36, 38, 39].map { "Documents/notes/\($0).txt" }))
            #expect(
                try restored("Documents/notes", "--include", "*.txt", "--exclude", "Documents/notes/*")
                    == ["Documents", "Documents/notes"])
            #expect(
                try restored("Documents/notes", "--include", "1.txt", "--include", "letter.txt")
                    == ["Documents", "Documents/notes", "Documents/notes/1.txt"])
            #expect(try restored("--exclude", "/Documents").allSatisfy { $0.hasPrefix("Library") })
            let none = try sandboxbackup(restore + ["--include", "*.none"])
            #expect(none.code == 1 && none.errors.contains("matches the patterns of --include"), "\(none.errors)")
        }
    }

    @Test("Items that the snapshot lacks are deleted on request, except for those that no backup includes")
    func deleted() throws {
        try withRepositorySample { folder, container, store throws in
            try URL(fileURLWithPath: container).write("private", to: "Documents/private.txt")
            try backed("create", container, "--exclude", "private.txt", "--repository", store)
            let restore = ["restore", "latest", "--repository", store, "--to", folder.path + "/out"]
            #expect(try sandboxbackup(restore).code == 0)
            let target = folder.appending(path: "out")
            try target.write("x", to: "Documents/extra.txt")
            try target.write("x", to: "Documents/new/inner/a")
            try target.write("x", to: "Documents/mixed/a")
            try target.write("x", to: "Documents/mixed/kept/b")
            try AttributeTool.set(
                "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x", of: "Documents/mixed/kept", in: target)
            try target.write("x", to: "Documents/private.txt")
            try target.write("x", to: "Library/Caches/c")
            try target.write("x", to: "tmp/t")
            try target.write("x", to: "Documents/notes/other.txt")
            let before = try TreeListing(of: target)
            let preview = try sandboxbackup(restore + ["--delete", "-n"])
            let signs = [
                "Documents/extra.txt", "Documents/mixed", "Documents/mixed/a", "Documents/new", "Documents/new/inner",
                "Documents/new/inner/a", "Documents/notes/other.txt",
            ]
            let listed = preview.text.split(separator: "\n").filter { $0.hasPrefix("- ") }.map {
                String($0.dropFirst(2))
            }
            #expect(listed == signs, "\(preview.text)")
            #expect(try before.differences(from: TreeListing(of: target)) == [])
            let part = try sandboxbackup(restore + ["Documents/notes", "--delete", "--exclude", "extra*"])
            #expect(
                part.code == 0 && part.text.contains("1 item deleted, which the snapshot does not contain"),
                "\(part.text)")
            let run = try sandboxbackup(restore + ["--delete"])
            #expect(run.code == 0 && run.text.contains("5 items deleted, "), "\(run.text)\(run.errors)")
            let left = try Set(FileManager.default.subpathsOfDirectory(atPath: target.path))
            #expect(left.isDisjoint(with: Set(signs).subtracting(["Documents/mixed"])))
            #expect(
                left.isSuperset(of: ["Documents/mixed/kept/b", "Documents/private.txt", "Library/Caches/c", "tmp/t"]))
            #expect(left.contains("Documents/letter.txt") && left.contains("Documents/notes/1.txt"))
        }
    }

    @Test("With damage, nothing is deleted")
    func deletedWithDamage() throws {
        try withRestored { folder, documents, restore throws in
            try documents.write("x", to: "extra.txt")
            try documents.remove("film.bin")
            try damageFilm(of: folder.path + "/store")
            let run = try sandboxbackup(restore + ["--delete"])
            #expect(run.code == 12 && run.text.contains("  nothing-deleted: the container\n"), "\(run.text)")
            #expect(try text("extra.txt", in: documents) == "x")
        }
    }

    @Test("A directory of a snapshot stands for the container wherever a snapshot is named")
    func root() throws {
        try withRestored { folder, documents, restore throws in
            let store = folder.path + "/store"
            let target = folder.path + "/notes"
            let run = try sandboxbackup("restore", "1:Documents/notes", "--repository", store, "--to", target)
            #expect(run.code == 0, "\(run.errors)")
            #expect(
                Set(try names(in: URL(fileURLWithPath: target)))
                    == Set(try names(in: documents.appending(path: "notes"))))
            let listed = try backed("ls", "latest:Documents/notes", "--repository", store).split(separator: "\n")
            #expect(listed.first == "1.txt" && listed.count == 42, "\(listed)")
            #expect(try backed("dump", "latest:Documents", "letter.txt", "--repository", store) == "Dear reader")
            try folder.write("changed", to: "container/Documents/notes/1.txt")
            try folder.write("changed", to: "container/Documents/other.txt")
            try backed("create", folder.path + "/container", "--repository", store)
            #expect(
                try backed("diff", "1:Documents/notes", "2:Documents/notes", "--repository", store)
                    .split(separator: "\n").dropLast() == ["M 1.txt"])
            for (arguments, code) in [
                (["restore", "1:none", "--to", target], 1), (["restore", "1:Documents/letter.txt", "--to", target], 1),
                (["export", "1:Documents", "--to", target], 2), (["ls", "1:Documents/none"], 1),
                (["restore", "1:Documents", "--delete", "--to", target], 2),
                (["copy", "1:Documents", "--from", "x"], 2),
                (["restore", "1:Documents", "--as-ios", "--to", target], 2),
            ] as [([String], Int32)] {
                let run = try sandboxbackup(arguments + ["--repository", store])
                #expect(run.code == code, "\(arguments): \(run.code) \(run.errors)")
            }
        }
    }
}
