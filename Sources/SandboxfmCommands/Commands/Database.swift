import ArgumentParser
import CommandLineSupport
import ContainerExplorer

/// `sandboxfm db tables|schema|rows|query|export CONTAINER PATH`
struct Database: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Show, query and export SQLite databases.",
        discussion: CommandHelp.discussion(
            "SQLite opens a private copy; the database, its log and its times are unchanged.",
            examples: [
                "sandboxfm db tables CONTAINER Documents/library.sqlite",
                "sandboxfm db rows CONTAINER Documents/library.sqlite book",
            ],
            exits: CommandHelp.reading),
        subcommands: [Tables.self, Schema.self, Rows.self, DatabaseQuery.self, DatabaseExportCommand.self])

    /// The database of a command.
    struct DatabaseOptions: ParsableArguments {
        @OptionGroup var container: ContainerOptions
        @Argument(help: "The path of the database, relative to the container.") var path: String?

        /// Opens the database, and calls `body` with it and the arguments after its path, which have these names.
        func open(
            _ names: [String] = [], _ arguments: [String?] = [], limits: OpenedDatabase.Limits = .inspection,
            _ body: (OpenedDatabase, [String]) throws -> Void
        ) throws {
            let all = try check(names, arguments)
            try container.read { try body(OpenedDatabase(all[0], in: $0, limits: limits), Array(all.dropFirst())) }
        }

        /// Returns the path and the arguments after it.
        @discardableResult
        func check(_ names: [String] = [], _ arguments: [String?] = []) throws -> [String] {
            try container.required(["path"] + names, arguments: [path] + arguments)
        }
    }

    /// `sandboxfm db tables CONTAINER PATH`
    struct Tables: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List tables and views with their number of rows.",
            discussion: CommandHelp.discussion(
                "",
                examples: [
                    "sandboxfm db tables CONTAINER Documents/library.sqlite",
                    "sandboxfm db tables CONTAINER Documents/library.sqlite --json",
                ],
                exits: CommandHelp.reading))

        @OptionGroup var database: DatabaseOptions
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Output") var secrets: SecretOptions

        func validate() throws { try database.check() }

        func run() throws {
            try database.open { database, _ in
                try output.print(DatabaseListing(database, showsSchema: false), secrets: secrets)
            }
        }
    }

    /// `sandboxfm db schema CONTAINER PATH`
    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the statements that create tables, views, indexes and triggers.",
            discussion: CommandHelp.discussion(
                "",
                examples: [
                    "sandboxfm db schema CONTAINER Documents/library.sqlite",
                    "sandboxfm db schema CONTAINER Documents/library.sqlite --json",
                ],
                exits: CommandHelp.reading))

        @OptionGroup var database: DatabaseOptions
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Output") var secrets: SecretOptions

        func validate() throws { try database.check() }

        func run() throws {
            try database.open { database, _ in
                try output.print(DatabaseListing(database, showsSchema: true), secrets: secrets)
            }
        }
    }

    /// `sandboxfm db rows CONTAINER PATH TABLE`
    struct Rows: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print rows of a table or view.",
            discussion: CommandHelp.discussion(
                "If more rows follow, a note on standard error states the next offset.",
                examples: [
                    "sandboxfm db rows CONTAINER Documents/library.sqlite book",
                    "sandboxfm db rows CONTAINER Documents/library.sqlite book --limit 10 --offset 20 --json",
                ],
                exits: CommandHelp.reading))

        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The name of a table or view.") var table: String?
        @Option(help: ArgumentHelp("The maximum number of rows, at most 1000.", valueName: "n")) var limit = 100
        @Option(help: ArgumentHelp("The number of rows to skip.", valueName: "n")) var offset = 0
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Output") var secrets: SecretOptions

        func validate() throws {
            try database.check(["table"], [table])
            guard (1...1000).contains(limit) else { throw ValidationError("--limit must be from 1 to 1000.") }
            guard offset >= 0 else { throw ValidationError("--offset must not be negative.") }
        }

        func run() throws {
            try database.open(["table"], [table]) { database, arguments in
                let rows = try RowListing(of: arguments[0], limit: limit, offset: offset, in: database)
                try output.print(rows, secrets: secrets)
                if rows.hasMore, !output.isJSON {
                    StandardError.printNote("more rows follow; --offset \(rows.end) continues")
                }
            }
        }
    }
}
