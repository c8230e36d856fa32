import ArgumentParser
import BackupReports
import BackupRepository
import TextOutput

/// Where the store is, and how an answer is written.
struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The store's directory.", valueName: "dir"))
    var store: String

    @OptionGroup var answer: AnswerOptions

    func open(for purpose: BackupStore.Purpose, command: String) throws -> BackupStore {
        try Repository.open(store, for: purpose, command: command)
    }

    var format: AnswerOptions.Format { answer.format }
    func say(_ answer: some Answer) throws { try self.answer.say(answer) }
    func say(_ answer: some RunAnswer, by run: RunOptions) throws { try self.answer.say(answer, by: run) }
    func list(_ answers: [some Answer], named name: String, none: String) throws {
        try answer.list(answers, named: name, none: none)
    }
}

/// How an answer is written.
struct AnswerOptions: ParsableArguments {
    /// The form of an answer.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl }

    @Option(help: "How to answer: text, json (one object) or jsonl (a line each).")
    var format: Format = .text

    /// Says what came of a command.
    func say(_ answer: some Answer) throws {
        let output = Output()
        switch format {
        case .text: output.write(answer.text)
        case .json, .jsonl: answer.json(to: output.write)
        }
        try output.end()
    }

    /// Says what came of a run over many items.
    func say(_ answer: some RunAnswer, by run: RunOptions) throws { try format.say(answer, by: run) }

    /// Says a list: a line each, or one object.
    func list(_ answers: [some Answer], named name: String, none: String) throws {
        let output = Output()
        switch format {
        case .text:
            if answers.isEmpty { output.write("\(none)\n") }
            for answer in answers { output.write(answer.text) }
        case .jsonl: for answer in answers { answer.json(to: output.write) }
        case .json:
            var json = JSONWriter(to: output.write)
            json.object { json in
                json.array(name) { json in for answer in answers { json.object { answer.write(&$0) } } }
            }
            output.write("\n")
        }
        try output.end()
    }
}

extension AnswerOptions.Format {
    /// Says what came of a run over many items.
    func say(_ answer: some RunAnswer, by run: RunOptions) throws {
        let output = Output()
        switch self {
        case .text: if !run.quiet || !answer.isAsItShouldBe { output.write(answer.text) }
        case .json: answer.json(to: output.write)
        case .jsonl: answer.lines(to: output.write)
        }
        try output.end()
    }
}
