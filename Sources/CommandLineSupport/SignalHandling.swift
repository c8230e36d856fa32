internal import FileSystem
internal import Foundation

/// The handling of SIGINT, SIGTERM and SIGHUP: temporary files are removed, the terminal is reset, and the exit code is
/// 128 plus the number of the signal.
package enum SignalHandling {
    private static let message = LockedValue((program: "", remark: ""))
    private static let completion = LockedValue<@Sendable () -> Void>({})

    /// Installs the signal handlers. Must be called before any work begins.
    ///
    /// - Parameters:
    ///   - program: The name of the program.
    ///   - remark: The hint to the user about the interrupted run.
    ///   - wait: Returns when work that must not be interrupted has ended.
    package static func install(
        for program: String, saying remark: String, waitingFor wait: @escaping @Sendable () -> Void = {}
    ) {
        message.withLock { $0 = (program, remark) }
        completion.withLock { $0 = wait }
        TemporaryFileRegistry.enable()
        Host.handleTerminationSignals { SignalHandling.terminate(by: $0) }
    }

    /// Sets the closure that returns when work that must not be interrupted has ended, such as the restoration of the
    /// terminal.
    package static func wait(for work: @escaping @Sendable () -> Void) { completion.withLock { $0 = work } }

    private static func terminate(by signal: Int32) -> Never {
        completion.withLock { $0 }()
        TemporaryFileRegistry.removeAll {
            PasswordInput.restoreTerminal()
            ProgressLine.endCurrent()
            // The output may have been interrupted within a colour or a link.
            if Host.isTerminal(1), ProcessInfo.processInfo.environment["TERM"] != "dumb" {
                _ = Host.write(Array("\u{1b}]8;;\u{1b}\\\u{1b}[0m".utf8), to: 1)
            }
            let (program, remark) = message.withLock { $0 }
            StandardError.say("\(program): \(signal == SIGINT ? "interrupted" : "terminated"). \(remark)")
            _exit(128 + signal)
        }
    }
}
