internal import DatabaseInspection
internal import ContainerTree
internal import FileSystem

/// An SQLite store as it was when the first rule asked: its files are copied, at most 256 MiB of them, and SQLite opens
/// the copy, which goes with the item's visit. Nothing for a file that does not begin as a database does.
enum StoreFact: Fact {
    static let name = "store"
    static let cost = Cost.read

    enum Value {
        case none
        case open(DatabaseCopy)
        /// SQLite cannot read it, and says why.
        case damaged(String)
    }

    static func value(of facts: ItemFacts) -> Value {
        guard facts[MagicFact.self] == .sqlite else { return .none }
        do throws(DatabaseReadError) { return .open(try DatabaseCopy(of: ItemStore(item: facts.item))) } catch {
            if error.code == .damaged { return .damaged(error.detail) }
            facts.leaveOut(error)
            return .none
        }
    }
}

/// What `quick_check` says of a store; nothing where it is sound or no store.
enum StoreProblemsFact: Fact {
    static let name = "store problems"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [String] {
        switch facts[StoreFact.self] {
        case .none: return []
        case .damaged(let reason): return [reason]
        case .open: return facts.ask { copy throws(DatabaseReadError) in try copy.problems() } ?? []
        }
    }
}

/// The tables of a store; none where it is no store or cannot be read.
enum StoreTablesFact: Fact {
    static let name = "store tables"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [DatabaseTable] {
        facts.ask { copy throws(DatabaseReadError) in try copy.tables() } ?? []
    }
}

/// The files beside a Core Data store that it refers to; nil where it is no store or cannot be read.
enum ExternalReferencesFact: Fact {
    static let name = "external references"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Set<String>? {
        facts.ask { copy throws(DatabaseReadError) in try copy.externalReferences() }
    }
}

/// The texts of a store: of each table 1,000 rows, of each text up to 64 KiB (`DatabaseLimits`).
enum StoreTextsFact: Fact {
    static let name = "store texts"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [TextValue] {
        var texts: [TextValue] = []
        var names = RowNames()
        _ = facts.ask { copy throws(DatabaseReadError) in
            try copy.values { value in
                guard case .text(let text) = value.content else { return true }
                let name = names.name(of: value, text)
                texts.append(
                    TextValue(
                        pointer: "\(value.table).\(value.column)", name: name, text: text,
                        record: "\(value.table)#\(value.row)", recordKey: value.key.map(String.init)))
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
    /// Asks the open store; what goes wrong is an incident, but for damage, which has a rule of its own.
    func ask<Answer>(_ question: (DatabaseCopy) throws(DatabaseReadError) -> Answer) -> Answer? {
        guard case .open(let copy) = self[StoreFact.self] else { return nil }
        do throws(DatabaseReadError) { return try question(copy) } catch {
            if error.code != .damaged { leaveOut(error) }
            return nil
        }
    }

    fileprivate func leaveOut(_ error: DatabaseReadError) { leaveOut(error.code.rawValue) }
}

/// The item and what lies beside it, as a store's files.
private struct ItemStore: DatabaseSource {
    let item: Item

    func status(of file: DatabaseFile) -> FileStatus? { item.source.status(ofSibling: name(of: file)) }

    func bytes(_ count: Int, at offset: UInt64, of file: DatabaseFile) -> [UInt8]? {
        item.source.bytes(count, at: offset, ofSibling: name(of: file))
    }

    private func name(of file: DatabaseFile) -> [UInt8] { Array(item.name) + Array(file.rawValue.utf8) }
}
