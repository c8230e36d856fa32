import ArgumentParser
import FileSystem
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// The option that selects recordings of the app's network traffic.
struct TrafficOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Compare files with recorded traffic, a HAR file (repeatable): the bytes of a response are re-downloadable, those \
            of a request are user data.
            """, valueName: "har"), completion: .file(extensions: ["har"]))
    var traffic: [String] = []

    /// Reads the recordings.
    ///
    /// - Returns: The traffic, nil without a recording, and what could not be read of it.
    /// - Throws: `Interrupted` after an interruption of the run.
    func read() throws(Interrupted) -> (traffic: RecordedTraffic?, failures: [LintRun.Failure]) {
        guard !traffic.isEmpty else { return (nil, []) }
        var recorded = RecordedTraffic()
        var failures: [LintRun.Failure] = []
        for path in traffic {
            let shown = ByteText.printable(path)
            do {
                try recorded.add(har: try Self.open(path))
            } catch let failure as RecordedTraffic.Failure {
                failures.append(LintRun.Failure("“\(shown)”: \(failure.reason). Record the traffic again.", of: path))
            } catch {
                failures.append(LintRun.Failure("\(error)", of: path))
            }
            try Invocation.current.interruption.check()
        }
        if recorded.isEmpty, failures.isEmpty {
            Failure.printMessage(
                "sandboxlint: note: the recorded traffic has no bodies, so it proves nothing. Record it with content.")
        }
        return (recorded, failures)
    }

    /// Reads the recordings of a command that makes no use of a part of them.
    ///
    /// - Throws: Exit code 3 after the error is printed, or `Interrupted`.
    func readCompletely() throws -> RecordedTraffic? {
        let (traffic, failures) = try read()
        for failure in failures { Failure.printMessage("sandboxlint: \(failure.message)") }
        guard failures.isEmpty else { throw Failure.input }
        return traffic
    }

    private static func open(_ text: String) throws(FileSystemError) -> OpenFile {
        let path = FilePath(text).physical(from: Invocation.current.workingDirectory.path)
        guard let name = path.lastComponent else {
            throw FileSystemError("read", path: FilePath(text), errno: .isDirectory)
        }
        do throws(FileSystemError) {
            let folder = try Folder(opening: path.removingLastComponent())
            let file = FilePath(root: nil, [name])
            let status = try folder.status(file)
            guard status.isFile else { throw FileSystemError("read", path: FilePath(text), errno: .invalidArgument) }
            return try folder.open(file)
        } catch { throw FileSystemError(error.operation, path: FilePath(text), errno: error.errno) }
    }
}
