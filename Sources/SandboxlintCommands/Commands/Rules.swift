import ArgumentParser
import CommandLineSupport
import FileSystem
import Foundation
import PolicyAuthoring
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint rules …`
struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "List, write, test and document rules.",
        discussion: """
            Examples:
              sandboxlint rules list
              sandboxlint rules new no-exports
              sandboxlint rules test path/to/rules

            Exit codes: 0 success, 1 failed examples (rules test only), 2 usage or rule error, 4 internal error.
            """,
        subcommands: [List.self, New.self, RunExamples.self, Docs.self, Schema.self], defaultSubcommand: List.self)

    /// `sandboxlint rules list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the rules, one per line.",
            usage: "sandboxlint rules list [<options>]",
            discussion: """
                The columns are the number, the id, the group, the default (a severity, or off for a rule that must be \
                enabled), the fix (safe, --unsafe, by hand or none), the stage and the title.

                Examples:
                  sandboxlint rules list
                  sandboxlint rules list --group backup
                  sandboxlint rules list --select stale,1 --format json

                Exit codes: 0 listed, 2 usage or rule error, 4 internal error.
                """)

        /// A group of rules on the command line.
        struct GroupName: ExpressibleByArgument {
            let group: RuleGroup
            static let allValueStrings = RuleGroup.allCases.map(\.rawValue)

            init?(argument: String) {
                guard let group = RuleGroup(rawValue: argument) else { return nil }
                self.group = group
            }
        }

        /// The options that select the listed rules.
        struct ListOptions: ParsableArguments {
            @Option(help: "List only the rules of this group. May be repeated.")
            var group: [GroupName] = []

            @Option(
                help: ArgumentHelp(
                    "List only these rules: a comma-separated list of ids, numbers or groups.", valueName: "ids"),
                completion: RuleWords.list)
            var select: [String] = []
        }

        @OptionGroup(title: "Rule Selection") var choice: ListOptions

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @OptionGroup(title: "Output") var printed: FormatOptions

        @OptionGroup(title: "Output") var look: StyleOptions

        func run() throws {
            var catalogue = try own.catalogue()
            let words = choice.select.flatMap { $0.split(separator: ",").map(String.init) }
            try catalogue.restrict(select: words, ignore: [])
            let text = RuleText(
                catalogue.rules.filter { choice.group.isEmpty || choice.group.map(\.group).contains($0.group) })
            let style = look.style
            try Output.show(printed.format, style: style, text: { $0(text.list(style: style)) }, json: text.json)
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
            let root = URL(fileURLWithPath: Invocation.current.workingDirectory.resolved(folder))
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

    /// `sandboxlint rules schema [rule|config|report|diff|trend]`
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

        enum Subject: String, ExpressibleByArgument, CaseIterable { case rule, config, report, diff, trend }

        @Argument(help: "The format whose schema is printed.")
        var subject: Subject = .rule

        func run() throws {
            let schema: JSONValue =
                switch subject {
                case .rule: Schemas.rule
                case .config: Schemas.configuration
                case .report: Schemas.report
                case .diff: Schemas.difference
                case .trend: Schemas.trend
                }
            let output = Output()
            output.write(schema.indented)
            try output.end()
        }
    }
}
