import ArgumentParser
import CommandLineSupport
import Foundation
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint rules …`
struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "What the rules are, whether their examples hold, and how one is written.",
        subcommands: [List.self, Test.self, Docs.self, Schema.self], defaultSubcommand: List.self)

    /// `sandboxlint rules list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the rules, a line each.")

        @OptionGroup var own: RuleOptions

        @Option(help: "How to list: text or json.")
        var format: Format = .text

        @OptionGroup var look: StyleOptions

        func run() throws {
            let text = RuleText(try own.catalogue().rules)
            let style = look.style
            try Output.show(format, style: style, text: { $0(text.list(style: style)) }, json: text.json)
        }
    }

    /// `sandboxlint rules docs [FOLDER]`
    struct Docs: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "docs",
            abstract: "Write README.md and docs/<id>.md for the rules, from what their files say.")

        @Argument(help: "Where to write them.", completion: .directory)
        var folder = "rules"

        @OptionGroup var own: RuleOptions

        func run() throws {
            let root = URL(fileURLWithPath: folder)
            let documents = RuleDocuments(try own.catalogue()).files
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent("docs"), withIntermediateDirectories: true)
            for (path, text) in documents { try Data(text.utf8).write(to: root.appendingPathComponent(path)) }
            // A page of a rule that is no more would look as if there were one.
            let pages = root.appendingPathComponent("docs")
            for name in try FileManager.default.contentsOfDirectory(atPath: pages.path)
            where name.hasSuffix(".md") && !documents.contains(where: { $0.path == "docs/\(name)" }) {
                try FileManager.default.removeItem(at: pages.appendingPathComponent(name))
            }
        }
    }

    /// `sandboxlint rules schema [rule|config|report|diff]`
    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema",
            abstract: "Print the JSON Schema of a rule's file, of the configuration, or of what is reported as JSON.")

        enum Subject: String, ExpressibleByArgument, CaseIterable { case rule, config, report, diff }

        @Argument(help: "rule, config, report or diff.")
        var subject: Subject = .rule

        func run() throws {
            let schema: JSONValue =
                switch subject {
                case .rule: Schemas.rule
                case .config: Schemas.configuration
                case .report: ReportSchema.document
                case .diff: ReportSchema.difference
                }
            let output = Output()
            output.write(schema.indented)
            try output.end()
        }
    }
}
