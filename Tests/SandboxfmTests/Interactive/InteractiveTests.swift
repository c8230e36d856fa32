import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Drives the tool in a real terminal: keys in, screen out.
@Suite("sandboxfm: interactive mode", .needs(.externalProgram), .timeLimit(.minutes(60))) struct InteractiveTests {
    private static let tool = Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: "sandboxfm").path

    /// Runs the tool on a small container in a terminal, when it shows the totals and the findings.
    private func interact(
        columns: Int = 100, lines: Int = 24, environment: [String: String] = [:],
        preparing prepare: (URL) throws -> Void = { _ in },
        _ body: (TmuxTerminal, _ folder: URL, Container) throws -> Void
    ) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for (path, size) in [
                ("Documents/notes.txt", 20), ("Documents/photos/a.jpg", 3000), ("Documents/photos/b.jpg", 2000),
                ("Documents/readme.md", 40),
            ] {
                try container.save(
                    Data(repeating: 120, count: size), to: ContainerPath(path), options: .init(durability: .none))
            }
            for name in ["one.mp4", "two.mp4"] {
                try container.save(
                    Data(repeating: 1, count: 50_000), to: .documents / "films/\(name)",
                    options: .init(durability: .none, provenance: .init(.downloaded)))
            }
            try prepare(folder)
            try TmuxTerminal.run(
                "\(Self.tool) c", in: folder, columns: columns, lines: lines, environment: environment
            ) { terminal in
                try terminal.wait(described: "totals, tmp and findings") {
                    $0.contains("tmp/") && !$0.contains("linting") && !$0.contains("Reading")
                }
                try body(terminal, folder, container)
            }
        }
    }

    /// Returns the names of the extended attributes of a file.
    private func attributes(of path: String, in folder: URL) throws -> String {
        try AttributeTool.attributes(of: path, in: folder).keys.sorted().joined(separator: "\n")
    }

    @Test("Arrow keys navigate, letters sort, and / filters; q restores the screen and the modes of the terminal")
    func navigation() throws {
        try interact { terminal, _, _ in
            var screen = try terminal.wait(for: "Total ")
            #expect(screen.contains("? keys") && screen.contains("2 errors"), "\(screen)")
            try terminal.type("Enter")
            screen = try terminal.wait(for: "photos/")
            let lines = screen.split(separator: "\n")
            #expect(lines[0].hasPrefix("c/Documents"))
            #expect(lines[2].hasPrefix(">") && lines[2].hasSuffix("films/"))
            try terminal.type("n", "n")
            try terminal.wait(for: "(sorted by name reversed)")
            try terminal.type("/", "n", "o", "t")
            screen = try terminal.wait(for: "Filter: not_")
            #expect(screen.contains("notes.txt") && !screen.contains("readme.md"), "\(screen)")
            try terminal.type("Escape")
            try terminal.wait(for: "readme.md")
            try terminal.type("Left")
            try terminal.wait { $0.contains("tmp/") && $0.contains("> ") }
            try terminal.type("?")
            try terminal.wait(for: "Select the item above.")
            try terminal.type("q", "q")
            screen = try terminal.wait(for: "tty: ")
            #expect(screen.contains("[exit 0]") && screen.contains("tty: echo"))
            #expect(!screen.contains("Documents"), "the screen before the run is back: \(screen)")
        }
    }

    @Test("The findings of a directory and its content are shown beside it, and listed by i")
    func findings() throws {
        try interact { terminal, _, _ in
            let row = try terminal.wait(for: "2E").split(separator: "\n").first { $0.contains("Documents/") }
            #expect(row?.contains("2E") == true)
            try terminal.type("i")
            try terminal.wait(for: "Documents/films/one.mp4")
            try terminal.type("i", "Enter", "Enter", "Enter")
            let screen = try terminal.wait(for: "regenerable-in-documents")
            #expect(screen.contains("Path        Documents/films/one.mp4") && screen.contains("fix: "), "\(screen)")
        }
    }

    @Test("Marked items are deleted after a question, and n deletes nothing")
    func deletion() throws {
        try interact { terminal, folder, _ in
            let documents = folder.appending(path: "c/Documents")
            try terminal.type("Enter", "n")
            try terminal.wait(for: "(sorted by name)")
            try terminal.type("Down", "Space", "Space")
            try terminal.wait(for: "2 marked")
            try terminal.type("d")
            try terminal.wait(for: "Delete 2 marked items: “Documents/notes.txt”, “Documents/photos”?")
            try terminal.type("n")
            try terminal.wait(for: "nothing was changed")
            #expect(try names(in: documents) == ["films", "notes.txt", "photos", "readme.md"])
            try terminal.type("d")
            try terminal.wait(for: "4 items in all, 5 KB.")
            try terminal.type("y")
            let screen = try terminal.wait(for: "deleted 2 items; u reverts it.")
            #expect(!screen.contains("cancel"))
            try terminal.wait { !$0.contains("notes.txt") && !$0.contains("photos/") }
            #expect(try names(in: documents) == ["films", "readme.md"])
            try terminal.type("u")
            try terminal.wait { $0.contains("reverted change 1") && $0.contains("notes.txt") }
            #expect(try names(in: documents) == ["films", "notes.txt", "photos", "readme.md"])
        }
    }

    @Test("x excludes from backup after a question about user data, and includes again")
    func exclusion() throws {
        try interact { terminal, folder, _ in
            try terminal.type("Enter", "n", "Down")
            try terminal.wait { $0.contains(">") && $0.contains("(sorted by name)") }
            try terminal.type("x")
            try terminal.wait(for: "“Documents/notes.txt” may be user data")
            #expect(try attributes(of: "c/Documents/notes.txt", in: folder).contains("backup_excludeItem") == false)
            try terminal.type("y")
            try terminal.wait(for: "no: excluded")
            let attributes = try attributes(of: "c/Documents/notes.txt", in: folder)
            #expect(attributes.contains("user.com.apple.metadata:com_apple_backup_excludeItem"), "\(attributes)")
            try terminal.type("x")
            try terminal.wait { !$0.contains("no: excluded") && $0.contains("included in backup ") }
            #expect(
                try self.attributes(of: "c/Documents/notes.txt", in: folder).contains("backup_excludeItem") == false)
        }
    }

    @Test("A terminal of 20 columns and 5 lines, and one that changes its size, show the selected item")
    func sizes() throws {
        try interact(columns: 100) { terminal, _, _ in
            for (columns, lines) in [(20, 5), (200, 50), (7, 2), (80, 24), (20, 5)] {
                try terminal.resize(columns: columns, lines: lines)
                try terminal.wait(described: "\(columns) × \(lines)") { screen in
                    let shown = screen.split(separator: "\n", omittingEmptySubsequences: false)
                    return screen.contains(">") && shown.count <= lines + 1
                        && (screen.contains("? keys") == (columns >= 80))
                }
            }
            try terminal.type("Enter", "d")
            try terminal.wait(for: "y: delete")
            try terminal.type("n", "q")
            try terminal.wait(for: "[exit 0]")
        }
    }

    @Test(
        "Hostile names do not reach the terminal, wide letters keep the columns",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func hostileNames() throws {
        try interact(preparing: { folder in
            let script = """
                touch "$(printf 'a\\033]0;x\\007\\033[2Jb')" "$(printf 'line\\nbreak')" "$(printf 'bytes\\377')" 書籍
                """
            try Command.setUp("sh", ["-c", script], in: folder.appending(path: "c/Documents"))
        }) { terminal, _, _ in
            try terminal.type("Enter", "n")
            let screen = try terminal.wait(for: "書籍")
            for name in ["a%1B]0;x%07%1B[2Jb", "line%0Abreak", "bytes%FF"] {
                #expect(screen.contains(name), "\(name): \(screen)")
            }
            #expect(screen.hasPrefix("c/Documents"))
        }
    }

    @Test("A container that disappears is reported, and the tool can still be quit")
    func disappearance() throws {
        try interact { terminal, folder, _ in
            try FileManager.default.moveItem(
                at: folder.appending(path: "c"), to: folder.appending(path: "moved"))
            try terminal.wait(for: "no longer at its path")
            try terminal.type("r")
            try terminal.wait(for: "No such file or directory")
            try terminal.type("Enter")
            try terminal.wait(for: "photos/")
            try terminal.type("q")
            try terminal.wait(for: "[exit 0]")
            #expect(try names(in: folder.appending(path: "moved/Documents")).count == 4)
        }
    }

    @Test(
        "A signal restores the terminal and ends the tool with its code",
        arguments: [
            ("TERM", "143"), ("HUP", "129"), ("INT", "130"), ("ABRT", "134"), ("SEGV", "139"),
        ])
    func signals(name: String, code: String) throws {
        // The backtrace of the runtime would take minutes.
        try interact(environment: ["SWIFT_BACKTRACE": "enable=no"]) { terminal, folder, _ in
            let script = "kill -\(name) \"$(cat pid)\""
            try Command.setUp("sh", ["-c", script], in: folder)
            let screen = try terminal.wait(for: "tty: ")
            #expect(screen.contains("[exit \(code)]") && screen.contains("tty: echo"), "\(screen)")
            #expect(!screen.contains("Documents/"), "\(screen)")
            if Int(code) ?? 0 < 131 || name == "TERM" {
                #expect(screen.contains("sandboxfm: \(name == "INT" ? "interrupted" : "terminated")."), "\(screen)")
            }
        }
    }

    @Test("Ctrl-Z stops the tool with a restored terminal, and fg shows it again")
    func suspension() throws {
        try withScratch { folder throws in
            _ = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try TmuxTerminal.run("bash --norc -i", in: folder, environment: ["PS1": "ready:"]) { terminal in
                try terminal.wait(for: "ready:")
                try terminal.type("\(Self.tool) c", "Enter")
                try terminal.wait { $0.contains("Total ") && $0.contains("tmp/") }
                try terminal.type("C-z")
                try terminal.wait { $0.contains("Stopped") && !$0.contains("Total ") }
                try terminal.type("fg", "Enter")
                try terminal.wait { $0.contains("Total ") && $0.contains("tmp/") && !$0.contains("Stopped") }
                try terminal.type("q")
                try terminal.wait { $0.contains("Stopped") && !$0.contains("Total ") }
            }
        }
    }

    @Test("NO_COLOR shows the same text without colors")
    func colors() throws {
        var texts: [String] = []
        for setting in ["", "1"] {
            try interact(environment: ["NO_COLOR": setting]) { terminal, _, _ in
                texts.append(try terminal.text())
                let styled = try terminal.text(styled: true)
                // The foreground colors of ECMA-48.
                let hasColors = styled.contains(/\e\[[0-9;]*3[1-7]/)
                #expect(hasColors == setting.isEmpty, "\(styled)")
            }
        }
        #expect(texts[0] == texts[1])
    }

    @Test("Without a terminal, with TERM=dumb or an unknown TERM, the error names ls")
    func noTerminal() throws {
        try withScratch { folder throws in
            _ = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let run = try sandboxfm("c", in: folder)
            #expect(run.code == 2 && run.output.isEmpty)
            #expect(run.errors.contains("sandboxfm ls") && run.errors.contains("sandboxfm tree"), "\(run.errors)")
            for type in ["dumb", "no-such-terminal"] {
                try TmuxTerminal.run("\(Self.tool) c", in: folder, environment: ["TERM": type]) { terminal in
                    // The terminal wraps lines anywhere.
                    let screen = try terminal.wait(for: "tty: ").replacing("\n", with: "")
                    #expect(screen.contains("[exit 2]") && screen.contains("sandboxfm ls"), "\(screen)")
                    #expect(screen.contains("tty: echo"))
                }
            }
            let missing = try sandboxfm("none", in: folder)
            #expect(missing.code == 1 && missing.errors.contains("none"))
        }
    }
}
