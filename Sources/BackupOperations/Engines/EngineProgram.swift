internal import BackupRepository
internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// An external program that is run without a shell.
struct EngineProgram: Sendable {
    /// The end of a program.
    struct Termination {
        /// The exit code; after a signal, 128 plus its number.
        let code: Int32
        /// The lines of standard error, at most a mebibyte.
        let errors: [String]
    }

    let name: String
    private let file: String
    /// Variables to add to the environment.
    var environment: [String: String] = [:]
    /// Variables to remove from the environment.
    var removedVariables: Set<String> = []
    /// Secrets that messages must not repeat.
    var secrets = EngineSecrets()
    /// The time from the end of the output to the exit.
    var exitLimit: Duration = .seconds(60)
    /// Arguments at the end of every call.
    var lastArguments: [String] = []

    /// Finds the program in the search path.
    ///
    /// - Throws: `failed` if it is not there.
    init(_ name: String) throws(BackupError) {
        self.name = name
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let candidates = path.split(separator: ":").map { "\($0)/\(name)" }
        guard let file = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw BackupError(.failed, "\(name) is not on the search path", hint: "install it; nothing was changed")
        }
        self.file = file
    }

    /// Returns the version of the program, and checks that it has the major version and at least the minor one.
    ///
    /// - Throws: `failed` for an unsupported or unknown version.
    func version(_ question: String, atLeast least: (major: Int, minor: Int)) throws(BackupError) -> EngineVersion {
        var first = ""
        let ended = try run([question], timeLimit: .seconds(60), mostLines: 1_000) { line in
            if first.isEmpty { first = String(decoding: line.prefix(1_000), as: UTF8.self) }
        }
        guard ended.code == 0, let version = EngineVersion(first, of: name), version.major == least.major,
            version.minor >= least.minor
        else {
            throw BackupError(
                .failed, "unsupported version of \(name): \(quotation([first]))",
                hint: "use \(least.major).\(least.minor) to \(least.major).x")
        }
        return version
    }

    /// Runs the program and calls `eachLine` for each line of standard output.
    ///
    /// A call with a time limit is a cleanup; it also runs after an interruption. The program is killed if it prints
    /// more than `mostLines` lines, plus a thousand per second.
    ///
    /// - Throws: `failed` if the program cannot run or prints too much; `interrupted` after an interruption; errors of
    ///   `eachLine`, which also end the program.
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
                    throw BackupError(.failed, "the directory for \(name) no longer exists")
                }
                process.currentDirectoryURL = URL(fileURLWithPath: directory.string)
                // Go reads the name of the working directory from here.
                process.environment?["PWD"] = directory.string
            }
            // A file instead of a second pipe: two pipes read in turn could block the program.
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
            // A program that has closed its output has nothing left to do but exit.
            watch.limit(to: exitLimit)
            process.waitUntilExit()
            if watch.hasExceededLimit { throw EngineOutput.outputLimitError(of: name) }
            try errors.seek(toOffset: 0)
            let messages = String(decoding: try errors.read(upToCount: 1 << 20) ?? Data(), as: UTF8.self)
            let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
            return Termination(
                code: signal + process.terminationStatus, errors: messages.split(separator: "\n").map(String.init))
        } catch let error as BackupError { throw error } catch {
            throw BackupError(.failed, "\(name) cannot be run: \(error.localizedDescription)")
        }
    }

    /// Returns output of the program as one line without control characters and secrets, truncated at the start.
    func quotation(_ lines: [String]) -> String {
        let text = secrets.masked(lines.suffix(4).joined(separator: " | "))
        var quotation = ByteText.printable(text.suffix(Self.longestQuotation))
        if text.count > Self.longestQuotation { quotation = "…" + quotation }
        while quotation.hasSuffix(".") { quotation.removeLast() }
        return quotation.isEmpty ? "nothing" : quotation
    }

    private static let longestQuotation = 2_000
}

/// A bounded reader for the lines that a program prints.
struct EngineOutput {
    /// The number of lines that is always allowed, plus a thousand per second. restic reports its progress five times a
    /// second.
    static let mostLines = 100_000
    private static let linesPerSecond = 1_000.0
    /// The maximum length of a line. restic prints the record of a snapshot, with all start paths, as one line.
    private static let maximumLine = 64 << 20

    private let mostLines: Int
    private let name: String
    private let begun = ContinuousClock.now

    init(mostLines: Int, of name: String) {
        self.mostLines = mostLines
        self.name = name
    }

    /// Reads the output of a program to its end, line by line.
    ///
    /// - Throws: `failed` for too much output; errors of `eachLine`.
    func readLines(
        of output: FileHandle, _ eachLine: (Data) throws(BackupError) -> Void
    ) throws(BackupError) {
        var (rest, lines) = (Data(), 0)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        while true {
            // `FileHandle.read` would wait until all requested bytes are there.
            let count = read(output.fileDescriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BackupError(.failed, "the output of a tool cannot be read") }
            if count == 0 { break }
            // The rest of the last read has no line end.
            var (start, known) = (0, rest.count)
            rest += piece[..<count]
            while let length = rest.withUnsafeBytes({ Self.endOfLine(in: $0, from: known) }) {
                lines += 1
                try eachLine(rest.subdata(in: start..<length))
                start = length + 1
                known = start
            }
            // A long line is not copied for each read.
            if start > 0 { rest = rest.subdata(in: start..<rest.count) }
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            guard rest.count <= Self.maximumLine, Double(lines) <= Double(mostLines) + seconds * Self.linesPerSecond
            else { throw Self.outputLimitError(of: name) }
        }
        if !rest.isEmpty { try eachLine(rest) }
    }

    static func outputLimitError(of name: String) -> BackupError {
        BackupError(
            .failed, "\(name) exceeded the output limit and was stopped",
            hint: "check which program \(name) is on the search path")
    }

    private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress, let end = memchr(base, Int32(UInt8(ascii: "\n")), rest.count) else {
            return nil
        }
        return start + base.distance(to: end)
    }
}

/// A watchdog for a running program: it enforces a time limit, and a limit for standard error.
final class EngineWatchdog: Sendable {
    /// The limit for standard error, which is a file: one line of borg for each of a million files.
    static let mostErrors = 256 << 20
    private static let pause = 0.05

    private let process: Int32
    private let errors: Int32
    private let state = LockedValue(State())

    private struct State {
        var isOver = false
        var hasExceededLimit = false
        /// The signals to send, with their times.
        var endings: [(signal: Int32, at: ContinuousClock.Instant)] = []
    }

    /// Starts the watchdog.
    ///
    /// - Parameters: + process: The identifier of the running program. + errors: The file for standard error, which
    ///   stays open until the end. + limit: The time until SIGINT, with which the program removes its locks. SIGKILL
    ///   follows two seconds later.
    init(_ process: Int32, errors: Int32, within limit: Duration?) {
        (self.process, self.errors) = (process, errors)
        if let limit { self.limit(to: limit) }
        DispatchQueue.global().async { [self] in
            while look() { Thread.sleep(forTimeInterval: Self.pause) }
        }
    }

    /// True if the program was killed because of its output on standard error.
    var hasExceededLimit: Bool { state.withLock { $0.hasExceededLimit } }

    /// Ends the program after a time: with SIGINT, and two seconds later with SIGKILL. An earlier limit stays.
    func limit(to duration: Duration) {
        let end = ContinuousClock.now + duration
        state.withLock { state in
            if let earlier = state.endings.first, earlier.at <= end { return }
            state.endings = [(SIGINT, end), (SIGKILL, end + .seconds(2))]
        }
    }

    /// Stops the watchdog after the end of the program.
    func end() { state.withLock { $0.isOver = true } }

    /// Ends the program and its children: with SIGINT, and after two seconds with SIGKILL.
    func end(_ running: Process) {
        for signal in [SIGINT, SIGKILL] where running.isRunning {
            Self.send(signal, to: process)
            for _ in 0..<100 where running.isRunning { Thread.sleep(forTimeInterval: 0.02) }
        }
        // Children may outlive the program.
        kill(-process, SIGKILL)
    }

    /// Checks the limits once; returns false if the watchdog has stopped.
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

    /// Sends a signal to the program and its children. Foundation starts a program as the leader of its process group.
    private static func send(_ signal: Int32, to process: Int32) {
        if kill(-process, signal) != 0 { kill(process, signal) }
    }
}
