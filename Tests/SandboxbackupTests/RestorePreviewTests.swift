import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup restore --dry-run", .timeLimit(.minutes(60))) struct RestorePreviewTests {
    @Test("It shows the effect on every path and writes nothing")
    func likeTheRestoration() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let target = folder.appending(path: "there")
            try backed("restore", "1", "--repository", store, "--to", target.path)
            let documents = target.appending(path: "Documents")
            try documents.write("mine", to: "notes/7.txt")
            try documents.remove("photo.bin", "empty", "again.bin")
            try documents.setMode("700", of: "notes")
            try documents.write("x", to: "empty")
            try documents.makeDirectories("again.bin")
            let before = try TreeListing(of: target)
            let options = ["restore", "1", "--repository", store, "--to", target.path, "--dry-run"]
            let kept = try sandboxbackup(options)
            #expect(kept.code == 3 && kept.errors.isEmpty, "\(kept.text)\(kept.errors)")
            let signs = """
                m Documents
                ! Documents/again.bin
                ! Documents/empty
                m Documents/notes
                ! Documents/notes/7.txt
                + Documents/photo.bin

                """
            #expect(kept.text.hasPrefix(signs + "would create 1 item, replace 0 and keep "), "\(kept.text)")
            let replacing = try sandboxbackup(options + ["--overwrite", "--format", "jsonl"])
            #expect(replacing.code == 3)
            let lines = replacing.text.split(separator: "\n")
            #expect(
                lines.contains { $0.hasPrefix(#"{"change":"replaced","path":"Documents/notes/7.txt","kind":"file""#) })
            #expect(lines.contains { $0.hasPrefix(#"{"change":"same","path":"Documents/film.bin","kind":"file""#) })
            let summary = try #require(lines.last)
            #expect(summary.hasPrefix(#"{"summary":{"added":1,"replaced":1,"changed":2,"#), "\(summary)")
            #expect(try before.differences(from: TreeListing(of: target)) == [])

            let run = try sandboxbackup("restore", "1", "--overwrite", "--repository", store, "--to", target.path)
            #expect(run.code == 3 && run.text.contains("already-there: Documents/again.bin"), "\(run.text)")
            #expect(run.text.hasPrefix("restored 2 files, ") && run.text.contains(" unchanged\n"), "\(run.text)")
            try documents.remove("again.bin", "empty")
            try backed("restore", "1", "--overwrite", "--repository", store, "--to", target.path)
            let again = try sandboxbackup(options)
            #expect(
                again.code == 0 && again.text.hasPrefix("would create 0 items, replace 0 and keep "), "\(again.text)")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("A missing directory is not created, and all items would be added")
    func absent() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let target = folder.appending(path: "absent")
            let run = try sandboxbackup(
                "restore", "1", "Documents/notes", "-n", "--repository", store, "--to", target.path)
            #expect(
                run.code == 0 && run.text.hasPrefix("+ the container\n+ Documents\n+ Documents/notes\n"),
                "\(run.text)\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: target.path))
            let none = try sandboxbackup("restore", "1", "nobody", "-n", "--repository", store, "--to", target.path)
            #expect(none.code == 1 && none.errors.contains("has no item “nobody”"))
        }
    }
}
