import AppContainer
@testable import ContainerExplorer
import Foundation
import StoragePolicy
import TestSupport
import Testing

@Suite("Browser: changes") struct BrowserChangesTests {
    private static func bytes(_ paths: String...) -> [[UInt8]] { paths.map { Array($0.utf8) } }

    @Test("A deletion asks with the number and size of the items, and only y deletes")
    func question() throws {
        try BrowserScene.run { scene in
            scene.press("l d")
            #expect(
                scene.bottom.contains(
                    "Delete the directory “Documents/photos” and the 2 items in it, 5 KB? u undoes it."))
            #expect(scene.bottom.contains("y: delete  n: no"))
            scene.press("x j Enter d")
            #expect(scene.bottom.contains("y: delete"), "other keys are no answer")
            scene.press("n")
            #expect(scene.bottom.contains("nothing was changed") && scene.changes.isEmpty)
            scene.press("d Esc")
            #expect(scene.changes.isEmpty)
            scene.press("j d y")
            #expect(scene.changes == [.delete(Self.bytes("Documents/readme.md"), forGood: false, losesContent: false)])
            #expect(scene.bottom.contains("deleting 1 item…"))
            scene.press("d")
            #expect(scene.bottom.contains("Wait until the running work has ended"))
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
            #expect(
                scene.changes
                    == [
                        .delete(
                            Self.bytes("Documents/photos", "Documents/readme.md"), forGood: false, losesContent: false)
                    ])
            // Requested marks are removed.
            #expect(!scene.bottom.contains("marked"))
        }
    }

    @Test("A deletion that cannot be undone says why, and one for good keeps nothing")
    func obstacle() throws {
        try BrowserScene.run { scene in
            let paths = Self.bytes("Documents/photos")
            scene.press("l d")
            #expect(scene.requests == [.checkUndo(paths)])
            scene.browser.receive(.undoObstacle(Self.bytes("Documents/other"), "of another question"))
            #expect(scene.bottom.contains("u undoes it."))
            scene.browser.receive(.undoObstacle(paths, "it is on another volume"))
            #expect(scene.words.contains("This cannot be undone because it is on another volume."), "\(scene.words)")
            scene.press("y")
            #expect(scene.changes == [.delete(paths, forGood: false, losesContent: true)])
        }
        try BrowserScene.run { scene in
            scene.press("l D")
            #expect(
                scene.bottom.contains("Nothing is kept for an undo.") && scene.bottom.contains("y: delete for good"))
            scene.press("y")
            #expect(
                scene.changes == [.delete(Self.bytes("Documents/photos"), forGood: true, losesContent: false)])
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
            #expect(scene.changes.isEmpty)
            scene.press("n x y")
            #expect(scene.changes == [.exclude(Self.bytes("Documents/photos"))])
        }
        try BrowserScene.run { scene in
            scene.press("j l l x")
            #expect(scene.changes == [.exclude(Self.bytes("Library/Caches/data.bin"))], "\(scene.browser.screen.text)")
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
            #expect(scene.changes == [.exclude(Self.bytes("Documents/film.mp4"))], "\(scene.bottom)")
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
            #expect(scene.changes == [.include(Self.bytes("Documents/photos"))])
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
}
