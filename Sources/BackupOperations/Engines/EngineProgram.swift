internal import BackupRepository
internal import ExternalPrograms
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// A backup tool that is run without a shell.
struct EngineProgram: Sendable {
    private var program: ExternalProgram
    /// Variables to add to the environment.
    var environment: [String: String] {
        get { program.environment }
        set { program.environment = newValue }
    }
    /// Variables to remove from the environment.
    var removedVariables: Set<String> {
        get { program.removedVariables }
        set { program.removedVariables = newValue }
    }
    /// The time from the end of the output to the exit.
    var exitLimit: Duration {
        get { program.exitLimit }
        set { program.exitLimit = newValue }
    }
    /// Secrets that messages must not repeat.
    var secrets = EngineSecrets()
    /// Arguments at the end of every call.
    var lastArguments: [String] = []

    var name: String { program.name }

    /// Finds the program in the search path.
    ///
    /// - Throws: `failed` if it is not there.
    init(_ name: String) throws(BackupError) {
        do throws(ExternalProgramError) { program = try ExternalProgram(name) } catch {
            throw BackupError(error, name: name)
        }
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
                .failed, what: "unsupported version of \(name): \(quotation([first]))",
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
        mostLines: Int = ProgramOutput.mostLines, eachLine: (Data) throws(BackupError) -> Void = { _ in }
    ) throws(BackupError) -> ExternalProgram.Termination {
        do {
            return try program.run(
                arguments + lastArguments, in: directory, input: input, timeLimit: limit, mostLines: mostLines,
                on: limit == nil ? .asks : .ignored, eachLine: eachLine)
        } catch let error as ExternalProgramError {
            throw BackupError(error, name: name)
        } catch { throw BackupError(error) }
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

extension BackupError {
    /// An error of an external program.
    init(_ error: ExternalProgramError, name: String) {
        switch error.code {
        case .missing: self.init(.failed, what: error.description, hint: "install it; nothing was changed")
        case .outputLimit:
            self.init(.failed, what: error.description, hint: "check which program \(name) is on the search path")
        case .interrupted: self.init(.interrupted, what: error.description)
        case .failed: self.init(.failed, what: error.description)
        }
    }
}
