internal import AppContainer
package import ContainerTree
internal import DatabaseInspection
internal import FileSystem
internal import Foundation
internal import PolicyTexts
internal import Secrets
internal import StoragePolicy
internal import SystemPackage
package import TextOutput

/// A private copy of a database in a tree. The database itself is not opened by SQLite.
package struct OpenedDatabase {
    let copy: DatabaseCopy
    /// The path, as it is shown.
    let path: String

    /// Copies a database with its log.
    ///
    /// - Parameters:
    ///   - argument: The path of the database in the container.
    ///   - tree: The tree.
    ///   - limits: The limits for the commands.
    /// - Throws: `wrongContent` for a file that is not a database; `usage`, `notFound`, `failed`.
    package init(_ argument: String, in tree: any Tree, limits: Limits = .inspection) throws {
        try self.init(file: try FileContent.file(at: argument, in: tree).path, in: tree, limits: limits.database)
    }

    /// The limits for a database, by what is done with it.
    package struct Limits: Sendable {
        let database: DatabaseLimits

        /// The limits of the commands that show tables, schema and rows.
        package static let inspection = Limits(database: DatabaseLimits())

        /// The limits of a statement of the user, which has `seconds`.
        package static func statement(seconds: Double) -> Limits {
            var limits = DatabaseLimits()
            (limits.seconds, limits.querySeconds) = (max(limits.seconds, seconds + 20), seconds)
            return Limits(database: limits)
        }

        /// The limits of an export: whole values of up to 64 MiB, and all rows.
        package static let export: Limits = {
            var limits = DatabaseLimits()
            (limits.seconds, limits.querySeconds, limits.valueBytes) = (3600, 600, 64 << 20)
            (limits.tables, limits.columns) = (10_000, 2_000)
            return Limits(database: limits)
        }()
    }

    /// Copies a database with its log, within some limits.
    init(file: [UInt8], in tree: any Tree, limits: DatabaseLimits) throws(ExplorerError) {
        path = ByteText.escaped(file)
        guard tree.bytes(of: file, count: DatabaseHeader.size, at: 0).flatMap(DatabaseHeader.init) != nil else {
            throw ExplorerError(
                .wrongContent,
                description:
                    "“\(path)” is not an SQLite database: it does not begin with the header of one. It is unchanged. "
                    + "`sandboxfm cat` prints its bytes.")
        }
        do throws(DatabaseReadError) {
            if tree is DirectoryTree {
                let path = FilePath(bytes: file)
                let parent = path.removingLastComponent()
                guard let name = path.lastComponent,
                    let folder = parent.isEmpty
                        ? tree.container.folder : try? tree.container.folder.openFolder(parent)
                else { throw DatabaseReadError(.unreadable) }
                copy = try DatabaseCopy(
                    of: FolderDatabase(FilePath(root: nil, [name]).bytes, in: folder), limits: limits)
            } else {
                copy = try DatabaseCopy(of: TreeDatabase(file, in: tree), limits: limits)
            }
        } catch { throw Self.error(error, path: path) }
    }

    static func error(_ error: DatabaseReadError, path: String) -> ExplorerError {
        let hint =
            switch error.code {
            case .changing: "End the app that writes to it, and try again"
            case .tooLarge: "Copy it with `sandboxfm get` and use sqlite3"
            case .noCopy: "Free some space in the directory for temporary files"
            case .damaged: "Restore a good copy from a backup"
            default: "Copy it with `sandboxfm get` and examine it with sqlite3"
            }
        return ExplorerError(
            .wrongContent,
            description: "“\(path)” cannot be inspected: \(ByteText.printable("\(error)")). It is unchanged. \(hint)."
        )
    }
}

/// A database in a tree that is not a directory. Its content does not change.
private struct TreeDatabase: DatabaseSource {
    private let tree: any Tree
    private let path: [UInt8]
    private let sizes: [DatabaseFile: UInt64]

    init(_ path: [UInt8], in tree: any Tree) throws(DatabaseReadError) {
        self.path = path
        self.tree = tree
        guard let index = try? ContainerIndex(of: tree) else { throw DatabaseReadError(.unreadable) }
        var sizes: [DatabaseFile: UInt64] = [:]
        for file in DatabaseFile.allCases {
            guard let number = index.number(at: path + Array(file.rawValue.utf8)), index[number].kind == .file else {
                continue
            }
            sizes[file] = index[number].own.logical
        }
        self.sizes = sizes
    }

    func status(of file: DatabaseFile) -> FileStatus? { sizes[file].map { FileStatus(kind: .file, size: $0) } }

    func bytes(_ count: Int, at offset: UInt64, of file: DatabaseFile) -> [UInt8]? {
        tree.bytes(of: path + Array(file.rawValue.utf8), count: count, at: offset)
    }
}

/// The tables and views of a database, with their columns and the statements that create them.
package struct DatabaseListing: ExplorerOutput {
    /// A table, view, index or trigger.
    private struct Object {
        let object: SchemaObject
        let columns: [SchemaColumn]
        let rows: RowCount?
    }

    private let overview: DatabaseOverview
    private let foreignLog: String?
    private let objects: [Object]
    private let showsSchema: Bool

    /// Reads the schema and the numbers of rows.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - showsSchema: True to also show columns, indexes, triggers and statements.
    /// - Throws: `wrongContent`.
    package init(_ database: OpenedDatabase, showsSchema: Bool) throws(ExplorerError) {
        self.showsSchema = showsSchema
        foreignLog = database.copy.foreignLog
        do throws(DatabaseReadError) {
            overview = try database.copy.overview()
            var objects: [Object] = []
            for object in try database.copy.schema() where !object.isInternal && (showsSchema || object.kind.hasTable) {
                // A view may refer to tables that are missing.
                let rows = object.hasRows ? try? database.copy.rowCount(of: object.name) : nil
                let columns = object.kind.hasTable ? (try? database.copy.columns(of: object.name)) ?? [] : []
                objects.append(Object(object: object, columns: columns, rows: rows))
            }
            self.objects = objects
        } catch { throw OpenedDatabase.error(error, path: database.path) }
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        if !showsSchema {
            var table = TextTable([
                .init("ROWS", isRightAligned: true), .init("COLUMNS", isRightAligned: true, omission: 2),
                .init("KIND", omission: 1), .init("NAME"),
            ])
            for object in objects {
                let rows = object.rows.map { Quantity.grouped($0.count) + ($0.isExact ? "" : "+") } ?? "?"
                table.add([
                    rows, String(object.columns.count), object.object.kind.rawValue,
                    ByteText.printable(object.object.name),
                ])
            }
            if !objects.isEmpty { table.write(in: style, to: output) }
            if let foreignLog { output("without its log, which belongs to another database or state: \(foreignLog)\n") }
            return
        }
        if let foreignLog { output("-- without its log, which belongs to another database or state: \(foreignLog)\n") }
        output("-- \(overview.journal.rawValue) journal, \(overview.pages) pages of \(overview.pageSize) bytes, ")
        output("\(overview.encoding), user version \(overview.userVersion)\n")
        for object in objects {
            guard let sql = object.object.sql else { continue }
            output(Self.lines(sql) + ";\n")
        }
    }

    /// Returns lines without other control characters. A line that GitHub's runner would take for a command gets a mark.
    private static func lines(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map {
                let line = ByteText.printable(String($0).replacing("\t", with: "  "))
                return line.drop { $0.isWhitespace }.hasPrefix("::") ? "\u{fffd}" + line : line
            }.joined(separator: "\n")
    }

    package func write(_ json: inout JSONWriter) {
        json.field("journal", overview.journal.rawValue)
        json.field("pageSize", overview.pageSize)
        json.field("pages", overview.pages)
        json.field("freePages", overview.freePages)
        json.field("encoding", overview.encoding)
        json.field("userVersion", overview.userVersion)
        if let foreignLog { json.field("foreignLog", foreignLog) }
        json.array("objects") { json in
            for object in objects {
                json.object { json in
                    json.field("kind", object.object.kind.rawValue)
                    json.field("name", object.object.name)
                    json.field("table", object.object.table)
                    if let rows = object.rows {
                        json.field("rows", rows.count)
                        json.field("isExact", rows.isExact)
                    }
                    json.array("columns") { json in for column in object.columns { write(column, into: &json) } }
                    if showsSchema { json.field("sql", object.object.sql) }
                }
            }
        }
    }

    private func write(_ column: SchemaColumn, into json: inout JSONWriter) {
        json.object { json in
            json.field("name", column.name)
            json.field("type", column.type)
            json.field("isRequired", column.isRequired)
            if let position = column.keyPosition { json.field("keyPosition", position) }
            if let value = column.defaultValue { json.field("default", value) }
        }
    }
}

extension SchemaObject.Kind {
    /// True for a table or view.
    fileprivate var hasTable: Bool { self == .table || self == .view || self == .virtualTable }
}

/// Rows of a table or view.
package struct RowListing: ExplorerOutput {
    private let page: RowPage
    private let offset: Int
    /// The names of secrets among the columns that a statement reads, whatever it calls its results.
    private let secretSources: [String]
    /// True if rows follow after the last one.
    package var hasMore: Bool { page.hasMore }
    /// The position of the first row that is not in the list.
    package var end: Int { offset + page.rows.count }

    /// Reads rows.
    ///
    /// - Parameters:
    ///   - table: The name of a table or view.
    ///   - limit: The maximum number of rows, at most 1,000.
    ///   - offset: The number of rows before the first one.
    ///   - database: The database.
    /// - Throws: `wrongContent`.
    package init(
        of table: String, limit: Int, offset: Int, in database: OpenedDatabase
    ) throws(ExplorerError) {
        self.offset = offset
        secretSources = []
        let names: [String]
        do throws(DatabaseReadError) { names = try database.copy.schema().filter(\.hasRows).map(\.name) } catch {
            throw OpenedDatabase.error(error, path: database.path)
        }
        guard names.contains(where: { $0.lowercased() == table.lowercased() }) else {
            let shown = names.prefix(20).map { "“\(ByteText.printable($0))”" }.joined(separator: ", ")
            throw ExplorerError(
                .notFound,
                description:
                    "“\(database.path)” has no table or view “\(ByteText.escaped(Array(table.utf8)))” whose rows can be read. "
                    + (names.isEmpty ? "It has none." : "It has \(shown)."))
        }
        do throws(DatabaseReadError) { page = try database.copy.rows(of: table, limit: limit, offset: offset) } catch {
            throw OpenedDatabase.error(error, path: database.path)
        }
    }

    /// Runs a statement that reads.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - limit: The maximum number of rows.
    ///   - database: The database.
    /// - Throws: `refused` for a statement that does more than read, `wrongContent` for one that cannot be run.
    package init(sql: String, limit: Int, in database: OpenedDatabase) throws(ExplorerError) {
        let result: QueryResult
        do throws(DatabaseQueryError) { result = try database.copy.query(sql, limit: limit) } catch {
            switch error {
            case .invalid(let message):
                throw ExplorerError(
                    .wrongContent,
                    description: "the statement cannot be run: \(ByteText.printable(message)). “\(database.path)” is "
                        + "unchanged. `sandboxfm db schema` shows its tables and columns.")
            case .refused(let message):
                throw ExplorerError(
                    .refused,
                    description: "the statement is refused: \(ByteText.printable(message)). “\(database.path)” is "
                        + "unchanged. Use one SELECT statement over its tables and views.")
            case .failed(let error):
                guard error.code == .tooSlow else { throw OpenedDatabase.error(error, path: database.path) }
                throw ExplorerError(
                    .failed,
                    description: "the statement takes too much time or memory. “\(database.path)” is unchanged. "
                        + "Select less, or raise --timeout.")
            }
        }
        page = result.page
        offset = 0
        secretSources = result.sources.filter(\.isNameOfSecret).sorted()
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        guard let columns = style.columns, width > columns else {
            var table = TextTable(page.columns.map { TextTable.Column(ByteText.printable($0)) })
            for row in page.rows { table.add(zip(page.columns, row).map { text(of: $1, named: $0) }) }
            return table.write(in: style, to: output)
        }
        // A row that does not fit is shown with one value per line.
        for (position, row) in page.rows.enumerated() {
            output(style.dim(Columns.cut("row \(offset + position + 1)", to: columns)) + "\n")
            for (name, value) in zip(page.columns, row) {
                output(
                    Columns.cut("  \(ByteText.printable(name)): \(text(of: value, named: name))", to: columns)
                        + "\n")
            }
        }
    }

    private var width: Int {
        page.columns.indices.reduce(2 * (page.columns.count - 1)) { sum, column in
            sum
                + page.rows.reduce(Columns.width(page.columns[column])) {
                    max($0, Columns.width(text(of: $1[column], named: page.columns[column])))
                }
        }
    }

    private func text(of value: StoredValue, named name: String) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text, let size):
            ByteText.printable(shown(text, named: name)) + (size > text.utf8.count ? "…" : "")
        case .blob(let bytes, let size):
            "x'" + bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
                + (size > 16 ? "… (\(Quantity.bytes(UInt64(size))))" : "")
        }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("columns") { json in for column in page.columns { json.element(column) } }
        json.field("offset", offset)
        json.array("rows") { json in
            for row in page.rows {
                json.element(
                    json: "[" + zip(page.columns, row).map { self.json(of: $1, named: $0) }.joined(separator: ",") + "]"
                )
            }
        }
        json.field("hasMore", page.hasMore)
    }

    /// Returns a value as JSON. A BLOB is `{"base64": …, "bytes": n}`; a text that was cut ends in `…`.
    private func json(of value: StoredValue, named name: String) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): number.isFinite ? String(number) : JSONText.quoted(String(number))
        case .text(let text, let size):
            JSONText.quoted(shown(text, named: name) + (size > text.utf8.count ? "…" : ""))
        case .blob(let bytes, let size): "{\"base64\":\"\(Data(bytes).base64EncodedString())\",\"bytes\":\(size)}"
        }
    }

    /// Returns a text without secrets, by the name of its column and of the columns that it may come from.
    private func shown(_ text: String, named name: String) -> String {
        secretSources.reduce(text.withoutSecrets(named: name)) { $0.withoutSecrets(named: $1) }
    }

    /// Writes the rows as CSV, with a header. See `CSVText`.
    package func writeCSV(to output: (String) -> Void) {
        output(CSVText.row(page.columns.map { .text($0, size: 0) }, isShown: true))
        for row in page.rows {
            output(
                CSVText.row(
                    zip(page.columns, row).map { name, value in
                        guard case .text(let text, let size) = value else { return value }
                        return .text(shown(text, named: name) + (size > text.utf8.count ? "…" : ""), size: size)
                    }, isShown: true))
        }
    }
}
