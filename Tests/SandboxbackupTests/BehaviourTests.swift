import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite(
    "Behaviours of backup tools", .needs([.externalProgram, .root, .long]),
    .enabled(if: Platform.isLinux, "mounts file systems in a namespace"), .timeLimit(.minutes(60)))
struct BehaviourTests {
    private func script(_ name: String, _ arguments: [String]) throws -> Command {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../\(name)")
        return try Command(path.standardized.path, [Command.sandboxbackup] + arguments)
    }

    /// Behaviours that write hundreds of megabytes, or wait.
    private static let slow: Set = [2, 4, 17, 18, 19, 20, 24, 70]

    @Test("None of the checked behaviours fails; `scripts/stress behaviours` checks all")
    func checked() throws {
        let numbers = (1...80).filter { !Self.slow.contains($0) }
        let run = try script("backup-behaviours", numbers.map(String.init))
        #expect(run.code == 0, "\(run.text)\(run.errors)")
        let lines = run.text.split(separator: "\n")
        #expect(lines.count(where: { $0.contains(" pass ") }) >= numbers.count - 3, "\(run.text)")
    }

    @Test("A writing command that is killed leaves whole snapshots; `scripts/stress writer-kills` kills more often")
    func killed() throws {
        let run = try script("kill-writers", ["2"])
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 8 && lines.allSatisfy { $0.hasSuffix(" 0 failures") }, "\(run.text)\(run.errors)")
    }
}
