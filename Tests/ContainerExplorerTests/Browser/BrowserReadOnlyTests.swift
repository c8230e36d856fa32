@testable import ContainerExplorer
import Testing

@Suite("Browser: a container that cannot be changed", .timeLimit(.minutes(60))) struct BrowserReadOnlyTests {
    @Test("Keys that change something are answered with a message, and everything else works", arguments: ["d", "x"])
    func refused(key: String) throws {
        try BrowserScene.run { scene in
            scene.browser = Browser(title: "c.zip", isReadOnly: true)
            try scene.read()
            scene.press("l \(key)")
            let text = scene.browser.screen.text
            #expect(text.contains("Only a directory can be changed."), "\(text)")
            #expect(text.contains("notes.txt"), "\(text)")
            scene.press("y q")
            #expect(scene.requests == [.quit])
        }
    }
}
