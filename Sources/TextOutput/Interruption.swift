internal import FileSystem
internal import Foundation
internal import Synchronization

/// What Ctrl-C does: nothing that is half written is left, the terminal is as it was, and the exit code is 128 and the
/// signal's number, as a shell has it.
package enum Interruption {
    private static let said = Mutex((program: "", remark: ""))

    /// From now on; `remark` says what is to be done then. Before anything is begun.
    package static func arrange(for program: String, saying remark: String) {
        said.withLock { $0 = (program, remark) }
        UnfinishedFiles.note()
        Host.catchEndings { Interruption.end(by: $0) }
    }

    private static func end(by signal: Int32) -> Never {
        UnfinishedFiles.removeAll {
            ProgressLine.endCurrent()
            // What was being shown may have been cut within a colour or a link.
            if Host.isTerminal(1), ProcessInfo.processInfo.environment["TERM"] != "dumb" {
                _ = Host.write(Array("\u{1b}]8;;\u{1b}\\\u{1b}[0m".utf8), to: 1)
            }
            let (program, remark) = said.withLock { $0 }
            StandardError.say("\(program): \(signal == SIGINT ? "interrupted" : "told to end"). \(remark)")
            _exit(128 + signal)
        }
    }
}
