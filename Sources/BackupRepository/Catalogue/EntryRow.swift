internal import FileSystem
internal import GRDB
internal import GRDBSQLite

/// The current row of a query for entries of directories.
///
/// It is read with SQLite's own functions: a repository has a row for every item, and each value of a GRDB row takes
/// several hundred instructions. Every value is checked, because a flipped bit may change its value or its type.
struct EntryRow {
    /// The columns, in the order in which they are read.
    static let columns = """
        name, kind, mode, user, "group", size, modified, modified_ns, changed, changed_ns, inode, links, state, object,
        child, target, attributes
        """

    /// The hashes of the rows that an entry references, after `columns`.
    static let hashes = """
        , (SELECT sha256 FROM object WHERE id = entry.object), (SELECT sha256 FROM directory WHERE id = entry.child),
        (SELECT sha256 FROM attributes AS known WHERE known.id = entry.attributes)
        """

    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) { self.statement = statement }

    /// Returns the entry of the row.
    func entry() throws -> SnapshotEntry {
        guard let kind = FileKind(rawValue: try number(1)), let state = SnapshotEntry.State(rawValue: try number(12)),
            let size = UInt64(exactly: try number(5) as Int64)
        else { throw BackupError(.damaged, what: "the catalogue contains an entry with an invalid kind or size") }
        var entry = SnapshotEntry(name: try bytes(0), kind: kind)
        entry.permissions = try number(2)
        entry.user = try number(3)
        entry.group = try number(4)
        entry.size = size
        entry.modified = Timestamp(seconds: try number(6), nanoseconds: try number(7))
        entry.changed = Timestamp(seconds: try number(8), nanoseconds: try number(9))
        entry.inode = UInt64(bitPattern: try number(10))
        entry.links = try number(11)
        entry.state = state
        entry.object = try isNull(13) ? nil : number(13)
        entry.child = try isNull(14) ? nil : number(14)
        entry.target = try isNull(15) ? nil : bytes(15)
        entry.attributes = try isNull(16) ? nil : number(16)
        return entry
    }

    /// Returns the hashes of the rows that the entry of the row references.
    func hashes(of entry: SnapshotEntry) throws -> DirectoryHash.Rows {
        func hash(_ column: CInt, id: Int64?, table: String) throws -> [UInt8]? {
            guard let id else { return nil }
            guard !isNull(column) else { throw Repository.lack(of: id, in: table) }
            return try bytes(column)
        }
        return DirectoryHash.Rows(
            object: try hash(17, id: entry.object, table: "object"),
            child: try hash(18, id: entry.child, table: "directory"),
            attributes: try hash(19, id: entry.attributes, table: "attributes"))
    }

    private func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    private func number<Value: FixedWidthInteger>(_ column: CInt) throws -> Value {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER,
            let value = Value(exactly: sqlite3_column_int64(statement, column))
        else { throw Self.invalid }
        return value
    }

    private func bytes(_ column: CInt) throws -> [UInt8] {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw Self.invalid }
        // In this order, as SQLite’s documentation demands. An empty BLOB has no address.
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private static var invalid: BackupError { BackupError(.damaged, what: "the catalogue contains an invalid entry") }
}
