internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// A damage of a repository.
package struct Damage: Sendable, Hashable {
    /// The damaged part: `catalogue`, `object 9f86…`, `snapshot 3`, `objects/9f/9f86…`.
    package let what: String
    /// The kind of damage, in a few words.
    package let how: String
    /// The affected files as `snapshot:path`, limited to some of them.
    package var paths: [[UInt8]] = []
}

/// A verification of every byte of a repository.
package struct Verifier {
    package let repository: Repository
    /// The snapshots to verify with everything that they reference; nil for the whole repository.
    package var snapshots: [Snapshot]?
    /// The part of the objects to read, such as the first of five; nil for all. The catalogue is verified as a whole.
    package var part: (number: Int, count: Int)?
    package var threads = Host.processorCount
    /// Called with the number of verified objects and of all objects, by several threads.
    package var progress: @Sendable (_ objects: Int, _ all: Int) -> Void = { _, _ in }

    package init(_ repository: Repository) { self.repository = repository }

    /// The counts and the damage of a verification.
    package struct Outcome: Sendable {
        package var objects = 0
        package var bytes: UInt64 = 0
        package var damage: [Damage] = []
        /// The number of valid objects that interrupted runs left behind and `prune` deletes.
        package var leftovers = 0
        /// The verified part; nil for the whole repository.
        package var scope: String?
        /// The numbers of the damaged objects.
        package internal(set) var badObjects: [Int64] = []
        /// True if SQLite finds damaged pages in the catalogue.
        var isCatalogueBroken = false
        /// True if packs or files of snapshots are missing or damaged, whose rows may be intact.
        var lacksCopies = false
    }

    /// Verifies everything without changing anything.
    package func verify() throws(BackupError) -> Outcome {
        var outcome = Outcome()
        outcome.scope = scope
        outcome.damage = try pageDamage()
        outcome.isCatalogueBroken = !outcome.damage.isEmpty
        if let snapshots {
            try repository.withCatalogue {
                try Repository.markLive(in: $0, of: snapshots.map(\.number), withUnlistedTrees: false)
            }
        }
        let bad = try objectDamage(&outcome)
        outcome.badObjects = bad.keys.sorted()
        if let snapshots {
            let numbers = snapshots.map { "\($0.number)" }.joined(separator: ",")
            outcome.damage += try directoryDamage(where: PackRecord.Kind.directory.neededCondition)
            outcome.damage += try attributeDamage(where: PackRecord.Kind.attributes.neededCondition)
            outcome.damage += try exclusionDamage(where: PackRecord.Kind.exclusions.neededCondition)
            outcome.damage += try snapshotDamage(where: "id IN (\(numbers))")
        } else {
            outcome.damage +=
                try directoryDamage() + attributeDamage() + exclusionDamage() + snapshotDamage() + orphanDamage()
            outcome.damage += try foreignFiles(&outcome) + foreignNeighbours()
        }
        outcome.damage += try copyDamage(&outcome)
        outcome.damage += try named(bad)
        outcome.damage.sort { $0.what == $1.what ? $0.how < $1.how : $0.what < $1.what }
        return outcome
    }

    /// Returns the damage that SQLite finds in the pages of the catalogue.
    func pageDamage() throws(BackupError) -> [Damage] {
        do throws(BackupError) {
            return try repository.withCatalogue { try String.fetchAll($0, sql: "PRAGMA integrity_check(100)") }
                .filter { $0 != "ok" }.map { Damage(what: "catalogue", how: $0) }
        } catch {
            guard error.code == .damaged else { throw error }
            return [Damage(what: "catalogue", how: error.what)]
        }
    }

    /// The description of what is verified; nil for the whole repository.
    private var scope: String? {
        let names = snapshots.map { snapshots in
            "snapshot\(snapshots.count == 1 ? "" : "s") " + snapshots.map { "\($0.number)" }.joined(separator: ", ")
        }
        let share = part.map { "part \($0.number) of \($0.count)" }
        return [share, names].compactMap(\.self).joined(separator: " of ").nonempty
    }

    /// Returns the numbers of the objects to verify.
    private func objects(_ outcome: inout Outcome) throws(BackupError) -> [Int64] {
        let needed = snapshots == nil ? "true" : "id IN (SELECT id FROM needed)"
        let share = part.map { "id % \($0.count) = \($0.number % $0.count)" } ?? "true"
        let condition = "\(needed) AND \(share)"
        do throws(BackupError) {
            return try repository.withCatalogue {
                try Int64.fetchAll($0, sql: "SELECT id FROM object WHERE \(condition) ORDER BY id")
            }
        } catch {
            guard error.code == .damaged else { throw error }
            let (rows, damage) = try readableRows(of: "object", where: condition)
            outcome.damage += damage
            return rows.map(\.id)
        }
    }

    /// Returns the objects whose content does not match the hash, by number.
    private func objectDamage(_ outcome: inout Outcome) throws(BackupError) -> [Int64: String] {
        let all = try objects(&outcome)
        struct State {
            var next = 0
            var bytes: UInt64 = 0
            var bad: [Int64: String] = [:]
            var failure: BackupError?
        }
        let state = LockedValue(State())
        Invocation.current.concurrentPerform(iterations: max(1, min(threads, all.count))) { _ in
            do {
                let reader = try ObjectReader(repository)
                while let index = state.withLock({ state -> Int? in
                    guard state.failure == nil, state.next < all.count else { return nil }
                    state.next += 1
                    return state.next - 1
                }) {
                    try Invocation.current.interruption.throwIfRequested()
                    do {
                        let count = try Self.judge(all[index], reader: reader)
                        state.withLock { $0.bytes += count }
                    } catch let error as BackupError where error.code == .damaged {
                        state.withLock { $0.bad[all[index]] = error.what }
                    }
                    if index & 255 == 0 { progress(index, all.count) }
                }
            } catch { state.withLock { $0.failure = $0.failure ?? BackupError(error) } }
        }
        progress(all.count, all.count)
        let (bad, bytes, failure) = state.withLock { ($0.bad, $0.bytes, $0.failure) }
        if let failure { throw failure }
        (outcome.objects, outcome.bytes) = (all.count, bytes)
        return bad
    }
    /// Verifies one object; of an object in parts only the list, because the parts are objects themselves.
    ///
    /// - Returns: The number of verified bytes.
    private static func judge(_ object: Int64, reader: ObjectReader) throws -> UInt64 {
        let description = try reader.describe(object)
        guard description.form != .parts else {
            _ = try reader.verifiedParts(of: object, description)
            return 0
        }
        try reader.read(object, description: description) { _, _ in }
        return description.size
    }
}

extension String {
    /// The text, or nil if it is empty.
    fileprivate var nonempty: String? { isEmpty ? nil : self }
}
