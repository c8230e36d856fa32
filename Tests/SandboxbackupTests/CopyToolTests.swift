import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup copy", .timeLimit(.minutes(60))) struct CopyToolTests {
    /// Returns the IDs of the snapshots, by number.
    private func identifiers(_ store: String) throws -> [String] {
        struct Listed: Decodable { let id: String }
        return try sandboxbackup("snapshots", "--repository", store, "--format", "jsonl").text.split(separator: "\n")
            .map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)).id }
    }

    @Test("Copies have the IDs, labels and content of the originals, and are made once")
    func copies() throws {
        try withRepositorySample { folder, container, store throws in
            let other = folder.appending(path: "other").path
            try backed("create", container, "--tag", "first", "--repository", store)
            try folder.append("more\n", to: "container/Documents/notes/7.txt")
            try folder.remove("container/Documents/film.bin")
            try backed("create", container, "--repository", store)
            try backed("create", container, "--repository", store)
            let first = try backed("copy", "2", "--from", store, "--repository", other)
            #expect(first.hasPrefix("snapshot 2 copied as 1  "), "\(first)")
            let rest = try backed("copy", "--from", store, "--repository", other).split(separator: "\n")
            #expect(rest.count == 3 && rest[1].hasPrefix("snapshot 2 is present as 1  "), "\(rest)")
            let (originals, copies) = try (identifiers(store), identifiers(other))
            #expect(Set(originals).count == 3 && copies == [originals[1], originals[0], originals[2]])
            #expect(try backed("snapshots", "--repository", other).contains("[first]"))
            try backed("verify", "--repository", other)
            for (number, id) in originals.enumerated() {
                let (a, b) = (folder.appending(path: "a\(number)"), folder.appending(path: "b\(number)"))
                try backed("restore", String(number + 1), "--to", a.path, "--repository", store)
                try backed("restore", id, "--to", b.path, "--repository", other)
                #expect(try listing(a).differences(from: listing(b)) == [])
            }
            let sizes = try ["store", "other"].map { try contentSize(beneath: folder.appending(path: "\($0)/objects")) }
            #expect(sizes[0] > 0 && abs(sizes[0] - sizes[1]) < 20_000, "\(sizes)")
        }
    }

    @Test("A damaged snapshot is reported and not copied, and the others are")
    func damaged() throws {
        try withRepositorySample { folder, container, store throws in
            let other = folder.appending(path: "other").path
            try backed("create", container, "--repository", store)
            try folder.remove("container/Documents/film.bin")
            try backed("create", container, "--repository", store)
            try folder.remove("container/Documents/photo.bin", "container/Documents/again.bin")
            try backed("create", container, "--repository", store)
            try damageFilm(of: store)
            try executeSQL("UPDATE snapshot SET files = files + 1 WHERE id = 2", in: store + "/catalogue.sqlite")
            let run = try sandboxbackup("copy", "--from", store, "--repository", other)
            #expect(run.code == 12 && run.text.hasPrefix("snapshot 3 copied as 1  "), "\(run.text)")
            #expect(run.errors.contains("snapshot 1 was skipped") && run.errors.contains("snapshot 2 was skipped"))
            try backed("verify", "--repository", other)
            #expect(try identifiers(other).count == 1)
        }
    }

    @Test("A repository is not copied into itself, and its snapshots are named as everywhere")
    func refused() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let inside = try sandboxbackup("copy", "--from", store, "--repository", store)
            #expect(inside.code == 2 && inside.errors.contains("repository"), "\(inside.errors)")
            let other = folder.appending(path: "other").path
            #expect(try sandboxbackup("copy", "9", "--from", store, "--repository", other).code == 1)
            #expect(try sandboxbackup("copy", "--from", folder.path + "/none", "--repository", other).code == 10)
            #expect(!FileManager.default.fileExists(atPath: other))
            let unknown = try sandboxbackup(
                "copy", "--from", store, "--bundle-id", "com.example.x", "--repository", other)
            #expect(unknown.code == 1 && unknown.errors.contains("com.example.x"))
        }
    }
}
