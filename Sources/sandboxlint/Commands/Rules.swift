import ArgumentParser
import CommandLineSupport
import Foundation
import PolicyAuthoring
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint rules …`
struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List, test and document rules.",
        discussion: """
            Examples:
              sandboxlint rules list
              sandboxlint rules test path/to/rules

            Exit codes: 0 success, 1 failed examples (rules test only), 2 usage or rule error, 4 internal error.
            """,
        subcommands: [List.self, RunExamples.self, Docs.self, Schema.self], defaultSubcommand: List.self)

    /// `sandboxlint rules list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the rules, one per line.",
            discussion: """
                Examples:
                  sandboxlint rules list
                  sandboxlint rules list --format json

                Exit codes: 0 listed, 2 usage or rule error, 4 internal error.
                """)

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @Option(help: "Print text or JSON.")
        var format: Format = .text

        @OptionGroup(title: "Output") var look: StyleOptions

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
            abstract: "Generate README.md and docs/<id>.md from the rule files.",
            discussion: """
                Examples:
                  sandboxlint rules docs
                  sandboxlint rules docs path/to/rules --rules path/to/rules

                Exit codes: 0 written, 2 usage or rule error, 4 internal error.
                """)

        @Argument(help: "The output directory.", completion: .directory)
        var folder = "rules"

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        func run() throws {
            let root = URL(fileURLWithPath: folder)
            let documents = RuleDocuments(try own.catalogue()).files
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent("docs"), withIntermediateDirectories: true)
            for (path, text) in documents { try Data(text.utf8).write(to: root.appendingPathComponent(path)) }
            // Pages of deleted rules are removed.
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
            abstract: "Print the JSON Schema of rule files, the configuration, or JSON reports.",
            discussion: """
                Examples:
                  sandboxlint rules schema rule
                  sandboxlint rules schema config > sandboxlint.schema.json

                Exit codes: 0 printed, 2 usage error, 4 internal error.
                """)

        enum Subject: String, ExpressibleByArgument, CaseIterable { case rule, config, report, diff }

        @Argument(help: "The format whose schema is printed.")
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
