import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Runs every command of the palette in a real terminal, at three sizes.
@Suite("sandboxfm: every command", .needs(.externalProgram), .timeLimit(.minutes(60))) struct PaletteTests {
    private static let tool = Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: "sandboxfm").path

    /// The words that select one command in the palette, the keys after it, and what the screen shows then. A `|` separates
    /// texts of which one is enough, since a small terminal shows less.
    private static let steps: [(words: String, keys: [String], shown: String)] = [
        ("below", [], ">"), ("select above", [], ">"), ("page below", [], ">"), ("page above", [], ">"),
        ("last item", [], ">"), ("first item", [], ">"), ("sort name", [], "(sorted by name)|>"),
        ("sort size", [], ">"), ("number of items", [], ">"), ("modification", [], ">"), ("sort findings", [], ">"),
        ("open the directory", [], "c/Documents"), ("close the list", [], ">"),
        ("next item finding", [], "films"), ("previous item finding", [], "films"),
        ("only names", ["o", "n", "e", "Enter"], "one.mp4"), ("remove the filter", [], ">"),
        ("list items whole", ["*", ".", "t", "x", "t", "Enter"], "notes.txt"), ("in its directory", [], "notes.txt"),
        ("contain a text", ["x", "x", "x", "x", "Enter"], "contain: xxxx"), ("close the list", [], ">"),
        ("mark the item", [], "*"), ("without a mark", [], "*"),
        ("mark the shown condition", ["*", "Enter"], "marked"), ("remove the marks shown", ["*", "Enter"], "marked"),
        ("make a directory", ["n", "e", "w", "Enter"], "created"),
        ("rename", ["C-u", "o", "t", "h", "e", "r", "Enter"], "moved|other"),
        ("revert last", [], "reverted"), ("list the changes", [], "Revert: "),
        ("copy the marked", ["C-u", "t", "m", "p", "Enter"], "copied"), ("revert last", [], "reverted"),
        ("move the marked", ["C-u", "L", "i", "b", "r", "a", "r", "y", "Enter"], "moved"),
        ("revert last", [], "reverted"),
        ("exclude from backup", [], "excluded"), ("revert last", [], "reverted"),
        ("kept for undo", ["y"], "deleted"), ("revert last", [], "reverted"),
        ("without keeping", ["n"], "nothing was changed"), ("fixes the findings", [], "fix|find|Fix"),
        ("details", [], "Path"), ("content of selected", [], ">"), ("content of selected", [], ">"),
        ("second pane", [], ">"), ("go to other", [], ">"), ("compare", [], "equal|>"), ("second pane", [], ">"),
        ("another container", ["n", "o", "n", "e", "Enter"], "none"), ("read again container", [], ">"),
        ("draw", [], ">"),
        ("keys by topic", [], "Keys"),
    ]

    @Test("Each command runs from the palette, and the screen stays whole", arguments: [(120, 40), (80, 24), (40, 12)])
    func commands(columns: Int, lines: Int) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try container.save(Data(repeating: 120, count: 20), to: "Documents/notes.txt")
            for name in ["one.mp4", "two.mp4"] {
                try container.save(
                    Data(repeating: 1, count: 50_000), to: .documents / "films/\(name)",
                    options: .init(durability: .none, provenance: .init(.downloaded)))
            }
            try TmuxTerminal.run("\(Self.tool) c", in: folder, columns: columns, lines: lines) { terminal in
                try terminal.wait(described: "findings") {
                    $0.contains(">") && !$0.contains("linting") && !$0.contains("Reading")
                }
                for (words, keys, shown) in Self.steps {
                    try terminal.type(":")
                    try terminal.wait(for: "Command: ")
                    for character in words { try terminal.type(character == " " ? "Space" : String(character)) }
                    try terminal.wait(for: "Command: \(words)")
                    try terminal.type("Enter")
                    for key in keys { try terminal.type(key) }
                    let texts = shown.split(separator: "|").map(String.init)
                    let screen = try terminal.wait(described: "\(words): \(shown)") { screen in
                        texts.contains { screen.contains($0) } && !screen.contains("Command: ")
                    }
                    #expect(screen.split(separator: "\n", omittingEmptySubsequences: false).count <= lines + 1)
                    if screen.contains("Esc: back") { try terminal.type("Escape") }
                    if screen.contains("n: no") { try terminal.type("n") }
                }
                try terminal.type(":", "Q", "u", "i", "t", "Enter")
                try terminal.wait(for: "[exit 0]")
            }
        }
    }
}
