internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage
internal import TextOutput

extension Repository {
    /// Writes the copies that packs lack, and the files of snapshots, from the intact rows of the catalogue. Damaged packs are
    /// replaced by new ones, unless a content is only in them and cannot be read.
    ///
    /// - Returns: The names of the copies that were written.
    func repairCopies() throws(BackupError) -> [Repairer.Repaired] {
        var repaired: [Repairer.Repaired] = []
        var replaced: [FilePath] = []
        let writer = try ObjectWriter(self)
        do throws(BackupError) {
            replaced = try replaceDamagedPacks(writer)
            for kind in PackRecord.Kind.copied {
                let count = try writeMissingCopies(kind)
                guard count > 0 else { continue }
                repaired.append(
                    Repairer.Repaired(what: "copies of \(kind.count(count))", source: Array(Self.catalogueName.utf8)))
            }
            try writer.finish()
        } catch {
            writer.abandon()
            throw error
        }
        try removePacks(replaced)
        for name in replaced {
            let what = "\(Self.packsName)/\(name)"
            repaired.append(Repairer.Repaired(what: what, source: Array(Self.catalogueName.utf8)))
        }
        return try repaired + repairSnapshotFiles()
    }

    /// Stores the intact contents of damaged packs in new ones, and deletes the rows of damaged packs that no content needs.
    ///
    /// - Returns: The names of the files that are not needed any more.
    private func replaceDamagedPacks(_ writer: ObjectWriter) throws(BackupError) -> [FilePath] {
        let rows = try packRows()
        let ids = Dictionary(rows.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
        var damaged: [(id: Int64, name: FilePath)] = []
        var unseen = Set(rows.map(\.name))
        try withCatalogue { database in
            try PackIndex.make(in: database, of: self) { name, pack in
                unseen.remove(name.string)
                if pack?.isSound != true, let id = ids[name.string] { damaged.append((id, name)) }
            }
        }
        damaged += unseen.sorted().compactMap { name in ids[name].map { ($0, FilePath(name)) } }
        guard !damaged.isEmpty else { return [] }
        let (reader, compressor) = (try ObjectReader(self), try Compressor(level: 3))
        var replaced: [FilePath] = []
        for (id, name) in damaged {
            let objects = try withCatalogue {
                try Int64.fetchAll($0, sql: "SELECT object FROM frame WHERE pack = ?", arguments: [id])
            }
            var isNeeded = false
            for object in objects {
                do throws(BackupError) {
                    let description = try reader.describe(object)
                    let content = try reader.verifiedContent(object, description: description)
                    let outcome: Result<Void, BackupError> = content.withUnsafeBytes { bytes in
                        Result { () throws(BackupError) in
                            try writer.replace(object, hash: description.hash, content: bytes, compressor: compressor)
                        }
                    }
                    try outcome.get()
                } catch {
                    guard error.code == .damaged else { throw error }
                    isNeeded = true
                }
            }
            // With the pack, its copies go, also those that still match their hashes.
            guard !isNeeded else { continue }
            try modifyCatalogue { database in
                try database.execute(sql: "DELETE FROM temp.record WHERE pack = ?", arguments: [name.string])
                try database.execute(sql: "DELETE FROM pack WHERE id = ?", arguments: [id])
            }
            replaced.append(name)
        }
        let present = Set(try packNames().map(\.string))
        return replaced.filter { present.contains($0.string) }
    }

    /// Adds the copies of a kind that no pack has, as far as the rows match their hashes.
    private func writeMissingCopies(_ kind: PackRecord.Kind) throws(BackupError) -> Int {
        var count = 0
        for id in try withCatalogue({ try PackIndex.missing(kind, in: $0) }) {
            guard let (hash, bytes) = try hashAndBytes(of: kind, id) else { continue }
            let isWritten = try modifyCatalogue { database in
                let sql = "SELECT 1 FROM \(kind.table ?? "") WHERE id = ? AND sha256 = ?"
                guard try Int.fetchOne(database, sql: sql, arguments: [id, Data(hash.bytes)]) != nil else {
                    return false
                }
                if let bytes {
                    try addCopy(kind, hash: hash, bytes: bytes, in: database)
                } else {
                    try addCopy(ofDirectory: id, hash, in: database)
                }
                return true
            }
            if isWritten { count += 1 }
        }
        return count
    }

    /// Returns the hash of the rows of an item and the bytes that it covers, except those of a directory, which may exceed the
    /// memory; nil if the rows are damaged.
    private func hashAndBytes(
        of kind: PackRecord.Kind, _ id: Int64
    ) throws(BackupError) -> (hash: ContentHash, bytes: [UInt8]?)? {
        do throws(BackupError) {
            let bytes: [UInt8]
            switch kind {
            case .attributes: bytes = Self.bytes(of: try attributes(id))
            case .exclusions: bytes = Self.bytes(of: try exclusions(id))
            case .directory: return (try withCatalogue { try Self.hash(ofEntriesOf: id, in: $0) }, nil)
            case .parts: bytes = try withCatalogue { try partBytes(of: id, in: $0) }
            case .content, .snapshot: return nil
            }
            return (PackIndex.hash(of: bytes, kind: kind), bytes)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    private func partBytes(of object: Int64, in database: Database) throws -> [UInt8] {
        var list = PartList()
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT position, part, sha256 FROM part JOIN object ON id = part WHERE object = ? ORDER BY position",
            arguments: [object])
        while let row = try rows.next() {
            guard let position = UInt64.fromDatabaseValue(row[0] as DatabaseValue),
                let part = Int64.fromDatabaseValue(row[1] as DatabaseValue),
                let hash = Data.fromDatabaseValue(row[2] as DatabaseValue)
            else { throw BackupError(.damaged, what: "the catalogue contains an invalid part") }
            list.add(part, hash: ContentHash(bytes: Array(hash)), at: position)
        }
        let size = try UInt64.fetchOne(database, sql: "SELECT size FROM object WHERE id = ?", arguments: [object])
        return list.bytes(size: size ?? 0)
    }

    /// Writes the files of snapshots that are missing or differ from their rows.
    private func repairSnapshotFiles() throws(BackupError) -> [Repairer.Repaired] {
        let decompressor = try Decompressor()
        var repaired: [Repairer.Repaired] = []
        for snapshot in readableSnapshots() {
            if SnapshotFile.exists(snapshot.number, id: snapshot.id, in: folder, decompressor: decompressor) {
                continue
            }
            try withCatalogue { database in
                guard try Self.hash(of: snapshot, in: database).hexadecimal == snapshot.id else { return }
                try Self.prepareFile(of: snapshot, in: folder, database)
                SnapshotFile.commit([snapshot.number], in: folder)
                let what = "\(SnapshotFile.directory)/\(snapshot.number)"
                repaired.append(Repairer.Repaired(what: what, source: Array(Self.catalogueName.utf8)))
            }
        }
        return repaired
    }
}
