internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// The verification of the rows of the catalogue by their hashes.
extension Verifier {
    /// Returns the directories whose entries do not match their hash; of all, or of those that match an SQL condition.
    func directoryDamage(where condition: String = "true") throws(BackupError) -> [Damage] {
        try rows("directory", where: condition) { id, hash throws(BackupError) in
            try repository.withCatalogue { try Repository.hash(ofEntriesOf: id, in: $0) } == hash
                ? nil : "its entries do not match the hash"
        }
    }

    func attributeDamage(where condition: String = "true") throws(BackupError) -> [Damage] {
        try rows("attributes", where: condition) { id, hash throws(BackupError) in
            Repository.hash(of: try repository.attributes(id)) == hash
                ? nil : "its values do not match the hash"
        }
    }

    func exclusionDamage(where condition: String = "true") throws(BackupError) -> [Damage] {
        try rows("exclusions", where: condition) { id, hash throws(BackupError) in
            Repository.hash(of: try repository.exclusions(id)) == hash
                ? nil : "its paths do not match the hash"
        }
    }

    /// Returns the objects whose list of parts does not match its hash.
    func listDamage(where condition: String) throws(BackupError) -> [Damage] {
        let reader = try ObjectReader(repository)
        return try rows("object", where: "form = 2 AND \(condition)") { id, _ throws(BackupError) in
            _ = try reader.verifiedParts(of: id, reader.describe(id))
            return nil
        }
    }

    func snapshotDamage(where condition: String = "true") throws(BackupError) -> [Damage] {
        try rows("snapshot", where: condition) { id, hash throws(BackupError) in
            guard let snapshot = try repository.snapshot(numbered: id) else {
                return "its row is not found by its number"
            }
            return try repository.withCatalogue { try Repository.hash(of: snapshot, in: $0) } == hash
                ? nil : "its row does not match the hash"
        }
    }

    /// Returns orphaned rows. Rows are inserted and deleted in one transaction with their owners, so no run leaves
    /// them.
    func orphanDamage() throws(BackupError) -> [Damage] {
        var damage: [Damage] = []
        for (table, column, owner) in [
            ("frame", "object", "object"), ("frame", "pack", "pack"), ("part", "object", "object"),
            ("entry", "directory", "directory"), ("attribute", "attributes", "attributes"),
            ("excluded", "exclusions", "exclusions"), ("incident", "snapshot", "snapshot"),
        ] {
            do throws(BackupError) {
                let count = try repository.withCatalogue {
                    try Int.fetchOne(
                        $0, sql: "SELECT count(*) FROM \(table) WHERE \(column) NOT IN (SELECT id FROM \(owner))") ?? 0
                }
                if count > 0 {
                    damage.append(
                        Damage(what: "catalogue", how: "\(Quantity.count(count, "row")) of \(table) without an owner"))
                }
            } catch {
                guard error.code == .damaged else { throw error }
                damage.append(Damage(what: "catalogue", how: "\(table) cannot be read: \(error.what)"))
            }
        }
        return damage
    }

    /// Returns files in the repository's directory that do not belong to it.
    func foreignNeighbours() throws(BackupError) -> [Damage] {
        let names: [FilePath]
        do throws(FileSystemError) { names = try repository.folder.names() } catch { throw BackupError(error) }
        return names.filter { !Repository.isRepositoryFile($0.string) }
            .map { Damage(what: ByteText.escaped($0.bytes), how: "it does not belong to the repository") }
    }

    /// Returns unreferenced files in `objects`. A valid one was left by an interrupted run and is not damage.
    func foreignFiles(_ outcome: inout Outcome) throws(BackupError) -> [Damage] {
        let files: [FilePath]
        do throws(BackupError) { files = try repository.unreferencedFiles() } catch {
            // Without all hashes, no file is known to be unreferenced.
            return [Damage(what: error.code == .damaged ? "catalogue" : "objects", how: error.what)]
        }
        let judge = try UnreferencedFiles(repository)
        var damage: [Damage] = []
        for path in files {
            let how: String
            switch try judge.nature(of: path) {
            case .leftover:
                outcome.leftovers += 1
                continue
            case .damaged: how = "an incomplete file of an interrupted run; `prune` deletes it"
            case .lost: how = "it contains a damaged object; `verify --repair` restores it"
            case .foreign: how = "it does not belong to the repository"
            }
            damage.append(Damage(what: ByteText.escaped(Array("objects/".utf8) + path.bytes), how: how))
        }
        return damage
    }

    /// Returns the damaged objects, each with some of the files that use it.
    func named(_ bad: [Int64: String]) throws(BackupError) -> [Damage] {
        guard !bad.isEmpty else { return [] }
        let reader = try ObjectReader(repository)
        // The damaged parts of each object.
        var parts: [Int64: [Int64]] = [:]
        for occurrence in try reader.occurrences(ofParts: { bad[$0] != nil }) {
            parts[occurrence.object, default: []].append(occurrence.part)
        }
        var paths: [Int64: [[UInt8]]] = [:]
        for snapshot in repository.readableSnapshots() {
            try? repository.visit(snapshot) { path, entry in
                guard let object = entry.object else { return }
                for object in (bad[object] == nil ? [] : [object]) + (parts[object] ?? [])
                where paths[object, default: []].count < 20 {
                    paths[object, default: []].append(Array("\(snapshot.number):".utf8) + path)
                }
            }
        }
        return bad.map { object, how in
            let hash = try? reader.describe(object).hash.hexadecimal
            return Damage(what: "object \(hash ?? "number \(object)")", how: how, paths: paths[object] ?? [])
        }
    }

    /// Verifies every row of a table with hashes.
    private func rows(
        _ table: String, where condition: String = "true", _ judge: (Int64, ContentHash) throws(BackupError) -> String?
    ) throws(BackupError) -> [Damage] {
        var (rows, damage) = try readableRows(of: table, where: condition)
        for (id, hash) in rows {
            do throws(BackupError) {
                if let how = try judge(id, hash) { damage.append(Damage(what: "\(table) \(id)", how: how)) }
            } catch {
                guard error.code == .damaged else { throw error }
                damage.append(Damage(what: "\(table) \(id)", how: error.what))
            }
        }
        return damage
    }

    /// Returns the readable rows of a table: from both ends up to the damaged page.
    func readableRows(
        of table: String, where condition: String = "true"
    ) throws(BackupError) -> (rows: [(id: Int64, hash: ContentHash)], damage: [Damage]) {
        var rows: [(id: Int64, hash: ContentHash)] = []
        var damage: [Damage] = []
        for order in ["ASC", "DESC"] {
            do throws(BackupError) {
                try repository.withCatalogue { database in
                    // Not by an index, which is stored in other pages.
                    let found = try Row.fetchCursor(
                        database,
                        sql: "SELECT id, sha256 FROM \(table) NOT INDEXED WHERE \(condition) ORDER BY id \(order)")
                    while let row = try found.next() {
                        let hash = Data.fromDatabaseValue(row[1] as DatabaseValue) ?? Data()
                        rows.append(
                            (Int64.fromDatabaseValue(row[0] as DatabaseValue) ?? 0, ContentHash(bytes: Array(hash))))
                    }
                }
                return (rows, damage)
            } catch {
                guard error.code == .damaged else { throw error }
                damage = [Damage(what: "catalogue", how: "\(table) can only be read in part: \(error.what)")]
            }
        }
        return (rows, damage)
    }
}
