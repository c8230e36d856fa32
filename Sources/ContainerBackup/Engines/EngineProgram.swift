internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// A program of someone else's, run to its end without a shell.
struct EngineProgram: Sendable {
    /// How a program ended.
    struct Ended {
        /// Its exit code; 128 and the signal's number where a signal ended it.
        let code: Int32
        /// What it wrote on standard error, at most a mebibyte, by lines.
        let errors: [String]
    }

    let name: String
    private let file: String
    /// What its environment has beside this process's own.
    var environment: [String: String] = [:]
    /// What it may say and we do not repeat: the repository's place may hold a password.
    var secrets: [String] = []
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
        let ended = try run([question]) { if first.isEmpty { first = String(decoding: $0, as: UTF8.self) } }
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
    /// also done where a person has ended what was being done.
    ///
    /// - Throws: `failed` where it cannot be run, `interrupted` where a person has ended the run before.
    func run(
        _ arguments: [String], in directory: FilePath? = nil, input: URL? = nil, tidyingWithin limit: Duration? = nil,
        eachLine: (Data) -> Void = { _ in }
    ) throws(BackupError) -> Ended {
        do {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: file)
            process.arguments = arguments + lastArguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
            try Data().write(to: scratch)
            let (errors, output) = (try FileHandle(forUpdating: scratch), Pipe())
            try FileManager.default.removeItem(at: scratch)
            process.standardError = errors
            process.standardOutput = output
            process.standardInput = try input.map(FileHandle.init(forReadingFrom:)) ?? .nullDevice
            if limit == nil { try RunInterruption.check() }
            try process.run()
            let endings = limit.map { Self.end(process, after: $0) } ?? []
            if limit == nil { RunInterruption.program = process.processIdentifier }
            defer {
                endings.forEach { $0.cancel() }
                RunInterruption.program = 0
            }
            try Self.lines(of: output.fileHandleForReading, eachLine)
            process.waitUntilExit()
            try errors.seek(toOffset: 0)
            let said = String(decoding: try errors.read(upToCount: 1 << 20) ?? Data(), as: UTF8.self)
            let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
            return Ended(code: signal + process.terminationStatus, errors: said.split(separator: "\n").map(String.init))
        } catch let error as BackupError { throw error } catch {
            throw BackupError(.failed, "\(name) cannot be run: \(error.localizedDescription)")
        }
    }

    /// Has a program end that is still at work then: as Ctrl-C does, so that it leaves no lock behind, and what does not
    /// heed that two seconds later.
    private static func end(_ process: Process, after limit: Duration) -> [DispatchWorkItem] {
        let endings = [
            DispatchWorkItem { process.interrupt() },
            DispatchWorkItem { if process.isRunning { kill(process.processIdentifier, SIGKILL) } },
        ]
        for (ending, wait) in zip(endings, [limit, limit + .seconds(2)]) {
            let seconds = wait / .seconds(1)
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: ending)
        }
        return endings
    }

    /// A snapshot's record is one line of restic's, with all that it began with.
    private static let maximumLine = 64 << 20

    private static func lines(of output: FileHandle, _ eachLine: (Data) -> Void) throws {
        var rest = Data()
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
            while let length = rest.withUnsafeBytes({ endOfLine(in: $0, from: known) }) {
                eachLine(rest.subdata(in: start..<length))
                start = length + 1
                known = start
            }
            // A line that goes on is not moved for each piece of it.
            if start > 0 { rest = rest.subdata(in: start..<rest.count) }
            guard rest.count <= maximumLine else { throw BackupError(.failed, "a tool's line is too long to be read") }
        }
        if !rest.isEmpty { eachLine(rest) }
    }

    private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress, let end = memchr(base, Int32(UInt8(ascii: "\n")), rest.count) else {
            return nil
        }
        return start + base.distance(to: end)
    }

    /// What the program said, in one line that neither steers a terminal nor tells what is secret.
    func said(_ lines: [String]) -> String {
        var text = lines.suffix(4).map(ByteText.printable).joined(separator: " | ")
        for secret in secrets where !secret.isEmpty { text = text.replacing(secret, with: "…") }
        while text.hasSuffix(".") { text.removeLast() }
        return text.isEmpty ? "nothing" : text
    }
}
