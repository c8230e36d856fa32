package import FileSystem
internal import Foundation
internal import GRDB

/// Lists of what plans left out. A container's is the same from snapshot to snapshot as a rule, and kept once.
extension BackupStore {
    /// Something that a snapshot goes without because the plan said so; a directory stands for all it held.
    package struct Exclusion: Sendable, Hashable {
        package let path: [UInt8]
        package let kind: FileKind
        /// A plan's reason, as its `rawValue`.
        package let reason: String
        /// Who decided: an attribute, a file, a location or a kind.
        package let flag: String

        package init(path: [UInt8], kind: FileKind, reason: String, flag: String) {
            self.path = path
            self.kind = kind
            self.reason = reason
            self.flag = flag
        }
    }

    /// The number of the list that has just these; nil for none.
    package func exclusions(_ list: [Exclusion]) throws(BackupError) -> Int64? {
        guard !list.isEmpty else { return nil }
        let list = list.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        let hash = Self.hash(of: list)
        return try addition { database in
            let find = try database.cachedStatement(sql: "SELECT id FROM exclusions WHERE sha256 = ?")
            if let found = try Int64.fetchOne(find, arguments: [Data(hash.bytes)]) { return found }
            try database.execute(sql: "INSERT INTO exclusions(sha256) VALUES(?)", arguments: [Data(hash.bytes)])
            let id = database.lastInsertedRowID
            let insert = try database.cachedStatement(
                sql: "INSERT INTO excluded(exclusions, path, kind, reason, flag) VALUES(?, ?, ?, ?, ?)")
            for one in list {
                try insert.execute(arguments: [id, Data(one.path), Int(one.kind.rawValue), one.reason, one.flag])
            }
            return id
        }
    }

    /// What a list holds, by the bytes of the paths.
    package func exclusions(_ id: Int64) throws(BackupError) -> [Exclusion] {
        try catalogue { database in
            let statement = try database.cachedStatement(
                sql: "SELECT path, kind, reason, flag FROM excluded WHERE exclusions = ? ORDER BY path")
            let rows = try Row.fetchCursor(statement, arguments: [id])
            var list: [Exclusion] = []
            while let row = try rows.next() {
                guard let path = Data.fromDatabaseValue(row[0] as DatabaseValue),
                    let kind = UInt8.fromDatabaseValue(row[1] as DatabaseValue).flatMap(FileKind.init),
                    let reason = String.fromDatabaseValue(row[2] as DatabaseValue),
                    let flag = String.fromDatabaseValue(row[3] as DatabaseValue)
                else { throw BackupError(.damaged, "the catalogue holds an exclusion that cannot be") }
                list.append(Exclusion(path: Array(path), kind: kind, reason: reason, flag: flag))
            }
            return list
        }
    }

    /// What a list is known by: of each exclusion path, kind, reason and flag, texts after their lengths.
    static func hash(of list: [Exclusion]) -> ContentHash {
        var bytes: [UInt8] = []
        for one in list {
            for part in [one.path, Array("\(one.kind.rawValue)".utf8), Array(one.reason.utf8), Array(one.flag.utf8)] {
                withUnsafeBytes(of: Int64(part.count).bigEndian) { bytes += $0 }
                bytes += part
            }
        }
        return ContentHash(of: bytes)
    }
}
