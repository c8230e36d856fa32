internal import DatabaseInspection
internal import FileSystem
internal import GRDB
internal import GRDBSQLite
internal import TextOutput

/// A reader for the rows of a manifest. It reads a private copy page by page, so memory use is constant.
final class ManifestReader: Sendable {
    private let store: DatabaseCopy
    private let check = LockedValue<[String]?>(nil)

    /// The damage that SQLite finds, including indexes. The check reads the whole manifest, once.
    func faults() throws(MobileBackupError) -> [String] {
        if let known = check.withLock({ $0 }) { return known }
        let found = try asking { store throws(DatabaseReadError) in try store.problems(comparingIndexes: true) }
        check.withLock { $0 = found }
        return found
    }

    /// Returns the table in queries, without indexes if they are damaged: a damaged index would hide rows and domains.
    private func files() throws(MobileBackupError) -> String { try faults().isEmpty ? "Files" : "Files NOT INDEXED" }

    /// Opens a copy of a manifest of `size` bytes.
    ///
    /// - Throws: `tooLarge`, `noCopy`, `tooSlow`, `unfinished` while it is being written, `damaged`.
    convenience init(of source: some DatabaseSource, size: UInt64) throws(MobileBackupError) {
        let limits = Self.limits(size)
        try self.init(
            Self.asking { () throws(DatabaseReadError) in try DatabaseCopy(of: source, limits: limits) })
    }

    /// Opens a manifest of `size` bytes that `write` creates at a path in a private directory.
    ///
    /// - Throws: As above.
    convenience init(size: UInt64, writtenBy write: (String) throws -> Void) throws(MobileBackupError) {
        let limits = Self.limits(size)
        try self.init(
            Self.asking { () throws(DatabaseReadError) in try DatabaseCopy(limits: limits, writtenBy: write) })
    }

    private static func limits(_ size: UInt64) -> DatabaseLimits {
        var limits = DatabaseLimits()
        limits.bytes = MobileBackup.maximumManifest
        // Two minutes, plus a second per megabyte.
        limits.seconds = 120 + Double(size >> 20)
        return limits
    }

    private init(_ store: DatabaseCopy) throws(MobileBackupError) {
        self.store = store
        let tables = try Self.asking { () throws(DatabaseReadError) in try store.tables() }
        // A view or generated columns would not be among the stored columns.
        guard let files = tables.first(where: { $0.name == "Files" }),
            Set(files.columns).isSuperset(of: ["fileID", "domain", "relativePath", "flags", "file"])
        else {
            throw MobileBackupError(
                .damaged, description: "Manifest.db has no table Files with the expected columns. Nothing was changed.")
        }
    }

    /// Returns the valid domains, sorted by name.
    func domains() throws(MobileBackupError) -> [BackupDomain] {
        let files = try files()
        let names = try asking { store throws(DatabaseReadError) in
            try store.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT DISTINCT domain FROM \(files) WHERE typeof(domain) = 'text' ORDER BY domain LIMIT 100001
                        """)
            }
        }
        guard names.count <= 100_000 else {
            throw MobileBackupError(.tooLarge, description: "Manifest.db has more than 100,000 domains.")
        }
        // A name with a NUL or with bytes outside UTF-8 is read as another one, which may exist too.
        var seen: Set<BackupDomain> = []
        return names.compactMap { BackupDomain(name: $0) }.filter { seen.insert($0).inserted }
    }

    /// Returns the problem of the rows that belong to no domain, because theirs is not text, not UTF-8 or invalid; nil without
    /// such rows. No container has them, so no later call reports them.
    func rowsWithoutDomain() throws(MobileBackupError) -> BackupProblem? {
        let found: (count: Int, first: ManifestRow)? = try asking { store throws(DatabaseReadError) in
            try store.read { database in
                let statement = try database.makeStatement(
                    sql: """
                        SELECT min(rowid), fileID, domain, relativePath, flags, NULL, count(*)
                        FROM Files NOT INDEXED GROUP BY typeof(domain), domain
                        """)
                var (count, first): (Int, ManifestRow?) = (0, nil)
                let cursor = try Row.fetchCursor(statement)
                while try cursor.next() != nil {
                    let row = ManifestRow(statement.sqliteStatement)
                    guard row.validDomain == nil else { continue }
                    count += Int(sqlite3_column_int64(statement.sqliteStatement, 6))
                    if first.map({ row.row < $0.row }) ?? true { first = row }
                }
                return first.map { (count, $0) }
            }
        }
        guard let found else { return nil }
        let path = ByteText.escaped(found.first.path.bytes)
        let (rows, example) = (Quantity.count(found.count, "row"), path.isEmpty ? "" : ", such as “\(path)”")
        return BackupProblem(
            .domainInvalid, domain: found.first.domain.bytes, path: found.first.path.bytes, row: found.first.row,
            rows + example)
    }

    /// Returns the number of rows that describe files of these domains; fewer if an index is damaged.
    func fileCount(of domains: [BackupDomain]) throws(MobileBackupError) -> Int {
        let domains = Set(domains)
        return try asking { store throws(DatabaseReadError) in
            try store.read { database in
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT domain, count(*) FROM Files WHERE typeof(domain) = 'text' AND flags = 1 GROUP BY domain
                        """)
                var count = 0
                while let row = try rows.next() {
                    if let domain = BackupDomain(name: row[0]), domains.contains(domain) { count += row[1] as Int }
                }
                return count
            }
        }
    }

    /// Calls `body` for the rows of one domain, or of all, in the order of insertion. `body` may use the reader.
    func rows(of domain: BackupDomain? = nil, _ body: (ManifestRow) throws -> Void) throws {
        try pages(of: domain) { for row in $0 { try body(row) } }
    }

    /// Calls `body` for pages of rows, as above. A page has at most 1,000 rows and about 4 MiB.
    func pages(
        of domain: BackupDomain? = nil, isIndexed: Bool = true, _ body: ([ManifestRow]) throws -> Void
    ) throws {
        let files = try isIndexed ? files() : "Files NOT INDEXED"
        let sql = """
            SELECT rowid, fileID, domain, relativePath, flags,
                CASE WHEN typeof(file) = 'blob' AND length(file) > ?2 THEN length(file) ELSE file END
            FROM \(files) WHERE \(domain == nil ? "" : "domain = ?3 AND") rowid > ?1 ORDER BY rowid LIMIT 1000
            """
        var last = Int64.min
        while true {
            let page = try asking { store throws(DatabaseReadError) in
                try store.read { database in
                    let values: [any DatabaseValueConvertible] =
                        [last, FileRecord.maximumSize] + (domain.map { [$0.name] } ?? [])
                    return try Self.page(
                        try database.cachedStatement(sql: sql), arguments: StatementArguments(values), after: last)
                }
            }
            guard let end = page.last else { return }
            last = end.row
            try body(page)
        }
    }

    private static func page(
        _ statement: Statement, arguments: StatementArguments, after last: Int64
    ) throws -> [ManifestRow] {
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        var (page, size, last): ([ManifestRow], Int, Int64) = ([], 0, last)
        while size < 4 << 20, try cursor.next() != nil {
            let row = ManifestRow(statement.sqliteStatement)
            // A hostile table may have a column with this name.
            guard row.row > last else { throw DatabaseReadError(.damaged, "rows out of order") }
            last = row.row
            size += row.size
            page.append(row)
        }
        return page
    }

    /// Returns the number of rows with an identifier, and whether one of them has the kind.
    func rows(with identifier: String, flags: Int64) throws(MobileBackupError) -> (count: Int, isOfKind: Bool) {
        let row = try asking { store throws(DatabaseReadError) in
            try store.read { database in
                let statement = try database.cachedStatement(
                    sql: "SELECT count(*), total(flags = ?2) > 0 FROM Files WHERE fileID = ?1")
                return try Row.fetchOne(statement, arguments: [identifier, flags]).map { ($0[0] as Int, $0[1] as Bool) }
            }
        }
        return row ?? (0, false)
    }

    private func asking<Answer>(
        _ body: (DatabaseCopy) throws(DatabaseReadError) -> Answer
    ) throws(MobileBackupError) -> Answer {
        try Self.asking { () throws(DatabaseReadError) in try body(store) }
    }

    private static func asking<Answer>(
        _ body: () throws(DatabaseReadError) -> Answer
    ) throws(MobileBackupError) -> Answer {
        do throws(DatabaseReadError) { return try body() } catch { throw MobileBackupError(error) }
    }
}

extension ManifestRow {
    /// Reads the current row of a statement byte by byte. The values of GRDB would end a text at a NUL and replace invalid
    /// UTF-8.
    fileprivate init(_ statement: SQLiteStatement) {
        row = sqlite3_column_int64(statement, 0)
        identifier = Cell(statement, column: 1)
        domain = Cell(statement, column: 2)
        path = Cell(statement, column: 3)
        flags = Cell(statement, column: 4)
        record = Cell(statement, column: 5)
    }

    fileprivate var size: Int { 100 + [identifier, domain, path, record].reduce(0) { $0 + $1.bytes.count } }
}

extension ManifestRow.Cell {
    fileprivate init(_ statement: SQLiteStatement, column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: self = .null
        case SQLITE_INTEGER: self = .number(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            // In this order, the length is that of the text as UTF-8.
            let start = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .text(Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .blob(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
        default: self = .other
        }
    }
}
