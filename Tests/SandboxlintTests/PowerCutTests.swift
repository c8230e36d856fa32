import Foundation
import TestSupport
import Testing

/// A short run of `scripts/stress power-cuts`.
@Suite("Power cuts", .needs([.externalProgram, .root, .long]), .serialized) struct PowerCutTests {
    /// Runs the built tool. Without permission to mount, it prints the reason; with CI in the environment, that is a failure.
    private func powerCuts(_ arguments: String...) throws -> Command {
        let tool = Bundle.main.bundleURL.resolvingSymlinksInPath().path + "/power-cuts"
        let isRequired = ProcessInfo.processInfo.environment["CI"] != nil
        let run = try Command(tool, arguments + (isRequired ? ["--require"] : []), limit: .seconds(600))
        for line in run.text.split(separator: "\n") where line.contains("skipped: ") { print(line) }
        return run
    }

    /// The lines of trials, without those of file systems that were skipped.
    private func trials(_ run: Command) -> [Substring] {
        run.text.split(separator: "\n").filter { !$0.contains("skipped: ") }
    }

    @Test("Acknowledged .full saves survive a power cut at any call, on each file system")
    func kept() throws {
        let run = try powerCuts("--cuts", "30")
        #expect(run.code == 0, "\(run.text)\(run.errors)")
        #expect(trials(run).allSatisfy { $0.contains(" checks, 0 losses, 0 torn, ") }, "\(run.text)")
    }

    @Test("If syncs or attributes are omitted, the losses are detected")
    func found() throws {
        let run = try powerCuts("--cuts", "30", "--self-test")
        #expect(run.code == 0, "\(run.text)\(run.errors)")
        #expect(trials(run).allSatisfy { !$0.contains(" 0 losses, 0 torn, ") }, "\(run.text)")
    }

    @Test("An unknown word is not skipped")
    func misuse() throws {
        let run = try powerCuts("--cuts", "none")
        #expect(run.code == 2 && run.errors.hasPrefix("power-cuts: --cuts takes a number above 0\nusage: "))
    }
}
