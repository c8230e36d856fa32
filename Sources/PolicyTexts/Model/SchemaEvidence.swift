internal import FileSystem

/// The evidence in the schema of a database, table by table.
///
/// A table with a column that users fill makes the database one of the user, whatever its other tables are. A database is a
/// mirror of server data if at least half of its tables have columns with which clients of servers decide what to fetch
/// again. Tables of migrations, of Core Data's own records and of indexes count for neither. A table named as what users write is a
/// mirror all the same if every row has what the server gave it. Tables of messages with a time, and a level or a place in the
/// code, are a log. Sources: RFC 9051 (IMAP) and RFC 7162 for `uidvalidity` and
/// `modseq`, RFC 6578 and the CalDAV ctag for collections, the GTFS reference for `feed_info` and `stop_times`, the MBTiles
/// specification.
package struct SchemaEvidence {
    private typealias Kind = StoreEvidence.Kind
    package let pieces: [PieceOfEvidence]

    /// Creates the evidence of the tables with their columns.
    ///
    /// - Parameters:
    ///   - tables: The columns by table.
    ///   - isFilled: Returns true if every row of a table has a value in a column.
    package init(
        _ tables: [String: [String]], isFilled: (_ column: String, _ table: String) -> Bool = { _, _ in false }
    ) {
        let indexes = Self.textIndexes(tables) + Self.spaceIndexes(tables)
        let isFeed = tables["feed_info"] != nil && tables["stop_times"] != nil
        let isTiles = tables["tiles"]?.contains("zoom_level") ?? false
        let own = tables.filter { name, _ in
            !Self.isBookkeeping(name) && !indexes.contains { name.hasPrefix($0) } && !(isTiles && name == "metadata")
        }
        var pieces: [PieceOfEvidence] = []
        var server = own.compactMapValues { columns in columns.filter(Self.isServer).min() }
        if isFeed { for table in own.keys { server[table] = server[table] ?? "feed_info" } }
        if !server.isEmpty {
            // The state of a synchronization and the numbers of a server's records say something only beside other fields.
            for (table, columns) in own where server[table] == nil {
                server[table] = columns.filter(Self.isOfSync).min()
            }
        }
        let fields = Set(own.values.joined().filter(Self.isServer))
        // In the store of a logger, marks are those of developers.
        let isOfLogger = own.values.contains { Self.logColumn($0, isSure: true) != nil }
        let user = own.compactMap { name, columns -> String? in
            if isOfLogger, Self.logColumn(columns) != nil { return nil }
            if !isOfLogger, let column = columns.filter(Self.isUser).min() { return column }
            guard Self.isUserTable(name) else { return nil }
            let isMirror =
                server[name] != nil
                && columns.contains {
                    (Self.isServer($0) || Self.isOfSync($0)) && isFilled($0, name)
                }
            return isMirror ? nil : name
        }
        if let column = user.min() {
            pieces.append(Self.piece(.user, strength: 1, name: column))
        } else if let column = Self.logColumn(in: own, isOfLogger: isOfLogger) {
            pieces.append(Self.piece(.log, strength: 1, name: column))
        } else if let column = server.values.min(), server.count * 2 >= own.count {
            // Two fields in half of the tables say as much as one in each.
            let isSure = server.count == own.count || fields.count >= 2
            pieces.append(Self.piece(.server, strength: isSure ? 1 : 0.6, name: column))
        }
        if own.isEmpty, let index = indexes.min(), !tables.keys.contains("\(index)_content") {
            pieces.append(Self.piece(.textIndex, strength: 1, name: index))
        } else if own.isEmpty, let index = indexes.filter(Self.isNamedIndex).min(),
            !indexes.contains(where: Self.isUserTable)
        {
            // It also keeps the text, so that its name has to say that the text is stored elsewhere.
            pieces.append(Self.piece(.textIndex, strength: 0.6, name: index))
        }
        self.pieces = pieces
    }

    /// The column that tells a log from other tables. Nil unless the store is a logger's, or at least half of the tables are logs.
    private static func logColumn(in tables: [String: [String]], isOfLogger: Bool) -> String? {
        let found = tables.values.compactMap { logColumn($0) }
        return isOfLogger || found.count * 2 >= tables.count ? found.min() : nil
    }

    /// The level, the function or the line of code of messages with a time; a sure one has a level and two places in the code, as
    /// only loggers write them. Nil for another table.
    private static func logColumn(_ columns: [String], isSure: Bool = false) -> String? {
        let names = columns.map { (name: $0, joined: withoutPrefix(joined($0))) }
        func first(of known: Set<String>) -> String? { names.first { known.contains($0.joined) }?.name }
        guard first(of: messageNames) != nil, first(of: timeNames) != nil else { return nil }
        let places = names.filter { placeNames.contains($0.joined) }
        if let level = first(of: levelNames), places.count >= (isSure ? 2 : 1) { return level }
        return places.count >= 2 && !isSure ? places.first?.name : nil
    }

    private static func piece(_ kind: Kind, strength: Double, name: String) -> PieceOfEvidence {
        PieceOfEvidence(kind, strength, PieceOfEvidence.shown(Array(name.utf8)))
    }

    /// The names of full-text indexes, by the tables in which they keep their segments. Source: SQLite, FTS3 and FTS4
    /// (“Shadow Tables”) and FTS5 (“The Structure of FTS5 Tables”).
    private static func textIndexes(_ tables: [String: [String]]) -> [String] {
        tables.keys.compactMap { name in
            if name.hasSuffix("_segdir") { return String(name.dropLast(7)) }
            guard name.hasSuffix("_idx"), tables[name]?.contains("segid") == true else { return nil }
            return String(name.dropLast(4))
        }
    }

    /// The names of indexes of places, by the tables in which they keep their nodes. Source: SQLite, “The SQLite R*Tree Module”.
    private static func spaceIndexes(_ tables: [String: [String]]) -> [String] {
        tables.keys.filter { $0.hasSuffix("_node") }.map { String($0.dropLast(5)) }
            .filter { tables["\($0)_parent"] != nil && tables["\($0)_rowid"] != nil }
    }

    /// Returns true for the name of an index by its words.
    private static func isNamedIndex(_ name: String) -> Bool {
        !words(of: name).isDisjoint(with: indexWords) && !words(of: name).contains(where: userTables.contains)
    }
    private static let indexWords = packed(["search", "fts", "index", "searchindex"])

    /// Tables of tools that keep a schema. Source: the documentation of Core Data's stores, GRDB, Room and sqflite.
    package static func isBookkeeping(_ name: String) -> Bool {
        let name = name.lowercased()
        return bookkeeping.contains(name) || name.hasSuffix("migrations") || name.hasSuffix("version")
    }
    private static let bookkeeping: Set<String> = [
        "sqlite_sequence", "z_primarykey", "z_metadata", "z_modelcache", "achange", "atransaction",
        "atransactionstring", "room_master_table", "android_metadata",
    ]

    /// The fields of a response that is stored to decide when to fetch it again, and the address of a map tile.
    private static func isServer(_ column: String) -> Bool {
        let joined = joined(column)
        return serverParts.contains { joined.contains($0) } || words(of: column).contains(where: serverWords.contains)
            || serverNames.contains(withoutPrefix(joined))
    }

    /// The fields of a synchronization, which apps also keep with what users write.
    private static func isOfSync(_ column: String) -> Bool { syncNames.contains(withoutPrefix(joined(column))) }

    /// A name without the letter that Core Data puts before it.
    private static func withoutPrefix(_ name: String) -> String {
        name.hasPrefix("z") && name != "zoomlevel" ? String(name.dropFirst()) : name
    }

    /// The fields of what a user wrote, marked or has not sent yet.
    private static func isUser(_ column: String) -> Bool {
        let joined = joined(column)
        return userParts.contains { joined.contains($0) } || words(of: column).contains(where: userWords.contains)
    }

    private static func isUserTable(_ name: String) -> Bool {
        words(of: name).contains(where: userTables.contains) || userParts.contains { joined(name).contains($0) }
    }

    /// A name in lower case, without what is no letter.
    private static func joined(_ name: String) -> String {
        String(decoding: name.utf8.filter { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a }.map { $0 | 0x20 }, as: UTF8.self)
    }

    private static func words(of name: String) -> Set<PackedWord> {
        var words: Set<PackedWord> = []
        Array(name.utf8).withUnsafeBytes { bytes in NameWords.forEach(in: bytes) { words.insert($0) } }
        return words
    }

    private static func packed(_ words: [String]) -> Set<PackedWord> { Set(words.compactMap { NameWords.packed($0) }) }

    private static let serverWords = packed(["etag", "expiry", "expires", "fetched", "cached", "ttl", "maxage"])
    private static let serverParts = [
        "lastchecked", "lastfetch", "lastdownload", "statuscode", "validuntil", "validduration", "freshuntil",
        "nextsince",
        "cachecontrol", "fetchedat", "syncedat", "synctoken", "uidvalidity", "modseq",
    ]
    private static let serverNames: Set<String> = ["zoomlevel", "etag", "ctag", "fetched", "deltatoken", "feedversion"]
    private static let messageNames: Set<String> = ["message", "msg", "text", "logmessage", "errormessage"]
    private static let timeNames: Set<String> = [
        "date", "time", "timestamp", "createdat", "created", "loggedat", "logtime",
    ]
    private static let levelNames: Set<String> = ["level", "loglevel", "severity"]
    private static let placeNames: Set<String> = [
        "function", "functionname", "file", "filename", "line", "linenumber", "thread", "threadname", "subsystem",
        "logger", "stacktrace", "process",
    ]
    private static let syncNames: Set<String> = [
        "cursor", "hasmore", "lastsync", "lastsynced", "remoteid", "serverid", "sourceurl", "seq", "href",
    ]
    private static let userWords = packed([
        "draft", "drafts", "outbox", "pending", "dirty", "unsent", "note", "notes", "starred",
    ])
    private static let userParts = ["favorite", "favourite", "bookmark", "starred", "pinned", "privatekey", "password"]
    private static let userTables = packed([
        "message", "messages", "chat", "chats", "msg", "msgs", "conversation", "note", "notes", "memo", "journal",
        "diary",
        "draft", "drafts", "outbox", "annotation", "highlight", "playlist", "recording", "workout", "wallet",
    ])
}
