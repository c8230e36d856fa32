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
package struct Repairer {
    package let repository: Repository
    /// Where the files may still be; nil to look in the store alone.
    package var container: Container?
    /// As in `Verifier`.
    package var progress: @Sendable (_ objects: Int, _ all: Int) -> Void = { _, _ in }

    /// - Parameter store: Opened for adding.
    package init(_ repository: Repository) { self.repository = repository }

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
        package var verification: Verifier.Outcome
    }

    /// Repairs what can be repaired.
    ///
    /// - Throws: `full`, `readOnly`, `failed`. Termination at any point, what was repaired by then is whole.
    package func repair() throws(BackupError) -> Outcome {
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

    private func look() throws(BackupError) -> Verifier.Outcome {
        var verification = Verifier(repository)
        verification.progress = progress
        return try verification.verify()
    }
}

/// One run of a repair. For one thread.
private final class RepairRun {
    private let container: Container?
    private let repository: Repository
    private let reader: ObjectReader
    private let decompressor: Decompressor
    private let compressor: Compressor
    private let writer: ObjectWriter
    /// The objects that are wanted.
    private var wanted: [ContentHash: Int64] = [:]
    /// Where content that is wanted begins in an object: at 0 in one that is wanted itself, and where its parts are that
    /// are wanted in one in parts.
    private var pieces: [Int64: [(position: UInt64, hash: ContentHash)]] = [:]
    private(set) var repaired: [Repairer.Repaired] = []
    /// What lies under another name than its content's, and goes when all is settled.
    private var misplaced: [FilePath] = []

    init(_ repair: Repairer, of bad: [Int64]) throws(BackupError) {
        container = repair.container
        repository = repair.repository
        reader = try ObjectReader(repository)
        decompressor = try Decompressor()
        compressor = try Compressor(level: 3)
        writer = try ObjectWriter(repository)
        do throws(BackupError) { try want(bad) } catch {
            writer.abandon()
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
        for snapshot in repository.readableSnapshots().reversed() where !wanted.isEmpty {
            var failure: (any Error)?
            // A directory that cannot be read costs what lies in it and in later ones, not the rest.
            try? repository.visit(snapshot) { path, entry throws(BackupError) in
                guard failure == nil, entry.kind == .file, let object = entry.object else { return }
                do { try look(at: path, entry.size, of: object, in: container) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Whole contents under names that are not theirs.
    private func lookAmongObjects() throws {
        for path in try repository.unreferencedFiles() where !wanted.isEmpty {
            guard let file = try? repository.objects.open(path, followingLinks: false),
                let frame = try? file.contents(limit: 2 * ObjectWriter.partSize),
                let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: ObjectWriter.partSize) })
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
            let count = Int(min(UInt64(ObjectWriter.partSize), size - min(size, position)))
            guard let content = try? file.read(upTo: count, from: position), content.count == count else { continue }
            _ = try take(content, from: path)
        }
    }

    /// Puts a content into its place, if it is one that is wanted.
    private func take(_ content: [UInt8], from source: [UInt8]) throws -> Bool {
        let hash = ContentHash(of: content)
        guard let object = wanted[hash] else { return false }
        try content.withUnsafeBytes { content in
            do throws(BackupError) { try writer.replace(object, hash, content, compressor) } catch { throw error }
        }
        wanted[hash] = nil
        repaired.append(Repairer.Repaired(what: "object \(hash.hexadecimal)", source: source))
        return true
    }

    func finish() throws(BackupError) {
        try writer.finish()
        do throws(FileSystemError) {
            for path in misplaced where try repository.objects.statusIfPresent(path) != nil {
                try repository.objects.remove(path)
            }
        } catch { throw BackupError(error) }
    }

    func abandon() { writer.abandon() }
}
