internal import FileSystem
internal import Foundation

/// A watchdog for a running program: it enforces a time limit, and a limit for standard error.
final class ProgramWatchdog: Sendable {
    /// The limit for standard error, which is a file: one line of borg for each of a million files.
    static let mostErrors = 256 << 20
    private static let pause = 0.05

    private let process: Int32
    private let errors: Int32
    private let endsOnCancellation: Bool
    private let interruption = Invocation.current.interruption
    private let state = LockedValue(State())

    private struct State {
        var isOver = false
        var hasExceededLimit = false
        var hasTimedOut = false
        var isCancelled = false
        /// The signals to send, with their times.
        var endings: [(signal: Int32, at: ContinuousClock.Instant)] = []

        mutating func limit(to duration: Duration) {
            let end = ContinuousClock.now + duration
            if let earlier = endings.first, earlier.at <= end { return }
            endings = [(SIGINT, end), (SIGKILL, end + .seconds(2))]
        }
    }

    /// Starts the watchdog.
    ///
    /// - Parameters:
    ///   - process: The identifier of the running program.
    ///   - errors: The file for standard error, which stays open until the end.
    ///   - limit: The time until SIGINT, with which the program removes its locks. SIGKILL follows two seconds later.
    ///   - endsOnCancellation: True if a cancellation of the run ends the program in the same way.
    init(_ process: Int32, errors: Int32, within limit: Duration?, endsOnCancellation: Bool) {
        (self.process, self.errors, self.endsOnCancellation) = (process, errors, endsOnCancellation)
        if let limit { self.limit(to: limit) }
        DispatchQueue.global().async { [self] in
            while look() { Thread.sleep(forTimeInterval: Self.pause) }
        }
    }

    /// True if the program was killed because of its output on standard error.
    var hasExceededLimit: Bool { state.withLock { $0.hasExceededLimit } }

    /// True if the program got a signal because its time was over.
    var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

    /// Ends the program after a time: with SIGINT, and two seconds later with SIGKILL. An earlier limit stays.
    func limit(to duration: Duration) { state.withLock { $0.limit(to: duration) } }

    /// Stops the watchdog after the end of the program.
    func end() { state.withLock { $0.isOver = true } }

    /// Ends the program and its children: with SIGINT, and after two seconds with SIGKILL.
    func end(_ running: Process) {
        for signal in [SIGINT, SIGKILL] where running.isRunning {
            Self.send(signal, to: process)
            for _ in 0..<100 where running.isRunning { Thread.sleep(forTimeInterval: 0.02) }
        }
        // Children may outlive the program.
        kill(-process, SIGKILL)
    }

    /// Checks the limits once; returns false if the watchdog has stopped.
    private func look() -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            if endsOnCancellation, !state.isCancelled, interruption.isRequested {
                state.isCancelled = true
                state.limit(to: .zero)
            }
            while let next = state.endings.first, next.at <= .now {
                state.endings.removeFirst()
                state.hasTimedOut = !state.isCancelled
                Self.send(next.signal, to: process)
            }
            var status = stat()
            if !state.hasExceededLimit, fstat(errors, &status) == 0, Int(status.st_size) > Self.mostErrors {
                state.hasExceededLimit = true
                Self.send(SIGKILL, to: process)
            }
            return true
        }
    }

    /// Sends a signal to the program and its children. Foundation starts a program as the leader of its process group.
    private static func send(_ signal: Int32, to process: Int32) {
        if kill(-process, signal) != 0 { kill(process, signal) }
    }
}
