import ExternalPrograms
import Foundation
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite(.timeLimit(.minutes(60))) struct EngineProgramTests {
    @Test("A long line is not copied for each read, and later lines are complete", .needs(.process))
    func longLine() throws {
        var lines: [Int] = []
        let seconds = try secondsOfWork { () throws in
            let script = "head -c 50331648 /dev/zero; printf '\\nab\\n\\nc'"
            #expect(try EngineProgram("bash").run(["-c", script]) { lines.append($0.count) }.code == 0)
        }
        #expect(lines == [50_331_648, 2, 0, 1])
        // With copies it takes ten seconds.
        #expect(seconds < 2)
    }

    @Test(
        "A program that prints endlessly is killed with its children", .needs(.externalProgram),
        .timeLimit(.minutes(60)),
        arguments: [
            "yes", "yes >&2", "yes & wait", "trap '' INT; while :; do echo x; done",
            "head -c 200000000 /dev/zero; sleep 1000",
        ])
    func endless(script: String) throws {
        let start = ContinuousClock.now
        try withScratch { folder throws in
            // Children are recognized by this word of their command line.
            let mark = folder.lastPathComponent
            let words = ["-c", script.replacing("yes", with: "yes \(mark)"), mark]
            let error = #expect(throws: BackupError.self) { _ = try EngineProgram("bash").run(words) }
            #expect(error?.what == "bash exceeded the output limit and was stopped")
            #expect(.now - start < .seconds(60))
            // A killed process may take a moment to disappear.
            for _ in 0..<50 where try Command("pgrep", ["-f", mark]).code == 0 { Thread.sleep(forTimeInterval: 0.1) }
            #expect(try Command("pgrep", ["-af", mark]).text.isEmpty)
        }
    }

    @Test("A line that cannot be parsed ends the program", .needs(.process))
    func notUnderstood() throws {
        let start = ContinuousClock.now
        let error = #expect(throws: BackupError.self) {
            _ = try EngineProgram("bash").run(["-c", "echo x; sleep 1000"]) { _ throws(BackupError) in
                throw BackupError(.failed, what: "not understood")
            }
        }
        #expect(error?.what == "not understood" && .now - start < .seconds(60))
    }

    @Test("A cleanup ends at its time limit, even if the program ignores SIGINT", .needs(.process))
    func limit() throws {
        let start = ContinuousClock.now
        let ended = try EngineProgram("bash").run(
            ["-c", "trap '' INT; while :; do :; done"], timeLimit: .milliseconds(100))
        #expect(ended.code == 128 + SIGKILL && .now - start < .seconds(60))
        #expect(try EngineProgram("true").run([], timeLimit: .seconds(60)).code == 0)
    }

    @Test("A program that closes its output and does not exit is ended", .needs(.process), .timeLimit(.minutes(60)))
    func closedOutput() throws {
        var program = try EngineProgram("bash")
        program.exitLimit = .milliseconds(100)
        let start = ContinuousClock.now
        let ended = try program.run(["-c", "exec >&- 2>&-; sleep 1000"])
        #expect(ended.code != 0 && .now - start < .seconds(60))
    }

    @Test("A command of a test that exceeds its limit is killed with its children", .needs(.process))
    func commandLimit() throws {
        let start = ContinuousClock.now
        #expect(throws: (any Error).self) {
            _ = try Command("bash", ["-c", "sleep 1000 & sleep 1000"], limit: .milliseconds(200))
        }
        #expect(.now - start < .seconds(60))
    }
}
