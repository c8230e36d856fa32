import AppContainer
@testable import ContainerExplorer
import ContainerTree
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Browser: session", .timeLimit(.minutes(60))) struct BrowserSessionTests {
    /// Passes events to the browser until a condition holds, at most five minutes.
    private func wait(
        _ session: BrowserSession, _ browser: inout Browser, until isReached: (Browser) throws -> Bool
    ) throws {
        let deadline = Date(timeIntervalSinceNow: 300)
        while try !isReached(browser) {
            for event in session.events() { browser.receive(event) }
            guard Date.now < deadline else {
                Issue.record("The condition did not hold in time: \(browser.screen.text)")
                return
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    @Test("The container is read, then linted; a change is followed by another reading and lint run")
    func changes() throws {
        try BrowserScene.run { scene in
            let session = BrowserSession(scene.container)
            var browser = Browser(title: "c")
            session.refresh()
            try wait(session, &browser) { $0.findings != nil }
            let text = browser.screen.text
            #expect(text.contains("Total 6 KB, 14 items; backed up 5.1 KB") && !text.contains("linting"), "\(text)")
            session.perform(.exclude([Array("Documents/photos".utf8)]))
            try wait(session, &browser) { $0.backedUp == 60 }
            let doomed = [Array("Documents/readme.md".utf8), Array("Documents/empty".utf8)]
            session.perform(.delete(doomed, forGood: false, losesContent: false))
            try wait(session, &browser) { $0.backedUp == 20 && $0.index?.count == 13 }
            #expect(browser.screen.text.contains("deleted 2 items; u reverts it."), "\(browser.screen.text)")
            session.perform(.undo(nil))
            try wait(session, &browser) { $0.backedUp == 60 && $0.index?.count == 15 }
            #expect(browser.screen.text.contains("reverted change 2"), "\(browser.screen.text)")
            #expect(!session.isChanging)
            #expect(try scene.container.ownMarks(of: .documents / "photos") == [.modern])
        }
    }

    @Test(
        "The details of an item with a finding show the line of source code that writes it, without its secret",
        arguments: [true, false])
    func source(isConfigured: Bool) throws {
        try BrowserScene.run { scene in
            let folder = URL(filePath: scene.container.location.removingLastComponent().string)
            let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"
            try folder.write(
                "must-exclude: [Documents/notes.txt]\n" + (isConfigured ? "source-root: app\n" : "source-root: none\n"),
                to: ".sandboxlint.yml")
            try folder.write(
                "try data.write(to: documentDirectory.appendingPathComponent(\"notes.txt\")) // \(token)",
                to: "app/Notes.swift")
            // A debug build records the line of the test.
            try AttributeTool.remove("user.appcontainer.source", of: "c/Documents/notes.txt", in: folder)
            let session = BrowserSession(
                scene.container, searchesCode: true,
                sourceRoots: isConfigured ? [] : [folder.appending(path: "app").path])
            var browser = Browser(title: "c")
            session.refresh()
            func item(_ browser: Browser) throws -> Int {
                var lookup = IndexLookup(try #require(browser.index))
                let number = lookup.number(at: Array("Documents/notes.txt".utf8))
                return try #require(number)
            }
            try wait(session, &browser) { browser in
                try browser.findings?.sources(of: item(browser)).isEmpty == false
            }
            let lines = try #require(browser.findings).sources(of: try item(browser))
            #expect(lines.first?.contains("Notes.swift:1 (") == true, "\(lines)")
            #expect(lines.contains { $0.contains("try data.write(") })
            #expect(!lines.joined().contains(token))
        }
    }

    @Test("A container that disappears is reported, the last index stays, and a new one at the path is read")
    func disappearance() throws {
        try BrowserScene.run { scene in
            let path = scene.container.location
            let session = BrowserSession(scene.container)
            var browser = Browser(title: "c")
            session.refresh()
            try wait(session, &browser) { $0.findings != nil }
            let moved = path.removingLastComponent().appending("moved").string
            try FileManager.default.moveItem(atPath: path.string, toPath: moved)
            try wait(session, &browser) { $0.screen.text.contains("no longer at its path") }
            #expect(browser.index?.count == 15)
            session.refresh()
            try wait(session, &browser) { $0.screen.text.contains("were read earlier") && $0.itemsRead == nil }
            #expect(browser.index?.count == 15)
            _ = try Container.create(at: path, bundleIdentifier: "com.example.app")
            session.refresh()
            try wait(session, &browser) { ($0.index?.count ?? 15) < 15 }
            #expect(FileManager.default.fileExists(atPath: moved + "/Documents/notes.txt"))
        }
    }

    @Test("A container that was removed before the first reading is an error")
    func missing() throws {
        try BrowserScene.run { scene in
            let session = BrowserSession(scene.container)
            try FileManager.default.removeItem(atPath: scene.container.location.string)
            var browser = Browser(title: "c")
            session.refresh()
            try wait(session, &browser) { $0.screen.text.contains("No such file") }
            #expect(browser.index == nil)
        }
    }
}
