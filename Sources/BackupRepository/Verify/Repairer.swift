package import AppContainer
internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// A repair of damaged and missing objects, with content from a container whose files still match the hash, and from
/// misplaced files in the repository; and of the packs and the files of snapshots, from the catalogue.
///
/// Damaged rows of the catalogue are not repaired: `CatalogueRebuilder` makes a new one. If SQLite finds damaged pages, nothing is written.
package struct Repairer {
    package let repository: Repository
    /// A container to search; nil to search only the repository.
    package var container: Container?
    /// Called with the number of verified objects and of all objects, by several threads.
    package var progress: @Sendable (_ objects: Int, _ all: Int) -> Void = { _, _ in }

    /// - Parameter repository: A repository that is opened for adding.
    package init(_ repository: Repository) { self.repository = repository }

    /// A repaired object.
    package struct Repaired: Sendable, Hashable {
        /// The name of the object: `object` and its SHA-256.
        package let what: String
        /// The source of the content: a path in the container, or below the repository's `objects`.
        package let source: [UInt8]
    }

    /// The repaired objects, and the state of the repository afterwards.
    package struct Outcome: Sendable {
        package var repaired: [Repaired] = []
        /// The result of the final verification.
        package var verification: Verifier.Outcome
    }

    /// Repairs all objects whose content is found.
    ///
    /// - Throws: `full`, `readOnly`, `failed`. After a termination at any point, the objects repaired so far are
    ///   complete.
    package func repair() throws(BackupError) -> Outcome {
        let before = try look()
        guard !before.isCatalogueBroken, !before.badObjects.isEmpty || before.lacksCopies else {
            return Outcome(verification: before)
        }
        var repaired: [Repaired] = []
        if !before.badObjects.isEmpty {
            let run = try RepairRun(self, of: before.badObjects)
            do {
                try run.repairAll()
                try run.finish()
            } catch {
                run.abandon()
                throw BackupError(error)
            }
            repaired = run.repaired.sorted { $0.what < $1.what }
        }
        if before.lacksCopies { repaired += try repository.repairCopies() }
        return Outcome(repaired: repaired, verification: try look())
    }

    private func look() throws(BackupError) -> Verifier.Outcome {
        var verification = Verifier(repository)
        verification.progress = progress
        return try verification.verify()
    }
}

/// One run of a repair. Not thread-safe.
private final class RepairRun {
    private let container: Container?
    private let repository: Repository
    private let reader: ObjectReader
    private let decompressor: Decompressor
    private let compressor: Compressor
    private let writer: ObjectWriter
    /// The objects to repair.
    private var missing: [ContentHash: Int64] = [:]
    /// The positions of missing content in each object: 0 in a missing object itself, and the positions of its missing
    /// parts in an object with parts.
    private var pieces: [Int64: [Piece]] = [:]
    /// A missing content in another one.
    private struct Piece {
        let position: UInt64
        let hash: ContentHash
        /// The position of the next part, if there is one.
        let next: UInt64?
    }
    private(set) var repaired: [Repairer.Repaired] = []
    /// Files with the content of another object than their name says. They are removed at the end.
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
            (hashes[object], missing[hash]) = (hash, object)
            pieces[object] = [Piece(position: 0, hash: hash, next: nil)]
        }
        for occurrence in try reader.occurrences(ofParts: { hashes[$0] != nil }) {
            if let hash = hashes[occurrence.part] {
                pieces[occurrence.object, default: []].append(
                    Piece(position: occurrence.position, hash: hash, next: occurrence.next))
            }
        }
    }

    func repairAll() throws {
        try lookAmongObjects()
        try lookAmongPacks()
        guard let container, !missing.isEmpty else { return }
        for snapshot in repository.readableSnapshots().reversed() where !missing.isEmpty {
            var failure: (any Error)?
            // A damaged directory hides only its own content and that of later ones.
            try? repository.visit(snapshot) { path, entry throws(BackupError) in
                guard failure == nil, entry.kind == .file, let object = entry.object else { return }
                do { try look(at: path, entry.size, of: object, in: container) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Searches files in `objects` that have another name than their content.
    private func lookAmongObjects() throws {
        for path in try repository.unreferencedFiles() where !missing.isEmpty {
            guard let file = try? repository.objects.open(path, followingLinks: false),
                let frame = try? file.contents(limit: 2 * ObjectWriter.partSize),
                let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: ObjectWriter.partSize) })
            else { continue }
            guard try restoreObject(content, from: Array("objects/".utf8) + path.bytes) else { continue }
            // A file under its own name is replaced, or removed if the object moved into the catalogue.
            let name = ContentHash(of: content).hexadecimal
            if path.string != "\(name.prefix(2))/\(name)" { misplaced.append(path) }
        }
    }

    /// Searches the packs for contents of other locations than their rows say.
    private func lookAmongPacks() throws {
        for name in try repository.packNames() where !missing.isEmpty {
            guard let bytes = repository.packBytes(name) else { continue }
            for record in PackRecord.all(in: bytes).records where record.header.kind == .content {
                let content = bytes[record.frame].withUnsafeBytes {
                    decompressor.content(of: $0, limit: ObjectWriter.partSize)
                }
                guard let content else { continue }
                _ = try restoreObject(content, from: Array("\(Repository.packsName)/\(name)".utf8))
            }
        }
    }

    private func look(at path: [UInt8], _ size: UInt64, of object: Int64, in container: Container) throws {
        let wanted = (pieces[object] ?? []).filter { missing[$0.hash] != nil }
        // Opening a pipe would block.
        guard !wanted.isEmpty, let status = try? container.folder.status(FilePath(bytes: path)),
            status.kind == .file, status.size == size,
            let file = try? container.folder.open(FilePath(bytes: path), followingLinks: false)
        else { return }
        for piece in wanted {
            guard let rest = try? file.read(upTo: ObjectWriter.partSize, from: piece.position) else { continue }
            for length in lengths(of: piece, in: size) where length <= rest.count {
                if try restoreObject(Array(rest[..<length]), from: path) { break }
            }
        }
    }

    /// The possible lengths of a missing content. Its row, which states the length, may be damaged.
    private func lengths(of piece: Piece, in size: UInt64) -> [Int] {
        let described = missing[piece.hash].flatMap { try? reader.describe($0).size }
        // A part ends at the next one, at the end of the file, or at a block of zeros.
        var ends = [piece.next, size].compactMap { $0 }
        let block = ContentDivider.block
        let first = (piece.position / block + 1) * block
        ends += stride(from: first, through: first + UInt64(ObjectWriter.partSize), by: Int(block))
        let lengths = ends.map { $0 - min($0, piece.position) }
        return ([described].compactMap { $0 } + lengths).filter { (0...UInt64(ObjectWriter.partSize)).contains($0) }
            .map(Int.init)
    }

    /// Stores a content if it is missing.
    private func restoreObject(_ content: [UInt8], from source: [UInt8]) throws -> Bool {
        let hash = ContentHash(of: content)
        guard let object = missing[hash] else { return false }
        try content.withUnsafeBytes { content in
            do throws(BackupError) {
                try writer.replace(object, hash: hash, content: content, compressor: compressor)
            } catch { throw error }
        }
        missing[hash] = nil
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
