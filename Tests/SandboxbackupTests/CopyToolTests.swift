import Foundation
import TestSupport
import Testing

@Suite("sandboxbackup copy", .timeLimit(.minutes(60))) struct CopyToolTests {
    /// Returns the IDs of the snapshots, by number.
    private func identifiers(_ store: String) throws -> [String] {
        struct Listed: Decodable { let id: String }
        return try sandboxbackup("snapshots", "--store", store, "--format", "jsonl").text.split(separator: "\n")
            .map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)).id }
    }

    @Test("Copies have the IDs, labels and content of the originals, and are made once")
    func copies() throws {
        try withRepositorySample { folder, container, store throws in
            let other = folder.appending(path: "other").path
            try backed("create", container, "--tag", "first", "--store", store)
            try Command.setUp(
                "bash", ["-c", "echo more >> Documents/notes/7.txt; rm Documents/film.bin"],
                in: URL(fileURLWithPath: container))
            try backed("create", container, "--store", store)
            try backed("create", container, "--store", store)
            let first = try backed("copy", "2", "--from", store, "--store", other)
            #expect(first.hasPrefix("snapshot 2 copied as 1  "), "\(first)")
            let rest = try backed("copy", "--from", store, "--store", other).split(separator: "\n")
            #expect(rest.count == 3 && rest[1].hasPrefix("snapshot 2 is present as 1  "), "\(rest)")
            let (originals, copies) = try (identifiers(store), identifiers(other))
            #expect(Set(originals).count == 3 && copies == [originals[1], originals[0], originals[2]])
            #expect(try backed("snapshots", "--store", other).contains("[first]"))
            try backed("verify", "--store", other)
            for (number, id) in originals.enumerated() {
                let (a, b) = (folder.appending(path: "a\(number)"), folder.appending(path: "b\(number)"))
                try backed("restore", String(number + 1), "--to", a.path, "--store", store)
                try backed("restore", id, "--to", b.path, "--store", other)
                #expect(try listing(a).differences(from: listing(b)) == [])
            }
            let size = try Command("du", ["-sb", "store/objects", "other/objects"], in: folder).text
                .split(separator: "\n").compactMap { $0.split(separator: "\t").first.flatMap { Int($0) } }
            #expect(size.count == 2 && abs(size[0] - size[1]) < 20_000, "\(size)")
        }
    }

    @Test("A damaged snapshot is reported and not copied, and the others are")
    func damaged() throws {
        try withRepositorySample { folder, container, store throws in
            let other = folder.appending(path: "other").path
            try backed("create", container, "--store", store)
            try Command.setUp("rm", ["\(container)/Documents/film.bin"])
            try backed("create", container, "--store", store)
            try Command.setUp("rm", ["\(container)/Documents/photo.bin", "\(container)/Documents/again.bin"])
            try backed("create", container, "--store", store)
            let script = """
                hash=$(sqlite3 catalogue.sqlite "SELECT lower(hex(o.sha256)) FROM entry e JOIN part p ON p.object = e.object
                JOIN object o ON o.id = p.part WHERE CAST(e.name AS TEXT) = 'film.bin' AND p.position = 3145728")
                printf damage | dd of=objects/${hash:0:2}/$hash bs=1 seek=5000 conv=notrunc status=none
                sqlite3 catalogue.sqlite "UPDATE snapshot SET files = files + 1 WHERE id = 2"
                """
            try Command.setUp("bash", ["-euc", script], in: URL(fileURLWithPath: store))
            let run = try sandboxbackup("copy", "--from", store, "--store", other)
            #expect(run.code == 12 && run.text.hasPrefix("snapshot 3 copied as 1  "), "\(run.text)")
            #expect(run.errors.contains("snapshot 1 was skipped") && run.errors.contains("snapshot 2 was skipped"))
            try backed("verify", "--store", other)
            #expect(try identifiers(other).count == 1)
        }
    }

    @Test("A repository is not copied into itself, and its snapshots are named as everywhere")
    func refused() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            let inside = try sandboxbackup("copy", "--from", store, "--store", store)
            #expect(inside.code == 2 && inside.errors.contains("repository"), "\(inside.errors)")
            let other = folder.appending(path: "other").path
            #expect(try sandboxbackup("copy", "9", "--from", store, "--store", other).code == 1)
            #expect(try sandboxbackup("copy", "--from", folder.path + "/none", "--store", other).code == 10)
            #expect(!FileManager.default.fileExists(atPath: other))
            let unknown = try sandboxbackup("copy", "--from", store, "--bundle-id", "com.example.x", "--store", other)
            #expect(unknown.code == 1 && unknown.errors.contains("com.example.x"))
        }
    }
}
