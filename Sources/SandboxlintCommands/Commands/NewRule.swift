import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
import Foundation
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

extension Rules {
    /// `sandboxlint rules new ID`
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Write the file of a new rule, with examples that pass.",
            usage: "sandboxlint rules new <id> [<options>]",
            discussion: """
                With --from, the rule matches items like the one at the path: its location, directory, extension, content \
                format, and size from 1 MiB. Names that vary are replaced with *. An existing file is not overwritten.

                Examples:
                  sandboxlint rules new no-exports
                  sandboxlint rules new no-exports --from path/to/container tmp/a.bin
                  sandboxlint rules new no-exports --output lint-rules

                Exit codes: 0 written, 2 usage or rule error or file not written, 3 input missing or not readable, \
                4 internal error.
                """)

        @Argument(help: "The id of the rule: lowercase letters, digits and hyphens.")
        var id: String

        /// The source and the target of the rule.
        struct FileOptions: ParsableArguments {
            @Option(
                parsing: .upToNextOption,
                help: ArgumentHelp("Match items like this one: a container, and a path in it.", valueName: "path"))
            var from: [String] = []

            @Option(
                help: ArgumentHelp(
                    "Write to this folder or .yml file. (default: the first rules-folder of the configuration, else rules)",
                    valueName: "path"), completion: .directory)
            var output: String?

            func validate() throws {
                guard from.isEmpty || from.count == 2 else {
                    throw ValidationError(
                        "--from takes a container and the path of an item in it, such as: --from path/to/container "
                            + "tmp/a.bin")
                }
            }
        }

        @OptionGroup(title: "Rule") var files: FileOptions

        @OptionGroup(title: "Configuration") var options: ConfigurationOptions

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        func run() throws {
            guard id.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil else {
                throw ValidationError("“\(id)” is not an id. Use lowercase letters, digits and hyphens: no-exports.")
            }
            let configuration = try options.configuration(for: nil)
            let folder = files.output ?? configuration.rulesFolders.first ?? "rules"
            let isFile = folder.hasSuffix(".yml") || folder.hasSuffix(".yaml")
            let path = isFile ? folder : folder.hasSuffix("/") ? "\(folder)\(id).yml" : "\(folder)/\(id).yml"
            let working = Invocation.current.workingDirectory
            let url = URL(fileURLWithPath: working.resolved(path))
            let parent = url.deletingLastPathComponent()

            // Invalid files beside it are no obstacle: `rules test` reports them.
            var catalogue = try Catalogue.embedded()
            for folder in Set(configuration.rulesFolders + own.rules + [parent.path]).sorted() {
                _ = try? catalogue.add(validFilesOf: folder)
            }
            guard !catalogue.isTaken(id) else {
                Failure.printMessage("sandboxlint: a rule or group has the id “\(id)” already. Choose another id.")
                throw Failure.usage
            }
            let template = try template(besides: path)
            let text = SchemaFile.rule.line + template.text(id: id, number: catalogue.freeNumber)
            do {
                try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url, options: .withoutOverwriting)
            } catch {
                let reason =
                    FileManager.default.fileExists(atPath: url.path)
                    ? "already exists and is unchanged. Choose another id or another --output"
                    : "cannot be written. Use --output with a folder that you can write to"
                Failure.printMessage("sandboxlint: \(ByteText.printable(path)) \(reason).")
                throw Failure.usage
            }
            Failure.printMessage(
                "wrote \(ByteText.printable(path)); `sandboxlint rules test \(ByteText.printable(path))` tests it")
        }

        private func template(besides path: String) throws -> RuleTemplate {
            guard files.from.count == 2 else { return RuleTemplate() }
            let (input, item) = (files.from[0], files.from[1])
            if ReportFile.isLocated(path, in: input) {
                throw ValidationError(
                    "The file of the rule would be inside the container. Use --output with another folder.")
            }
            do throws(ContainerError) {
                let container = try Container.open(FilePath(input))
                do throws(RuleTemplate.Refusal) { return try RuleTemplate(item, in: container) } catch {
                    Failure.printMessage(
                        "sandboxlint: \(ByteText.printable(input)): “\(ByteText.printable(item))” \(error.reason).")
                }
            } catch { Failure.printMessage("sandboxlint: \(error)") }
            throw Failure.input
        }
    }
}

/// A JSON Schema that `make install` installs.
enum SchemaFile: String {
    case rule, config

    /// The directory below the prefix of an installation.
    private static let directory = "share/sandboxlint/schemas"

    /// The comment that names the schema to editors: that of the installation of this program, else of `/usr/local`.
    var line: String {
        let program = Bundle.main.executablePath.map { FilePath($0).removingLastComponent().removingLastComponent() }
        let own = program?.appending(Self.directory).appending("\(rawValue).json").string
        let path = own.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
        return "# yaml-language-server: $schema=\(path ?? "/usr/local/\(Self.directory)/\(rawValue).json")\n"
    }
}
