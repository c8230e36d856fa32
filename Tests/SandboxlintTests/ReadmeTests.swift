import Foundation
import TestSupport
import Testing

@Suite("README") struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let readme = (try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)) ?? ""

    /// The texts of the blocks in a language.
    private static func blocks(_ language: String) -> [String] {
        readme.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test("The output it shows is the output for the sample")
    func output() throws {
        let made = try Command("make", ["sample"], in: Self.root)
        #expect(made.code == 0, "\(made.text)\(made.errors)")
        let run = try sandboxlint("lint", ".build/sample", in: Self.root)
        #expect(run.code == 1)
        let shown = try #require(Self.blocks("text").first)
        #expect(run.text.contains(shown))
    }

    @Test("Each command it shows works")
    func commands() throws {
        try withSample { path throws in
            let lines = Self.blocks("sh").joined(separator: "\n").split(separator: "\n")
                .filter { $0.hasPrefix("sandboxlint ") }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            #expect(try Command("cp", ["-a", path, folder.appending(path: "before").path]).code == 0)
            #expect(lines.count == 16)
            for line in lines {
                let words = line.replacing("path/to/container", with: path).replacing("path/to/before", with: "before")
                    .split(separator: " ").map(String.init)
                let run = try Command(Command.sandboxlint, Array(words.dropFirst()), in: folder)
                #expect(
                    run.code == (line.contains(" lint ") || line.hasSuffix("--diff") ? 1 : 0), "\(line): \(run.errors)")
            }
            for text in Self.blocks("yaml") {
                try Data(text.utf8).write(to: folder.appending(path: "config.yml"))
                let run = try sandboxlint("lint", path, "--config", folder.appending(path: "config.yml").path)
                #expect(run.code == 1, "\(run.errors)")
            }
        }
    }
}
