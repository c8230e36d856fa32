import Foundation
import TestSupport
import Testing

/// A terminal of tmux, on a server of its own, in which a command runs.
struct TmuxTerminal {
    /// The folder of the server's socket.
    private let folder: URL

    /// Starts a program without the inherited descriptors and blocked signals. The server of tmux keeps both, and
    /// Foundation waits until no process has a socket that it passes on to its child processes.
    private static let starter = """
        import signal, subprocess, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        sys.exit(subprocess.run(sys.argv[1:]).returncode)
        """

    /// The name of the socket. Another terminal in the same folder must not reach a server that is about to end.
    private let name = "s\(Int.random(in: 0..<100_000))"
    private var arguments: [String] { ["-L", name] }
    private var environment: [String: String] { ["LC_ALL": "C.UTF-8", "TMUX": "", "TMUX_TMPDIR": folder.path] }

    /// Runs a shell command in a terminal, passes the terminal to the body, and ends the server, also after an error.
    ///
    /// The terminal shows `[exit N]` when the command has ended, and then runs `cat`.
    static func run(
        _ command: String, in folder: URL, columns: Int = 80, lines: Int = 24, environment: [String: String] = [:],
        _ body: (TmuxTerminal) throws -> Void
    ) throws {
        let terminal = TmuxTerminal(folder: folder)
        defer { _ = try? terminal.tmux(["kill-server"]) }
        let settings = environment.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        // The pid is that of the command, because exec keeps it.
        let script = """
            sh -c 'echo $$ > pid; exec env -u NO_COLOR -u COLUMNS \(settings) \(command)'
            echo "[exit $?]"; stty -a | grep -o -- '-\\?\\becho\\b' | sed 's/^/tty: /'; exec cat
            """
        let file = folder.appending(path: "script")
        try Data(script.utf8).write(to: file)
        try Command.setUp(
            "python3",
            ["-c", Self.starter, "tmux"] + terminal.arguments + [
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(lines)", "sh script",
            ], in: folder, environment: terminal.environment)
        try body(terminal)
    }

    private func tmux(_ commands: [String]) throws -> Command {
        try Command("tmux", arguments + commands, environment: environment)
    }

    /// Types keys by the names of tmux, such as `Down`, `Space` or `q`.
    func type(_ keys: String...) throws {
        for key in keys {
            let run = try tmux(["send-keys", "-t", "0", key])
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    /// Changes the size of the terminal.
    func resize(columns: Int, lines: Int) throws {
        let run = try tmux(["resize-window", "-x", "\(columns)", "-y", "\(lines)"])
        #expect(run.code == 0, "\(run.errors)")
    }

    /// Returns the visible text; with `styled`, also its escape sequences.
    func text(styled: Bool = false) throws -> String {
        try tmux(["capture-pane", "-p", "-t", "0"] + (styled ? ["-e"] : [])).text
    }

    /// Waits until the screen shows a text, at most five minutes. Returns the screen.
    @discardableResult
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        try wait(sourceLocation: sourceLocation, described: text) { $0.contains(text) }
    }

    /// Waits until the screen fulfills a condition, at most five minutes. Returns the screen.
    @discardableResult
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, described: String = "",
        until isReached: (String) -> Bool
    ) throws -> String {
        let deadline = Date(timeIntervalSinceNow: 300)
        while true {
            let text = try text()
            if isReached(text) { return text }
            guard Date.now < deadline else {
                Issue.record("The screen does not show “\(described)”:\n\(text)", sourceLocation: sourceLocation)
                return text
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}
