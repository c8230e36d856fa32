package import Foundation
internal import FileSystem
package import SystemPackage

/// An external program that is run without a shell, with limits for its time and output.
package struct ExternalProgram: Sendable {
    /// The end of a program.
    package struct Termination: Sendable {
        /// The exit code; after a signal, 128 plus its number.
        package let code: Int32
        /// The lines of standard error, at most a mebibyte.
        package let errors: [String]
        /// True if the program was ended at its time limit.
        package let hasTimedOut: Bool
    }

    /// The effect of an interruption of the run on a program.
    package enum Cancellation: Sendable {
        /// None. For a cleanup.
        case ignored
        /// The program gets SIGINT and as much time as it needs.
        case asks
        /// The program gets SIGINT, and SIGKILL two seconds later.
        case ends
    }

    package let name: String
    private let file: String
    /// Variables to add to the environment.
    package var environment: [String: String] = [:]
    /// Variables to remove from the environment.
    package var removedVariables: Set<String> = []
    /// The time from the end of the output to the exit.
    package var exitLimit: Duration = .seconds(60)

    /// Finds the program in the search path.
    ///
    /// - Throws: `missing` if it is not there.
    package init(_ name: String) throws(ExternalProgramError) {
        self.name = name
        let path = Invocation.current.environment["PATH"] ?? "/usr/bin:/bin"
        let candidates = path.split(separator: ":").map { "\($0)/\(name)" }
        guard let file = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw ExternalProgramError(.missing, description: "\(name) is not on the search path")
        }
        self.file = file
    }

    /// Creates a program of a known path.
    package init(name: String, file: String) { (self.name, self.file) = (name, file) }

    /// Runs the program and calls `eachLine` for each line of standard output.
    ///
    /// The program is killed if it prints more than `mostLines` lines, plus a thousand per second. Standard input is
    /// empty unless `input` is given.
    ///
    /// - Throws: `ExternalProgramError` if the program cannot run or prints too much; errors of `eachLine`, which also end
    ///   the program.
    package func run(
        _ arguments: [String], in directory: FilePath? = nil, input: URL? = nil, timeLimit limit: Duration? = nil,
        mostLines: Int = ProgramOutput.mostLines, on cancellation: Cancellation = .asks,
        eachLine: (Data) throws -> Void = { _ in }
    ) throws -> Termination {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: file)
        process.arguments = arguments
        let invocation = Invocation.current
        process.environment = invocation.environment.filter { !removedVariables.contains($0.key) }
            .merging(environment) { $1 }
        let directory = directory ?? invocation.workingDirectory.ownPath
        if let directory {
            guard FileManager.default.fileExists(atPath: directory.string) else {
                throw ExternalProgramError(.failed, description: "the directory for \(name) no longer exists")
            }
            process.currentDirectoryURL = URL(fileURLWithPath: directory.string)
            // Go reads the name of the working directory from here.
            process.environment?["PWD"] = directory.string
        }
        let (errors, output): (FileHandle, Pipe)
        do {
            // A file instead of a second pipe: two pipes read in turn could block the program.
            let scratch = URL(fileURLWithPath: invocation.temporaryDirectory.string)
                .appending(path: "\(name)-errors-\(UUID().uuidString)")
            guard
                FileManager.default.createFile(
                    atPath: scratch.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            (errors, output) = (try FileHandle(forUpdating: scratch), Pipe())
            try FileManager.default.removeItem(at: scratch)
            process.standardError = errors
            process.standardOutput = output
            process.standardInput = try input.map(FileHandle.init(forReadingFrom:)) ?? .nullDevice
            if cancellation != .ignored, invocation.interruption.isRequested {
                throw ExternalProgramError(.interrupted, description: "interrupted")
            }
            try process.run()
        } catch let error as ExternalProgramError { throw error } catch {
            throw ExternalProgramError(.failed, description: "\(name) cannot be run: \(error.localizedDescription)")
        }
        let watch = ProgramWatchdog(
            process.processIdentifier, errors: errors.fileDescriptor, within: limit,
            endsOnCancellation: cancellation == .ends)
        defer { watch.end() }
        let identifier = process.processIdentifier
        // The program removes its locks.
        let ask = cancellation == .asks ? { @Sendable () -> Void in kill(identifier, SIGINT) } : nil
        do {
            try invocation.interruption.during(handler: ask) {
                try ProgramOutput(mostLines: mostLines, of: name).readLines(of: output.fileHandleForReading, eachLine)
            }
        } catch {
            watch.end(process)
            throw error
        }
        // A program that has closed its output has nothing left to do but exit.
        watch.limit(to: exitLimit)
        process.waitUntilExit()
        if watch.hasExceededLimit { throw ExternalProgramError.outputLimit(of: name) }
        let messages: String
        do {
            try errors.seek(toOffset: 0)
            messages = String(decoding: try errors.read(upToCount: 1 << 20) ?? Data(), as: UTF8.self)
        } catch {
            throw ExternalProgramError(
                .failed, description: "the messages of \(name) cannot be read: \(error.localizedDescription)")
        }
        let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        return Termination(
            code: signal + process.terminationStatus, errors: messages.split(separator: "\n").map(String.init),
            hasTimedOut: watch.hasTimedOut)
    }
}

/// An external program that cannot be run, or that exceeds a limit.
package struct ExternalProgramError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The program is not on the search path.
        case missing
        /// The program printed too much and was killed.
        case outputLimit
        /// The run was cancelled before the program was started.
        case interrupted
        /// The program cannot be started or read.
        case failed
    }

    package let code: Code
    /// The problem, without a full stop.
    package let description: String

    init(_ code: Code, description: String) { (self.code, self.description) = (code, description) }

    static func outputLimit(of name: String) -> ExternalProgramError {
        ExternalProgramError(.outputLimit, description: "\(name) exceeded the output limit and was stopped")
    }
}
