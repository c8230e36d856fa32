internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// What the catalogue says, judged by the hashes it says it under.
extension Verification {
    /// - Parameter condition: Of which directories, as SQL.
    func directoryDamage(where condition: String = "true") throws(BackupError) -> [Damage] {
        try rows("directory", where: condition) { id, hash throws(BackupError) in
            let entries = try store.entries(of: id)
            return try store.catalogue { try BackupStore.hash(of: entries, in: $0) } == hash
                ? nil : "its entries are not those that were written"
        }
    }

    func attributeDamage() throws(BackupError) -> [Damage] {
        try rows("attributes") { id, hash throws(BackupError) in
            BackupStore.hash(of: try store.attributes(id)) == hash ? nil : "its values are not those that were written"
        }
    }

    func exclusionDamage() throws(BackupError) -> [Damage] {
        try rows("exclusions") { id, hash throws(BackupError) in
            BackupStore.hash(of: try store.exclusions(id)) == hash ? nil : "its paths are not those that were written"
        }
    }

    func snapshotDamage() throws(BackupError) -> [Damage] {
        let snapshots: [Snapshot]
        do throws(BackupError) { snapshots = try store.snapshots() } catch {
            return [Damage(what: "catalogue", how: error.what)]
        }
        return try rows("snapshot") { id, hash throws(BackupError) in
            guard let snapshot = snapshots.first(where: { $0.number == id }) else { return "its row cannot be read" }
            return try store.catalogue { try BackupStore.hash(of: snapshot, in: $0) } == hash
                ? nil : "what is said of it is not what was written"
        }
    }

    /// Files among the objects that no row names. One that holds what its name says was left by a run that was ended,
    /// which is no damage.
    func foreignFiles(_ outcome: inout Outcome) throws(BackupError) -> [Damage] {
        let files: [FilePath]
        do throws(BackupError) { files = try store.unnamedFiles() } catch {
            // Of no file it is known whether it is named then.
            return [Damage(what: error.code == .damaged ? "catalogue" : "objects", how: error.what)]
        }
        let judge = try UnnamedFiles(store)
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
        var paths: [Int64: [[UInt8]]] = [:]
        for snapshot in (try? store.snapshots()) ?? [] {
            try? store.visit(snapshot) { path, entry in
                guard let object = entry.object, bad[object] != nil, paths[object, default: []].count < 20 else {
                    return
                }
                paths[object, default: []].append(Array("\(snapshot.number):".utf8) + path)
            }
        }
        return bad.map { object, how in
            Damage(
                what: String(how.prefix { $0 != ":" }).replacing(" is damaged", with: ""), how: how,
                paths: paths[object] ?? [])
        }
    }

    /// Judges every row of a table that has a hash.
    private func rows(
        _ table: String, where condition: String = "true", _ judge: (Int64, ContentHash) throws(BackupError) -> String?
    ) throws(BackupError) -> [Damage] {
        var damage: [Damage] = []
        let rows: [(Int64, ContentHash)]
        do throws(BackupError) {
            rows = try store.catalogue { database in
                try Row.fetchAll(database, sql: "SELECT id, sha256 FROM \(table) WHERE \(condition) ORDER BY id").map {
                    row in
                    let hash = Data.fromDatabaseValue(row[1] as DatabaseValue) ?? Data()
                    return (Int64.fromDatabaseValue(row[0] as DatabaseValue) ?? 0, ContentHash(bytes: Array(hash)))
                }
            }
        } catch {
            guard error.code == .damaged else { throw error }
            return [Damage(what: "catalogue", how: error.what)]
        }
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
}
