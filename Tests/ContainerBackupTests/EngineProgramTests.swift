@testable import ContainerBackup
import Foundation
import Testing

@Suite("Another tool's run") struct EngineProgramTests {
    @Test("A long line is not moved for each piece of it, and the lines after it are whole")
    func longLine() throws {
        var lines: [Int] = []
        let seconds = try secondsOfWork { () throws in
            let script = "head -c 50331648 /dev/zero; printf '\\nab\\n\\nc'"
            #expect(try EngineProgram("bash").run(["-c", script]) { lines.append($0.count) }.code == 0)
        }
        #expect(lines == [50_331_648, 2, 0, 1])
        // Moved, it takes ten.
        #expect(seconds < 2)
    }

    @Test("A run that tidies up ends when its time is over, also where it does not heed being told")
    func limit() throws {
        let start = ContinuousClock.now
        let ended = try EngineProgram("bash").run(
            ["-c", "trap '' INT; while :; do :; done"], tidyingWithin: .milliseconds(100))
        #expect(ended.code == 128 + SIGKILL && .now - start < .seconds(60))
        #expect(try EngineProgram("true").run([], tidyingWithin: .seconds(60)).code == 0)
    }
}
