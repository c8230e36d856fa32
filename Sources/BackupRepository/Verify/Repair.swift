package import AppContainer
internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// Makes damaged and missing objects of a store whole: from the container, where a file still holds what an object is
/// named for by its SHA-256, and from files among the objects that lie under a wrong name.
///
/// What is damaged in the catalogue itself cannot be had from elsewhere; where SQLite finds its pages wrong, nothing is
/// written.
package struct Repair {
    package let store: BackupStore
    /// Where the files may still be; nil to look in the store alone.
    package var container: Container?
    /// As in `Verification`.
    package var progress: @Sendable (_ objects: Int, _ all: Int) -> Void = { _, _ in }

    /// - Parameter store: Opened for adding.
    package init(_ store: BackupStore) { self.store = store }

    /// An object that is whole again.
    package struct Repaired: Sendable, Hashable {
        /// `object` and its SHA-256, as damage names it.
        package let what: String
        /// Where its content was found: a path of the container, or of the store's `objects`.
        package let source: [UInt8]
    }

    /// What was done, and what the store is like now.
    package struct Outcome: Sendable {
        package var repaired: [Repaired] = []
        /// Of a look at everything afterwards.
        package var verification: Verification.Outcome
    }

    /// Repairs what can be repaired.
    ///
    /// - Throws: `full`, `readOnly`, `failed`. Ended at any point, what was repaired by then is whole.
    package func run() throws(BackupError) -> Outcome {
        let before = try look()
        guard !before.badObjects.isEmpty, !before.isCatalogueBroken else { return Outcome(verification: before) }
        let run = try RepairRun(self, of: before.badObjects)
        do {
            try run.repairAll()
            try run.finish()
        } catch {
            run.abandon()
            throw BackupError(error)
        }
        return Outcome(repaired: run.repaired.sorted { $0.what < $1.what }, verification: try look())
    }

    private func look() throws(BackupError) -> Verification.Outcome {
        var verification = Verification(store)
        verification.progress = progress
        return try verification.run()
    }
}

/// One run of a repair. For one thread.
private final class RepairRun {
    private let container: Container?
    private let store: BackupStore
    private let reader: ObjectReader
    private let decompressor: Decompressor
    private let compressor: Compressor
    private let adder: ObjectAdder
    /// The objects that are wanted.
    private var wanted: [ContentHash: Int64] = [:]
    /// Where content that is wanted begins in an object: at 0 in one that is wanted itself, and where its parts are that
    /// are wanted in one in parts.
    private var pieces: [Int64: [(position: UInt64, hash: ContentHash)]] = [:]
    private(set) var repaired: [Repair.Repaired] = []
    /// What lies under another name than its content's, and goes when all is settled.
    private var misplaced: [FilePath] = []

    init(_ repair: Repair, of bad: [Int64]) throws(BackupError) {
        container = repair.container
        store = repair.store
        reader = try ObjectReader(store)
        decompressor = try Decompressor()
        compressor = try Compressor(level: 3)
        adder = try ObjectAdder(store)
        do throws(BackupError) { try want(bad) } catch {
            adder.abandon()
            throw error
        }
    }

    private func want(_ bad: [Int64]) throws(BackupError) {
        var hashes: [Int64: ContentHash] = [:]
        for object in bad {
            guard let hash = try reader.hash(of: object) else { continue }
            (hashes[object], wanted[hash]) = (hash, object)
            pieces[object] = [(0, hash)]
        }
        for place in try reader.places(ofParts: { hashes[$0] != nil }) {
            if let hash = hashes[place.part] { pieces[place.object, default: []].append((place.position, hash)) }
        }
    }

    func repairAll() throws {
        try lookAmongObjects()
        guard let container, !wanted.isEmpty else { return }
        for snapshot in store.readableSnapshots().reversed() where !wanted.isEmpty {
            var failure: (any Error)?
            // A directory that cannot be read costs what lies in it and in later ones, not the rest.
            try? store.visit(snapshot) { path, entry throws(BackupError) in
                guard failure == nil, entry.kind == .file, let object = entry.object else { return }
                do { try look(at: path, entry.size, of: object, in: container) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Whole contents under names that are not theirs.
    private func lookAmongObjects() throws {
        for path in try store.unnamedFiles() where !wanted.isEmpty {
            guard let file = try? store.objects.open(path, followingLinks: false),
                let frame = try? file.contents(limit: 2 * ObjectAdder.partSize),
                let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: ObjectAdder.partSize) })
            else { continue }
            guard try take(content, from: Array("objects/".utf8) + path.bytes) else { continue }
            // Under its own name it is replaced, or the object is kept in the catalogue now and it went.
            let name = ContentHash(of: content).hexadecimal
            if path.string != "\(name.prefix(2))/\(name)" { misplaced.append(path) }
        }
    }

    private func look(at path: [UInt8], _ size: UInt64, of object: Int64, in container: Container) throws {
        let positions = (pieces[object] ?? []).filter { wanted[$0.hash] != nil }.map(\.position)
        // A pipe of that name would be waited for.
        guard !positions.isEmpty, let status = try? container.folder.status(FilePath(bytes: path)),
            status.kind == .file, status.size == size,
            let file = try? container.folder.open(FilePath(bytes: path), followingLinks: false)
        else { return }
        for position in positions {
            let count = Int(min(UInt64(ObjectAdder.partSize), size - min(size, position)))
            guard let content = try? file.read(upTo: count, from: position), content.count == count else { continue }
            _ = try take(content, from: path)
        }
    }

    /// Puts a content into its place, if it is one that is wanted.
    private func take(_ content: [UInt8], from source: [UInt8]) throws -> Bool {
        let hash = ContentHash(of: content)
        guard let object = wanted[hash] else { return false }
        try content.withUnsafeBytes { content in
            do throws(BackupError) { try adder.replace(object, hash, content, compressor) } catch { throw error }
        }
        wanted[hash] = nil
        repaired.append(Repair.Repaired(what: "object \(hash.hexadecimal)", source: source))
        return true
    }

    func finish() throws(BackupError) {
        try adder.finish()
        do throws(FileSystemError) {
            for path in misplaced where try store.objects.statusIfPresent(path) != nil {
                try store.objects.remove(path)
            }
        } catch { throw BackupError(error) }
    }

    func abandon() { adder.abandon() }
}
