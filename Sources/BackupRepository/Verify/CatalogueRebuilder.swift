internal import DatabaseInspection
internal import FileSystem
internal import Foundation
package import SystemPackage

/// A maker of a new catalogue for a repository whose catalogue is missing, damaged or unreadable, from its packs, its objects and
/// the files of its snapshots.
///
/// The damaged catalogue is kept under another name. Items whose record is lost are in the new catalogue by their hashes alone,
/// and are reported as damaged.
package struct CatalogueRebuilder {
    private let path: FilePath
    private let lockWait: LockWait
    /// Called with the number of files of the repository that were read.
    package var progress: (_ files: Int) -> Void = { _ in }
    /// Called with the number of verified objects and of all objects, by several threads.
    package var verified: @Sendable (_ objects: Int, _ all: Int) -> Void = { _, _ in }

    package init(of path: FilePath, waiting wait: LockWait) { (self.path, lockWait) = (path, wait) }

    /// A snapshot in the new catalogue.
    package struct Recovered: Sendable {
        package let number: Int64
        /// The number of files of the snapshot.
        package var files = 0
        /// The number of its files and directories that were not recovered.
        package var lost = 0
        /// The reason if the snapshot was not recovered; nil for a recovered one.
        package var failure: String?
    }

    package struct Outcome: Sendable {
        /// The name of the replaced catalogue; nil if there was none, or if it is intact and was not replaced.
        package var replaced: String?
        /// False if the catalogue is intact, and nothing was changed.
        package var isRebuilt = false
        /// The repairs from the old catalogue before it was replaced.
        package var repaired: [Repairer.Repaired] = []
        package var snapshots: [Recovered] = []
        /// The numbers of the files of snapshots that interrupted runs did not complete. They are not in the new catalogue.
        package var unfinished: [Int64] = []
        /// The verification of the repository afterwards.
        package var verification: Verifier.Outcome
    }

    /// Makes the catalogue, unless the existing one is intact.
    ///
    /// - Throws: `noRepository`, `locked`, `otherFormat`, `full`, `readOnly`, `failed`. Before the new catalogue is complete and
    ///   on disk, the old one is unchanged.
    package func rebuild() throws(BackupError) -> Outcome {
        var repaired: [Repairer.Repaired] = []
        do throws(BackupError) {
            // Rows that only the old catalogue contains are saved first, as far as they match their hashes.
            let repository = try Repository(at: path, for: .removing, command: Self.command, waiting: lockWait)
            var repairer = Repairer(repository)
            repairer.progress = verified
            let outcome = try repairer.repair()
            repaired = outcome.repaired
            try repository.close()
            if outcome.verification.damage.isEmpty {
                return Outcome(repaired: repaired, verification: outcome.verification)
            }
        } catch {
            guard error.code == .damaged || error.code == .otherFormat else { throw error }
            try requireCopies(after: error)
        }
        let made = try make()
        var outcome = try report(made.replaced, failures: made.failures, repaired: repaired)
        outcome.unfinished = made.unfinished
        return outcome
    }

    private static let command = "repair --rebuild"

    /// Refuses a repository without the file of a snapshot, and one of another format, whose records are not those of this one.
    private func requireCopies(after error: BackupError) throws(BackupError) {
        let files: [Int64: Set<SnapshotFile.State>]
        let isReadable: Bool
        do {
            let folder = try Folder(opening: path)
            let names = (try? folder.openFolder(noFollow: SnapshotFile.directory).names()) ?? []
            files = SnapshotFile.numbers(in: names).files
            let decompressor = try Decompressor()
            isReadable = files.contains { number, states in
                states.contains { SnapshotFile.read(number, $0, in: folder, decompressor) != nil }
            }
        } catch { throw BackupError(error) }
        if error.code == .otherFormat, !isReadable { throw error }
        guard files.isEmpty else { return }
        throw BackupError(
            .damaged,
            what: "\(error.what); no catalogue can be made without the file of a snapshot, and nothing was changed",
            hint: "restore the repository from a copy")
    }

    /// Makes the new catalogue, and gives the old one another name.
    ///
    /// - Returns: The name, and what `RebuildRun.fill` returns.
    private func make() throws(BackupError) -> (replaced: String?, failures: [Int64: String], unfinished: [Int64]) {
        var replaced: String?
        var found: (failures: [Int64: String], unfinished: [Int64]) = ([:], [])
        do {
            let folder = try Folder(opening: path)
            try folder.createDirectories("objects", permissions: Repository.privateDirectory)
            let objects = try folder.openFolder("objects")
            let lock = try RepositoryLock(
                folder, objects: objects, purpose: .removing, command: Self.command, waiting: lockWait)
            defer { lock.release() }
            try Repository.make(in: folder) { database in
                found = try RebuildRun(folder, objects: objects, database: database, progress).fill()
            } replacing: {
                replaced = try Self.setAside(in: folder)
            }
        } catch { throw BackupError(error) }
        return (replaced, found.failures, found.unfinished)
    }

    /// Gives the old catalogue and its log another name.
    ///
    /// SQLite would apply the log to the new catalogue. The catalogue is renamed first: a repository without one is rebuilt
    /// again after an interruption, with a log beside it or not.
    private static func setAside(in folder: Folder) throws -> String? {
        let name = Repository.catalogueName
        var target = Repository.damagedName
        var number = 1
        while try folder.statusIfPresent(FilePath(target)) != nil {
            number += 1
            target = "\(Repository.damagedName)-\(number)"
        }
        var replaced: String?
        for suffix in [""] + DatabaseFileNames.suffixes {
            guard try folder.statusIfPresent(FilePath(name + suffix)) != nil else { continue }
            try folder.rename(FilePath(name + suffix), to: FilePath(target + suffix), in: folder)
            if suffix.isEmpty { replaced = target }
        }
        try folder.sync()
        return replaced
    }

    /// Verifies the repository with the new catalogue.
    private func report(
        _ replaced: String?, failures: [Int64: String], repaired: [Repairer.Repaired]
    ) throws(BackupError) -> Outcome {
        let repository = try Repository(at: path, for: .reading, command: Self.command, waiting: lockWait)
        var verifier = Verifier(repository)
        verifier.progress = verified
        var outcome = Outcome(
            replaced: replaced, isRebuilt: true, repaired: repaired, verification: try verifier.verify())
        let bad = Set(outcome.verification.badObjects)
        var unusable = bad
        for occurrence in try ObjectReader(repository).occurrences(ofParts: { bad.contains($0) }) {
            unusable.insert(occurrence.object)
        }
        for snapshot in repository.readableSnapshots() {
            var one = Recovered(number: snapshot.number)
            do throws(BackupError) {
                try repository.visit(snapshot) { _, entry in
                    guard entry.kind == .file else { return }
                    one.files += 1
                    if let object = entry.object, unusable.contains(object) { one.lost += 1 }
                } damaged: { _ in
                    one.lost += 1
                }
            } catch {
                guard error.code == .damaged else { throw error }
                one.failure = error.what
            }
            outcome.snapshots.append(one)
        }
        outcome.snapshots += failures.map { Recovered(number: $0.key, failure: $0.value) }
        outcome.snapshots.sort { $0.number < $1.number }
        try repository.close()
        return outcome
    }
}
