import AppContainer
@testable import ContainerExplorer
import Foundation
import StoragePolicy
import TestSupport
import Testing
import TextOutput

@Suite("Browser: prompts and menus") struct BrowserPromptTests {
    private static func bytes(_ path: String) -> [UInt8] { Array(path.utf8) }

    @Test("Rename, new directory, copy and move ask for a text, and pass its bytes")
    func changes() throws {
        let cases: [(keys: String, text: String, change: BrowserChange)] = [
            ("l R Ctrl-U", "pictures", .rename(Self.bytes("Documents/photos"), to: Self.bytes("pictures"))),
            ("l R Ctrl-U", "a%0Ab", .rename(Self.bytes("Documents/photos"), to: Self.bytes("a\nb"))),
            (
                "l Space Space R", "*-##",
                .renameAll(
                    [Self.bytes("Documents/photos"), Self.bytes("Documents/readme.md")], by: try RenamePattern("*-##"))
            ),
            ("l N", "new", .makeDirectory(Self.bytes("new"), in: Self.bytes("Documents"))),
            ("l y Ctrl-U", "tmp/", .copy([Self.bytes("Documents/photos")], into: Self.bytes("tmp"))),
            ("l F5", "empty", .copy([Self.bytes("Documents/photos")], into: Self.bytes("Documents/empty"))),
            (
                "l Space Space m", "empty/",
                .move(
                    [Self.bytes("Documents/photos"), Self.bytes("Documents/readme.md")],
                    into: Self.bytes("Documents/empty"),
                    allowsUserData: false)
            ),
        ]
        for (keys, text, change) in cases {
            try BrowserScene.run { scene in
                scene.press(keys)
                scene.type(text)
                #expect(scene.changes == [change], "\(keys)")
                #expect(scene.bottom.contains("\(change.activity)…"), "\(scene.bottom)")
            }
        }
    }

    @Test("A question for a search is asked before the container has been read; its letters are no commands")
    func early() throws {
        for (keys, text, expected) in [
            ("f", "xd*.jpg", BrowserRequest.find("xd*.jpg")), ("F", "dxq", .search("dxq")),
            ("O", "quit", .openPane("quit")),
        ] {
            try BrowserScene.run { scene throws in
                scene.browser = Browser(title: "c")
                scene.browser.resize(columns: 100, lines: 20)
                scene.press(keys)
                scene.type(text)
                if keys != "O" {
                    #expect(scene.requests.isEmpty && scene.bottom.contains(text), "\(scene.bottom)")
                    #expect(scene.bottom.contains("not been read yet"), "\(scene.bottom)")
                    try scene.read()
                    scene.press("Enter")
                }
                #expect(scene.requests == [expected], "\(scene.requests)")
            }
        }
    }

    @Test("Escape leaves a prompt without a change; an empty text is none")
    func cancelled() throws {
        try BrowserScene.run { scene in
            for keys in ["l R x Esc", "N Enter", "f Enter", "O Enter", "y Esc"] { scene.press(keys) }
            #expect(scene.requests.isEmpty && scene.selected == "photos/")
        }
    }

    @Test("The cursor moves in the text, and long and wide texts keep it visible")
    func editing() throws {
        try BrowserScene.run(columns: 30) { scene in
            scene.press("l R Home X Right Y End Z")
            scene.press("Left Backspace Home Delete")
            scene.type("")
            #expect(
                scene.changes == [.rename(Self.bytes("Documents/photos"), to: Self.bytes("pYhotoZ"))],
                "\(scene.changes)")
        }
        try BrowserScene.run(columns: 30) { scene in
            scene.press("l f")
            for character in String(repeating: "書e\u{301}", count: 3000).unicodeScalars {
                _ = scene.browser.press(.character(character))
            }
            let line = scene.browser.screen.lines.last?.text ?? ""
            #expect(Columns.width(line) <= 30 && line.hasPrefix("Find"), "\(line)")
        }
    }

    @Test("Tab completes the directories of a path, and lists them where several begin with it")
    func completion() throws {
        try BrowserScene.run { scene in
            scene.press("l y Ctrl-U D Tab")
            #expect(scene.browser.screen.text.contains("Documents/_"), "\(scene.bottom)")
            scene.press("Tab")
            #expect(scene.bottom.contains("empty  photos"), "\(scene.bottom)")
            scene.press("p Tab")
            scene.type("")
            #expect(scene.changes == [.copy([Self.bytes("Documents/photos")], into: Self.bytes("Documents/photos"))])
        }
    }

    @Test("Marks by pattern, size and class, and their inversion")
    func marks() throws {
        try BrowserScene.run { scene in
            let (report, classes) = try Linter().lintWithClasses(scene.container)
            try scene.read(findings: report, classes: classes)
            scene.press("l +")
            scene.type("*.md")
            #expect(scene.bottom.contains("1 item marked."), "\(scene.bottom)")
            scene.press("Esc +")
            scene.press("Esc Esc")
            scene.press("+")
            scene.type("size<1k kind:file")
            #expect(scene.bottom.contains("2 items marked."), "\(scene.bottom)")
            scene.press("-")
            scene.type("notes")
            scene.press("*")
            scene.press("d")
            #expect(scene.bottom.contains("Delete 3 marked items"), "\(scene.bottom)")
            scene.press("n +")
            scene.type("size>many")
            #expect(scene.bottom.contains("size>many"), "an error names the term: \(scene.bottom)")
        }
    }

    @Test("The palette lists each command with its keys, typing narrows it, and Enter runs it")
    func palette() throws {
        try BrowserScene.run(columns: 140, lines: 80) { scene in
            scene.press(":")
            for command in BrowserCommand.allCases {
                #expect(scene.browser.screen.text.contains(command.purpose), "\(command)")
            }
            for character in "sort name".unicodeScalars { _ = scene.browser.press(.character(character)) }
            #expect(!scene.browser.screen.text.contains("Quit."))
            scene.press("Enter")
            #expect(scene.browser.screen.text.contains("(sorted by name)"), "\(scene.browser.screen.text)")
            scene.press(":")
            for character in "no such command".unicodeScalars { _ = scene.browser.press(.character(character)) }
            #expect(scene.browser.screen.text.contains("(no entry matches)"))
            scene.press("Enter Esc")
            #expect(scene.requests.isEmpty && scene.title == "c")
        }
    }

    @Test("The history lists changes, and Enter reverts the selected one")
    func history() throws {
        try BrowserScene.run { scene in
            let editor = ContainerEditor(scene.container)
            _ = try editor.rename(Self.bytes("Documents/notes.txt"), to: Self.bytes("first.txt"))
            _ = try editor.makeDirectory(Self.bytes("second"), in: Self.bytes("Documents"))
            scene.press("U")
            #expect(scene.requests == [.history])
            scene.browser.receive(.history(try editor.changes()))
            #expect(scene.browser.screen.text.contains("created “Documents/second”"), "\(scene.browser.screen.text)")
            scene.press("Down Enter")
            #expect(scene.changes == [.undo(1)])
            scene.browser.receive(.changed("", isError: false))
            scene.browser.receive(.history([]))
            #expect(scene.bottom.contains("no change that can be reverted"))
        }
    }
}
