import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import Secrets
import SystemPackage
import TextOutput

extension DatabaseExport.Format: ExpressibleByArgument {}

/// `sandboxfm db query CONTAINER PATH SQL`
struct DatabaseQuery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Print the result of one statement that reads.",
        discussion: CommandHelp.discussion(
            """
            Statements that write, ATTACH, pragmas that set something, and functions that access files are refused. Text \
            that may come from a column for a secret is printed as its kind.
            """,
            examples: [
                "sandboxfm db query CONTAINER Documents/library.sqlite 'SELECT count(*) FROM book'",
                "sandboxfm db query CONTAINER Documents/library.sqlite 'SELECT title FROM book' --limit 1000 --csv",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var database: Database.DatabaseOptions
    @Argument(help: "The statement.") var sql: String?
    @Option(help: ArgumentHelp("The maximum number of rows, at most 100000.", valueName: "n")) var limit = 100
    @Option(help: ArgumentHelp("The maximum time, at most 600 seconds.", valueName: "seconds")) var timeout = 5.0
    @Flag(help: "Print CSV (RFC 4180).") var csv = false
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var secrets: SecretOptions

    func validate() throws {
        try database.check(["sql"], [sql])
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 100000.") }
        guard timeout > 0, timeout <= 600 else { throw ValidationError("--timeout must be from 0 to 600 seconds.") }
        if csv, output.json || output.format != nil {
            throw ValidationError("--csv cannot be combined with --json and --format.")
        }
    }

    func run() throws {
        try database.open(["sql"], [sql], limits: .statement(seconds: timeout)) { database, arguments in
            let rows = try RowListing(sql: arguments[0], limit: limit, in: database)
            if csv {
                let stream = Output()
                SecretDisplay.showing(secrets.showSecrets) { rows.writeCSV(to: stream.write) }
                try stream.end()
            } else {
                try output.print(rows, secrets: secrets)
            }
            if rows.hasMore, !output.isJSON {
                StandardError.printNote("more rows follow; raise --limit, or use LIMIT and OFFSET in the statement")
            }
        }
    }
}

/// `sandboxfm db export CONTAINER PATH [TABLE…]`
struct DatabaseExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write whole tables as CSV or JSON.",
        discussion: CommandHelp.discussion(
            """
            A directory gets a private file for each table; - is standard output. CSV (RFC 4180) has a header; NULL is an \
            empty field, an empty text is \"\", a BLOB is x'00ff'. JSON has an array of objects; a BLOB is \
            {"base64": "AP8="}.
            """,
            examples: [
                "sandboxfm db export CONTAINER Documents/library.sqlite --to exported",
                "sandboxfm db export CONTAINER Documents/library.sqlite book --to - --format json",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "The path of the database, then tables and views. (default: all tables)") var paths: [String] = []
    @Option(
        help: ArgumentHelp("The directory for the files, or - for standard output.", valueName: "directory"),
        completion: .directory) var to: String
    @Option(name: .customLong("format"), help: "Write csv or json.") var format: DatabaseExport.Format = .csv
    @OptionGroup var confirmation: Confirmation
    @Flag(help: "Print the changes as JSON.") var json = false
    @OptionGroup(title: "Output") var secrets: SecretOptions

    private var arguments: [String] { get throws { try container.required("path", arguments: paths) } }

    func validate() throws {
        _ = try arguments
        if to.isEmpty { throw ValidationError("--to must not be empty.") }
    }

    func run() throws {
        let arguments = try arguments
        try container.read { tree in
            try SecretDisplay.showing(secrets.showSecrets) {
                let database = try OpenedDatabase(arguments[0], in: tree, limits: .export)
                let export = try DatabaseExport(Array(arguments.dropFirst()), as: format, of: database)
                guard to != "-" else {
                    let stream = Output()
                    try export.write(to: stream.write)
                    return try stream.end()
                }
                let report = try export.write(into: FilePath(to), isPlan: confirmation.isPlan) { plan in
                    try confirmation.confirm(plan, question: "Replace \(Quantity.count(plan.changes.count, "file"))")
                }
                try OutputOptions.parse(json ? ["--json"] : []).printChanges(report)
            }
        }
    }
}
