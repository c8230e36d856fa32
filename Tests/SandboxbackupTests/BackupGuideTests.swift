import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("The guide to backups", .timeLimit(.minutes(30))) struct BackupGuideTests {
    private static let guide: String = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appending(path: "docs/backup.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    private static func blocks(_ language: String) -> [String] {
        guide.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test("Every command in it works, and the plan in it is the tool's output")
    func commands() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "container").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            try container.save("Dear reader, how are you", to: .documents("letter.txt"))
            try container.save(Data(count: 4_700), to: .documents("images/a.jpg"))
            try container.save(Data(count: 5_200_000), to: .documents("tiles/8.png"))
            try container.excludeFromBackup(.documents("tiles"))
            let lines = Self.blocks("sh").joined(separator: "\n").split(separator: "\n")
            #expect(lines.count == 17)
            for line in lines {
                let line = line.replacing("path/to/container", with: path)
                    .replacing("path/to/", with: folder.path + "/")
                let words = line.split(separator: " ").map(String.init)
                #expect(words.first == "sandboxbackup")
                let run = try Command(Command.sandboxbackup, Array(words.dropFirst()))
                #expect(run.code == 0 && !run.output.isEmpty, "\(line): \(run.errors)")
            }
            let shown = try #require(Self.blocks("text").first)
            #expect(try sandboxbackup("plan", path).text.contains(shown))
        }
    }
}
