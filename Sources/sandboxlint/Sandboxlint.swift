import ArgumentParser
import Foundation

/// The tool's entry: arguments in, exit code out.
@main
struct Sandboxlint: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "sandboxlint",
        abstract: "Checks what an app leaves on disk: what is backed up, what can be lost, what is left over.",
        discussion: """
            INPUT is an app container: the directory that holds Documents, Library and tmp.
            Only `fix` and `undo` change anything in it.

              sandboxlint path/to/container
              sandboxlint lint path/to/container --output sarif=out.sarif --output junit=out.xml
              sandboxlint explain regenerable-in-documents

            Exit: 0 clean, 1 findings, 2 wrong usage or rule, 3 input missing or not wholly read, 4 internal error.
            """,
        version: version,
        subcommands: [
            Lint.self, BaselineCommand.self, Diff.self, Fix.self, TakeBack.self, Explain.self, Rules.self, Config.self,
            Initialize.self,
        ],
        defaultSubcommand: Lint.self)

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let code as ExitCode {
            Self.exit(withError: code)
        } catch {
            // Help and version are no errors; of the rest the parser's own code would be 64.
            guard exitCode(for: error) == .success else { Failure.end(with: error, text: fullMessage(for: error)) }
            Self.exit(withError: error)
        }
    }
}
