internal import Dispatch
internal import FileSystem
internal import Foundation
internal import GRDB
internal import Synchronization
internal import SystemPackage

/// Something that is wrong with a store.
package struct Damage: Sendable, Hashable {
    /// What is damaged, as one would look for it: `catalogue`, `object 9f86…`, `snapshot 3`, `objects/9f/9f86…`.
    package let what: String
    /// How, in a few words.
    package let how: String
    /// The files that are not as they were, as `snapshot:path`; some of them where there are many.
    package var paths: [[UInt8]] = []
}

/// Reads every byte of a store and names all that is not as it was written.
package struct Verifier {
    package let repository: Repository
    package var threads = Host.processorCount
    /// Is told how many objects of how many are done, by several threads.
    package var progress: @Sendable (_ objects: Int, _ all: Int) -> Void = { _, _ in }

    package init(_ repository: Repository) { self.repository = repository }

    /// What was looked at, and what is wrong with it.
    package struct Outcome: Sendable {
        package var objects = 0
        package var bytes: UInt64 = 0
        package var damage: [Damage] = []
        /// Whole objects that runs which were ended left, and that `prune` removes.
        package var leftovers = 0
        /// The damaged objects, by number.
        package internal(set) var badObjects: [Int64] = []
        /// Whether SQLite finds the catalogue's own pages wrong.
        var isCatalogueBroken = false
    }

    /// Looks at everything; changes nothing.
    package func verify() throws(BackupError) -> Outcome {
        var outcome = Outcome()
        outcome.damage = try pageDamage()
        outcome.isCatalogueBroken = !outcome.damage.isEmpty
        let bad = try objectDamage(&outcome)
        outcome.badObjects = bad.keys.sorted()
        outcome.damage +=
            try directoryDamage() + attributeDamage() + exclusionDamage() + snapshotDamage() + orphanDamage()
        outcome.damage += try foreignFiles(&outcome) + foreignNeighbours()
        outcome.damage += try named(bad)
        outcome.damage.sort { $0.what == $1.what ? $0.how < $1.how : $0.what < $1.what }
        return outcome
    }

    /// Where SQLite finds the catalogue's own pages wrong.
    func pageDamage() throws(BackupError) -> [Damage] {
        do throws(BackupError) {
            return try repository.withCatalogue { try String.fetchAll($0, sql: "PRAGMA integrity_check(100)") }
                .filter { $0 != "ok" }.map { Damage(what: "catalogue", how: $0) }
        } catch {
            guard error.code == .damaged else { throw error }
            return [Damage(what: "catalogue", how: error.what)]
        }
    }

    /// All objects, by number.
    private func objects(_ outcome: inout Outcome) throws(BackupError) -> [Int64] {
        do throws(BackupError) {
            return try repository.withCatalogue { try Int64.fetchAll($0, sql: "SELECT id FROM object ORDER BY id") }
        } catch {
            guard error.code == .damaged else { throw error }
            let (rows, damage) = try readableRows(of: "object")
            outcome.damage += damage
            return rows.map(\.id)
        }
    }

    /// The objects whose bytes are not those that were kept, by number.
    private func objectDamage(_ outcome: inout Outcome) throws(BackupError) -> [Int64: String] {
        let all = try objects(&outcome)
        struct State {
            var next = 0
            var bytes: UInt64 = 0
            var bad: [Int64: String] = [:]
            var failure: BackupError?
        }
        let state = Mutex(State())
        DispatchQueue.concurrentPerform(iterations: max(1, min(threads, all.count))) { _ in
            do {
                let reader = try ObjectReader(repository)
                while let index = state.withLock({ state -> Int? in
                    guard state.failure == nil, state.next < all.count else { return nil }
                    state.next += 1
                    return state.next - 1
                }) {
                    do {
                        let count = try Self.judge(all[index], reader)
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
    /// Judges an object by itself: of one in parts the list, since its parts are objects, too.
    ///
    /// - Returns: How many bytes it holds itself.
    private static func judge(_ object: Int64, _ reader: ObjectReader) throws -> UInt64 {
        let description = try reader.describe(object)
        guard description.form != .parts else {
            _ = try reader.verifiedParts(of: object, description)
            return 0
        }
        try reader.read(object, description) { _, _ in }
        return description.size
    }
}
