internal import TextOutput

/// The answer to a question.
package enum Answer: String, CaseIterable, Sendable {
    case userData, regenerable, appState, temporary, skip

    /// The key of the configuration that declares it; nil for a question that is left open.
    package var key: ConfigurationKey? {
        switch self {
        case .userData: .userData
        case .regenerable: .caches
        case .appState: .appState
        case .temporary: .temporary
        case .skip: nil
        }
    }

    /// Reads a JSON object of answers by the ids of questions. It has the limits of a configuration: 256 KiB, 64 levels.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - questions: The questions of the container.
    /// - Returns: The answers by the ids of their questions.
    /// - Throws: `UnreadableSource` for a file that cannot be read, and `SourceError` for an id that no question has, an unknown
    ///   answer, and anything else than an object of texts.
    package static func read(_ path: String, to questions: [Question]) throws -> [String: Answer] {
        let text: String
        do { text = try SourceFile.text(path) } catch {
            throw UnreadableSource(
                path: path, reason: error.reason,
                hint: "Specify a JSON file with the ids of `sandboxlint init INPUT --questions --format json`.")
        }
        let known = Set(questions.map(\.id))
        var answers: [String: Answer] = [:]
        for (key, value) in try YAMLValue(file: path, text: text).pairs() {
            let id = try key.shownString()
            guard known.contains(id) else {
                throw key.error(
                    "no question has the id “\(id)”; `sandboxlint init INPUT --questions` prints the \(known.count) ids",
                    suggestion: NearestName.of(id, among: known, within: 2))
            }
            answers[id] = try value.word("answer", type: Answer.self)
        }
        return answers
    }
}

/// The declarations that answers make in a configuration.
package struct AnsweredQuestions: Sendable {
    private let questions: [Question]
    private let answers: [String: Answer]

    /// Creates the declarations. Questions without an answer stay open.
    package init(_ questions: [Question], answers: [String: Answer]) {
        (self.questions, self.answers) = (questions, answers)
    }

    /// The first words of the comment above open questions.
    package static let heading = "Undecided: what are these files?"

    /// The questions that are left open.
    package var open: [Question] { questions.filter { answers[$0.id]?.key == nil } }
    /// The number of answers that declare something.
    package var count: Int { questions.count - open.count }

    /// The lines that declare the answers under a key of the configuration.
    package func lines(for key: ConfigurationKey) -> [String] {
        questions.filter { answers[$0.id]?.key == key }.flatMap(Self.lines)
    }

    /// The patterns that are declared, as they are in the configuration.
    var declaredPaths: Set<String> {
        Set(questions.filter { answers[$0.id]?.key != nil }.flatMap(\.paths).map { JSONValue.string($0).compact })
    }

    /// The lines of the patterns of a question, each with the line that writes the files, or with what they are.
    package static func lines(of question: Question) -> [String] {
        let comment = question.line?.place ?? question.summary
        return question.paths.map { "- \(JSONValue.string($0).compact)  # \(ByteText.printable(comment))" }
    }
}

extension Question {
    /// The size and the kinds in one phrase: `1.2 MB in 40 pictures, 2 JSON files`.
    package var summary: String { "\(Quantity.bytes(bytes)) in \(kinds.prefix(3).joined(separator: ", "))" }
}
