import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint lint --watch", .timeLimit(.minutes(60))) struct WatchToolTests {
    static let checks = [
        "start", "new", "grown", "fixed", "rest", "burst", "moved", "removed", "watched-again", "end",
    ]

    @Test(
        "New, grown and fixed findings are printed while an app runs, also after its container returned",
        .needs([.externalProgram, .long]), .enabled(if: Platform.isLinux))
    func app() throws {
        try withScratch { folder throws in
            let run = try Command(
                Command.python(),
                [Workflow.root.appending(path: "Tests/Workflow/play-app").path, Command.sandboxlint, "."], in: folder)
            let lines = run.text.split(separator: "\n")
            #expect(run.code == 0 && lines.allSatisfy { $0.hasPrefix("ok ") }, "\(run.text)\(run.errors)")
            #expect(lines.map { String($0.dropFirst(3).prefix { $0 != ":" }) } == Self.checks)
        }
    }

    @Test(
        "Other formats, other outputs and inputs that do not change are errors of usage",
        arguments: [
            ["c", "--format", "json"], ["c", "--output", "json=out.json"], ["c", "--statistics"], ["gone"],
            ["c.tar"],
        ])
    func usage(arguments: [String]) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Documents", "c/tmp")
            try Command.setUp("tar", ["-cf", "c.tar", "c"], in: folder)
            let run = try sandboxlint(["lint", "--watch"] + arguments, in: folder)
            #expect(run.code == 2 && run.errors.contains("--watch "), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "out.json").path))
        }
    }
}
