import ArgumentParser
import CommandLineSupport
import TextOutput

extension ProgressChoice: ExpressibleByArgument {}

/// How much of a long run is shown.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A line on standard error that tells how far a run has come, after 300 ms: auto (on a terminal), always or \
            never. With --format jsonl, status lines on standard output: never, or each second.
            """, valueName: "when"))
    var progress: ProgressChoice = .auto

    @Flag(name: .shortAndLong, help: "Say only what is not as it should be, and show no progress.")
    var quiet = false

    /// Shows how far `body` comes with so much to do.
    func showing<Result>(
        _ noun: String, of total: ProgressAmount?, in format: AnswerOptions.Format,
        _ body: (ProgressLine) throws -> Result
    ) rethrows -> Result {
        let line = ProgressLine(
            quiet ? .never : progress, of: "sandboxbackup", counting: noun, form: format == .jsonl ? .json : .line)
        defer { line.end() }
        if let total { line.expect(total) }
        return try body(line)
    }
}
