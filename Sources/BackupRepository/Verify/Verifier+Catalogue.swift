internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// What the catalogue says, judged by the hashes it says it under.
extension Verifier {
    /// Directories whose entries are not those they are known by; of all, or of those that an SQL condition names.
    func directoryDamage(where condition: String = "true") throws(BackupError) -> [Damage] {
        try rows("directory", where: condition) { id, hash throws(BackupError) in
            let entries = try repository.entries(of: id)
            return try repository.withCatalogue { try Repository.hash(of: entries, in: $0) } == hash
                ? nil : "its entries are not those that were written"
        }
    }

    func attributeDamage() throws(BackupError) -> [Damage] {
        try rows("attributes") { id, hash throws(BackupError) in
            Repository.hash(of: try repository.attributes(id)) == hash
                ? nil : "its values are not those that were written"
        }
    }

    func exclusionDamage() throws(BackupError) -> [Damage] {
        try rows("exclusions") { id, hash throws(BackupError) in
            Repository.hash(of: try repository.exclusions(id)) == hash
                ? nil : "its paths are not those that were written"
        }
    }

    /// Contents in parts whose parts are not those that they are known by.
    func listDamage(where condition: String) throws(BackupError) -> [Damage] {
        let reader = try ObjectReader(repository)
        return try rows("object", where: "form = 2 AND \(condition)") { id, _ throws(BackupError) in
            _ = try reader.verifiedParts(of: id, reader.describe(id))
            return nil
        }
    }

    func snapshotDamage() throws(BackupError) -> [Damage] {
        try rows("snapshot") { id, hash throws(BackupError) in
            guard let snapshot = try repository.snapshot(numbered: id) else { return "its row cannot be found again" }
            return try repository.withCatalogue { try Repository.hash(of: snapshot, in: $0) } == hash
                ? nil : "what is said of it is not what was written"
        }
    }

    /// Rows that belong to nothing, which no run leaves: it adds and removes them in one step with what they belong to.
    func orphanDamage() throws(BackupError) -> [Damage] {
        var damage: [Damage] = []
        for (table, column, owner) in [
            ("frame", "object", "object"), ("part", "object", "object"),
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
                        Damage(what: "catalogue", how: "\(Quantity.count(count, "row")) of \(table) belong to nothing"))
                }
            } catch {
                guard error.code == .damaged else { throw error }
                damage.append(Damage(what: "catalogue", how: "\(table) cannot be read: \(error.what)"))
            }
        }
        return damage
    }

    /// What lies beside the catalogue and the objects, and is no run's.
    func foreignNeighbours() throws(BackupError) -> [Damage] {
        let names: [FilePath]
        do throws(FileSystemError) { names = try repository.folder.names() } catch { throw BackupError(error) }
        return names.filter { !Repository.isRepositoryFile($0.string) }
            .map { Damage(what: ByteText.escaped($0.bytes), how: "it is not the store's") }
    }

    /// Files among the objects that no row names. One that holds what its name says was left by a run that was ended,
    /// which is no damage.
    func foreignFiles(_ outcome: inout Outcome) throws(BackupError) -> [Damage] {
        let files: [FilePath]
        do throws(BackupError) { files = try repository.unreferencedFiles() } catch {
            // Of no file it is known whether it is named then.
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
            case .damaged: how = "a run that was ended left it, and it is damaged; `prune` removes it"
            case .lost: how = "it holds a damaged object's content; `verify --repair` takes it from there"
            case .foreign: how = "it is not the store's"
            }
            damage.append(Damage(what: ByteText.escaped(Array("objects/".utf8) + path.bytes), how: how))
        }
        return damage
    }

    /// The damaged objects, each with files that hold it.
    func named(_ bad: [Int64: String]) throws(BackupError) -> [Damage] {
        guard !bad.isEmpty else { return [] }
        let reader = try ObjectReader(repository)
        // What is damaged in each content that is in parts.
        var parts: [Int64: [Int64]] = [:]
        for place in try reader.places(ofParts: { bad[$0] != nil }) {
            parts[place.object, default: []].append(place.part)
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

    /// Judges every row of a table that has a hash.
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

    /// The rows of a table as far as they can be read: from both ends up to where they cannot.
    func readableRows(
        of table: String, where condition: String = "true"
    ) throws(BackupError) -> (rows: [(id: Int64, hash: ContentHash)], damage: [Damage]) {
        var rows: [(id: Int64, hash: ContentHash)] = []
        var damage: [Damage] = []
        for order in ["ASC", "DESC"] {
            do throws(BackupError) {
                try repository.withCatalogue { database in
                    // Not by an index, which is other pages.
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
                damage = [Damage(what: "catalogue", how: "\(table) cannot be read whole: \(error.what)")]
            }
        }
        return (rows, damage)
    }
}
