import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxfm purge, update, restore and state", .timeLimit(.minutes(60))) struct EventToolTests {
    @Test("purge needs --yes and an app that is not running, and keeps excluded items", .needs(.externalProgram))
    func purge() throws {
        try withContainer { container, folder throws in
            try container.save("a", to: .caches / "a")
            try container.save("b", to: .caches / "b")
            try container.excludeFromBackup(.caches / "b")
            try container.save("t", to: .temporary / "t")
            let planned = try object("purge", "c", "--dry-run", in: folder)
            #expect(
                (planned["missing"] as? [NSDictionary])?.compactMap { $0["path"] as? String } == [
                    "Library/Caches/com.example.app/a", "tmp/t",
                ])
            #expect(try container.exists(.temporary / "t"))
            #expect(try sandboxfm("purge", "c", in: folder).code == 2)
            #expect(try inTerminal(["purge", "c"], answering: ("[y/N] ", "no"), in: folder).code == 1)
            #expect(try container.exists(.temporary / "t"))
            #expect(try sandboxfm("state", "c", "background", in: folder).text == "not running -> background\n")
            let running = try sandboxfm("purge", "c", "--yes", in: folder)
            #expect(running.code == 1 && running.errors.contains("Terminate the app first"))
            let illegal = try sandboxfm("state", "c", "active", in: folder)
            #expect(illegal.code == 1 && illegal.errors.contains("inactive"))
            #expect(try object("state", "c", "not-running", in: folder)["state"] as? String == "not-running")
            let recent = try object("purge", "c", "--older-than", "5", "--yes", in: folder)
            #expect((recent["items"] as? [NSDictionary])?.contains { $0["action"] as? String == "removed" } == false)
            #expect(try inTerminal(["purge", "c"], answering: ("[y/N] ", "y"), in: folder).code == 0)
            #expect(try container.list(.temporary).isEmpty && container.exists(.caches / "b"))
        }
    }

    @Test("update moves the container and names the key of a stored path; restore leaves caches out")
    func moves() throws {
        try withScratch { folder throws in
            let old = "Application/3F2504E0-4F89-41D3-9A0C-0305E82C3301"
            try folder.makeDirectories("Application")
            #expect(try sandboxfm("new", old, "--bundle-id", "com.example.app", in: folder).code == 0)
            try Data("x".utf8).write(to: folder.appending(path: "\(old)/Documents/a.txt"))
            try Data("x".utf8).write(to: folder.appending(path: "\(old)/Library/Caches/c.bin"))
            let path = try sandboxfm("path", old, "Documents/a.txt", in: folder).text.trimmingCharacters(in: .newlines)
            #expect(try sandboxfm("prefs", "set", old, "last", path, in: folder).code == 0)
            let restored = try object("restore", old, "new", in: folder)
            #expect(
                (restored["items"] as? [NSDictionary])?.contains {
                    $0["path"] as? String == "Library/Caches" && $0["action"] as? String == "left-out"
                } == true)
            #expect(try names(in: folder.appending(path: "new/Documents")) == ["a.txt"])
            #expect(try names(in: folder.appending(path: "new/Library/Caches")).isEmpty)
            #expect(try sandboxfm("update", old, in: folder).code == 2)
            let updated = try object("update", old, "--yes", in: folder)
            let references = try #require(updated["danglingReferences"] as? [NSDictionary])
            #expect(
                references == [
                    [
                        "file": "Library/Preferences/com.example.app.plist", "key": "/last",
                        "target": "Documents/a.txt", "isAbsolute": true,
                    ]
                ])
            // The undo folder moves with the container.
            let moved = try names(in: folder.appending(path: "Application")).filter {
                !$0.hasSuffix(".sandboxlint-undo")
            }
            #expect(moved.count == 1 && moved != ["3F2504E0-4F89-41D3-9A0C-0305E82C3301"])
        }
    }
}
