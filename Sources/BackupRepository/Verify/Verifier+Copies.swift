internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// The verification of the packs and of the files of snapshots, from which a catalogue can be rebuilt.
extension Verifier {
    /// Returns the damage of packs and files of snapshots, with what the catalogue alone contains.
    func copyDamage(_ outcome: inout Outcome) throws(BackupError) -> [Damage] {
        var damage: [Damage] = []
        do throws(BackupError) {
            damage = try packDamage(&outcome)
            for kind in PackRecord.Kind.copied {
                let condition = snapshots == nil ? "true" : kind.neededCondition
                let missing = try repository.withCatalogue {
                    try PackIndex.missing(kind, where: condition, in: $0)
                }
                guard !missing.isEmpty else { continue }
                damage.append(
                    Damage(what: "\(Repository.packsName)", how: "no copy of \(kind.count(missing.count))"))
            }
        } catch {
            guard error.code == .damaged else { throw error }
            damage.append(Damage(what: "catalogue", how: error.what))
        }
        damage += try snapshotFileDamage(&outcome)
        if !damage.isEmpty { outcome.lacksCopies = true }
        return damage
    }

    /// Fills the index of the packs, and returns damaged, missing and foreign ones.
    private func packDamage(_ outcome: inout Outcome) throws(BackupError) -> [Damage] {
        var unseen = Set(try repository.packRows().map(\.name))
        var (damage, leftovers) = ([Damage](), 0)
        try repository.withCatalogue { database in
            try PackIndex.make(in: database, of: repository) { name, pack in
                let isKnown = unseen.remove(name.string) != nil
                let shown = ByteText.escaped(Array("\(Repository.packsName)/".utf8) + name.bytes)
                if let pack, pack.isSound {
                    if !isKnown { leftovers += 1 }
                } else if isKnown {
                    let how = pack == nil ? "it cannot be read" : "its bytes do not match its name"
                    damage.append(Damage(what: shown, how: how))
                } else {
                    damage.append(Damage(what: shown, how: "it does not belong to the repository"))
                }
            }
        }
        for name in unseen.sorted() {
            damage.append(Damage(what: "\(Repository.packsName)/\(name)", how: "it is missing"))
        }
        if snapshots == nil { outcome.leftovers += leftovers }
        return damage
    }

    private func snapshotFileDamage(_ outcome: inout Outcome) throws(BackupError) -> [Damage] {
        let decompressor = try Decompressor()
        var damage: [Damage] = []
        let chosen = snapshots.map { Set($0.map(\.number)) }
        var unseen: Set<Int64> = []
        if snapshots == nil {
            let (files, others) = SnapshotFile.numbers(in: try repository.names(in: SnapshotFile.directory))
            unseen = Set(files.keys)
            for name in others {
                let shown = ByteText.escaped(Array("\(SnapshotFile.directory)/".utf8) + name.bytes)
                damage.append(Damage(what: shown, how: "it does not belong to the repository"))
            }
        }
        for snapshot in repository.readableSnapshots() where chosen?.contains(snapshot.number) ?? true {
            unseen.remove(snapshot.number)
            let what = "\(SnapshotFile.directory)/\(snapshot.number)"
            let folder = repository.folder
            guard !SnapshotFile.exists(snapshot.number, id: snapshot.id, in: folder, decompressor: decompressor) else {
                continue
            }
            let isReadable = SnapshotFile.read(snapshot.number, in: folder, decompressor) != nil
            let how = isReadable ? "it does not match the row of the snapshot" : "it is missing or damaged"
            damage.append(Damage(what: what, how: how))
        }
        // Damaged rows may be those of snapshots.
        let rows = try? repository.withCatalogue { try Int64.fetchAll($0, sql: "SELECT id FROM snapshot") }
        outcome.leftovers += unseen.subtracting(rows ?? []).count
        return damage
    }
}

extension PackRecord.Kind {
    /// Returns a number of items for messages.
    func count(_ number: Int) -> String {
        switch self {
        case .content: Quantity.count(number, "content")
        case .parts: number == 1 ? "1 list of parts" : "\(Quantity.grouped(number)) lists of parts"
        case .attributes: number == 1 ? "1 set of attributes" : "\(Quantity.grouped(number)) sets of attributes"
        case .exclusions: number == 1 ? "1 list of exclusions" : "\(Quantity.grouped(number)) lists of exclusions"
        case .directory: number == 1 ? "1 directory" : "\(Quantity.grouped(number)) directories"
        case .snapshot: Quantity.count(number, "snapshot")
        }
    }
}
