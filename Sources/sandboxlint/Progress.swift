import FileSystem
import Foundation
import Synchronization

/// A line on the terminal that tells how far a long run has come; nothing where no one watches.
final class Progress: Sendable {
    private struct State {
        var items = 0
        var lastShown: UInt64 = 0
        var isShown = false
    }
    private let state = Mutex(State())
    private let started = Host.uptime
    private let isWatched = Host.isTerminal(2) && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// Counts items more; shows the sum at most ten times a second, and not in the first 300 ms.
    func add(_ items: Int) {
        guard isWatched else { return }
        state.withLock { state in
            state.items += items
            let now = Host.uptime
            guard now - started > 300_000_000, now - state.lastShown > 100_000_000 else { return }
            state.lastShown = now
            state.isShown = true
            FileHandle.standardError.write(Data("\r\u{1b}[Ksandboxlint: \(state.items) items".utf8))
        }
    }

    /// Takes the line away.
    func clear() {
        state.withLock { state in
            guard state.isShown else { return }
            FileHandle.standardError.write(Data("\r\u{1b}[K".utf8))
        }
    }
}
