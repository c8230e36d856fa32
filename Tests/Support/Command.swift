public import Foundation

/// An error for a Python environment without the current packages of Tests/requirements.txt.
struct StalePython: Error, CustomStringConvertible {
    let description =
        "The Python packages of Tests/requirements.txt are not installed. Run `make install-test-needs`."
}

/// A program that did not end in time.
struct CommandTimeout: Error, CustomStringConvertible { let description: String }

/// A set-up command that failed.
struct SetUpFailure: Error, CustomStringConvertible { let description: String }

/// A program that a test must not start.
struct RefusedProgram: Error, CustomStringConvertible { let description: String }

/// The result of a program that ran in its own process, or of a tool that ran as a function in this one.
public struct Command: Sendable {
    /// The exit code.
    public let code: Int32
    /// The bytes on standard output.
    public let output: Data
    /// The text on standard error.
    public let errors: String

    /// Runs a command that sets up a test, and fails the test if the command fails.
    public static func setUp(
        _ program: String, _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:]
    ) throws {
        let run = try Command(program, arguments, in: directory, environment: environment)
        guard run.code == 0 else {
            throw SetUpFailure(description: "\(program) \(arguments) exited with \(run.code): \(run.errors)")
        }
    }

    /// Returns the result of a command that sets up a test, and fails the test if the command has failed.
    @discardableResult
    package func succeeded() throws -> Command {
        guard code == 0 else { throw SetUpFailure(description: "a command exited with \(code): \(errors)") }
        return self
    }

    /// Creates the result of a tool that ran as a function.
    package init(code: Int32, output: Data, errors: String) {
        self.code = code
        self.output = output
        self.errors = errors
    }

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program from the search path. A program that does not end within `limit` is killed with its children.
    ///
    /// - Throws: `RefusedProgram` if these tests run without such programs; see `Needs`.
    public init(
        _ program: String, _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:],
        limit: Duration = .seconds(1200)
    ) throws {
        if let reason = Needs.unmet.needs.refusal(of: program) { throw RefusedProgram(description: reason) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = directory }
        // Files instead of pipes: a program that fills both pipes would block.
        let folder = FileManager.default.temporaryDirectory
        let (out, err) = (folder.appending(path: UUID().uuidString), folder.appending(path: UUID().uuidString))
        defer { for file in [out, err] { try? FileManager.default.removeItem(at: file) } }
        for file in [out, err] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Foundation starts a program as the leader of its process group.
        let group = process.processIdentifier
        guard let status = Self.exitStatus(of: process, within: limit) else {
            kill(-group, SIGKILL)
            let end = Self.exitStatus(of: process, within: .seconds(30)) == nil ? "cannot be killed" : "was killed"
            throw CommandTimeout(description: "\(program) \(arguments) did not end within \(limit), and \(end)")
        }
        code = status
        output = try Data(contentsOf: out)
        errors = String(decoding: try Data(contentsOf: err), as: UTF8.self)
    }

    /// Waits for the exit of a child, and leaves the child for Foundation to collect.
    ///
    /// `Process.waitUntilExit` waits for the end of a socket. It would wait forever for a child that hangs in the kernel, and for
    /// any other process that has the socket.
    ///
    /// - Returns: The exit code, or the signal that ended the child; nil if it has not ended in time.
    private static func exitStatus(of process: Process, within limit: Duration) -> Int32? {
        let end = ContinuousClock.now + limit
        var pause: UInt32 = 500
        while true {
            var information = siginfo_t()
            guard waitid(P_PID, id_t(process.processIdentifier), &information, WEXITED | WNOWAIT | WNOHANG) == 0 else {
                // Foundation has collected it.
                process.waitUntilExit()
                return process.terminationStatus
            }
            if information.si_signo == SIGCHLD {
                #if canImport(Darwin)
                return information.si_status
                #else
                return information._sifields._sigchld.si_status
                #endif
            }
            guard ContinuousClock.now < end else { return nil }
            usleep(pause)
            pause = min(10_000, pause * 2)
        }
    }

    /// The words that run a program as a user other than root. They change nothing if this process is not root's.
    public static var unprivileged: [String] {
        guard getuid() == 0 else { return ["env"] }
        return Platform.isLinux
            ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["sudo", "-n", "-u", "nobody"]
    }

    /// The path of the built linter, beside the test bundle.
    public static var sandboxlint: String { built("sandboxlint") }

    /// The path of the built backup tool.
    public static var sandboxbackup: String { built("sandboxbackup") }

    /// The path of the built file manager.
    public static var sandboxfm: String { built("sandboxfm") }

    /// The path of the built app whose container is the sample of the guides.
    public static var sampleApp: String { built("HackerBooks") }

    /// The path of the built tool that runs one operation on a database.
    public static var databaseProbe: String { built("database-probe") }

    /// The path of the built tool that runs one operation on a container.
    public static var probe: String { built("container-probe") }

    /// Returns the path of the Python with the packages of Tests/requirements.txt.
    public static func python() throws -> String { try installed("python3") }

    /// Returns the path of a program from one of these packages.
    public static func installed(_ program: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
        let (list, installed) = (
            root.appending(path: "Tests/requirements.txt"), root.appending(path: ".build-python/installed")
        )
        guard try Data(contentsOf: list) == (try? Data(contentsOf: installed)) else { throw StalePython() }
        return root.appending(path: ".build-python/bin").appending(path: program).path
    }

    /// Returns the path that a program of this package has, beside the test bundle.
    public static func built(_ name: String) -> String {
        Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: name).path
    }
}
