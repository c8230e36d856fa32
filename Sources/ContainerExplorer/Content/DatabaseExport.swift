internal import DatabaseInspection
internal import FileSystem
internal import Foundation
internal import PolicyTexts
internal import Secrets
internal import StoragePolicy
package import SystemPackage
internal import TextOutput

/// Rows of a database as CSV (RFC 4180): lines end with CR LF, and a field with a quote, a comma, a line break, or blanks at
/// its ends is quoted. NULL is an empty field, an empty text is `""`, and a BLOB is `x'00ff'`.
enum CSVText {
    /// Returns a row.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - isShown: True on standard output, where no line may begin like a command of a CI service.
    /// - Returns: The row with its line break.
    static func row(_ values: [StoredValue], isShown: Bool) -> String {
        values.map { field($0, isShown: isShown) }.joined(separator: ",") + "\r\n"
    }

    private static func field(_ value: StoredValue, isShown: Bool) -> String {
        switch value {
        case .null: return ""
        case .integer(let number): return String(number)
        case .real(let number): return String(number)
        case .blob(let bytes, _):
            return "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        case .text(let value, _):
            let text = isShown ? value.replacing("\n::", with: "\n ::").replacing("\n##", with: "\n ##") : value
            let needsQuotes =
                text.isEmpty || text.utf8.contains { "\",\r\n".utf8.contains($0) } || text.first == " "
                || text.last == " "
            return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
        }
    }
}

/// An export of whole tables of a database, row by row.
package struct DatabaseExport {
    /// The format of an export.
    package enum Format: String, CaseIterable, Sendable { case csv, json }

    private let database: OpenedDatabase
    private let format: Format
    /// The names of the tables and views, as the schema has them.
    package let tables: [String]

    /// Selects the tables.
    ///
    /// - Parameters:
    ///   - names: The names of tables and views. Empty for all tables.
    ///   - format: The format.
    ///   - database: The database.
    /// - Throws: `notFound` for a name without rows that can be read; `wrongContent`.
    package init(_ names: [String], as format: Format, of database: OpenedDatabase) throws(ExplorerError) {
        (self.database, self.format) = (database, format)
        let objects: [SchemaObject]
        do throws(DatabaseReadError) {
            objects = try database.copy.schema().filter { $0.hasRows && !$0.isInternal }
        } catch { throw OpenedDatabase.error(error, path: database.path) }
        var tables: [String] = []
        for name in names {
            guard let object = objects.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                throw ExplorerError(
                    .notFound,
                    description:
                        "“\(database.path)” has no table or view “\(ByteText.escaped(Array(name.utf8)))” whose "
                        + "rows can be read. `sandboxfm db tables` lists them.")
            }
            if !tables.contains(object.name) { tables.append(object.name) }
        }
        self.tables = names.isEmpty ? objects.filter { $0.kind == .table }.map(\.name) : tables
    }

    // MARK: - Standard output

    /// Writes all tables to an output: CSV of a single table, or a JSON object with an array for each table.
    ///
    /// - Throws: `usage` for CSV of several tables; `wrongContent` if a table cannot be read to its end.
    package func write(to output: (String) -> Void) throws(ExplorerError) {
        guard format == .json || tables.count == 1 else {
            throw ExplorerError(
                .usage,
                description: "CSV on standard output has one table, and \(Quantity.count(tables.count, "table")) are "
                    + "selected. Name one, use --format json, or a directory for --to.")
        }
        if format == .json { output("{") }
        for (position, table) in tables.enumerated() {
            if format == .json { output("\(position > 0 ? ",\n" : "")\(JSONText.quoted(table.withoutSecrets)):") }
            do throws(DatabaseReadError) { _ = try write(table, isShown: true, to: output) } catch {
                throw OpenedDatabase.error(error, path: database.path)
            }
        }
        if format == .json { output("}\n") }
    }

    /// Writes the rows of a table, and returns their number. JSON has an object for each row, one per line.
    private func write(
        _ table: String, isShown: Bool = false, to output: (String) -> Void
    ) throws(DatabaseReadError) -> Int {
        var (columns, rows): ([String], Int) = ([], 0)
        try database.copy.eachRow(of: table) { names in
            columns = names
            output(
                format == .csv ? CSVText.row(names.map { .text($0.withoutSecrets, size: 0) }, isShown: isShown) : "[")
        } row: { values in
            let safe = zip(columns, values).map { name, value in
                guard case .text(let text, let size) = value else { return value }
                return StoredValue.text(text.withoutSecrets(named: name), size: size)
            }
            if format == .csv {
                output(CSVText.row(safe, isShown: isShown))
            } else {
                let fields = zip(columns, safe).map { "\(JSONText.quoted($0.withoutSecrets)):\(Self.json(of: $1))" }
                output("\(rows > 0 ? "," : "")\n{\(fields.joined(separator: ","))}")
            }
            rows += 1
            return !Invocation.current.interruption.isRequested
        }
        if format == .json { output("\n]") }
        return rows
    }

    private static func json(of value: StoredValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): number.isFinite ? String(number) : JSONText.quoted(String(number))
        case .text(let text, _): JSONText.quoted(text)
        case .blob(let bytes, _): "{\"base64\":\"\(Data(bytes).base64EncodedString())\"}"
        }
    }

    // MARK: - Files

    /// Returns the name of the file of a table.
    private func fileName(of table: String) -> String {
        let name = ByteText.escaped(Array(table.utf8)).replacing("/", with: "%2F")
        return (name.hasPrefix(".") ? "%2E" + name.dropFirst() : name) + ".\(format.rawValue)"
    }

    /// Writes a file for each table into a directory, which is created if it is missing.
    ///
    /// Each file is private (0600), and complete or missing. The files are named after the tables.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - isPlan: True to write nothing.
    ///   - confirm: Receives the plan with the files that would be replaced, and throws if it is not confirmed. Not called
    ///     if no file is replaced.
    /// - Returns: The changes. A table that cannot be read is a failed one.
    /// - Throws: `failed` for a directory that cannot be created or opened; the error of `confirm`.
    package func write(
        into directory: FilePath, isPlan: Bool, confirm: (ChangeReport) throws -> Void
    ) throws -> ChangeReport {
        let shown = ByteText.escaped(directory.bytes)
        let folder: Folder?
        do {
            folder =
                isPlan ? try? Folder(opening: directory) : try Folder(makingIfAbsent: directory, permissions: 0o700)
        } catch {
            throw ExplorerError(
                .failed,
                description: "“\(shown)” cannot be opened or created: \(error). Choose another directory for --to.")
        }
        var (plan, replaced) = (ChangeReport(isPlan: true), ChangeReport(isPlan: true))
        for table in tables {
            let exists = (try? folder?.statusIfPresent(FilePath(bytes: Array(fileName(of: table).utf8)))) ?? nil
            let change = change(table, in: shown, replaces: exists != nil)
            plan.make(change) { nil }
            if exists != nil { replaced.make(change) { nil } }
        }
        guard !isPlan, let folder else { return plan }
        if !replaced.changes.isEmpty { try confirm(replaced) }
        var report = ChangeReport(isPlan: false)
        for (table, planned) in zip(tables, plan.changes) {
            report.make(planned) {
                let rows = try write(table, into: folder, replaces: planned.action == .replace)
                return Quantity.count(rows, "row")
            }
        }
        return report
    }

    private func change(_ table: String, in directory: String, replaces: Bool) -> ChangeReport.Change {
        ChangeReport.Change(replaces ? .replace : .create, path: "\(directory)/\(fileName(of: table))")
    }

    private func write(_ table: String, into folder: Folder, replaces: Bool) throws -> Int {
        let name = FilePath(bytes: Array(fileName(of: table).utf8))
        let temporary = FilePath(".sandboxfm-\(String(UInt64.random(in: .min ... .max), radix: 16))")
        TemporaryFileRegistry.register(temporary, in: folder)
        defer { TemporaryFileRegistry.unregister(temporary, in: folder) }
        let file = try folder.createFile(temporary, permissions: 0o600)
        do {
            var (buffer, failure): ([UInt8], FileSystemError?) = ([], nil)
            func flush() {
                guard failure == nil else { return buffer.removeAll(keepingCapacity: true) }
                do throws(FileSystemError) { try file.write(buffer) } catch { failure = error }
                buffer.removeAll(keepingCapacity: true)
            }
            let rows = try write(table) { text in
                buffer += text.utf8
                if buffer.count >= 1 << 16 { flush() }
            }
            if format == .json { buffer.append(UInt8(ascii: "\n")) }
            flush()
            if let failure { throw failure }
            try Invocation.current.interruption.check()
            try file.sync()
            if replaces {
                try folder.rename(temporary, over: name, in: folder)
            } else {
                try folder.rename(temporary, to: name, in: folder)
            }
            try folder.sync()
            return rows
        } catch {
            try? folder.removeFile(temporary)
            throw error
        }
    }
}
