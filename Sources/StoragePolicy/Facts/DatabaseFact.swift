internal import DatabaseInspection
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// A private copy of an SQLite database, opened by SQLite, of at most 256 MiB. Removed after the visit of the item.
/// None for a file without the header of a database.
enum DatabaseFact: Fact {
    static let name = "database"
    static let cost = Cost.read

    enum Value {
        case none
        case open(DatabaseCopy)
        /// SQLite cannot read it, with its message.
        case damaged(String)
    }

    static func value(of facts: ItemFacts) -> Value {
        guard facts[MagicFact.self] == .sqlite else { return .none }
        let source = ItemDatabaseSource(facts.item)
        do throws(DatabaseReadError) { return .open(try DatabaseCopy(of: source)) } catch {
            if error.code == .damaged { return .damaged(error.detail) }
            facts.leaveOut(error)
            return .none
        }
    }
}

/// The header of an SQLite database. Reads only the first bytes.
enum DatabaseHeaderFact: Fact {
    static let name = "database header"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> DatabaseHeader? {
        facts[FirstBytesFact.self].flatMap { DatabaseHeader($0) }
    }
}

/// The problems that `quick_check` reports; empty for an intact database or another file.
enum DatabaseProblemsFact: Fact {
    static let name = "database problems"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [String] {
        switch facts[DatabaseFact.self] {
        case .none: return []
        case .damaged(let reason): return [reason]
        case .open: return facts.query { copy throws(DatabaseReadError) in try copy.problems() } ?? []
        }
    }
}

/// The proof that the write-ahead log of a database does not belong to it, as in `DatabaseCopy.foreignLog`. The item is the
/// database or the log. Nil for another file.
enum ForeignLogFact: Fact {
    static let name = "foreign log"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> String? {
        let isLog = facts.name.suffix(log.count).elementsEqual(log)
        let source = ItemDatabaseSource(facts.item, besides: isLog ? log : [])
        guard source.hasLog, !facts.isEvicted else { return nil }
        do throws(DatabaseReadError) {
            if isLog { return try value(of: source) }
            if case .open(let copy) = facts[DatabaseFact.self], copy.foreignLog != nil { return copy.foreignLog }
            guard let problem = facts[DatabaseProblemsFact.self].first else { return nil }
            return try DatabaseCopy.foreignLog(of: source, causing: problem)
        } catch {
            facts.leaveOut(error)
            return nil
        }
    }

    private static func value(of source: ItemDatabaseSource) throws(DatabaseReadError) -> String? {
        guard source.bytes(DatabaseHeader.size, at: 0, of: .main).flatMap(DatabaseHeader.init) != nil else {
            return nil
        }
        do throws(DatabaseReadError) {
            let copy = try DatabaseCopy(of: source)
            guard copy.foreignLog == nil, let problem = try copy.problems().first else { return copy.foreignLog }
            return try DatabaseCopy.foreignLog(of: source, causing: problem)
        } catch {
            guard error.code == .damaged else { throw error }
            return try DatabaseCopy.foreignLog(of: source, causing: error.detail)
        }
    }

    private static let log = Array(DatabaseFile.log.rawValue.utf8)
}

/// The tables of a database; empty for another or an unreadable file.
enum DatabaseTablesFact: Fact {
    static let name = "database tables"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [DatabaseTable] {
        facts.query { copy throws(DatabaseReadError) in try copy.tables() } ?? []
    }
}

/// The evidence in the tables of a database; empty for another or an unreadable file.
enum SchemaFact: Fact {
    static let name = "database schema"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [PieceOfEvidence] {
        let tables = facts[DatabaseTablesFact.self]
        guard !tables.isEmpty else { return [] }
        let columns = Dictionary(tables.map { ($0.name, $0.columns) }, uniquingKeysWith: +)
        let found = SchemaEvidence(columns) { column, name in
            guard let table = tables.first(where: { $0.name == name }) else { return false }
            return facts.query { copy throws(DatabaseReadError) in try copy.isFilled(column, of: table) } ?? false
        }.pieces
        return found.isEmpty ? entries(of: tables, facts) : found
    }

    private static let valueColumns: Set<String> = ["value", "data", "json", "body", "payload", "content"]
    private static let (mostTables, mostRows) = (8, 200)

    /// The evidence in tables with JSON, or with keys and values. A database is a mirror of server data if two thirds of its
    /// tables with rows contain answers of a server; a single one about the user makes it the user's.
    private static func entries(of tables: [DatabaseTable], _ facts: ItemFacts) -> [PieceOfEvidence] {
        let own = tables.filter { !$0.columns.isEmpty && !SchemaEvidence.isBookkeeping($0.name) }
        guard own.count <= mostTables else { return [] }
        var (answers, filled) = ([PieceOfEvidence](), 0)
        for table in own {
            let page = facts.query { copy throws(DatabaseReadError) in try copy.rows(of: table.name, limit: mostRows) }
            guard let page, !page.rows.isEmpty else { continue }
            filled += 1
            guard let piece = pairs(in: page, isOnly: own.count == 1).pieces.first else { continue }
            if piece.id == FieldEvidence.Kind.user.rawValue { return [piece] }
            answers.append(piece)
        }
        guard let piece = answers.min(by: { $0.detail < $1.detail }), answers.count * 3 >= filled * 2 else { return [] }
        return [own.count == 1 ? piece : PieceOfEvidence(id: piece.id, 0.6, piece.detail)]
    }

    /// The values of rows that are JSON; in the only table of a database, also the other values in the column of values.
    private static func pairs(in page: RowPage, isOnly: Bool) -> StoredPairs {
        var pairs = StoredPairs()
        let isStore = isOnly && page.columns.count <= 6
        for (number, row) in page.rows.enumerated() {
            for (index, value) in row.enumerated() {
                let bytes: [UInt8]
                switch value {
                case .text(let text, _): bytes = Array(text.utf8)
                case .blob(let blob, _): bytes = blob
                case .null, .integer, .real: continue
                }
                let isJSON = bytes.first.map { "{[".utf8.contains($0) } ?? false
                guard isJSON || isStore && valueColumns.contains(page.columns[index].lowercased()) else { continue }
                pairs.add(key: number * row.count + index, value: bytes)
            }
        }
        return pairs
    }
}

/// The evidence in the content of a file that a user made, imported or keeps it: of databases by their tables, of other files by
/// their first bytes, and of recordings also by the last. Nil without such evidence.
/// In JSON, only drafts and what waits to be sent count.
enum UserContentFact: Fact {
    static let name = "user content"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> PieceOfEvidence? {
        guard facts.item.status.kind == .file, facts.item.status.size > 0 else { return nil }
        if facts[MagicFact.self] == .sqlite {
            return facts[SchemaFact.self].first { $0.id == StoreEvidence.Kind.user.rawValue }
        }
        if let first = facts[FirstBytesFact.self], let start = first.first(where: { $0 > 0x20 }),
            "{[".utf8.contains(start)
        {
            let fields = FieldEvidence(json: facts.bytes(FileEvidence.count, at: 0) ?? [])
            return fields.hasUnsent ? fields.pieces.first { $0.id == FieldEvidence.Kind.user.rawValue } : nil
        }
        let pieces = FileEvidence.pieces(inFileOf: facts.item.status.size) { facts.bytes($0, at: $1) } ?? []
        return pieces.first { FileEvidence.userKinds.contains($0.id) || $0.id == FieldEvidence.Kind.user.rawValue }
    }
}

/// True if an SQLite database has rows besides those that a library writes into a new one; nil for another or an unreadable
/// file.
enum DatabaseHasRowsFact: Fact {
    static let name = "database rows"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Bool? {
        facts.query { copy throws(DatabaseReadError) in try copy.hasRows(besides: bookkeeping) }
    }

    /// The tables of Core Data, GRDB, Room and of libraries for migrations.
    private static let bookkeeping: Set<String> = [
        "z_metadata", "z_primarykey", "z_modelcache", "grdb_migrations", "android_metadata", "room_master_table",
        "schema_migrations", "schema_version", "migrations", "__drizzle_migrations", "_prisma_migrations",
    ]
}

/// The files beside a Core Data database that it refers to; nil for another or an unreadable file.
enum ExternalReferencesFact: Fact {
    static let name = "external references"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Set<String>? {
        facts.query { copy throws(DatabaseReadError) in try copy.externalReferences() }
    }
}

/// The texts of a database: 1,000 rows of each table, 64 KiB of each text (`DatabaseLimits`).
enum DatabaseTextsFact: Fact {
    static let name = "database texts"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [TextValue] {
        var texts: [TextValue] = []
        var names = RowNames()
        var row = (table: "", number: 0, parent: ValuePointer.Parent(rowWithKey: nil))
        var columns: [String: ValuePointer.Column] = [:]
        _ = facts.query { copy throws(DatabaseReadError) in
            try copy.values { value in
                guard case .text(let text) = value.content else { return true }
                let name = names.name(of: value, text)
                if row.number != value.row || row.table != value.table {
                    if row.table != value.table { columns = [:] }
                    row = (value.table, value.row, ValuePointer.Parent(rowWithKey: value.key))
                }
                let column = columns[value.column] ?? ValuePointer.Column(value.column, of: value.table)
                columns[value.column] = column
                texts.append(TextValue(pointer: row.parent.value(of: column, named: name), text: text))
                return texts.count < TextValuesFact.most
            }
        }
        return texts
    }
}

/// The names of values in tables of names and values, where a column such as `key` names what `value` holds.
private struct RowNames {
    private var last: (table: String, name: String)?

    /// Returns the name in the same row for the value of such a table, and the column's own name for any other.
    mutating func name(of value: DatabaseValueLocation, _ text: String) -> String {
        switch value.column.lowercased() {
        case "key", "name":
            last = text.utf8.count <= 128 ? (value.table, text) : nil
            return value.column
        case "value", "data", "content":
            defer { last = nil }
            return last?.table == value.table ? last?.name ?? value.column : value.column
        default: return value.column
        }
    }
}

extension ItemFacts {
    /// Reads from the open database. Errors become incidents, except damage, which has its own rule.
    func query<Answer>(_ question: (DatabaseCopy) throws(DatabaseReadError) -> Answer) -> Answer? {
        guard case .open(let copy) = self[DatabaseFact.self] else { return nil }
        do throws(DatabaseReadError) { return try question(copy) } catch {
            if error.code != .damaged { leaveOut(error) }
            return nil
        }
    }

    fileprivate func leaveOut(_ error: DatabaseReadError) { leaveOut(Incident.Reason(error.code)) }
}

/// The item and its siblings as the files of a database.
private struct ItemDatabaseSource: DatabaseSource {
    private let item: Item
    private let main: [UInt8]

    /// Creates the source for a database, or for one of its files with this suffix.
    init(_ item: Item, besides suffix: [UInt8] = []) {
        self.item = item
        main = item.name.dropLast(suffix.count)
    }

    func status(of file: DatabaseFile) -> FileStatus? { item.entry.status(ofSibling: name(of: file)) }

    func bytes(_ count: Int, at offset: UInt64, of file: DatabaseFile) -> [UInt8]? {
        item.entry.bytes(count, at: offset, ofSibling: name(of: file))
    }

    private func name(of file: DatabaseFile) -> [UInt8] { main + Array(file.rawValue.utf8) }
}
