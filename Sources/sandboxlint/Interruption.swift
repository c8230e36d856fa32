import FileSystem
import Foundation
import Synchronization
import TextOutput

/// What Ctrl-C does: nothing that is half written is left, the terminal is as it was, and the exit code is 128 and the
/// signal's number, as a shell has it.
enum Interruption {
    private static let remark = Mutex("")

    /// From now on; `remark` says what is to be done then. Before anything is begun.
    static func arrange(saying remark: String) {
        Self.remark.withLock { $0 = remark }
        UnfinishedFiles.note()
        Host.catchEndings { Interruption.end(by: $0) }
    }

    private static func end(by signal: Int32) -> Never {
        UnfinishedFiles.removeAll {
            Progress.endCurrent()
            // What was being shown may have been cut within a colour or a link.
            if Host.isTerminal(1), ProcessInfo.processInfo.environment["TERM"] != "dumb" {
                _ = Host.write(Array("\u{1b}]8;;\u{1b}\\\u{1b}[0m".utf8), to: 1)
            }
            Failure.say("sandboxlint: \(signal == SIGINT ? "interrupted" : "told to end"). \(remark.withLock { $0 })")
            _exit(128 + signal)
        }
    }
}
