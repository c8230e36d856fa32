internal import FileSystem
internal import Foundation

/// The handling of SIGINT, SIGTERM and SIGHUP by a process that runs one command: temporary files are removed, the terminal is
/// reset, and the exit code is 128 plus the number of the signal.
enum SignalHandling {
    private static let running = LockedValue<Invocation?>(nil)

    /// Installs the signal handlers. Must be called before any work begins.
    static func install(for invocation: Invocation) {
        running.withLock { $0 = invocation }
        TemporaryFileRegistry.enable()
        Host.handleTerminationSignals { SignalHandling.terminate(by: $0) }
    }

    private static func terminate(by signal: Int32) -> Never {
        guard let invocation = running.withLock({ $0 }) else { _exit(128 + signal) }
        let interruption = invocation.interruption
        interruption.request()
        interruption.waitForCleanUp()
        TemporaryFileRegistry.removeAll { isComplete in
            PasswordInput.restoreTerminal()
            // The output may have been interrupted within a colour or a link.
            if invocation.output.isTerminal, invocation.environment["TERM"] != "dumb" {
                _ = invocation.output.write(Array("\u{1b}]8;;\u{1b}\\\u{1b}[0m".utf8))
            }
            interruption.report(signal == SIGINT ? "interrupted" : "terminated", by: invocation)
            if !isComplete {
                invocation.errors.printMessage(
                    "\(invocation.tool): the next run removes the rest of the temporary files.")
            }
            _exit(128 + signal)
        }
    }
}

extension Interruption {
    /// Reports the end of a run and the state on disk.
    func report(_ end: String, by invocation: Invocation) {
        if !remark.isEmpty { invocation.errors.printMessage("\(invocation.tool): \(LineBreaks.escaped(remark))") }
        invocation.errors.printMessage("\(invocation.tool): \(end). \(note)")
    }
}
