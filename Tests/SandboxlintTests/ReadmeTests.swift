import AppContainer
import Foundation
import SystemPackage
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

    @Test("The output it shows is what the sample gives")
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
            #expect(lines.count == 5)
            for line in lines {
                let words = line.replacing("path/to/container", with: path).split(separator: " ").map(String.init)
                let run = try Command(Command.sandboxlint, Array(words.dropFirst()))
                #expect(run.code == (line.contains(" lint ") ? 1 : 0), "\(line): \(run.errors)")
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try Data(try #require(Self.blocks("yaml").first).utf8).write(to: folder.appending(path: "config.yml"))
            #expect(try sandboxlint("lint", path, "--config", folder.appending(path: "config.yml").path).code == 1)
        }
    }

    @Test("The lines of Swift it shows are these, and they run")
    func library() throws {
        try withScratch { folder throws in
            let path = FilePath(folder.appending(path: "c").path)
            let tile = Data("PNG".utf8)
            // README begins
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
            try container.save("Dear reader", to: .documents("letters/first.txt"))
            try container.append("PS: …", to: .documents("letters/first.txt"))
            let text = try container.loadText(.documents("letters/first.txt"))

            let map = URL(string: "https://maps.example.com/14/8.png?token=secret")!
            try container.createDirectory(.applicationSupport("Maps"))
            try container.excludeFromBackup(.applicationSupport("Maps"))
            try container.save(tile, to: .applicationSupport("Maps/8.png"), provenance: .downloaded(from: map))
            let state = try container.exclusion(of: .applicationSupport("Maps/8.png"))  // excluded, by Maps
            // README ends
            #expect(text == "Dear readerPS: …")
            #expect(state.state == .excluded && state.carrier?.hasSuffix("/Maps") == true)
        }
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let parts = source.components(separatedBy: "// README begins\n")
        let lines = try #require(parts.last?.components(separatedBy: "\n            // README ends").first)
        let shown = lines.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("            ") ? String($0.dropFirst(12)) : String($0)
        }
        #expect(Self.blocks("swift").first == shown.joined(separator: "\n"))
    }
}
