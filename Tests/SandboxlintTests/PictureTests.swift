import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite(
    "The pictures in README and on the page about source code", .needs(.externalProgram), .timeLimit(.minutes(60)),
    .enabled(if: Platform.isLinux, "the pictures are made on Linux")) struct PictureTests
{
    private static let folder = DocumentationPage.root.appending(path: "docs/pictures")

    /// Runs the check of the pictures in a folder with the built tools.
    private static func check(_ folder: URL) throws -> Command {
        let tools = URL(fileURLWithPath: Command.sandboxlint).deletingLastPathComponent().path
        let script = DocumentationPage.root.appending(path: "scripts/pictures").path
        return try Command("python3", [script, "--check", "--folder", folder.path, tools])
    }

    @Test("show what the tools show now, and are PNG files below 150 KB with a description")
    func current() throws {
        let run = try Self.check(Self.folder)
        #expect(run.code == 0, "make pictures: \(run.text)\(run.errors)")
        let shown = ["README.md", "docs/written-by.md"].flatMap { page in
            DocumentationPage(page).text.matches(of: /!\[([^\]]+)\]\((?:docs\/)?pictures\/([^)]+)\)/).map {
                String($0.2)
            }
        }
        #expect(try names(in: Self.folder) == (shown + ["made-from.json"]).sorted())
        for name in shown {
            let picture = try Data(contentsOf: Self.folder.appending(path: name))
            #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]) && picture.count < 150_000, "\(name)")
        }
    }

    @Test("are not current if a text or a picture differs from what was recorded")
    func outOfDate() throws {
        try withScratch { folder throws in
            try folder.copyAll(Self.folder.path, to: "pictures")
            var record = try folder.text(of: "pictures/made-from.json")
            let text = try #require(record.firstMatch(of: /"report.png"[^}]*"text": "([0-9a-f]{64})"/)).1
            record.replaceSubrange(text.startIndex..<text.endIndex, with: String(text.reversed()))
            try folder.write(record, to: "pictures/made-from.json")
            try folder.write("other", to: "pictures/sandboxfm.png")
            let run = try Self.check(folder.appending(path: "pictures"))
            #expect(
                run.code == 1
                    && run.text == """
                        report.png: the tool shows another text now
                        sandboxfm.png: changed since it was made
                        hint: make pictures

                        """,
                "\(run.text)\(run.errors)")
        }
    }
}
