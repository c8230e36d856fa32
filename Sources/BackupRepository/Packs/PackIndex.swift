internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// An index of the copies in all packs, in the temporary table `record` of a catalogue.
struct PackIndex {
    /// A pack that was read.
    struct Pack {
        let name: FilePath
        let bytes: [UInt8]
        let records: [PackRecord.Located]
        /// True if the bytes match the name of the pack.
        let isSound: Bool
    }

    /// Creates the table and fills it with the records of copies. A record of a damaged pack is only listed if it matches its
    /// hash.
    ///
    /// - Parameters:
    ///   - database: The catalogue.
    ///   - repository: The directory of the repository.
    ///   - body: Called with each pack, also with names that are not those of packs.
    /// - Throws: Errors of `body` and of the database; `interrupted`.
    static func make(
        in database: Database, of repository: Repository, _ body: (_ name: FilePath, _ pack: Pack?) throws -> Void
    ) throws {
        try make(in: database, names: repository.packNames(), reading: { repository.packBytes($0) }, body)
    }

    static func make(
        in database: Database, names: [FilePath], reading read: (FilePath) -> [UInt8]?,
        _ body: (_ name: FilePath, _ pack: Pack?) throws -> Void
    ) throws {
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS temp.record;
                CREATE TEMP TABLE record(
                    kind INTEGER, sha256 BLOB, piece INTEGER, last INTEGER, pack TEXT, position INTEGER, size INTEGER,
                    PRIMARY KEY(kind, sha256, piece)
                ) WITHOUT ROWID;
                """)
        let decompressor = try Decompressor()
        let insert = try database.makeStatement(sql: "INSERT OR IGNORE INTO temp.record VALUES(?, ?, ?, ?, ?, ?, ?)")
        for name in names {
            try Invocation.current.interruption.throwIfRequested()
            guard let bytes = read(name) else {
                try body(name, nil)
                continue
            }
            let hash = ContentHash(of: bytes)
            let pack = Pack(
                name: name, bytes: bytes, records: PackRecord.all(in: bytes).records,
                isSound: hash.hexadecimal == name.string)
            for record in pack.records {
                let header = record.header
                guard let hash = header.hash, header.kind.table != nil else { continue }
                guard pack.isSound || isWhole(record, in: bytes, decompressor: decompressor) else { continue }
                try insert.execute(arguments: [
                    Int(header.kind.rawValue), Data(hash.bytes), Int(header.piece), header.isLast ? 1 : 0, name.string,
                    record.frame.lowerBound, record.frame.count,
                ])
            }
            try body(name, pack)
        }
    }

    /// Returns true if a record is a whole item that matches its hash.
    private static func isWhole(
        _ record: PackRecord.Located, in bytes: [UInt8], decompressor: Decompressor
    ) -> Bool {
        guard record.header.piece == 0, record.header.isLast,
            let content = bytes[record.frame].withUnsafeBytes({
                decompressor.content(of: $0, limit: PackRecord.pieceSize)
            })
        else { return false }
        return hash(of: content, kind: record.header.kind) == record.header.hash
    }

    /// Returns the hash of the bytes of an item.
    static func hash(of bytes: [UInt8], kind: PackRecord.Kind) -> ContentHash {
        kind == .parts ? PartList.hash(of: bytes) : ContentHash(of: bytes)
    }

    /// Returns the rows of a kind that no pack has a copy of.
    static func missing(
        _ kind: PackRecord.Kind, where condition: String = "true", in database: Database
    ) throws -> [Int64] {
        guard let table = kind.table else { return [] }
        let form = kind == .parts ? "form = 2" : "true"
        return try Int64.fetchAll(
            database,
            sql: """
                SELECT id FROM \(table) WHERE \(form) AND \(condition) AND sha256 NOT IN (
                    SELECT sha256 FROM temp.record WHERE kind = \(kind.rawValue) GROUP BY sha256
                    HAVING count(*) = max(last * (piece + 1)))
                ORDER BY id
                """)
    }
}
