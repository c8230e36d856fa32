internal import Dispatch
internal import FileSystem
internal import Synchronization

/// A line on standard error that tells how far a long run has come; nothing where no one watches. Programs get lines of
/// JSON on standard output in its place.
package final class ProgressLine: Sendable {
    /// What is shown.
    package enum Form: Sendable { case line, json }

    private struct State {
        var done = ProgressAmount(items: 0)
        /// Nil while it is not known.
        var total: ProgressAmount?
        var isShown = false
        var isOver = false
        var timer: (any DispatchSourceTimer)?
    }
    /// The one that is shown, which Ctrl-C takes away.
    private static let current = Mutex<ProgressLine?>(nil)

    private let state = Mutex(State())
    private let started = Host.uptime
    private let program: String
    private let noun: String
    private let form: Form
    /// Whether anything is shown at all.
    package let isWatched: Bool

    /// - Parameters:
    ///   - choice: When it is shown.
    ///   - program: Whose run it is.
    ///   - noun: What one item is called.
    ///   - form: For whom.
    package init(_ choice: ProgressChoice, of program: String, counting noun: String, form: Form = .line) {
        (self.program, self.noun, self.form) = (program, noun, form)
        // Who asks for lines of JSON reads all of them.
        isWatched = form == .json ? choice != .never : choice.isWatched
        guard isWatched else { return }
        Self.current.withLock { $0 = self }
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource()
            timer.setEventHandler { [weak self] in self?.show() }
            // What takes less is over before it could be read.
            timer.schedule(
                deadline: .now() + .milliseconds(300), repeating: .milliseconds(form == .json ? 1000 : 100))
            timer.activate()
            state.timer = timer
        }
    }

    /// There is so much to do in all.
    package func expect(_ total: ProgressAmount) { state.withLock { $0.total = total } }

    /// So many items more are done.
    package func add(_ count: Int) {
        guard isWatched else { return }
        state.withLock { $0.done.items += count }
    }

    /// So much is done. Of several threads the one that has done the most counts.
    package func reach(_ done: ProgressAmount) {
        guard isWatched else { return }
        state.withLock { state in
            state.done.items = max(state.done.items, done.items)
            state.done.bytes = max(state.done.bytes, done.bytes)
        }
    }

    /// Takes the line away, for good.
    package func end() {
        guard isWatched else { return }
        state.withLock { state in
            if state.isShown, form == .line { StandardError.write("\r\u{1b}[K") }
            (state.isShown, state.isOver) = (false, true)
            state.timer?.cancel()
        }
    }

    /// The same for the one that is shown, if any.
    static func endCurrent() { current.withLock { $0 }?.end() }

    /// Whether it has been taken away.
    package var isOver: Bool { state.withLock { $0.isOver } }

    private func show() {
        let seconds = Double(Host.uptime - started) / 1e9
        // A line that fills the last column would wrap.
        let width = (Terminal.columns(of: 2) ?? 80) - 1
        state.withLock { state in
            guard !state.isOver else { return }
            state.isShown = true
            let text = ProgressText(state.done, of: state.total, called: noun, after: seconds)
            switch form {
            case .line: StandardError.write("\r\u{1b}[K\(text.line(of: program, width: width))")
            case .json:
                var line = ""
                text.json { line += $0 }
                _ = Host.write(Array(line.utf8), to: 1)
            }
        }
    }
}
