import AppContainer
@testable import ContainerExplorer
import ContainerTree
import Foundation
import StoragePolicy
import SystemPackage
import TestSupport
import Testing
import TextOutput

@Suite("Browser: panes, lists and the mouse") struct BrowserPanesTests {
    private static func bytes(_ path: String) -> [UInt8] { Array(path.utf8) }

    private func content(of container: Container) throws -> BrowserSession.Content {
        BrowserSession.Content(
            index: try ContainerIndex(of: DirectoryTree(container)), generation: 1, backedUp: 0, findings: nil)
    }

    /// The scene with a second container beside it: without notes.txt, with another readme.md and a new file.
    private func withSecond(columns: Int = 120, _ body: (inout BrowserScene) throws -> Void) throws {
        try BrowserScene.run(columns: columns) { scene in
            let second = try Container.create(
                at: scene.container.location.removingLastComponent().appending("second"),
                bundleIdentifier: "com.example.app")
            for (path, size) in [
                ("Documents/photos/a.jpg", 3000), ("Documents/photos/b.jpg", 2000), ("Documents/readme.md", 41),
            ] {
                try second.save(
                    Data(repeating: 120, count: size), to: ContainerPath(path), options: .init(durability: .none))
            }
            try second.save("new", to: .documents / "new.txt", options: .init(durability: .none))
            try second.createDirectory(.documents / "empty")
            scene.browser.addPane(title: "second", isReadOnly: false)
            scene.browser.receive(.read(try content(of: second)), pane: 1)
            try body(&scene)
        }
    }

    @Test("Two panes stand beside each other; Tab changes the active one, and a copy goes into the other container")
    func copying() throws {
        try withSecond { scene in
            let title = scene.title
            #expect(title.hasPrefix("c ") && title.contains("second"), "\(title)")
            scene.press("l n g j")
            #expect(scene.browser.screen.text.contains("new.txt"))
            scene.press("y")
            #expect(scene.bottom.contains("Copy “new.txt” into c?"), "\(scene.bottom)")
            scene.press("y")
            #expect(scene.requests == [.change(.put([Self.bytes("Documents/new.txt")], into: []))])
            scene.press("Tab")
            #expect(scene.browser.activePane == 0)
            scene.press("w")
            #expect(scene.requests.last == .closePane)
            scene.browser.removePane()
            #expect(scene.title == "c")
        }
    }

    @Test("A comparison marks new and different items in both panes, and their directories")
    func comparison() throws {
        try withSecond { scene in
            scene.press("=")
            #expect(scene.requests == [.compare])
            let left = try #require(scene.browser.panes[0].index)
            let right = try #require(scene.browser.panes[1].index)
            let found = BrowserDifferences.compare(left, right, isCancelled: { false })
            let differences = try #require(found)
            scene.browser.receive(differences)
            let row = try #require(scene.browser.screen.lines.map(\.text).first { $0.contains("Documents/") })
            #expect(row.contains("~"), "\(row)")
            scene.press("l n Tab l n")
            let text = scene.browser.screen.text
            let rows = text.split(separator: "\n")
            #expect(rows.contains { $0.contains("+") && $0.contains("notes.txt") }, "\(text)")
            #expect(rows.contains { $0.contains("~") && $0.contains("readme.md") }, "\(text)")
            #expect(rows.contains { $0.contains("+") && $0.contains("new.txt") }, "\(text)")
            #expect(text.contains("2 only here, 1 different"), "\(text)")
            scene.press("=")
            #expect(!scene.browser.screen.text.contains("only here"))
        }
    }

    @Test("One pane is answered with a message, and a narrow terminal shows the active pane")
    func narrow() throws {
        try BrowserScene.run { scene in
            scene.press("Tab")
            #expect(scene.bottom.contains("There is one pane."))
            scene.press("=")
            #expect(scene.bottom.contains("Two panes can be compared."))
            #expect(scene.requests.isEmpty)
        }
        try withSecond(columns: 40) { scene in
            #expect(scene.title == "second")
            for (columns, lines) in [(20, 5), (400, 60), (1, 1)] {
                scene.browser.resize(columns: columns, lines: lines)
                for line in scene.browser.screen.lines {
                    for piece in line.pieces { #expect(piece.column + Columns.width(piece.text) <= columns) }
                }
            }
        }
    }

    @Test("Found items are listed with their paths, opened, revealed and acted on; Left closes the list")
    func found() throws {
        try BrowserScene.run { scene in
            scene.press("f")
            scene.type("*.jpg")
            #expect(scene.requests == [.find("*.jpg")])
            #expect(scene.browser.screen.text.contains("(searching…)"))
            let hits = ["a", "b"].map { BrowserSession.Hit(path: Self.bytes("Documents/photos/\($0).jpg"), place: nil) }
            scene.browser.receive(
                .hits(hits + [BrowserSession.Hit(path: Self.bytes("Documents/vanished"), place: nil)]))
            scene.browser.receive(.searched(nil, isError: false))
            #expect(scene.title == "c  [found: *.jpg]" && scene.names.count == 2, "\(scene.browser.screen.text)")
            #expect(scene.selected == "Documents/photos/a.jpg")
            // The list is kept by path when the container is read again.
            try scene.container.remove(.documents / "photos/a.jpg")
            try scene.read()
            #expect(scene.names == ["Documents/photos/b.jpg"])
            scene.press("d y")
            #expect(
                scene.changes
                    == [.delete([Self.bytes("Documents/photos/b.jpg")], forGood: false, losesContent: false)])
            scene.browser.receive(.changed("", isError: false))
            scene.press(".")
            #expect(scene.title == "c/Documents/photos" && scene.selected == "b.jpg")
            scene.press("F")
            scene.type("token")
            scene.browser.receive(.hits([BrowserSession.Hit(path: Self.bytes("Documents/notes.txt"), place: "line 3")]))
            #expect(
                scene.selected == "line 3" && scene.selectedRow?.contains("Documents/notes.txt  line 3") == true,
                "\(scene.browser.screen.text)")
            scene.press("h")
            #expect(scene.requests.last == .cancel && scene.title == "c/Documents/photos")
        }
    }

    @Test("] and [ go to the findings of any directory, and o sorts by them")
    func findings() throws {
        try BrowserScene.run { scene in
            for name in ["one.mp4", "two.mp4"] {
                try scene.container.save(
                    Data(repeating: 1, count: 50_000), to: .documents / "films/\(name)",
                    options: .init(durability: .none, provenance: .init(.downloaded)))
            }
            scene.press("]")
            #expect(scene.bottom.contains("Linting"))
            try scene.read(findings: try Linter().lint(scene.container))
            scene.press("]")
            #expect(scene.title == "c/Documents/films" && scene.selected == "one.mp4", "\(scene.browser.screen.text)")
            scene.press("]")
            #expect(scene.selected == "two.mp4")
            scene.press("] [")
            #expect(scene.bottom.contains("Before the first finding: the last one."), "\(scene.bottom)")
            scene.press("h o g")
            #expect(scene.selected == "films/" && scene.browser.screen.text.contains("(sorted by findings)"))
            scene.press("!")
            #expect(
                scene.requests.last == .planFix(["one.mp4", "two.mp4"].map { Self.bytes("Documents/films/\($0)") }))
        }
    }

    @Test("A click selects, a second click opens, and the wheel moves the selection")
    func mouse() throws {
        try BrowserScene.run { scene in
            let start = scene.browser.layout.rows.lowerBound
            _ = scene.browser.press(.click(column: 50, line: start + 1))
            #expect(scene.selected == "Library/")
            _ = scene.browser.press(.click(column: 50, line: start))
            _ = scene.browser.press(.click(column: 50, line: start))
            #expect(scene.title == "c/Documents", "\(scene.browser.screen.text)")
            _ = scene.browser.press(.wheel(isUp: false, column: 5, line: 5))
            #expect(scene.selected == scene.names[3])
            for (column, line) in [(0, 0), (99, 19), (10_000, 5), (5, 10_000)] {
                #expect(scene.browser.press(.click(column: column, line: line)) == nil)
            }
        }
    }

    @Test("The preview stands beside the list or below it, is asked for once, and never hides the selection")
    func preview() throws {
        try BrowserScene.run { scene in
            scene.press("l n / n o t Enter v")
            let wanted = try #require(scene.browser.wantedPreview)
            #expect(wanted.path == Self.bytes("Documents/notes.txt"))
            scene.browser.receive(.preview(wanted.path, ItemPreview.make(of: wanted.path, in: scene.container)))
            #expect(scene.browser.wantedPreview == nil)
            #expect(
                scene.browser.screen.text.contains(String(repeating: "x", count: 20)), "\(scene.browser.screen.text)")
            scene.browser.resize(columns: 40, lines: 20)
            #expect(
                scene.browser.screen.text.contains(String(repeating: "x", count: 20)) && scene.selected == "notes.txt")
            scene.press("v v")
            #expect(scene.browser.showsPreview)
            scene.press("v")
            scene.browser.resize(columns: 20, lines: 5)
            scene.press("v")
            #expect(
                scene.words.contains("too small")
                    && !scene.browser.showsPreview)
        }
    }
}
