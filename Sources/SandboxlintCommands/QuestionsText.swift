import StoragePolicy
import TextOutput

/// The questions about a container as text and JSON.
struct QuestionsText {
    let questions: [Question]

    /// One block for each question, with the keys of the answers.
    func text(style: Style) -> String {
        guard !questions.isEmpty else { return "Nothing is undecided.\n" }
        let blocks = questions.enumerated().map {
            block($1, number: $0 + 1, hint: "`--format json` has all", style: style) + "  id \($1.id)\n"
        }
        return blocks.joined(separator: "\n")
    }

    /// The directory, the size, the first patterns and the line of a question. The hint says how to see all patterns.
    func block(_ question: Question, number: Int, hint: String, style: Style) -> String {
        let directory = question.directory.isEmpty ? "the container’s root" : question.directory
        let items = Quantity.count(question.items, "item")
        var text = "\(number) of \(questions.count)  \(style.bold(directory))   \(items), \(question.summary)\n"
        if question.isExcluded { text += "  excluded from backup\n" }
        for path in question.paths.prefix(Self.mostPaths) { text += "  \(path)\n" }
        if question.paths.count > Self.mostPaths {
            text += "  and \(Quantity.count(question.paths.count - Self.mostPaths, "more pattern")) (\(hint))\n"
        }
        if let line = question.line {
            text += "  written by \(line.place)  (\(Self.percent(line.confidence)))\n"
            if let code = line.text { text += "    \(style.dim(code))\n" }
        }
        return text
    }

    /// All patterns of a question.
    func patterns(of question: Question) -> String { question.paths.map { "  \($0)\n" }.joined() }

    private static let mostPaths = 5

    func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.array { json in
            for question in questions {
                json.object { json in
                    json.field("id", question.id)
                    json.array("paths") { json in for path in question.paths { json.element(path) } }
                    json.field("items", question.items)
                    json.field("bytes", question.bytes)
                    json.array("kinds") { json in for kind in question.kinds { json.element(kind) } }
                    guard let line = question.line else { return json.field("writtenBy", nil) }
                    json.object("writtenBy") { json in
                        json.field("file", line.file)
                        json.field("line", line.line)
                        json.number("confidence", (line.confidence * 100).rounded() / 100)
                        json.field("text", line.text)
                    }
                }
            }
        }
        output("\n")
    }

    private static func percent(_ value: Double) -> String { "\(min(99, Int((value * 100).rounded()))) %" }
}
