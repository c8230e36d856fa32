import AppContainer
@testable import ContainerExplorer
import Foundation
import StoragePolicy
import SystemPackage
import TestSupport
import Testing
import TextOutput

@Suite("Browser: screen") struct BrowserScreenTests {
    @Test("A row has size, bar, items, backup and findings; the lines below have what decided, totals and keys")
    func row() throws {
        try BrowserScene.run { scene in
            try scene.read(findings: try Linter().lint(scene.container))
            let lines = scene.browser.screen.lines.map(\.text)
            #expect(lines[0] == "c")
            #expect(
                lines[1].contains("Size") && lines[1].contains("Backed up") && lines[1].contains("(sorted by size)"))
            #expect(lines[2].hasPrefix(">      5.1 KB [##########]         6 yes "), "\(lines[2])")
            #expect(lines[2].hasSuffix("Documents/"))
            #expect(lines[18].hasPrefix("Total 6 KB, 14 items; backed up "), "\(lines[18])")
            #expect(lines[17] == "backed up: yes, decided by Documents")
            #expect(lines[19].hasPrefix("? keys"))
            scene.press("j l")
            let caches = scene.browser.screen.lines[2].text
            #expect(caches.contains("no: Caches") && caches.hasSuffix("Caches/"), "\(caches)")
        }
    }

    @Test("Findings of items are summed in their directories, and listed in the details with the fix")
    func findings() throws {
        try BrowserScene.run(columns: 120, lines: 40) { scene in
            for name in ["one.mp4", "two.mp4"] {
                try scene.container.save(
                    Data(repeating: 1, count: 50_000), to: .documents / "films/\(name)",
                    options: .init(durability: .none, provenance: .init(.downloaded)))
            }
            let report = try Linter().lint(scene.container)
            let finding = try #require(report.findings.first { $0.rule.id == "regenerable-in-documents" })
            try scene.read(findings: report)
            #expect(finding.displayPath.hasPrefix("Documents/films"))
            #expect(scene.selectedRow?.contains("2E") == true, "\(scene.browser.screen.text)")
            scene.press("l i")
            var page = scene.browser.screen.text
            #expect(page.contains("Findings in the directory:") && page.contains("Documents/films/one.mp4"), "\(page)")
            scene.press("Esc")
            #expect(scene.selected == "films/" && scene.selectedRow?.contains("2E") == true)
            scene.press("l")
            #expect(scene.selectedRow?.contains("1E") == true && scene.bottom.contains("error: “one.mp4”"))
            scene.press("l")
            page = scene.browser.screen.text
            #expect(page.contains("[regenerable-in-documents]") && page.contains("  fix: "), "\(page)")
        }
    }

    @Test(
        "Nothing is wider or higher than the terminal, at any size and in any view",
        arguments: [
            (20, 5), (20, 24), (1, 1), (2, 2), (5, 3), (33, 6), (47, 9), (80, 24), (300, 100),
        ])
    func sizes(columns: Int, lines: Int) throws {
        try BrowserScene.run { scene in
            try scene.container.save(
                "x", to: .documents / (String(repeating: "書", count: 60) + ".txt"), options: .init(durability: .none))
            try scene.container.save(
                "x", to: .documents / String(repeating: "%", count: 80), options: .init(durability: .none))
            try scene.read(findings: try Linter().lint(scene.container))
            for keys in [
                "", "l", "d", "n i", "j j", "Esc ?", "G", "Esc x", "n / a b c d e f g h i j k l m n o p", "Enter",
            ] {
                scene.press(keys)
                scene.browser.resize(columns: columns, lines: lines)
                let screen = scene.browser.screen
                #expect(screen.lines.count == lines, "\(keys)")
                for line in screen.lines {
                    for piece in line.pieces {
                        #expect(piece.column + Columns.width(piece.text) <= columns, "\(keys): \(line.text)")
                    }
                }
                #expect(!screen.text.isEmpty)
                scene.browser.resize(columns: 100, lines: 20)
            }
        }
    }

    @Test("With 20 columns and 5 lines, names, sizes and questions are readable")
    func small() throws {
        try BrowserScene.run(columns: 20, lines: 5) { scene in
            #expect(scene.selectedRow == ">      5.1 KB D…nts/", "\(scene.browser.screen.text)")
            #expect(scene.names.count == 3)
            scene.press("d")
            #expect(scene.browser.screen.lines[4].text.contains("y: delete"), "\(scene.browser.screen.text)")
            #expect(scene.browser.screen.text.contains("Delete"))
        }
    }

    @Test("The selected row is always visible in a directory of many items")
    func scrolling() throws {
        try BrowserScene.run(columns: 60, lines: 10) { scene in
            for number in 100..<200 {
                try scene.container.save("x", to: .temporary / "\(number)", options: .init(durability: .none))
            }
            try scene.read()
            scene.press("n G l")
            #expect(scene.title == "c/tmp" && scene.selected == "100")
            for _ in 0..<3 { _ = scene.browser.press(.pageDown) }
            #expect(scene.selected == "112", "\(scene.browser.screen.text)")
            scene.press("G")
            #expect(scene.selected == "199" && scene.names.count == 5)
            scene.browser.resize(columns: 60, lines: 7)
            #expect(scene.selected == "199")
            scene.press("g")
            #expect(scene.selected == "100" && scene.names.first == "100")
        }
    }

    @Test(
        "Names with escapes, bidirectional marks, line breaks and bytes outside UTF-8 are shown escaped",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func hostileNames() throws {
        try BrowserScene.run { scene in
            let directory = scene.container.location.appending("tmp").string
            let folder = URL(fileURLWithPath: directory)
            for name in ["a\u{1b}[2J\u{1b}]0;x\u{7}b", "line\nbreak", "gpj\u{202e}exe", "100%", "e\u{301}"] {
                try folder.write(toBytes: Array(name.utf8))
            }
            try folder.write(toBytes: Array("bytes".utf8) + [0o377])
            try scene.read()
            scene.press("n G l")
            let shown = ["100%25", "a%1B[2J%1B]0;x%07b", "bytes%FF", "e\u{301}", "gpj%E2%80%AEexe", "line%0Abreak"]
            #expect(scene.names == shown, "\(scene.names)")
            scene.press("d")
            #expect(scene.bottom.contains("“tmp/100%25”"))
            scene.press("n i")
            let text = scene.browser.screen.text
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        }
    }

    @Test("A directory that cannot be read is counted and named")
    func unreadable() throws {
        try BrowserScene.run(lines: 30) { scene in
            // Deeper than a walk descends.
            let path = scene.container.location.appending("Documents").string
            var deepest = path
            for _ in 0..<1030 {
                deepest += "/d"
                try FileManager.default.createDirectory(atPath: deepest, withIntermediateDirectories: false)
            }
            try scene.read()
            #expect(scene.bottom.contains("1 not read"), "\(scene.bottom)")
            scene.press("i")
            let page = scene.browser.screen.text
            #expect(page.contains("Not read:") && page.contains("“Documents/d/d/"), "\(page)")
            try FileManager.default.removeItem(atPath: path + "/d")
        }
    }

    @Test("A filter without matches, an empty directory and a failed reading have a text")
    func emptiness() throws {
        try BrowserScene.run { scene in
            scene.press("l / z z z")
            #expect(scene.browser.screen.text.contains("(no name matches the filter)"))
            scene.press("d Enter d x i")
            #expect(scene.changes.isEmpty)
            scene.press("Esc n g l")
            #expect(scene.title == "c/Documents/empty" && scene.browser.screen.text.contains("(empty)"))
            scene.browser.receive(.notRead("The container is no longer at its path."))
            #expect(scene.bottom.contains("no longer at its path") && scene.title == "c/Documents/empty")
            scene.browser.receive(.notLinted("rule file is wrong"))
            scene.press("h")
            #expect(scene.bottom.contains("not linted"))
            scene.press("i")
            #expect(scene.browser.screen.text.contains("Not linted: rule file is wrong"))
        }
    }
}
