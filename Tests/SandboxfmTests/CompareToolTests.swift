import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxfm diff, and snapshots as inputs", .timeLimit(.minutes(60))) struct CompareToolTests {
    /// A container `c` with notes, and a repository `r` with a snapshot of it.
    private func withRepository(_ body: (_ container: Container, _ folder: URL) throws -> Void) throws {
        try withContainer { container, folder throws in
            try container.save("Dear reader", to: .documents / "note.txt", options: .init(provenance: .init(.user)))
            try container.save("kept", to: .documents / "kept.txt")
            try container.save("cached", to: .caches / "cached.txt")
            try store("c", in: folder)
            try body(container, folder)
        }
    }

    private func store(_ container: String, in folder: URL) throws {
        let stored = try sandboxbackup("create", container, "--repository", "r", in: folder)
        #expect(stored.code == 0, "\(stored.errors)")
    }

    @Test("A deleted note is restored from a snapshot, which is compared with the container")
    func restore() throws {
        try withRepository { _, folder throws in
            #expect(try sandboxfm("diff", "c", "r", "--backed-up", "--content", in: folder).code == 0)
            let excluded = try sandboxfm("diff", "c", "r", in: folder)
            #expect(excluded.code == 1 && excluded.text.contains("Library/Caches/"), "\(excluded.text)")
            try folder.remove("c/Documents/note.txt")
            let difference = try sandboxfm("diff", "c", "r", "--backed-up", in: folder)
            #expect(difference.code == 1 && difference.errors.isEmpty, "\(difference.errors)")
            #expect(difference.text.contains("+  11 bytes  Documents/note.txt\n"), "\(difference.text)")
            let restored = try sandboxfm("get", "r", "Documents/note.txt", ".", in: folder)
            #expect(restored.code == 0, "\(restored.errors)")
            #expect(try folder.text(of: "note.txt") == "Dear reader")
            #expect(try sandboxfm("cat", "r", "Documents/note.txt", in: folder).text == "Dear reader")
            let listed = try object("ls", "r", "**/note.txt", in: folder)
            let item = try #require((listed["items"] as? [NSDictionary])?.first)
            #expect(item["provenance"] as? String == "user" && item["bytes"] as? Int == 11)
            #expect(try sandboxfm("du", "r", in: folder).code == 0)

            // The next snapshot is the latest.
            try store("c", in: folder)
            #expect(try sandboxfm("diff", "c", "r", "--backed-up", in: folder).code == 0)
            #expect(try sandboxfm("diff", "r", "c", "--backed-up", "--snapshot", "1", in: folder).code == 1)
            #expect(try sandboxfm("cat", "r", "Documents/note.txt", in: folder).code == 1)
            #expect(
                try sandboxfm("cat", "r", "Documents/note.txt", "--snapshot", "1", in: folder).text == "Dear reader")
        }
    }

    @Test("Nothing is left of a restored snapshot, and the repository is not changed")
    func leftovers() throws {
        try withRepository { _, folder throws in
            try folder.makeDirectories("temporary")
            let environment = ["TMPDIR": folder.appending(path: "temporary").path]
            #expect(try sandboxfm("ls", "r", in: folder, environment: environment).code == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: environment["TMPDIR"] ?? "") == [])
            #expect(try sandboxbackup("verify", "--repository", "r", in: folder).code == 0)
        }
    }

    @Test("What a snapshot cannot do is refused")
    func refused() throws {
        try withRepository { _, folder throws in
            for (arguments, code, message) in [
                (
                    ["rm", "r", "Documents/note.txt", "--yes"], 2,
                    "only a directory can be changed, and “r” is a repository"
                ),
                (["ls", "r", "--snapshot", "7"], 1, "the repository contains no snapshot “7”"),
                (["ls", "c", "--snapshot", "1"], 2, "selects a snapshot of a repository, and the input is not one"),
                (["diff", "c", "c", "--snapshot", "1"], 2, "the input is not one"),
                (["diff", "r", "r", "--snapshot", "1"], 2, "`sandboxbackup diff` compares two snapshots"),
                (["diff", "c", "missing"], 2, "missing"), (["diff", "c"], 2, "Missing expected argument '<other>'"),
            ] {
                let run = try sandboxfm(arguments, in: folder)
                #expect(run.code == Int32(code) && run.output.isEmpty, "\(arguments): \(run.code) \(run.errors)")
                #expect(run.errors.contains(message), "\(arguments): \(run.errors)")
            }
        }
    }

    @Test("A damaged file of a snapshot makes the run incomplete, and the others are read")
    func damaged() throws {
        try withRepository { container, folder throws in
            try container.save(try randomData(300_000), to: .documents / "large.bin")
            try store("c", in: folder)
            let files = try #require(FileManager.default.enumerator(atPath: folder.appending(path: "r").path))
            let packs = files.compactMap { $0 as? String }.filter { $0.hasPrefix("packs/") || $0.hasPrefix("objects/") }
            let large = try packs.filter { path in
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: folder.appending(path: "r/\(path)").path)
                return attributes[.type] as? FileAttributeType == .typeRegular
                    && (attributes[.size] as? Int ?? 0) > 200_000
            }
            let damaged = try #require(large.first)
            try folder.write(Data(count: 1_000), to: "r/\(damaged)", at: 100_000)
            let run = try sandboxfm("diff", "c", "r", "--backed-up", in: folder)
            #expect(
                run.code == 3 && run.errors.contains("could not be restored, such as “Documents/large.bin”"),
                "\(run.errors)")
            #expect(run.text.contains("Documents/large.bin"), "\(run.text)")
            #expect(try sandboxfm("cat", "r", "Documents/note.txt", in: folder).text == "Dear reader")
        }
    }

    @Test("The objects of diff are those of the text, with classes")
    func json() throws {
        try withRepository { container, folder throws in
            try folder.copyAll("c", to: "d")
            try folder.remove("d/Documents/note.txt")
            try folder.write("changed", to: "d/Documents/kept.txt")
            let run = try sandboxfm("diff", "c", "d", "--class", "--json", in: folder)
            #expect(run.code == 1, "\(run.errors)")
            let object = try #require(try JSONSerialization.jsonObject(with: run.output) as? NSDictionary)
            #expect(object["isEqual"] as? Bool == false)
            let differences = try #require(object["differences"] as? [NSDictionary])
            #expect(differences.map { $0["path"] as? String } == ["Documents/kept.txt", "Documents/note.txt"])
            #expect(differences.map { $0["status"] as? String } == ["changed", "onlyInA"])
            #expect(differences[0]["differs"] as? [String] == ["size"] && differences[0]["bytesAfter"] as? Int == 7)
            #expect((differences[1]["class"] as? NSDictionary)?["class"] as? String == "user-data")
            let classes = try #require(object["classes"] as? NSDictionary)
            let sums = (classes["user-data"] as? NSDictionary)?["onlyInA"] as? NSDictionary
            #expect(sums?["items"] as? Int == 1 && sums?["bytes"] as? Int == 11)
            let text = try sandboxfm("diff", "c", "d", "--class", in: folder).text
            #expect(text.contains("user-data!") && text.contains("only in A: 1 item, 11 bytes"), "\(text)")
            let same = try sandboxfm("diff", "c", "c", in: folder)
            #expect(same.code == 0 && same.text.hasPrefix("only in A: 0 items, 0 bytes; only in B: 0 items"))
        }
    }

    @Test("Both inputs can be archives", .needs(.externalProgram))
    func archives() throws {
        try withContainer { container, folder throws in
            try container.save("one", to: .documents / "a.txt")
            try Command.setUp("tar", ["-cf", "before.tar", "c"], in: folder)
            try container.save("three", to: .documents / "b.txt")
            try Command.setUp("tar", ["-cf", "after.tar", "c"], in: folder)
            let run = try sandboxfm("diff", "before.tar", "after.tar", in: folder)
            #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
            #expect(
                run.text.contains("Documents/b.txt") && run.text.contains("only in B: 1 item, 5 bytes"), "\(run.text)")
            #expect(try sandboxfm("diff", "after.tar", "c", "--content", in: folder).code == 0)
        }
    }
}
