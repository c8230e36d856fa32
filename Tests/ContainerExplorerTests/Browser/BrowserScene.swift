import AppContainer
@testable import ContainerExplorer
import ContainerTree
import Foundation
import StoragePolicy
import SystemPackage
import TestSupport

/// The browser of a small container, driven by keys:
///
///     Documents/  notes.txt (20 bytes), photos/ (a.jpg 3000, b.jpg 2000), readme.md (40), empty/
///     Library/Caches/data.bin (900)
struct BrowserScene {
    let container: Container
    var browser: Browser
    /// The work that keys have requested.
    private(set) var requests: [BrowserRequest] = []
    private var generation = 0

    static func run(columns: Int = 100, lines: Int = 20, _ body: (inout BrowserScene) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for (path, size) in [
                ("Documents/notes.txt", 20), ("Documents/photos/a.jpg", 3000), ("Documents/photos/b.jpg", 2000),
                ("Documents/readme.md", 40), ("Library/Caches/data.bin", 900),
            ] {
                try container.save(
                    Data(repeating: 120, count: size), to: ContainerPath(path), options: .init(durability: .none))
            }
            try container.createDirectory(.documents / "empty")
            var scene = BrowserScene(container: container, browser: Browser(title: "c"))
            scene.browser.resize(columns: columns, lines: lines)
            try scene.read()
            try body(&scene)
        }
    }

    /// The requested changes.
    var changes: [BrowserChange] { requests.compactMap { if case .change(let change) = $0 { change } else { nil } } }

    /// Types a text, and Enter.
    mutating func type(_ text: String) {
        for character in text.unicodeScalars + ["\n"] {
            if let request = browser.press(character == "\n" ? .enter : .character(character)) {
                requests.append(request)
            }
        }
    }

    /// Reads the container, as a session does.
    mutating func read(findings: LintReport? = nil, classes: ItemClasses? = nil) throws {
        let index = try ContainerIndex(of: DirectoryTree(container))
        generation += 1
        browser.receive(
            .read(
                BrowserSession.Content(
                    index: index, generation: generation, backedUp: 0,
                    findings: findings.map { BrowserFindings($0, in: index, classes: classes) })))
    }

    /// Presses keys, which are separated by spaces.
    mutating func press(_ keys: String) {
        for name in keys.split(separator: " ") {
            let named = BrowserCommand.allCases.flatMap(\.keys) + [.escape, .enter, .backspace]
            let control = name.hasPrefix("Ctrl-") ? name.utf8.last.map { Unicode.Scalar($0 - 64) } : nil
            let key =
                named.first { $0.name == name } ?? .character(control ?? name.unicodeScalars.first ?? " ")
            if let request = browser.press(key) { requests.append(request) }
        }
    }

    /// The text of the selected row.
    var selectedRow: String? { browser.screen.lines.map(\.text).first { $0.hasPrefix(">") } }

    /// The name in the selected row.
    var selected: String? {
        browser.screen.lines.first { $0.text.hasPrefix(">") }.flatMap { $0.pieces.last?.text }
    }

    /// The names in the visible rows.
    var names: [String] {
        browser.screen.lines[browser.layout.rows].compactMap { line in
            line.pieces.first.map { $0.column == 0 && (3...4).contains($0.text.count) } == true
                ? line.pieces.last?.text : nil
        }
    }

    /// The line above the rows.
    var title: String { browser.screen.lines.first?.text ?? "" }
    /// The words of the screen, of which a narrow terminal breaks lines.
    var words: String { browser.screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    /// The last lines, as one text.
    var bottom: String { browser.screen.lines.suffix(4).map(\.text).joined(separator: "\n") }
}

/// The properties of the active pane that tests read.
extension Browser {
    var index: ContainerIndex? { pane.index }
    var findings: BrowserFindings? { pane.findings }
    var backedUp: UInt64 { pane.backedUp }
    var itemsRead: Int? { pane.itemsRead }
}
