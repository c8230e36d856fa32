internal import BackupRepository
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
        let ended = try run([question], tidyingWithin: .seconds(60), mostLines: 1_000) { line in
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
        _ arguments: [String], in directory: FilePath? = nil, input: URL? = nil, tidyingWithin limit: Duration? = nil,
        mostLines: Int = EngineOutput.mostLines, eachLine: (Data) throws(BackupError) -> Void = { _ in }
    ) throws(BackupError) -> Ended {
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
            if limit == nil { try RunInterruption.check() }
            try process.run()
            let watch = EngineWatch(process.processIdentifier, errors: errors.fileDescriptor, within: limit)
            if limit == nil { RunInterruption.program = process.processIdentifier }
            defer {
                watch.end()
                RunInterruption.program = 0
            }
            do {
                try EngineOutput(mostLines: mostLines, of: name).readLines(of: output.fileHandleForReading, eachLine)
            } catch {
                watch.end(process)
                throw error
            }
            process.waitUntilExit()
            if watch.hasFoundTooMuch { throw EngineOutput.tooMuch(of: name) }
            try errors.seek(toOffset: 0)
            let said = String(decoding: try errors.read(upToCount: 1 << 20) ?? Data(), as: UTF8.self)
            let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
            return Ended(code: signal + process.terminationStatus, errors: said.split(separator: "\n").map(String.init))
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
