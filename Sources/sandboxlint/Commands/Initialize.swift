import AppContainer
import ArgumentParser
import Foundation
import PolicyReports
import StoragePolicy
import SystemPackage

/// `sandboxlint init [INPUT]`
struct Initialize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented .sandboxlint.yml into the working directory, never over one that is there.")

    @Argument(help: "A container to guess from: whose it is, and what lies in it.")
    var input: String?

    func run() throws {
        let file = URL(fileURLWithPath: Configuration.fileName)
        var guess = ConfigurationGuess()
        if let input {
            if ReportFile.lies(".", in: input) {
                throw ValidationError(
                    "The working directory lies in the container, whose content never configures a lint; work in a folder "
                        + "outside of it.")
            }
            do throws(ContainerError) { guess = try ConfigurationGuess(try Container.open(FilePath(input))) } catch {
                Failure.say("sandboxlint: \(error)")
                throw Failure.input
            }
        }
        do { try Data(ConfigurationTemplate(guess).text.utf8).write(to: file, options: .withoutOverwriting) } catch {
            let isThere = FileManager.default.fileExists(atPath: file.path)
            let reason =
                isThere
                ? "is there already and is left as it is. Edit it, or move it away"
                : "cannot be written here. Work in a folder that you may write to"
            Failure.say("sandboxlint: \(Configuration.fileName) \(reason).")
            throw Failure.usage
        }
        Failure.say("wrote \(Configuration.fileName)")
    }
}
