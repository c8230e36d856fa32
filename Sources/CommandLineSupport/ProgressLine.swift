internal import Dispatch
internal import FileSystem

/// A progress line on standard error for a long run, shown only on a terminal. For programs, progress is written as
/// JSON lines on standard output.
package final class ProgressLine: Sendable {
    /// The text of the line.
    package enum Form: Sendable { case line, json }

    private struct State {
        var done = ProgressAmount(items: 0)
        /// Nil while unknown.
        var total: ProgressAmount?
        var isShown = false
        var isOver = false
        var timer: (any DispatchSourceTimer)?
    }
    private let invocation = Invocation.current
    private let state = LockedValue(State())
    private let started = Host.uptime
    private let program: String
    private let noun: String
    private let form: Form
    /// True if progress is shown.
    package let isWatched: Bool

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - choice: The choice of the user.
    ///   - program: The name of the program.
    ///   - noun: The noun for an item.
    ///   - form: The format: text or JSON lines.
    package init(_ choice: ProgressChoice, of program: String, counting noun: String, form: Form = .line) {
        (self.program, self.noun, self.form) = (program, noun, form)
        // A reader of JSON lines gets all of them.
        isWatched = form == .json ? choice != .never : choice.isWatched(in: invocation)
        guard isWatched else { return }
        // A message about the interruption is not written into the line.
        invocation.interruption.addHandler { [weak self] in self?.end() }
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource()
            timer.setEventHandler { [weak self] in self?.show() }
            // A shorter run would end before the line could be read.
            timer.schedule(
                deadline: .now() + .milliseconds(300), repeating: .milliseconds(form == .json ? 1000 : 100))
            timer.activate()
            state.timer = timer
        }
    }

    /// Sets the total amount of work.
    package func expect(_ total: ProgressAmount) { state.withLock { $0.total = total } }

    /// Adds completed work.
    package func add(_ count: Int) {
        guard isWatched else { return }
        state.withLock { $0.done.items += count }
    }

    /// Sets the completed work. Of several threads, the highest value is used.
    package func reach(_ done: ProgressAmount) {
        guard isWatched else { return }
        state.withLock { state in
            state.done.items = max(state.done.items, done.items)
            state.done.bytes = max(state.done.bytes, done.bytes)
        }
    }

    /// Removes the line.
    package func end() {
        guard isWatched else { return }
        state.withLock { state in
            if state.isShown, form == .line { _ = invocation.errors.write(Array("\r\u{1b}[K".utf8)) }
            (state.isShown, state.isOver) = (false, true)
            state.timer?.cancel()
        }
    }

    /// True if the line has been removed.
    package var isOver: Bool { state.withLock { $0.isOver } }

    private func show() {
        let seconds = Double(Host.uptime - started) / 1e9
        // A line that fills the last column would wrap.
        let width = (Terminal(invocation).columns(of: invocation.errors) ?? 80) - 1
        state.withLock { state in
            guard !state.isOver else { return }
            state.isShown = true
            let text = ProgressText(state.done, of: state.total, called: noun, after: seconds)
            switch form {
            case .line:
                _ = invocation.errors.write(Array("\r\u{1b}[K\(text.line(of: program, width: width))".utf8))
            case .json:
                var line = ""
                text.json { line += $0 }
                _ = invocation.output.write(Array(line.utf8))
            }
        }
    }
}

/// The choice of a progress line.
package enum ProgressChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// Returns true if standard error is watched, or progress is requested.
    func isWatched(in invocation: Invocation) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: invocation.errors.isTerminal && invocation.environment["TERM"] != "dumb"
        }
    }
}
