internal import Foundation
internal import Synchronization

/// Watches a program that runs: its time where that has a limit, and how much it writes on standard error.
final class EngineWatch: Sendable {
    /// Bytes on standard error, which is a file: a line of borg's for each of a million files.
    static let mostErrors = 256 << 20
    private static let pause = 0.05

    private let process: Int32
    private let errors: Int32
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var hasFoundTooMuch = false
        /// The signals that are to be sent, and when.
        var endings: [(signal: Int32, at: ContinuousClock.Instant)] = []
    }

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - process: A program that has been started.
    ///   - errors: The file that is its standard error; open until the watch is ended.
    ///   - limit: When the program is ended, as Ctrl-C does, so that it leaves no lock behind, and two seconds later
    ///     for good.
    init(_ process: Int32, errors: Int32, within limit: Duration?) {
        (self.process, self.errors) = (process, errors)
        if let limit {
            state.withLock { $0.endings = [(SIGINT, .now + limit), (SIGKILL, .now + limit + .seconds(2))] }
        }
        DispatchQueue.global().async { [self] in
            while look() { Thread.sleep(forTimeInterval: Self.pause) }
        }
    }

    /// Whether the program was ended for what it wrote on standard error.
    var hasFoundTooMuch: Bool { state.withLock { $0.hasFoundTooMuch } }

    /// Ends the watch; the program has ended.
    func end() { state.withLock { $0.isOver = true } }

    /// Ends the program and what it has started: as Ctrl-C does, and after two seconds for good.
    func end(_ running: Process) {
        for signal in [SIGINT, SIGKILL] where running.isRunning {
            Self.send(signal, to: process)
            for _ in 0..<100 where running.isRunning { Thread.sleep(forTimeInterval: 0.02) }
        }
        // What the program started may outlive it.
        kill(-process, SIGKILL)
    }

    /// Looks once; false where there is nothing more to look for.
    private func look() -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            while let next = state.endings.first, next.at <= .now {
                state.endings.removeFirst()
                Self.send(next.signal, to: process)
            }
            var status = stat()
            if !state.hasFoundTooMuch, fstat(errors, &status) == 0, Int(status.st_size) > Self.mostErrors {
                state.hasFoundTooMuch = true
                Self.send(SIGKILL, to: process)
            }
            return true
        }
    }

    /// Sends to the program and what it has started: Foundation makes a program the leader of a group of its own.
    private static func send(_ signal: Int32, to process: Int32) {
        if kill(-process, signal) != 0 { kill(process, signal) }
    }
}
