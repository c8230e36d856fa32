import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("Commands of sandboxbackup in README and docs", .timeLimit(.minutes(60))) struct BackupGuideTests {
    private static let pages = DocumentationPage.guides.filter { !$0.commands(of: "sandboxbackup").isEmpty }

    @Test(
        "Every command on a page works, and a plan on it is the tool's output", .needs(.externalProgram),
        arguments: pages)
    func commands(page: DocumentationPage) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "container").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            try container.save("Dear reader, how are you", to: .documents / "letter.txt")
            try container.save(Data(count: 4_700), to: .documents / "images/a.jpg")
            try container.save(Data(count: 5_200_000), to: .documents / "tiles/8.png")
            try container.excludeFromBackup(.documents / "tiles")
            try Command.setUp("tar", ["--xattrs", "-czf", "container.tar.gz", "container"], in: folder)
            for words in page.commands(of: "sandboxbackup") {
                let arguments = words.dropFirst().map { $0.replacing("path/to/", with: folder.path + "/") }
                let run = try sandboxbackup(arguments)
                #expect(run.code == 0 && !run.output.isEmpty, "\(words): \(run.errors)")
            }
            for block in page.blocks("text") {
                #expect(try sandboxbackup("plan", path).text.contains(block.text))
            }
        }
    }

    @Test("README and the guide to backups have commands, and the guide has a plan")
    func amount() throws {
        #expect(Self.pages.map(\.path).contains("README.md"))
        let guide = try #require(Self.pages.first { $0.path == "docs/backup.md" })
        #expect(guide.commands(of: "sandboxbackup").count == 33)
        #expect(guide.blocks("text").count == 1)
    }
}
