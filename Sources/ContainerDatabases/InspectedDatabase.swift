package import AppContainer
internal import DatabaseInspection
internal import FileSystem
package import Foundation
internal import GRDB
internal import SystemPackage

/// The state of a database of a container at one moment, read from a private copy.
///
/// Nothing is changed in the container: SQLite opens the copy, whose files are unlinked at once. The schema and the
/// values may be hostile: time, memory and sizes are limited.
package final class InspectedDatabase: Sendable {
    /// A table, view, index or trigger.
    package struct Object: Sendable, Hashable {
        /// The kind: `table`, `view`, `index`, `trigger` or `virtual table`.
        package let kind: String
        /// The name.
        package let name: String
        /// The table of an index or trigger, otherwise the name.
        package let table: String
        /// The statement that creates the object. Nil for an index that SQLite creates for a constraint.
        package let sql: String?
        /// The names and declared types of the columns of a table or view, separated by a space.
        package let columns: [String]
    }

    /// A value. Texts and BLOBs of more than 64 KiB are truncated.
    package enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob(Data)
    }

    /// Consecutive rows.
    package struct Rows: Sendable, Hashable {
        /// The names of the columns.
        package let columns: [String]
        /// The values of each row.
        package let values: [[Value]]
        /// True if rows follow after the last one.
        package let hasMore: Bool
    }

    /// The part of a database that Core Data has written.
    package struct CoreDataStore: Sendable, Hashable {
        /// The names of the entities with their tables. The table of an entity is that of its topmost parent.
        package let entities: [String: String]
        /// The files that rows refer to, in the hidden directory `.NAME_SUPPORT/_EXTERNAL_DATA` beside the database.
        package let externalFiles: [String]
        /// The files that are missing.
        package let missingFiles: [String]
    }

    /// The path of the database.
    package let item: ContainerPath
    /// True if changes are written to a log (`-wal`) first.
    package let hasWriteAheadLog: Bool
    /// The proof that the log beside the database belongs to another one or to another state of this one, as a clause
    /// about the log (“it”). Such a log is not applied: the rows are those of the main file. Nil if there is no proof,
    /// or no log.
    package let foreignLog: String?
    /// The page size in bytes.
    package let pageSize: Int
    /// The number of pages, with the changes in the log.
    package let pageCount: Int
    /// The number that the app stores as the version of its schema.
    package let userVersion: Int
    /// The names and sizes in bytes of the files that belong to the database, itself included. For the directory of
    /// Core Data's external files, the size of these files.
    package let files: [String: UInt64]
    /// The tables, views, indexes and triggers.
    package let objects: [Object]
    /// The entities, if Core Data has written the database.
    package let coreData: CoreDataStore?
    private let copy: DatabaseCopy
    private let path: String

    init(_ copy: DatabaseCopy, item: ContainerPath, path: String, files: [String: UInt64], external: Set<String>)
        throws
    {
        (self.copy, self.item, self.path, self.files) = (copy, item, path, files)
        let overview = try copy.overview()
        (hasWriteAheadLog, foreignLog) = (overview.journal == .wal, copy.foreignLog)
        (pageSize, pageCount, userVersion) = (overview.pageSize, overview.pages, overview.userVersion)
        objects = try copy.schema().map { object in
            // A view over a missing table has no columns.
            let columns = object.hasRows ? (try? copy.columns(of: object.name)) ?? [] : []
            return Object(
                kind: object.kind.rawValue, name: object.name, table: object.table, sql: object.sql,
                columns: columns.map { $0.type.isEmpty ? $0.name : "\($0.name) \($0.type)" })
        }
        coreData = try copy.coreData().map { schema in
            CoreDataStore(
                entities: Dictionary(
                    schema.entities.compactMap { entity in entity.table.map { (entity.name, $0) } }
                ) { first, _ in first },
                externalFiles: schema.externalReferences.sorted(),
                missingFiles: schema.externalReferences.subtracting(external).sorted())
        }
    }

    /// Returns the number of rows of a table or view, at most 10,000,000.
    ///
    /// - Throws: `failed` for an unknown name, `damaged`, `tooSlow`.
    package func rowCount(of table: String) throws(ContainerDatabaseError) -> Int {
        do throws(DatabaseReadError) { return try copy.rowCount(of: table).count } catch {
            throw ContainerDatabaseError(error, path: path)
        }
    }

    /// Returns rows of a table or view, in the order of SQLite.
    ///
    /// - Parameters:
    ///   - table: The name of a table or view.
    ///   - limit: The maximum number of rows, at most 1,000.
    ///   - offset: The number of rows before the first one.
    /// - Returns: The rows.
    /// - Throws: `failed` for an unknown name, `damaged`, `tooSlow`.
    package func rows(
        of table: String, limit: Int = 100, offset: Int = 0
    ) throws(ContainerDatabaseError) -> Rows {
        do throws(DatabaseReadError) {
            let page = try copy.rows(of: table, limit: limit, offset: offset)
            return Rows(columns: page.columns, values: page.rows.map { $0.map(Value.init) }, hasMore: page.hasMore)
        } catch { throw ContainerDatabaseError(error, path: path) }
    }

    /// Returns the problems that SQLite's integrity check reports; empty for an intact database.
    ///
    /// - Parameter complete: True to compare each index with its table too.
    /// - Returns: At most eight lines of SQLite.
    /// - Throws: `tooSlow`, `failed`.
    package func problems(complete: Bool = false) throws(ContainerDatabaseError) -> [String] {
        do throws(DatabaseReadError) { return try copy.problems(comparingIndexes: complete) } catch {
            throw ContainerDatabaseError(error, path: path)
        }
    }
}

extension InspectedDatabase.Value {
    fileprivate init(_ value: StoredValue) {
        self =
            switch value {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let text, _): .text(text)
            case .blob(let bytes, _): .blob(Data(bytes))
            }
    }
}

extension Container {
    /// Reads an SQLite database of the container without touching it: no file is created, changed or removed beside it,
    /// and rows that are only in its log are read too. The database may be of any origin, such as an SDK or Core Data.
    ///
    /// A database that this process has open through `database(named:)` is copied by SQLite instead.
    ///
    /// - Parameters:
    ///   - item: The path of the database.
    ///   - limit: The maximum size of its files in bytes.
    /// - Returns: The database as it was at the time of the call.
    /// - Throws: `notADatabase`, `damaged`, `tooLarge`, `locked` if it keeps changing, `notFound`, `file`, `noSpace`,
    ///   `tooSlow`, `failed`.
    package func inspectDatabase(
        _ item: ContainerPath, limit: UInt64 = 1 << 30
    ) throws(ContainerDatabaseError) -> InspectedDatabase {
        var text = item.description
        do {
            let path = try relative(item)
            text = path.string
            let (parent, name) = try folder.locate(path)
            let status = try parent.status(name)
            guard status.kind == .file else {
                throw FileSystemError("inspect the database", path: path, errno: .invalidArgument)
            }
            let source = FolderDatabase(name.bytes, in: parent)
            var limits = DatabaseLimits()
            limits.bytes = limit
            // The open database must not be read as a file: closing it would release SQLite's locks.
            let open = ContainerDatabase.opened(status)
            if open == nil { try Self.requireHeader(name, in: parent, path: text) }
            let copy = try open.map { try $0.copy(limits) } ?? DatabaseCopy(of: source, limits: limits)
            let companions = source.companions()
            let files = companions.map { (String(decoding: $0.name, as: UTF8.self), $0.size) }
            return try InspectedDatabase(
                copy, item: item, path: text,
                files: Dictionary([(name.string, status.size)] + files) { first, _ in first },
                external: Set(companions.flatMap(\.externalFiles)))
        } catch {
            throw ContainerDatabaseError(anyError: error, text, action: "inspect", onDisk: "It is unchanged.")
        }
    }

    private static func requireHeader(_ name: FilePath, in folder: Folder, path: String) throws {
        let start = try folder.open(name, followingLinks: false).read(upTo: DatabaseHeader.magic.count)
        guard start.isEmpty || start == DatabaseHeader.magic else {
            throw ContainerDatabaseError(
                .notADatabase, path,
                "“\(path)” is not an SQLite database, or is encrypted. It is unchanged. Choose another file.")
        }
    }
}

extension ContainerDatabase {
    /// Returns a private copy that SQLite makes while the database is open.
    fileprivate func copy(_ limits: DatabaseLimits) throws -> DatabaseCopy {
        try DatabaseCopy(limits: limits) { path in
            let queue = try DatabaseQueue(path: path)
            try pool.backup(to: queue)
            try queue.close()
        }
    }
}
