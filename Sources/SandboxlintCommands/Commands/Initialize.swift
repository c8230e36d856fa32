import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
import Foundation
import PolicyReports
import SourceCode
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint init [INPUT]`
struct Initialize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented .sandboxlint.yml to the working directory.",
        usage: "sandboxlint init [<options>] [<input>]",
        discussion: """
            With a container, the file contains its bundle identifier and its largest directories, with suggestions. An \
            existing file is not overwritten.

            --ask, --questions and --answers are about the files in backups of which nothing decides the class: at most \
            15 questions, those about the most bytes first, each about files that one line of the source code writes or that \
            are alike. The answers are declared in the configuration, with the line as a comment. They are added to an \
            existing file. Open questions are written as comments to a new one.

            Examples:
              sandboxlint init
              sandboxlint init path/to/container
              sandboxlint init path/to/container --ask
              sandboxlint init container --questions --format json
              sandboxlint init path/to/container --traffic capture.har

            Exit codes: 0 written or printed, 2 usage error or file not written, 3 input missing or not fully read, 4 internal \
            error.
            """)

    @Argument(help: "The container from which values are suggested.")
    var input: String?

    @OptionGroup(title: "Questions") var asked: QuestionOptions

    @OptionGroup(title: "Source Code") var code: SourceRootOptions

    @OptionGroup(title: "Analysis") var recorded: TrafficOptions

    @OptionGroup(title: "Analysis") var threads: ThreadOptions

    @OptionGroup(title: "Output") var printed: FormatOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    func validate() throws {
        let chosen = asked.chosen
        if let option = chosen.first, input == nil { throw ValidationError("\(option) needs a container.") }
        if chosen.isEmpty, !code.sourceRoot.isEmpty {
            throw ValidationError("--source-root needs --ask, --questions or --answers.")
        }
        if printed.format == .json, !asked.questions { throw ValidationError("--format json needs --questions.") }
    }

    func run() throws {
        guard let input else { return try write(ConfigurationTemplate(ConfigurationGuess()).text) }
        if !asked.questions, ReportFile.isLocated(".", in: input) {
            throw ValidationError(
                "The working directory is inside the container, where configuration files are ignored; run the command "
                    + "in a directory outside it.")
        }
        let traffic = try recorded.readCompletely()
        let container = try Failure.ofInput { try Container.open(FilePath(input)) }
        guard !asked.chosen.isEmpty else {
            let guess = try Failure.ofInput { try ConfigurationGuess(container, comparedWith: traffic) }
            return try write(ConfigurationTemplate(guess).text)
        }
        try code.check(besides: [input])
        let found = try Undecided(input, container: container, code: code, threads: threads, traffic: traffic)
        if asked.questions {
            let text = QuestionsText(questions: found.questions)
            let style = look.style
            try Output.show(printed.format, style: style, text: { $0(text.text(style: style)) }, json: text.json)
        } else {
            let answered = AnsweredQuestions(found.questions, answers: try answers(to: found.questions))
            try Invocation.current.interruption.check()
            try declare(answered, of: container, traffic)
        }
        for remark in found.remarks { Failure.printMessage("sandboxlint: \(remark)") }
        if !found.isComplete { throw Failure.input }
    }

    /// Returns the answers in the file, or those of the user; none without a terminal.
    private func answers(to questions: [Question]) throws -> [String: Answer] {
        if let answers = asked.answers { return try Answer.read(answers, to: questions) }
        let invocation = Invocation.current
        guard invocation.standardInput.isTerminal, invocation.output.isTerminal else { return [:] }
        return try QuestionDialog(questions: questions, style: look.style).answers()
    }

    /// Writes the declarations to the configuration in the working directory.
    private func declare(_ answered: AnsweredQuestions, of container: Container, _ traffic: RecordedTraffic?) throws {
        let name = Configuration.fileName
        if SourceFile.isRegular(name) {
            do {
                let text = try SourceFile.text(name)
                try SourceFile.write(try ConfigurationEdit.adding(answered, to: text, file: name), to: name)
            } catch let refusal as ConfigurationEdit.Refusal {
                Failure.printMessage("sandboxlint: \(ByteText.printable(refusal.description))")
                throw Failure.usage
            }
            Failure.printMessage("added \(answered.note) to \(name)")
        } else {
            let guess = try Failure.ofInput { try ConfigurationGuess(container, comparedWith: traffic) }
            try write(ConfigurationTemplate(guess, answers: answered).text, note: ": \(answered.note)")
        }
    }

    /// Writes a new configuration to the working directory.
    private func write(_ text: String, note: String = "") throws {
        let path = Invocation.current.workingDirectory.resolved(Configuration.fileName)
        let file = URL(fileURLWithPath: path)
        do {
            try Data((SchemaFile.config.line + text).utf8).write(to: file, options: .withoutOverwriting)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: file.path)
            let reason =
                isThere
                ? "already exists and is unchanged. Edit it, or move it away"
                : "cannot be written to the working directory. Use a directory with write permission"
            Failure.printMessage("sandboxlint: \(Configuration.fileName) \(reason).")
            throw Failure.usage
        }
        Failure.printMessage("wrote \(Configuration.fileName)\(note)")
    }
}

/// The options about undecided files.
struct QuestionOptions: ParsableArguments {
    @Flag(help: "Ask about undecided files, with one key each; without a terminal, write the questions as comments.")
    var ask = false

    @Flag(help: "Print the questions about undecided files, and write nothing.")
    var questions = false

    @Option(
        help: ArgumentHelp(
            """
            Declare the answers in this JSON file: an object of the ids of questions, with userData, regenerable, appState, \
            temporary or skip.
            """, valueName: "file"), completion: .file(extensions: ["json"]))
    var answers: String?

    func validate() throws {
        let chosen = chosen
        if chosen.count > 1 { throw ValidationError("\(chosen[0]) and \(chosen[1]) cannot be combined.") }
    }

    /// The options that are used.
    fileprivate var chosen: [String] {
        [ask ? "--ask" : nil, questions ? "--questions" : nil, answers.map { _ in "--answers" }].compactMap { $0 }
    }
}

extension AnsweredQuestions {
    /// The numbers of answers and of open questions.
    fileprivate var note: String {
        "\(Quantity.count(count, "answer")), \(Quantity.count(open.count, "open question"))"
    }
}

/// The undecided files of a container as questions, with the lines that probably write them.
private struct Undecided {
    let questions: [Question]
    /// The parts of the container and of the source code that were not read.
    let remarks: [String]
    /// False if a part of the container or of the source code was not read.
    let isComplete: Bool

    init(
        _ input: String, container: Container, code: SourceRootOptions, threads: ThreadOptions,
        traffic: RecordedTraffic?
    ) throws {
        let configuration = try Configuration.read(Configuration.discover(for: input, besides: [input]))
        let linter = try Linter(
            catalogue: try Catalogue.embedded(), configuration: configuration, threads: threads.jobs)
        let files = try Failure.ofInput { try linter.comparing(with: traffic).undecidedFiles(in: container) }
        try Invocation.current.interruption.check()
        let source = code.sources(for: [configuration], besides: [input], threads: threads).first
        questions = Question.all(about: files) { paths in
            guard let source, !source.roots.roots.isEmpty else { return paths.map { _ in nil } }
            source.search(for: paths)
            return paths.map { path in
                source.answer(for: path)?.places.first.map { place in
                    Question.Line(
                        file: ByteText.escaped(source.name(of: place.path, in: place.root)), line: place.line,
                        confidence: place.confidence, text: source.text(of: place))
                }
            }
        }
        let cut = "note: the container has more undecided files than `init` weighs; some have no question."
        let unread = "some items of the container could not be read; questions about their files may be missing."
        remarks = (files.isComplete ? [] : [unread]) + (files.isCut ? [cut] : []) + (source?.remarks ?? [])
        isComplete = files.isComplete && (source.map { $0.isComplete || $0.remarks.isEmpty } ?? true)
        try Invocation.current.interruption.check()
    }
}
