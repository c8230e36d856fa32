import AppContainer
import ArgumentParser
import FileSystem
import Foundation
import PolicyReports
import StoragePolicy
import SystemPackage

/// `sandboxlint init [INPUT]`
struct Initialize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented .sandboxlint.yml to the working directory.",
        discussion: """
            An existing file is not overwritten. With a container, the file contains its bundle identifier and its \
            largest directories, with suggestions.

            Examples:
              sandboxlint init
              sandboxlint init path/to/container

            Exit codes: 0 written, 2 usage error or file not written, 3 input missing or not fully read, 4 internal error.
            """)

    @Argument(help: "The container from which values are suggested.")
    var input: String?

    func run() throws {
        let path = Invocation.current.workingDirectory.resolved(Configuration.fileName)
        let file = URL(fileURLWithPath: path)
        var guess = ConfigurationGuess()
        if let input {
            if ReportFile.lies(".", in: input) {
                throw ValidationError(
                    "The working directory is inside the container, where configuration files are ignored; run the command "
                        + "in a directory outside it.")
            }
            do throws(ContainerError) { guess = try ConfigurationGuess(try Container.open(FilePath(input))) } catch {
                Failure.say("sandboxlint: \(error)")
                throw Failure.input
            }
        }
        do {
            try Data((SchemaFile.config.line + ConfigurationTemplate(guess).text).utf8).write(
                to: file, options: .withoutOverwriting)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: file.path)
            let reason =
                isThere
                ? "already exists and is unchanged. Edit it, or move it away"
                : "cannot be written to the working directory. Use a directory with write permission"
            Failure.say("sandboxlint: \(Configuration.fileName) \(reason).")
            throw Failure.usage
        }
        Failure.say("wrote \(Configuration.fileName)")
    }
}
