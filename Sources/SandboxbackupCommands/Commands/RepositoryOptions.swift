import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem
import SystemPackage
import TextOutput

extension ProgressChoice: ExpressibleByArgument {}

/// The longest wait of an argument: `30s`, `5m`, `1h`, several such as `1m30s`, or `0`.
struct WaitTime: ExpressibleByArgument {
    let duration: Duration
    let defaultValueDescription: String

    init?(argument: String) {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600]
        var (total, digits) = (0, "")
        for character in argument == "0" ? "0s" : argument {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let unit = units[character], let count = Int(digits), count < 1_000_000 else { return nil }
                total += count * unit
                digits = ""
            }
        }
        guard digits.isEmpty, !argument.isEmpty else { return nil }
        (duration, defaultValueDescription) = (.seconds(total), argument)
    }

    init(minutes: Int) { (duration, defaultValueDescription) = (.seconds(60 * minutes), "\(minutes)m") }
}

/// The wait for the lock of a repository.
struct WaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Wait this long for a repository that another run has locked, such as 30s, 5m or 0.", valueName: "time"))
    var wait = WaitTime(minutes: 1)

    var lockWait: LockWait {
        LockWait(limit: wait.duration, name: wait.defaultValueDescription) { Failure.printNote($0) }
    }
}

/// The repository of a command.
struct RepositoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory of the repository. (default: \(RepositoryOptions.variable))", valueName: "dir"))
    var repository: String?
    @OptionGroup var lock: WaitOptions

    /// The variable of the environment that names the repository.
    static let variable = "SANDBOXBACKUP_REPOSITORY"

    /// The repository that the variable names; nil if it is empty.
    static var fromEnvironment: String? {
        guard let path = Invocation.current.environment[variable], !path.isEmpty else { return nil }
        return path
    }

    /// The directory of the repository.
    ///
    /// - Throws: `ValidationError` if neither an option nor the variable names it.
    var directory: String {
        get throws {
            if let path = repository ?? Self.fromEnvironment { return path }
            throw ValidationError("Name the repository with --repository, or set \(Self.variable).")
        }
    }

    func open(for purpose: Repository.Purpose, command: String) throws -> Repository {
        try Repository.open(directory, for: purpose, command: command, waiting: lock)
    }
}

/// The app whose snapshots a command takes.
struct AppOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Resolve latest among the snapshots of this app.", valueName: "identifier"))
    var bundleId: String?
}

/// The name of a snapshot.
enum SnapshotArgument {
    static let help: ArgumentHelp = """
        The number of the snapshot, the beginning of its ID, or latest. With a colon and a directory, as in \
        latest:Documents, the directory stands for the container.
        """
}

/// Tags of an argument, joined by commas.
struct TagList: ExpressibleByArgument {
    let tags: [String]

    /// Returns nil if a tag is empty.
    init?(argument: String) {
        tags = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !tags.contains("") else { return nil }
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

    /// Prints what `body` writes as lines of JSON.
    func printLines(_ body: (@escaping (String) -> Void) -> Void) throws {
        let stream = Output()
        body(stream.write)
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
        try printAll(named: name, none: none) { emit in elements.forEach(emit) }
    }

    /// Prints the elements that `body` emits, as it emits them: one line per element, or one object.
    func printAll<Element: CommandOutput>(
        named name: String, none: String, _ body: (_ emit: (Element) -> Void) throws -> Void
    ) throws {
        let stream = Output()
        let result: Result<Void, any Error>
        var isEmpty = true
        switch format {
        case .text:
            result = Result {
                try body { element in
                    isEmpty = false
                    stream.write(element.text)
                }
                if isEmpty { stream.write("\(none)\n") }
            }
        case .jsonl: result = Result { try body { $0.json(to: stream.write) } }
        case .json:
            var outcome: Result<Void, any Error> = .success(())
            var json = JSONWriter(to: stream.write)
            json.object { json in
                json.array(name) { json in
                    outcome = Result { try body { element in json.object { element.write(&$0) } } }
                }
            }
            stream.write("\n")
            result = outcome
        }
        try stream.end()
        try result.get()
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
    static func open(
        _ path: String, for purpose: Purpose, command: String, waiting lock: WaitOptions
    ) throws -> Repository {
        let repository = try Repository(
            at: FilePath(path), for: purpose, command: command, waiting: lock.lockWait)
        repository.warnIfOpenToOthers(path)
        return repository
    }

    /// Opens a repository for adding, and creates it if it does not exist.
    static func openOrCreate(
        _ path: String, for purpose: Purpose = .adding, command: String, waiting lock: WaitOptions
    ) throws -> Repository {
        let repository = try Repository(
            creatingAt: FilePath(path), for: purpose, command: command, waiting: lock.lockWait)
        repository.warnIfOpenToOthers(path)
        return repository
    }

    /// Returns the snapshot that a user names, and warns about snapshots that were skipped to find it.
    static func snapshot(
        _ name: String, of bundleIdentifier: String?, in repository: Repository
    ) throws -> SnapshotChoice {
        let choice = try repository.snapshot(named: name, of: bundleIdentifier)
        Failure.warn(of: choice.damaged)
        if let warning = choice.aheadWarning { Failure.warn(warning) }
        return choice
    }

    /// Returns the snapshots that a user names, each once.
    static func snapshots(
        _ names: [String], of bundleIdentifier: String?, in repository: Repository
    ) throws -> [Snapshot] {
        var chosen: [Snapshot] = []
        for name in names {
            let snapshot = try snapshot(name, of: bundleIdentifier, in: repository).snapshot
            if !chosen.contains(where: { $0.number == snapshot.number }) { chosen.append(snapshot) }
        }
        return chosen
    }

    private func warnIfOpenToOthers(_ path: String) {
        guard let mode = modeOpenToOthers else { return }
        let digits = String(mode, radix: 8)
        Failure.warn(
            "the repository “\(ByteText.escaped(Array(path.utf8)))” is open to other users (mode \(digits)) and is not "
                + "encrypted; `chmod go= DIRECTORY` makes it private")
    }
}
