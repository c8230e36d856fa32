import AppContainer
@testable import ContainerExplorer
import Foundation
import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Browser: changes") struct BrowserChangesTests {
    private static func bytes(_ paths: String...) -> [[UInt8]] { paths.map { Array($0.utf8) } }

    @Test("A deletion asks with the number and size of the items, and only y deletes")
    func question() throws {
        try BrowserScene.run { scene in
            scene.press("l d")
            #expect(scene.bottom.contains("Delete the directory “Documents/photos” and the 2 items in it, 5 KB?"))
            #expect(scene.bottom.contains("y: delete  n: no"))
            scene.press("x j Enter d")
            #expect(scene.bottom.contains("y: delete"), "other keys are no answer")
            scene.press("n")
            #expect(scene.bottom.contains("nothing was changed") && scene.requests.isEmpty)
            scene.press("d Esc")
            #expect(scene.requests.isEmpty)
            scene.press("j d y")
            #expect(scene.requests == [.delete(Self.bytes("Documents/readme.md"))])
            #expect(scene.bottom.contains("deleting 1 item…"))
            scene.press("d")
            #expect(scene.bottom.contains("Wait until the running change has ended"))
        }
    }

    @Test("Marks in several directories are deleted together; an item in a marked directory counts once")
    func marks() throws {
        try BrowserScene.run { scene in
            scene.press("l Space Space")
            #expect(scene.bottom.contains("2 marked, 5 KB"))
            scene.press("g l Space h d")
            let question = "Delete 2 marked items: “Documents/photos”, “Documents/readme.md”? 4 items in all, 5 KB."
            #expect(scene.bottom.contains(question), "\(scene.bottom)")
            scene.press("y")
            #expect(scene.requests == [.delete(Self.bytes("Documents/photos", "Documents/readme.md"))])
            // Requested marks are removed.
            #expect(!scene.bottom.contains("marked"))
        }
    }

    @Test("Esc removes the filter first, then the marks; Space on a mark removes it")
    func clearing() throws {
        try BrowserScene.run { scene in
            scene.press("l Space g Space")
            #expect(!scene.bottom.contains("marked"))
            scene.press("g Space / e Enter Esc")
            #expect(scene.bottom.contains("1 marked") && !scene.title.contains("[/e]"))
            scene.press("Esc")
            #expect(!scene.bottom.contains("marked"))
        }
    }

    @Test("The exclusion of possible user data asks; that of an item that is not backed up does not")
    func exclusion() throws {
        try BrowserScene.run { scene in
            scene.press("l x")
            #expect(scene.bottom.contains("“Documents/photos” may be user data"), "\(scene.bottom)")
            #expect(scene.requests.isEmpty)
            scene.press("n x y")
            #expect(scene.requests == [.exclude(Self.bytes("Documents/photos"))])
        }
        try BrowserScene.run { scene in
            scene.press("j l l x")
            #expect(scene.requests == [.exclude(Self.bytes("Library/Caches/data.bin"))], "\(scene.browser.screen.text)")
        }
    }

    @Test(
        "An item with a mark of its own is included without a question, and a proven download is excluded without one")
    func inclusion() throws {
        try BrowserScene.run { scene in
            try scene.container.excludeFromBackup(.documents / "photos")
            try scene.container.save(
                Data(count: 50_000), to: .documents / "film.mp4",
                options: .init(durability: .none, provenance: .init(.downloaded)))
            let report = try Linter().lint(scene.container)
            try scene.read(findings: report)
            scene.press("l n / f i l m Enter")
            #expect(scene.selectedRow?.contains("1E") == true, "\(scene.browser.screen.text)")
            scene.press("x")
            #expect(scene.requests == [.exclude(Self.bytes("Documents/film.mp4"))], "\(scene.bottom)")
        }
        try BrowserScene.run { scene in
            try scene.container.excludeFromBackup(.documents / "photos")
            try scene.read()
            scene.press("l")
            #expect(scene.selectedRow?.hasPrefix("> x") == true)
            #expect(scene.selectedRow?.contains("no: excluded") == true)
            scene.press("l")
            #expect(scene.selectedRow?.hasPrefix("> ^") == true && scene.selectedRow?.contains("no: above") == true)
            scene.press("h x")
            #expect(scene.requests == [.include(Self.bytes("Documents/photos"))])
        }
    }

    @Test("After a change, directory, selection, marks and filter are kept by path")
    func afterwards() throws {
        try BrowserScene.run { scene in
            scene.press("l n / e Enter G Space G")
            #expect(scene.selected == "readme.md")
            try scene.container.remove(.documents / "empty")
            try scene.container.save("x", to: .documents / "a-new-one", options: .init(durability: .none))
            try scene.read()
            #expect(scene.selected == "readme.md" && scene.bottom.contains("1 marked"), "\(scene.browser.screen.text)")
            #expect(scene.names == ["a-new-one", "notes.txt", "readme.md"])
            // The directory disappears.
            try scene.container.remove(.documents)
            try scene.read()
            #expect(scene.title == "c  [/e]" || scene.title == "c", "\(scene.title)")
            #expect(!scene.bottom.contains("marked"))
        }
    }

    @Test("A changed item is deleted, excluded or included in the container, and a link is removed, not followed")
    func runs() throws {
        try BrowserScene.run { scene in
            let container = scene.container
            let outside = container.location.removingLastComponent().appending("outside")
            try FileManager.default.createDirectory(atPath: outside.string, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: container.location.appending("Documents/link").string, withDestinationPath: outside.string)
            var result = BrowserChange(.exclude(Self.bytes("Documents/photos")), in: container).run()
            #expect(result == ("“Documents/photos” excluded from backup.", false))
            #expect(try container.ownMarks(of: .documents / "photos") == [.modern])
            result = BrowserChange(.include(Self.bytes("Documents/photos")), in: container).run()
            #expect(try !result.isError && container.ownMarks(of: .documents / "photos").isEmpty)
            result = BrowserChange(.delete(Self.bytes("Documents/link", "Documents/photos")), in: container).run()
            #expect(result == ("2 items deleted.", false))
            #expect(try container.list(.documents).map(\.name) == ["empty", "notes.txt", "readme.md"])
            #expect(FileManager.default.fileExists(atPath: outside.string))
            for path in ["../outside", "/etc/passwd", "Documents/../../outside"] {
                let result = BrowserChange(.delete(Self.bytes(path)), in: container).run()
                #expect(result.isError, "\(path): \(result.0)")
            }
            #expect(FileManager.default.fileExists(atPath: outside.string))
            result = BrowserChange(.exclude(Self.bytes("Documents")), in: container).run()
            #expect(result.isError && result.0.contains("system-defined directory"))
        }
    }

    @Test("A deletion that fails reports the remaining items, and leaves the later ones", .needs(.externalProgram))
    func failure() throws {
        try BrowserScene.run { scene in
            let container = scene.container
            let held = container.location.appending("Documents/photos/a.jpg").string
            // Root ignores modes, but not the attribute that protects a file.
            let (hold, release) =
                getuid() == 0
                ? Platform.isLinux
                    ? (["chattr", "+i", held], ["chattr", "-i", held])
                    : (["chflags", "uchg", held], ["chflags", "nouchg", held])
                : (
                    ["chmod", "500", FilePath(held).removingLastComponent().string],
                    ["chmod", "700", FilePath(held).removingLastComponent().string]
                )
            try Command.setUp(hold[0], Array(hold.dropFirst()))
            defer { try? Command.setUp(release[0], Array(release.dropFirst())) }
            let request = BrowserRequest.delete(
                Self.bytes("Documents/notes.txt", "Documents/photos", "Documents/empty"))
            let (text, isError) = BrowserChange(request, in: container).run()
            #expect(isError && text.contains("“Documents/photos” remains with "), "\(text)")
            #expect(text.contains("1 of 3 items were deleted; the others are unchanged"), "\(text)")
            #expect(FileManager.default.fileExists(atPath: held))
            #expect(try container.list(.documents).map(\.name) == ["empty", "photos", "readme.md"])
        }
    }
}
