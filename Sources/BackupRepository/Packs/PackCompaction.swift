internal import BackupPlan
internal import ContainerTree
internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// The removal of what no snapshot references from the packs. Packs are never changed: what stays is written to new packs, and
/// the old ones are removed after the rows refer to the new ones.
extension Repository {
    /// Refuses a catalogue with a pack whose file does not exist: a pack without a row may be that file, under its right name.
    ///
    /// - Throws: `damaged`.
    func requirePacks() throws(BackupError) {
        let present = Set(try packNames().map(\.string))
        for (id, name) in try packRows() where !present.contains(name) {
            throw BackupError(
                .damaged, what: "the catalogue is damaged and nothing was deleted: the file of pack \(id) is missing",
                hint: "`sandboxbackup verify` reports all damage")
        }
    }

    /// Returns the numbers and file names of all packs in the catalogue.
    func packRows() throws(BackupError) -> [(id: Int64, name: String)] {
        try withCatalogue { database in
            try Row.fetchAll(database, sql: "SELECT id, sha256 FROM pack ORDER BY id").map { row in
                guard let id = Int64.fromDatabaseValue(row[0] as DatabaseValue),
                    let hash = Data.fromDatabaseValue(row[1] as DatabaseValue), hash.count == 32
                else { throw BackupError(.damaged, what: "the catalogue contains a pack with an invalid hash") }
                return (id, ContentHash(bytes: Array(hash)).hexadecimal)
            }
        }
    }

    /// Removes the files of snapshots that were not completed.
    func removeLeftoverSnapshotFiles() throws(BackupError) {
        let known = Set(try withCatalogue { try Int64.fetchAll($0, sql: "SELECT id FROM snapshot") })
        let files = SnapshotFile.numbers(in: try names(in: SnapshotFile.directory)).files
        try SnapshotFile.remove(
            files.keys.filter { !known.contains($0) }, states: SnapshotFile.State.allCases, in: folder)
    }

    /// Rewrites the packs with records that no row references, without these records, and removes packs of interrupted runs.
    /// The packs with the least unused space stay as they are, up to a limit of unused space in all.
    ///
    /// A pack that does not match its name is kept as it is. On a full disk, packs that cannot be rewritten stay as they are.
    ///
    /// Adds the changes to `pruned`.
    func compactPacks(keepingAtMost limit: UnusedLimit, _ pruned: inout PruneResult) throws(BackupError) {
        let known = Set(try packRows().map(\.name))
        try removePacks(try packNames().filter { !known.contains($0.string) })
        let compaction = try PackCompaction(self, keepingAtMost: limit)
        try compaction.removeDeadPacks()
        (pruned.deletedPacks, pruned.unusedInPacks) = (compaction.dead.count, compaction.unused)
        do throws(BackupError) { try compaction.rewrite(&pruned.rewrittenPacks) } catch {
            guard error.code == .full else { throw error }
            // The next pruning continues.
            _ = SpaceReserve.release(in: folder)
            let rest = try PackCompaction(self, keepingAtMost: limit)
            pruned.unusedInPacks = rest.unused
            do throws(BackupError) { try rest.rewrite(&pruned.rewrittenPacks) } catch {
                guard error.code == .full else { throw error }
                pruned.unusedInPacks = try PackCompaction(self, keepingAtMost: .unlimited).unused
            }
        }
    }

    /// Adds the changes that `compactPacks` would make to `pruned`. The repository may be opened for reading.
    func previewCompaction(keepingAtMost limit: UnusedLimit, _ pruned: inout PruneResult) throws(BackupError) {
        let compaction = try PackCompaction(self, keepingAtMost: limit)
        pruned.deletedPacks = compaction.dead.count
        pruned.rewrittenPacks = compaction.wasteful.count
        pruned.unusedInPacks = compaction.unused
    }

    /// Returns the size of the files of all needed objects.
    fileprivate func neededFileBytes() throws(BackupError) -> UInt64 {
        try withCatalogue { database in
            let rows = try Data.fetchCursor(
                database, sql: "SELECT sha256 FROM object WHERE form = 1 AND id IN (SELECT id FROM needed)")
            var bytes: UInt64 = 0
            while let hash = try rows.next() {
                let name = ContentHash(bytes: Array(hash)).hexadecimal
                bytes.addClamped(try objects.statusIfPresent(FilePath("\(name.prefix(2))/\(name)"))?.size ?? 0)
            }
            return bytes
        }
    }

    func removePacks(_ names: [FilePath]) throws(BackupError) {
        guard !names.isEmpty else { return }
        do throws(FileSystemError) { try folder.openFolder(noFollow: Self.packsName).remove(names) } catch {
            throw BackupError(error)
        }
    }
}

/// One run over all packs, after `markLive`. What is needed is in its tables, so that a run also shows what it would do before
/// the other rows are deleted. Not thread-safe.
private struct PackCompaction {
    private let repository: Repository
    private let packs: [(id: Int64, name: String)]
    /// The packs that contain a record without a row, and those without any record with a row.
    private(set) var wasteful: [(id: Int64, name: String)] = []
    private(set) var dead: [(id: Int64, name: String)] = []
    /// The size of the records without a row in the packs that stay.
    private(set) var unused: UInt64 = 0

    /// Packs smaller than this are joined, if there are many.
    private static let smallSize = 128 << 10
    private static let mostSmall = 32
    /// The number of packs that are rewritten in one transaction.
    private static let step = 16

    init(_ repository: Repository, keepingAtMost limit: Repository.UnusedLimit) throws(BackupError) {
        self.repository = repository
        packs = try repository.packRows()
        var small: [(id: Int64, name: String)] = []
        var partlyUsed: [(pack: (id: Int64, name: String), unused: UInt64)] = []
        var used: UInt64 = 0
        try repository.withCatalogue { database in
            try database.execute(
                sql: """
                    DROP TABLE IF EXISTS temp.located; DROP TABLE IF EXISTS temp.copied;
                    CREATE TEMP TABLE located(pack INTEGER, position INTEGER, object INTEGER, PRIMARY KEY(pack, position))
                        WITHOUT ROWID;
                    INSERT OR IGNORE INTO located
                        SELECT pack, position, object FROM frame WHERE object IN (SELECT id FROM needed);
                    CREATE TEMP TABLE copied(kind INTEGER, sha256 BLOB, piece INTEGER, PRIMARY KEY(kind, sha256, piece))
                        WITHOUT ROWID;
                    """)
        }
        for pack in packs {
            try Invocation.current.interruption.throwIfRequested()
            guard let bytes = repository.packBytes(FilePath(pack.name)),
                ContentHash(of: bytes).hexadecimal == pack.name
            else { continue }
            let records = PackRecord.all(in: bytes).records
            let needless = try repository.withCatalogue { database in
                try records.filter { try !Self.isLive($0, of: pack.id, in: database) }
            }
            guard needless.count < records.count else {
                dead.append(pack)
                continue
            }
            let unused = needless.reduce(0) { $0 + $1.header.size + $1.frame.count }
            used += UInt64(bytes.count - unused)
            if !needless.isEmpty {
                partlyUsed.append((pack, UInt64(unused)))
            } else if bytes.count < Self.smallSize {
                small.append(pack)
            }
        }
        var limitBytes = UInt64.max
        switch limit {
        case .bytes(let bytes): limitBytes = bytes
        case .percent(let part):
            used.addClamped(try repository.neededFileBytes())
            // A part of the whole after the pruning, which is the used part and the unused one.
            if part < 100 { limitBytes = UInt64(min(Double(used) * part / (100 - part), 9e18)) }
        case .unlimited: break
        }
        for (pack, bytes) in partlyUsed.sorted(by: { ($0.unused, $0.pack.id) < ($1.unused, $1.pack.id) }) {
            if unused + bytes <= limitBytes { unused += bytes } else { wasteful.append(pack) }
        }
        if limitBytes < .max, small.count >= Self.mostSmall { wasteful += small }
        wasteful.sort { $0.id < $1.id }
        try repository.withCatalogue { try $0.execute(sql: "DELETE FROM temp.copied") }
    }

    /// Returns true if a row needs a record. Of several copies of an item, the first one counts.
    private static func isLive(
        _ record: PackRecord.Located, of pack: Int64, in database: Database
    ) throws -> Bool {
        let header = record.header
        guard header.kind != .content else {
            let find = try database.cachedStatement(
                sql: "SELECT 1 FROM temp.located WHERE pack = ? AND position = ?")
            return try Int.fetchOne(find, arguments: [pack, record.frame.lowerBound]) != nil
        }
        guard let hash = header.hash, let table = header.kind.table else { return false }
        let find = try database.cachedStatement(
            sql: "SELECT 1 FROM \(table) WHERE sha256 = ? AND \(header.kind.neededCondition)")
        guard try Int.fetchOne(find, arguments: [Data(hash.bytes)]) != nil else { return false }
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO temp.copied VALUES(?, ?, ?)").execute(
            arguments: [Int(header.kind.rawValue), Data(hash.bytes), Int(header.piece)])
        return database.changesCount > 0
    }

    /// Removes packs that contain nothing else, which needs no space.
    func removeDeadPacks() throws(BackupError) {
        try repository.delete(dead.map(\.id), statements: ["DELETE FROM pack WHERE id = ?"])
        try repository.removePacks(dead.map { FilePath($0.name) })
    }

    /// Writes what stays of the other packs to new ones, and adds their number to `rewritten`.
    func rewrite(_ rewritten: inout Int) throws(BackupError) {
        // Copies in packs that stay.
        let changed = Set(wasteful.map(\.id) + dead.map(\.id))
        guard !wasteful.isEmpty else { return }
        let staging = try Staging(of: repository)
        defer { staging.remove() }
        let writer = try PackWriter(repository, staging: staging.folder)
        for pack in packs where !changed.contains(pack.id) {
            guard let bytes = repository.packBytes(FilePath(pack.name)) else { continue }
            try repository.withCatalogue { database in
                for record in PackRecord.all(in: bytes).records where record.header.kind != .content {
                    _ = try Self.isLive(record, of: pack.id, in: database)
                }
            }
        }
        var rest = wasteful[...]
        while !rest.isEmpty {
            try Invocation.current.interruption.throwIfRequested()
            let step = rest.prefix(Self.step)
            try repository.withCatalogue { database in
                try database.inTransaction {
                    for pack in step { try move(pack, to: writer, in: database) }
                    try writer.flush(in: database)
                    return .commit
                }
            }
            // A new pack may have the content, and with it the name, of one of the old ones.
            let known = Set(try repository.packRows().map(\.name))
            try repository.removePacks(step.filter { !known.contains($0.name) }.map { FilePath($0.name) })
            rewritten += step.count
            rest = rest.dropFirst(Self.step)
        }
    }

    private func move(_ pack: (id: Int64, name: String), to writer: PackWriter, in database: Database) throws {
        guard let bytes = repository.packBytes(FilePath(pack.name)) else {
            throw BackupError(.damaged, what: "pack \(pack.name) can no longer be read")
        }
        let update = try database.cachedStatement(sql: "UPDATE frame SET pack = ?, position = ? WHERE object = ?")
        let find = try database.cachedStatement(
            sql: "SELECT object FROM temp.located WHERE pack = ? AND position = ?")
        for record in PackRecord.all(in: bytes).records {
            guard try Self.isLive(record, of: pack.id, in: database) else { continue }
            let place = try bytes[record.frame].withUnsafeBytes {
                try writer.add(record.header, frame: $0, in: database)
            }
            guard record.header.kind == .content,
                let object = try Int64.fetchOne(find, arguments: [pack.id, record.frame.lowerBound])
            else { continue }
            try update.execute(arguments: [place.pack, place.position, object])
        }
        try database.execute(sql: "DELETE FROM pack WHERE id = ?", arguments: [pack.id])
    }
}
