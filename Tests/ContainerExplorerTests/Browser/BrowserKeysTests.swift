import AppContainer
@testable import ContainerExplorer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Browser: keys") struct BrowserKeysTests {
    /// Keys, the directory that is shown after them, and the selected name.
    private static let navigation: [(keys: String, title: String, selected: String)] = [
        ("", "c", "Documents/"),
        ("Down", "c", "Library/"),
        ("j", "c", "Library/"),
        ("j j j j j", "c", "tmp/"),
        ("End", "c", "tmp/"),
        ("G Up", "c", "SystemData/"),
        ("G k", "c", "SystemData/"),
        ("G Home", "c", "Documents/"),
        ("G g", "c", "Documents/"),
        ("Up", "c", "Documents/"),
        ("Page Down", "c", "Documents/"),
        ("Enter", "c/Documents", "photos/"),
        ("Right", "c/Documents", "photos/"),
        ("l", "c/Documents", "photos/"),
        ("l l", "c/Documents/photos", "a.jpg"),
        ("l l Left", "c/Documents", "photos/"),
        ("l l h h", "c", "Documents/"),
        ("j l Backspace", "c", "Library/"),
        ("Left", "c", "Documents/"),
        ("l n", "c/Documents", "photos/"),
        ("l n g", "c/Documents", "empty/"),
        ("l n n g", "c/Documents", "readme.md"),
        ("l s g", "c/Documents", "empty/"),
        ("l c g", "c/Documents", "photos/"),
        ("l / r e a", "c/Documents  [/rea]", "readme.md"),
        ("l / * . t x t Enter", "c/Documents  [/*.txt]", "notes.txt"),
        ("l / N O T E Enter", "c/Documents  [/NOTE]", "notes.txt"),
        ("l / q Enter Esc", "c/Documents", "photos/"),
        ("l / q Esc", "c/Documents", "photos/"),
        ("l / r e a Enter h", "c", "Documents/"),
        ("l / e Down", "c/Documents  [/e]", "notes.txt"),
    ]

    @Test("Keys select, open, sort and filter", arguments: navigation)
    func moves(keys: String, title: String, selected: String) throws {
        try BrowserScene.run { scene in
            scene.press(keys.replacing("Page Down", with: ""))
            if keys.contains("Page Down") {
                _ = scene.browser.press(.pageDown)
                _ = scene.browser.press(.pageUp)
            }
            // The line of the title shows no filter while it is typed.
            let shown = scene.title.isEmpty ? "" : scene.title
            #expect(shown == title || title.hasPrefix(shown + "  ["), "\(scene.browser.screen.text)")
            #expect(scene.selected == selected, "\(scene.browser.screen.text)")
            #expect(scene.requests.isEmpty)
        }
    }

    @Test(
        "Each order and its reverse list the items of a directory",
        arguments: [
            ("s s", ["photos/", "readme.md", "notes.txt", "empty/"]),
            ("s", ["empty/", "notes.txt", "readme.md", "photos/"]),
            ("n", ["empty/", "notes.txt", "photos/", "readme.md"]),
            ("n n", ["readme.md", "photos/", "notes.txt", "empty/"]),
            ("c", ["photos/", "empty/", "notes.txt", "readme.md"]),
            ("c c", ["empty/", "notes.txt", "readme.md", "photos/"]),
            ("t", ["photos/", "empty/", "readme.md", "notes.txt"]),
            ("t t", ["notes.txt", "readme.md", "empty/", "photos/"]),
        ])
    func orders(keys: String, names: [String]) throws {
        try BrowserScene.run { scene in
            for (age, name) in ["photos", "empty", "readme.md", "notes.txt"].enumerated() {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 2e9 - Double(age) * 1000)],
                    ofItemAtPath: scene.container.location.appending("Documents").appending(name).string)
            }
            try scene.read()
            scene.press("l " + keys)
            #expect(scene.names == names, "\(scene.browser.screen.text)")
        }
    }

    @Test("Every command has a key of its own, and every key is in the help")
    func commands() throws {
        let keys = BrowserCommand.allCases.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for command in BrowserCommand.allCases {
            #expect(command.keys.allSatisfy { BrowserCommand($0) == command })
        }
        try BrowserScene.run(columns: 140, lines: 80) { scene in
            scene.press("?")
            for command in BrowserCommand.allCases {
                #expect(scene.browser.screen.text.contains("\(command.keyNames) "), "\(command)")
                #expect(scene.browser.screen.text.contains(command.purpose), "\(command)")
            }
            scene.press("?")
            #expect(scene.selected == "Documents/")
        }
    }

    @Test("q, r and Ctrl-L are requests")
    func requests() throws {
        try BrowserScene.run { scene in
            scene.press("r Ctrl-L q")
            #expect(scene.requests == [.refresh, .redraw, .quit])
        }
    }

    @Test("Keys without a command are answered and change nothing, and no key fails before the container has been read")
    func otherKeys() throws {
        try BrowserScene.run { scene in
            let before = scene.browser.screen
            for key in [BrowserKey.other, .character("~"), .character("é"), .character("\u{7f}"), .character("\0")] {
                #expect(scene.browser.press(key) == nil)
                #expect(scene.bottom.contains("has no command. ? shows the keys, : all commands."), "\(scene.bottom)")
            }
            scene.press("Esc")
            #expect(scene.browser.screen == before)
        }
        var browser = Browser(title: "c")
        browser.receive(.firstItems([.init(name: "Documents", bytes: 5_000), .init(name: "tmp", bytes: 0)]))
        browser.receive(.reading(1234))
        #expect(
            browser.screen.text.contains("5 KB") && browser.screen.text.contains("Documents")
                && browser.screen.text.contains("1,234 items"))
        for command in BrowserCommand.allCases {
            for key in command.keys { _ = browser.press(key) }
            _ = browser.press(.escape)
        }
        #expect(browser.screen.lines.count == 24)
    }
}
