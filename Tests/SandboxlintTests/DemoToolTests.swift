import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint demo", .timeLimit(.minutes(60))) struct DemoToolTests {
    private static func run(_ arguments: [String], in folder: URL) throws -> Command {
        let run = try sandboxlint(["demo"] + arguments, in: folder, environment: ["TMPDIR": folder.path])
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        return run
    }

    @Test("reports one fault of each main kind, and nothing else")
    func findings() throws {
        try withScratch { folder throws in
            let text = try Self.run(["trails"], in: folder).text
            let rules = text.matches(of: /(?:error|warning|note)\[([a-z-]+)\]/).map { String($0.1) }
            #expect(
                rules == [
                    "user-store-in-caches", "regenerable-in-documents", "secret-in-preferences", "exclusion-lost",
                ], "\(text)")
            #expect(!text.contains("q7Zk2Xv9"))
            let report = try sandboxlint("lint", "trails", "--isolated", in: folder)
            #expect(report.code == 1 && text.hasPrefix(report.text), "\(report.text)")
        }
    }

    @Test(
        "prints commands that work, one after the other, also in a directory whose name a shell would change",
        .needs(.externalProgram))
    func commands() throws {
        try withScratch { folder throws in
            for name in ["trails", "it's $(here)", "-v"] {
                let text = try Self.run(["--", name], in: folder).text
                let commands = text.split(separator: "\n").compactMap { $0.wholeMatch(of: #/  sandboxlint (.*)/#)?.1 }
                #expect(commands.map { $0.prefix { $0 != " " } } == ["explain", "fix", "fix", "lint"], "\(text)")
                for (command, code) in zip(commands, [0, 1, 1, 1] as [Int32]) {
                    let words = try Command("bash", ["-c", "printf '%s\\n' \(command)"]).text.split(separator: "\n")
                    let run = try sandboxlint(words.map(String.init), in: folder)
                    #expect(run.code == code, "\(command): \(run.text)\(run.errors)")
                }
                #expect(try folder.text(of: "report.html").contains("exclusion-lost"))
            }
        }
    }

    @Test("refuses a directory that is not empty, and changes nothing in it")
    func refusal() throws {
        try withScratch { folder throws in
            try folder.write("mine", to: "full/notes.txt")
            let run = try sandboxlint("demo", "full", in: folder)
            #expect(run.code == 2 && run.text.isEmpty && run.errors.contains("not empty"), "\(run.errors)")
            #expect(try names(in: folder.appending(path: "full")) == ["notes.txt"])
            try folder.makeDirectories("empty")
            _ = try Self.run(["empty"], in: folder)
        }
    }

    @Test(
        "writes to a new directory in TMPDIR by default, with the same content and report each time",
        .needs(.externalProgram))
    func temporary() throws {
        try withScratch { folder throws in
            let texts = try (0..<2).map { _ in try Self.run([], in: folder).text }
            let made = try names(in: folder)
            #expect(made.count == 2 && made.allSatisfy { $0.hasPrefix("sandboxlint-demo-") }, "\(made)")
            let plain = Set(texts.map { $0.replacing(/sandboxlint-demo-[0-9a-f]+/, with: "DEMO") })
            #expect(plain.count == 1 && plain.first?.contains("The container is in \(folder.path)/DEMO.") == true)
            let differences = try Command("diff", ["-r"] + made, in: folder)
            #expect(differences.code == 0, "\(differences.text)\(differences.errors)")
        }
    }
}
