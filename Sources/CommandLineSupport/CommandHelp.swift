/// An exit code of a tool, with its meaning in the help of a command.
package struct ExitStatus: Sendable, Hashable {
    package let code: Int32
    package let meaning: String

    package init(_ code: Int32, meaning: String) { (self.code, self.meaning) = (code, meaning) }

    package static let done = ExitStatus(0, meaning: "done")
    package static let failed = ExitStatus(1, meaning: "failed")
    package static let usage = ExitStatus(2, meaning: "usage error")
    package static let incomplete = ExitStatus(3, meaning: "incomplete (the output lists what is missing)")
    package static let interrupted = ExitStatus(130, meaning: "interrupted")
    package static let terminated = ExitStatus(143, meaning: "terminated")
}

/// The text below the options in the help of a command.
package enum CommandHelp {
    /// Returns notes, then examples, then exit codes.
    package static func discussion(_ notes: String, examples: [String], exits: [ExitStatus]) -> String {
        let examples = examples.map { "  " + $0 }.joined(separator: "\n")
        let exits = exits.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")
        return (notes.isEmpty ? "" : notes + "\n\n") + "Examples:\n\(examples)\n\nExit codes: \(exits)."
    }
}
