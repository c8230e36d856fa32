import CommandLineSupport
import FileSystem
import StoragePolicy
import TextOutput

/// The questions on a terminal, which are answered with one key each.
struct QuestionDialog {
    let questions: [Question]
    let style: Style

    /// The keys with the answers and their words.
    private static let keys: [(key: Character, answer: Answer, word: String)] = [
        ("u", .userData, "user data"), ("r", .regenerable, "re-downloadable"), ("a", .appState, "app state"),
        ("t", .temporary, "temporary"), ("s", .skip, "skip"),
    ]

    /// Fits in 80 columns.
    private static let prompt = keys.map { "\($0.key) \($0.word)" }.joined(separator: "  ") + "  q stop  ? "

    private static let help = """
          u  user data: the user made or imported it, or would miss it
          r  re-downloadable: the app can download or compute it again
          a  app state: settings, credentials, queues
          t  temporary: logs, exports and leftovers, without a use later
          s  skip: not decided now, or a mix; the question is written as a comment
          m  list all patterns of the question
          q  stop, and write what is answered

        """

    /// Asks until every question is answered, or the user stops.
    ///
    /// - Returns: The answers by the ids of the questions.
    /// - Throws: `Interrupted` after an interruption of the run, `UnwrittenOutput` if the terminal is gone.
    func answers() throws -> [String: Answer] {
        let input = Invocation.current.standardInput
        let text = QuestionsText(questions: questions)
        var answers: [String: Answer] = [:]
        for (index, question) in questions.enumerated() {
            try write(
                (index > 0 ? "\n" : "") + text.block(question, number: index + 1, hint: "m lists all", style: style)
                    + "  ")
            asking: while true {
                try write(Self.prompt)
                guard let key = try Self.key(from: input) else {
                    try write("stop\n")
                    return answers
                }
                if let known = Self.keys.first(where: { $0.key == key }) {
                    answers[question.id] = known.answer
                    try write("\(style.bold(known.word))\n")
                    break asking
                }
                try write("\n" + (key == "m" ? text.patterns(of: question) : Self.help) + "  ")
            }
        }
        return answers
    }

    /// Returns the next key; nil for `q` and at the end of the input.
    private static func key(from input: StandardInput) throws -> Character? {
        let byte = input.readKey()
        try Invocation.current.interruption.check()
        guard let byte, byte != UInt8(ascii: "q"), byte != 4 else { return nil }
        return Character(Unicode.Scalar(byte))
    }

    private func write(_ text: String) throws {
        let output = Output(style)
        output.write(text)
        try output.end()
    }
}
