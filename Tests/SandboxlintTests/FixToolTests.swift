import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint fix and undo") struct FixToolTests {
    private static let safe = """
        ~ exclude from backup: Documents/covers   (2 findings: regenerable-in-documents)
        ~ exclude from backup: Documents/mixed/cover.jpg   (1 finding: regenerable-in-documents)

        """

    @Test("--diff prints safe, unsafe and manual fixes, and changes nothing")
    func diff() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            let select = "regenerable-in-documents,partial-download,stale-tmp,xattr-evidence-missing,name-not-portable"
            let run = try sandboxlint(
                "fix", scene.folder.path, "--diff", "--now", "2030-01-01", "--select", select)
            #expect(
                run.text == """
                    --- \(scene.folder.path)
                    +++ \(scene.folder.path), fixed
                    ~ exclude from backup: Documents/covers   (2 findings: regenerable-in-documents)
                    ~ exclude from backup: Documents/mixed/cover.jpg   (1 finding: regenerable-in-documents)
                    unsafe  - Documents/broken/film.mp4.download   (1 finding: partial-download; needs --unsafe)
                    unsafe  - tmp/deep/er/old   (1 finding: stale-tmp; needs --unsafe)
                    unsafe  - tmp/deep/young   (1 finding: stale-tmp; needs --unsafe)
                    unsafe  - tmp/old   (1 finding: stale-tmp; needs --unsafe)
                    2 changes for 3 findings, tried on a copy; the container is unchanged.

                    """, "\(run.text)")
            #expect(run.code == 1 && run.errors.isEmpty)
            #expect(try scene.differencesFromBefore() == [])
        }
    }

    @Test("A fix prints its changes and how to revert them, and undo reports that they are reverted")
    func text() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            let run = try sandboxlint("fix", scene.folder.path, "--select", "regenerable-in-documents", "--isolated")
            #expect(
                run.text == Self.safe + "2 changes for 3 findings applied; 0 findings left. `sandboxlint undo` reverts "
                    + "them with the data in c.sandboxlint-undo.\n", "\(run.text)")
            #expect(run.code == 0)
            #expect(
                try sandboxlint("fix", scene.folder.path, "--select", "regenerable-in-documents").text
                    == "Nothing to fix; 0 findings left.\n")
            #expect(try sandboxlint("undo", scene.folder.path).text == "The fix has been reverted: 2 steps.\n")
            #expect(try sandboxlint("undo", scene.folder.path).text == "There is no fix to revert.\n")
            #expect(try scene.differencesFromBefore() == [])
        }
    }

    @Test("Both print the same information as JSON")
    func json() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            let run = try sandboxlint(
                ["fix", scene.folder.path, "--format", "json"] + FixScene.options)
            let fix = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            #expect(fix["schema"] as? String == "sandboxlint-fix/1" && fix["done"] as? Bool == true)
            let changes = try #require(fix["changes"] as? [[String: Any]])
            let move = try #require(changes.first { $0["action"] as? String == "move" })
            #expect(move["outcome"] as? String == "planned" && move["to"] as? String != nil)
            let undo = try sandboxlint("undo", scene.folder.path, "--format", "json").output
            let undone = try #require(try JSONSerialization.jsonObject(with: undo) as? [String: Any])
            #expect(undone["hadFix"] as? Bool == true && (undone["left"] as? [Any])?.isEmpty == true)
            #expect(undone["interrupted"] as? Bool == false)
        }
    }

    @Test("A change that rests on a pattern of the configuration states what it takes by the evidence alone")
    func declared() throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Documents/Books", "c/Library", "c/tmp")
            for name in ["favorites.pages", "plan.pages"] { try folder.write("mine", to: "c/Documents/Books/\(name)") }
            try folder.write(String(repeating: "x", count: 5000), to: "c/Documents/Books/a.bin")
            try folder.write("downloaded: [\"Documents/Books/*\"]\n", to: "c.yml")
            let command = ["fix", "c", "--diff", "--config", "c.yml", "--select", "regenerable-in-documents"]
            let run = try sandboxlint(command, in: folder)
            #expect(run.text.contains("unsafe  ~ exclude from backup: Documents/Books   ("), "\(run.text)")
            let json = try sandboxlint(command + ["--format", "json"], in: folder)
            let fix = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
            let changes = try #require(fix["changes"] as? [[String: Any]])
            let taken = try #require(changes.first?["byEvidence"] as? [String: Int])
            #expect(changes.count == 1 && taken.values.reduce(0, +) == 3 && taken["undecided"] == 2, "\(taken)")
            let text = "; by the evidence alone 1 user data, 2 undecided; needs --unsafe)"
            #expect(run.text.contains(text), "\(run.text)")
            let isolated = try sandboxlint(["fix", "c", "--diff", "--isolated"], in: folder)
            #expect(!isolated.text.contains("by the evidence alone"), "\(isolated.text)")
        }
    }

    @Test("New items at the paths of removed ones are not overwritten, and the removed ones are kept")
    func conflict() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            #expect(try scene.run("fix").code == 0)
            let new = scene.folder.appending(path: "tmp/old")
            try Data("new".utf8).write(to: new)
            let run = try scene.run("undo")
            #expect(run.code == 1)
            #expect(run.text.hasPrefix("not reverted  tmp/old: a new item has its name\n"), "\(run.text)")
            #expect(try Data(contentsOf: new) == Data("new".utf8))
            let refused = try scene.run("fix")
            #expect(
                refused.code == 3 && refused.errors.contains("cannot be reverted completely"), "\(refused.errors)")
            try FileManager.default.removeItem(at: new)
            #expect(try scene.run("undo").code == 0)
            #expect(try scene.differencesFromBefore() == [])
        }
    }

    @Test("--forget deletes the undo data, and nothing else")
    func forget() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            #expect(try scene.run("fix").code == 0)
            let fixed = try TreeListing(of: scene.folder)
            let run = try sandboxlint("fix", scene.folder.path, "--forget")
            #expect(run.code == 0 && run.errors == "deleted the undo data of the last fix\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["c"])
            #expect(try TreeListing(of: scene.folder) == fixed)
            #expect(try sandboxlint("undo", scene.folder.path).text == "There is no fix to revert.\n")
        }
    }

    @Test(
        "A usage error exits with 2, an invalid input with 3",
        arguments: [
            (["--forget", "--diff"], Int32(2), "--forget cannot be combined"),
            (["--select", "stale-tpm"], 2, "stale-tmp"),
            (["--unsfe"], 2, "--unsafe"),
        ])
    func usage(arguments: [String], code: Int32, hint: String) throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            let run = try sandboxlint(["fix", scene.folder.path] + arguments)
            #expect(run.code == code && run.errors.contains(hint), "\(run.errors)")
            for command in ["fix", "undo"] {
                let missing = try sandboxlint(command, scratch.path + "/none")
                #expect(missing.code == 3 && missing.errors.contains("No such file"))
            }
            #expect(try scene.differencesFromBefore() == [])
        }
    }
}
