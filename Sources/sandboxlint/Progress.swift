import AppContainer
import ArgumentParser
import Dispatch
import FileSystem
import Foundation
import PolicyReports
import Synchronization
import TextOutput

/// When a line tells how far a run has come.
enum ProgressChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    fileprivate var isWatched: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: Host.isTerminal(2) && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        }
    }
}

/// A line on standard error that tells how far a long run has come; nothing where no one watches.
final class Progress: Sendable {
    private struct State {
        var isShown = false
        var isOver = false
        var timer: (any DispatchSourceTimer)?
    }
    /// The one that is shown, which Ctrl-C takes away.
    private static let current = Mutex<Progress?>(nil)

    private let items = Atomic(0)
    /// 0 while it is not known.
    private let total = Atomic(0)
    private let state = Mutex(State())
    private let started = Host.uptime
    private let isWatched: Bool

    init(_ choice: ProgressChoice) {
        isWatched = choice.isWatched
        guard isWatched else { return }
        Self.current.withLock { $0 = self }
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource()
            timer.setEventHandler { [weak self] in self?.show() }
            // What takes less is over before it could be read.
            timer.schedule(deadline: .now() + .milliseconds(300), repeating: .milliseconds(100))
            timer.activate()
            state.timer = timer
        }
    }

    /// Has what there is to see counted meanwhile, in all these containers.
    func count(_ containers: [Container]) {
        guard isWatched else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
            var sum = 0
            for container in containers {
                guard let count = container.folder.countEntries(unless: { self?.isOver ?? true }) else { return }
                sum += count
            }
            self?.total.store(sum, ordering: .relaxed)
        }
    }

    /// So many items more have been seen.
    func add(_ count: Int) {
        guard isWatched else { return }
        items.add(count, ordering: .relaxed)
    }

    /// Takes the line away, for good.
    func end() {
        guard isWatched else { return }
        state.withLock { state in
            if state.isShown { Failure.write("\r\u{1b}[K") }
            (state.isShown, state.isOver) = (false, true)
            state.timer?.cancel()
        }
    }

    /// The same for the one that is shown, if any.
    static func endCurrent() { current.withLock { $0 }?.end() }

    private var isOver: Bool { state.withLock { $0.isOver } }

    private func show() {
        let (items, total) = (items.load(ordering: .relaxed), total.load(ordering: .relaxed))
        let seconds = Double(Host.uptime - started) / 1e9
        let text = ProgressText(items: items, of: total > 0 ? total : nil, after: seconds)
        // A line that fills the last column would wrap.
        let line = text.line(width: (Terminal.columns(of: 2) ?? 80) - 1)
        state.withLock { state in
            guard !state.isOver else { return }
            state.isShown = true
            Failure.write("\r\u{1b}[K\(line)")
        }
    }
}
