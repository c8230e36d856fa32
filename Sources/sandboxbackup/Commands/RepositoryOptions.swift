import ArgumentParser
import CommandLineSupport
import BackupReports
import BackupRepository
import SystemPackage
import TextOutput

extension ProgressChoice: ExpressibleByArgument {}

/// The repository of a command.
struct RepositoryOptions: ParsableArguments {
    @Option(
        name: [.customLong("repository"), .customLong("store")],
        help: ArgumentHelp("The directory of the repository.", valueName: "dir"))
    var repository: String

    func open(for purpose: Repository.Purpose, command: String) throws -> Repository {
        try Repository.open(repository, for: purpose, command: command)
    }
}

/// The format of a result.
struct OutputOptions: ParsableArguments {
    /// The format of a result.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl }

    @Option(help: "Print text, json (one object) or jsonl (one object per line).")
    var format: Format = .text

    /// Prints the result of a command.
    func print(_ result: some CommandOutput) throws {
        let stream = Output()
        switch format {
        case .text: stream.write(result.text)
        case .json, .jsonl: result.json(to: stream.write)
        }
        try stream.end()
    }

    /// Prints the result of a run over many items.
    func print(_ result: some ItemizedOutput, by run: RunOptions) throws {
        let stream = Output()
        switch format {
        case .text: if !run.quiet || !result.isClean { stream.write(result.text) }
        case .json: result.json(to: stream.write)
        case .jsonl: result.lines(to: stream.write)
        }
        try stream.end()
    }

    /// Prints a list: one line per element, or one object.
    func printList(_ elements: [some CommandOutput], named name: String, none: String) throws {
        let stream = Output()
        switch format {
        case .text:
            if elements.isEmpty { stream.write("\(none)\n") }
            for element in elements { stream.write(element.text) }
        case .jsonl: for element in elements { element.json(to: stream.write) }
        case .json:
            var json = JSONWriter(to: stream.write)
            json.object { json in
                json.array(name) { json in for element in elements { json.object { element.write(&$0) } } }
            }
            stream.write("\n")
        }
        try stream.end()
    }
}

/// The progress output of a long run.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Show progress on standard error: auto (on a terminal), always or never. With --format jsonl, print a status \
            object per second on standard output, or never.
            """, valueName: "when"))
    var progress: ProgressChoice = .auto
    @Flag(name: .shortAndLong, help: "Print only problems, and no progress.")
    var quiet = false

    /// Runs `body` with a progress line for the given amount of work.
    func showingProgress<Result>(
        of noun: String, _ total: ProgressAmount?, in format: OutputOptions.Format,
        _ body: (ProgressLine) throws -> Result
    ) rethrows -> Result {
        let line = ProgressLine(
            quiet ? .never : progress, of: "sandboxbackup", counting: noun, form: format == .jsonl ? .json : .line)
        defer { line.end() }
        if let total { line.expect(total) }
        return try body(line)
    }
}

/// The repository of a command, with the warnings that every command prints.
extension Repository {
    /// Opens a repository.
    static func open(_ path: String, for purpose: Purpose, command: String) throws -> Repository {
        let repository = try Repository(at: FilePath(path), for: purpose, command: command)
        repository.warnIfOpenToOthers(path)
        return repository
    }

    /// Opens a repository for adding, and creates it if it does not exist.
    static func openOrCreate(_ path: String, command: String) throws -> Repository {
        let repository = try Repository(creatingAt: FilePath(path), command: command)
        repository.warnIfOpenToOthers(path)
        return repository
    }

    /// Returns the snapshot that a user names, and warns about snapshots that were skipped to find it.
    static func snapshot(
        _ name: String, of bundleIdentifier: String?, in repository: Repository
    ) throws -> SnapshotChoice {
        let choice = try repository.snapshot(named: name, of: bundleIdentifier)
        Failure.warn(of: choice.damaged)
        if !choice.ahead.isEmpty {
            let numbers = choice.ahead.map { "\($0.number)" }.joined(separator: ", ")
            Failure.warn(
                "snapshots dated ahead of the system clock are not the latest: \(numbers); name one by its number to "
                    + "use it")
        }
        return choice
    }

    private func warnIfOpenToOthers(_ path: String) {
        guard let mode = modeOpenToOthers else { return }
        let digits = String(mode, radix: 8)
        Failure.warn(
            "the repository “\(ByteText.escaped(Array(path.utf8)))” is open to other users (mode \(digits)) and is not "
                + "encrypted; `chmod go= DIRECTORY` makes it private")
    }
}
