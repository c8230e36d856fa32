import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import TextOutput

extension PreferenceType: ExpressibleByArgument {}

/// `sandboxfm prefs list|get|set|delete CONTAINER`
struct PreferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefs",
        abstract: "List, print, set, delete and edit preferences.",
        discussion: CommandHelp.discussion(
            "The preferences of the app are in Library/Preferences/<bundle-id>.plist.",
            examples: [
                "sandboxfm prefs list CONTAINER",
                "sandboxfm prefs set CONTAINER fontSize 14 --type integer",
            ],
            exits: CommandHelp.changing),
        subcommands: [List.self, Get.self, Set.self, Delete.self, EditPreferences.self])

    /// The preferences of an app or suite.
    struct SuiteOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("The preferences of this suite or group. (default: of the app)", valueName: "name"))
        var suite: String?
    }

    /// `sandboxfm prefs list CONTAINER`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List all preferences with their types.",
            discussion: CommandHelp.discussion(
                "",
                examples: [
                    "sandboxfm prefs list CONTAINER", "sandboxfm prefs list CONTAINER --suite group.com.example --json",
                ],
                exits: CommandHelp.reading))

        @OptionGroup var container: ContainerOptions
        @OptionGroup var suite: SuiteOptions
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Output") var secrets: SecretOptions

        func run() throws {
            try container.read { try output.print(PreferenceReport(suite: suite.suite, of: $0), secrets: secrets) }
        }
    }

    /// `sandboxfm prefs get CONTAINER KEY…`
    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the values of preferences.",
            discussion: CommandHelp.discussion(
                "A missing key, and with --type a value of another type, is an error.",
                examples: [
                    "sandboxfm prefs get CONTAINER fontSize", "sandboxfm prefs get CONTAINER fontSize --type integer",
                ],
                exits: CommandHelp.reading))

        @OptionGroup var container: ContainerOptions
        @Argument(help: "The keys.") var keys: [String] = []
        @Option(help: "The expected type.") var type: PreferenceType?
        @OptionGroup var suite: SuiteOptions
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Output") var secrets: SecretOptions

        private var arguments: [String] { get throws { try container.required("keys", arguments: keys) } }

        func validate() throws { _ = try arguments }

        func run() throws {
            try container.read {
                try output.print(PreferenceReport(arguments, as: type, suite: suite.suite, of: $0), secrets: secrets)
            }
        }
    }

    /// `sandboxfm prefs set CONTAINER KEY VALUE`
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a preference.",
            discussion: CommandHelp.discussion(
                """
                Without --type, the value has the type of the existing one, or is a string. A boolean is true or false, a \
                date is in ISO 8601 format, data is hexadecimal, an array or dictionary is JSON.
                """,
                examples: [
                    "sandboxfm prefs set CONTAINER fontSize 14 --type integer",
                    "sandboxfm prefs set CONTAINER recent '[\"a\", \"b\"]' --type array",
                ],
                exits: CommandHelp.changing))

        @OptionGroup var container: ContainerOptions
        @Argument(help: "The key.") var key: String?
        @Argument(help: "The value. Write -- before a negative number.") var value: String?
        @Option(help: "The type of the value. A different type than before is allowed.") var type: PreferenceType?
        @OptionGroup var suite: SuiteOptions
        @OptionGroup var plan: PlanOption
        @OptionGroup(title: "Output") var output: OutputOptions

        private var arguments: [String] {
            get throws { try container.required(["key", "value"], arguments: [key, value]) }
        }

        func validate() throws { _ = try arguments }

        func run() throws {
            let arguments = try arguments
            try container.change(isPlan: plan.dryRun) {
                try output.printChanges(
                    PreferenceChanges(suite: suite.suite, in: $0).set(
                        arguments[0], to: arguments[1], as: type, isPlan: plan.dryRun))
            }
        }
    }

    /// `sandboxfm prefs delete CONTAINER KEY…`
    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete preferences. Asks on a terminal.",
            discussion: CommandHelp.discussion(
                "",
                examples: [
                    "sandboxfm prefs delete CONTAINER fontSize --dry-run",
                    "sandboxfm prefs delete CONTAINER fontSize --yes",
                ],
                exits: CommandHelp.changing))

        @OptionGroup var container: ContainerOptions
        @Argument(help: "The keys.") var keys: [String] = []
        @OptionGroup var suite: SuiteOptions
        @OptionGroup var confirmation: Confirmation
        @OptionGroup(title: "Output") var output: OutputOptions

        private var arguments: [String] { get throws { try container.required("keys", arguments: keys) } }

        func validate() throws { _ = try arguments }

        func run() throws {
            let keys = try arguments
            try container.change(isPlan: confirmation.isPlan) {
                try output.printChanges(
                    PreferenceChanges(suite: suite.suite, in: $0).delete(keys, isPlan: confirmation.isPlan) { plan in
                        try confirmation.confirm(plan, question: "Delete \(Quantity.count(keys.count, "preference"))")
                    })
            }
        }
    }
}
