import Foundation
import TestSupport
import Testing

@Suite("sandboxlint fix and undo") struct FixToolTests {
    private static let safe = """
        ~ flag Documents/covers   (2 findings: regenerable-in-documents)
        ~ flag Documents/mixed/cover.jpg   (1 finding: regenerable-in-documents)

        """

    @Test("--diff shows what would be done, what asks and what takes a person, and changes nothing")
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
                    ~ flag Documents/covers   (2 findings: regenerable-in-documents)
                    ~ flag Documents/mixed/cover.jpg   (1 finding: regenerable-in-documents)
                    - tmp/deep/er/old   (1 finding: stale-tmp)
                    - tmp/deep/young   (1 finding: stale-tmp)
                    - tmp/old   (1 finding: stale-tmp)
                    asks  - Documents/broken/film.mp4.download   (1 finding: partial-download; --unsafe does it)
                    5 changes for 6 findings, tried on a clone; nothing was changed.

                    """, "\(run.text)")
            #expect(run.code == 1 && run.errors.isEmpty)
            #expect(try scene.differencesFromBefore() == [])
        }
    }

    @Test("A fix says what it did and how to take it back, and undo that it is taken back")
    func text() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            let run = try sandboxlint("fix", scene.folder.path, "--select", "regenerable-in-documents", "--isolated")
            #expect(
                run.text == Self.safe + "2 changes for 3 findings done; 0 findings left. `sandboxlint undo` takes it "
                    + "back, by what is kept in c.sandboxlint-undo.\n", "\(run.text)")
            #expect(run.code == 0)
            #expect(
                try sandboxlint("fix", scene.folder.path, "--select", "regenerable-in-documents").text
                    == "Nothing to do; 0 findings left.\n")
            #expect(try sandboxlint("undo", scene.folder.path).text == "The fix has been taken back: 2 steps.\n")
            #expect(try sandboxlint("undo", scene.folder.path).text == "There is no fix to take back.\n")
            #expect(try scene.differencesFromBefore() == [])
        }
    }

    @Test("As JSON, both say the same to a program")
    func json() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            let run = try Command(
                Command.sandboxlint, ["fix", scene.folder.path, "--format", "json"] + FixScene.options)
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

    @Test("What came since in the place of what was taken away is not replaced, and what was taken away is kept")
    func conflict() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            #expect(try scene.run("fix").code == 0)
            let new = scene.folder.appending(path: "tmp/old")
            try Data("new".utf8).write(to: new)
            let run = try scene.run("undo")
            #expect(run.code == 1)
            #expect(run.text.hasPrefix("left  tmp/old: its name is taken by what has come since\n"), "\(run.text)")
            #expect(try Data(contentsOf: new) == Data("new".utf8))
            let refused = try scene.run("fix")
            #expect(
                refused.code == 3 && refused.errors.contains("not all of it can be taken back"), "\(refused.errors)")
            try FileManager.default.removeItem(at: new)
            #expect(try scene.run("undo").code == 0)
            #expect(try scene.differencesFromBefore() == [])
        }
    }

    @Test("--forget gives up what is kept, and nothing else")
    func forget() throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            #expect(try scene.run("fix").code == 0)
            let fixed = try TreeListing(of: scene.folder)
            let run = try sandboxlint("fix", scene.folder.path, "--forget")
            #expect(run.code == 0 && run.errors == "what the last fix kept is gone\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["c"])
            #expect(try TreeListing(of: scene.folder) == fixed)
            #expect(try sandboxlint("undo", scene.folder.path).text == "There is no fix to take back.\n")
        }
    }

    @Test(
        "Wrong usage ends with 2, an input that is none with 3",
        arguments: [
            (["--forget", "--diff"], Int32(2), "--forget goes alone"), (["--select", "stale-tpm"], 2, "stale-tmp"),
            (["--unsfe"], 2, "--unsafe"),
        ])
    func usage(arguments: [String], code: Int32, hint: String) throws {
        try withScratch { scratch throws in
            let scene = try FixScene(in: scratch)
            let run = try Command(Command.sandboxlint, ["fix", scene.folder.path] + arguments)
            #expect(run.code == code && run.errors.contains(hint), "\(run.errors)")
            for command in ["fix", "undo"] {
                let missing = try sandboxlint(command, scratch.path + "/none")
                #expect(missing.code == 3 && missing.errors.contains("No such file"))
            }
            #expect(try scene.differencesFromBefore() == [])
        }
    }
}
