internal import BackupRepository
internal import FileSystem
internal import Foundation
internal import Synchronization
internal import SystemPackage
internal import TextOutput

/// A program of someone else's, run to its end without a shell.
struct EngineProgram: Sendable {
    /// How a program ended.
    struct Termination {
        /// Its exit code; 128 and the signal's number where a signal ended it.
        let code: Int32
        /// What it wrote on standard error, at most a mebibyte, by lines.
        let errors: [String]
    }

    let name: String
    private let file: String
    /// What its environment has beside this process's own.
    var environment: [String: String] = [:]
    /// Variables of this process that it does not get.
    var removedVariables: Set<String> = []
    /// What it may say and no message repeats.
    var secrets = EngineSecrets()
    /// What its arguments end with, whatever it is to do.
    var lastArguments: [String] = []

    /// Looks the program up in the search path.
    ///
    /// - Throws: `failed` where there is none.
    init(_ name: String) throws(BackupError) {
        self.name = name
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let places = path.split(separator: ":").map { "\($0)/\(name)" }
        guard let file = places.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw BackupError(.failed, "\(name) is not on the search path", hint: "install it; nothing has been done")
        }
        self.file = file
    }

    /// Asks it for its version, which must be of one major version, and there at least the minor one.
    ///
    /// - Throws: `failed` where it is another, or tells none.
    func version(_ question: String, atLeast least: (major: Int, minor: Int)) throws(BackupError) -> EngineVersion {
        var first = ""
        let ended = try run([question], timeLimit: .seconds(60), mostLines: 1_000) { line in
            if first.isEmpty { first = String(decoding: line.prefix(1_000), as: UTF8.self) }
        }
        guard ended.code == 0, let version = EngineVersion(first, of: name), version.major == least.major,
            version.minor >= least.minor
        else {
            throw BackupError(
                .failed, "this \(name) is none that is known here: \(said([first]))",
                hint: "use \(least.major).\(least.minor) to \(least.major).x")
        }
        return version
    }

    /// Runs it, and tells each line of its standard output. A run that tidies up has a limit to the time it takes, and is
    /// also done where a person has ended what was being done. A program that prints without end is ended.
    ///
    /// It may print `mostLines` lines, beside a thousand for each second.
    ///
    /// - Throws: `failed` where it cannot be run, or prints too much; `interrupted` where a person has ended the run
    ///   before; what `eachLine` throws, which ends the program.
    func run(
        _ arguments: [String], in directory: FilePath? = nil, input: URL? = nil, timeLimit limit: Duration? = nil,
        mostLines: Int = EngineOutput.mostLines, eachLine: (Data) throws(BackupError) -> Void = { _ in }
    ) throws(BackupError) -> Termination {
        do {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: file)
            process.arguments = arguments + lastArguments
            process.environment = ProcessInfo.processInfo.environment.filter { !removedVariables.contains($0.key) }
                .merging(environment) { $1 }
            if let directory {
                guard FileManager.default.fileExists(atPath: directory.string) else {
                    throw BackupError(.failed, "what \(name) is to keep is no longer there")
                }
                process.currentDirectoryURL = URL(fileURLWithPath: directory.string)
                // Go takes the working directory's name from here.
                process.environment?["PWD"] = directory.string
            }
            // A file, not a second pipe: who writes much on both would wait for a reader.
            let scratch = FileManager.default.temporaryDirectory.appending(path: "sandboxbackup-\(UUID().uuidString)")
            guard
                FileManager.default.createFile(
                    atPath: scratch.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            let (errors, output) = (try FileHandle(forUpdating: scratch), Pipe())
            try FileManager.default.removeItem(at: scratch)
            process.standardError = errors
            process.standardOutput = output
            process.standardInput = try input.map(FileHandle.init(forReadingFrom:)) ?? .nullDevice
            if limit == nil { try RunCancellation.check() }
            try process.run()
            let watch = EngineWatchdog(process.processIdentifier, errors: errors.fileDescriptor, within: limit)
            if limit == nil { RunCancellation.program = process.processIdentifier }
            defer {
                watch.end()
                RunCancellation.program = 0
            }
            do {
                try EngineOutput(mostLines: mostLines, of: name).readLines(of: output.fileHandleForReading, eachLine)
            } catch {
                watch.end(process)
                throw error
            }
            process.waitUntilExit()
            if watch.hasExceededLimit { throw EngineOutput.outputLimitError(of: name) }
            try errors.seek(toOffset: 0)
            let said = String(decoding: try errors.read(upToCount: 1 << 20) ?? Data(), as: UTF8.self)
            let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
            return Termination(
                code: signal + process.terminationStatus, errors: said.split(separator: "\n").map(String.init))
        } catch let error as BackupError { throw error } catch {
            throw BackupError(.failed, "\(name) cannot be run: \(error.localizedDescription)")
        }
    }

    /// What the program said, in one line that neither steers a terminal nor tells what is secret; its end where it
    /// said much.
    func said(_ lines: [String]) -> String {
        let text = secrets.masked(lines.suffix(4).joined(separator: " | "))
        var said = ByteText.printable(text.suffix(Self.longestQuotation))
        if text.count > Self.longestQuotation { said = "…" + said }
        while said.hasSuffix(".") { said.removeLast() }
        return said.isEmpty ? "nothing" : said
    }

    private static let longestQuotation = 2_000
}

/// The lines that a program prints, as far as they come to an end.
struct EngineOutput {
    /// So many lines any run may print, beside a thousand for each second. restic tells five times a second how far it
    /// is.
    static let mostLines = 100_000
    private static let linesPerSecond = 1_000.0
    /// A snapshot's record is one line of restic's, with all that it began with.
    private static let maximumLine = 64 << 20

    private let mostLines: Int
    private let name: String
    private let begun = ContinuousClock.now

    init(mostLines: Int, of name: String) {
        self.mostLines = mostLines
        self.name = name
    }

    /// Reads a program's output to its end, line by line.
    ///
    /// - Throws: `failed` for more than may be; what `eachLine` throws.
    func readLines(
        of output: FileHandle, _ eachLine: (Data) throws(BackupError) -> Void
    ) throws(BackupError) {
        var (rest, lines) = (Data(), 0)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        while true {
            // A handle's own `read` waits until there is as much as it is asked for, and so for the end.
            let count = read(output.fileDescriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BackupError(.failed, "what a tool says cannot be read") }
            if count == 0 { break }
            // What was left of the last piece has no end of a line in it.
            var (start, known) = (0, rest.count)
            rest += piece[..<count]
            while let length = rest.withUnsafeBytes({ Self.endOfLine(in: $0, from: known) }) {
                lines += 1
                try eachLine(rest.subdata(in: start..<length))
                start = length + 1
                known = start
            }
            // A line that goes on is not moved for each piece of it.
            if start > 0 { rest = rest.subdata(in: start..<rest.count) }
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            guard rest.count <= Self.maximumLine, Double(lines) <= Double(mostLines) + seconds * Self.linesPerSecond
            else { throw Self.outputLimitError(of: name) }
        }
        if !rest.isEmpty { try eachLine(rest) }
    }

    static func outputLimitError(of name: String) -> BackupError {
        BackupError(
            .failed, "\(name) printed without end and was stopped",
            hint: "look which program is called \(name) on the search path")
    }

    private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress, let end = memchr(base, Int32(UInt8(ascii: "\n")), rest.count) else {
            return nil
        }
        return start + base.distance(to: end)
    }
}

/// Watches a program that runs: its time where that has a limit, and how much it writes on standard error.
final class EngineWatchdog: Sendable {
    /// Bytes on standard error, which is a file: a line of borg's for each of a million files.
    static let mostErrors = 256 << 20
    private static let pause = 0.05

    private let process: Int32
    private let errors: Int32
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var hasExceededLimit = false
        /// The signals that are to be sent, and when.
        var endings: [(signal: Int32, at: ContinuousClock.Instant)] = []
    }

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - process: A program that has been started.
    ///   - errors: The file that is its standard error; open until the watch is ended.
    ///   - limit: When the program is ended, as Ctrl-C does, so that it leaves no lock behind, and two seconds later
    ///     for good.
    init(_ process: Int32, errors: Int32, within limit: Duration?) {
        (self.process, self.errors) = (process, errors)
        if let limit {
            state.withLock { $0.endings = [(SIGINT, .now + limit), (SIGKILL, .now + limit + .seconds(2))] }
        }
        DispatchQueue.global().async { [self] in
            while look() { Thread.sleep(forTimeInterval: Self.pause) }
        }
    }

    /// Whether the program was ended for what it wrote on standard error.
    var hasExceededLimit: Bool { state.withLock { $0.hasExceededLimit } }

    /// Ends the watch; the program has ended.
    func end() { state.withLock { $0.isOver = true } }

    /// Ends the program and what it has started: as Ctrl-C does, and after two seconds for good.
    func end(_ running: Process) {
        for signal in [SIGINT, SIGKILL] where running.isRunning {
            Self.send(signal, to: process)
            for _ in 0..<100 where running.isRunning { Thread.sleep(forTimeInterval: 0.02) }
        }
        // What the program started may outlive it.
        kill(-process, SIGKILL)
    }

    /// Looks once; false where there is nothing more to look for.
    private func look() -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            while let next = state.endings.first, next.at <= .now {
                state.endings.removeFirst()
                Self.send(next.signal, to: process)
            }
            var status = stat()
            if !state.hasExceededLimit, fstat(errors, &status) == 0, Int(status.st_size) > Self.mostErrors {
                state.hasExceededLimit = true
                Self.send(SIGKILL, to: process)
            }
            return true
        }
    }

    /// Sends to the program and what it has started: Foundation makes a program the leader of a group of its own.
    private static func send(_ signal: Int32, to process: Int32) {
        if kill(-process, signal) != 0 { kill(process, signal) }
    }
}
