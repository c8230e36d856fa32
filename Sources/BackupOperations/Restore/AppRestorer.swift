internal import AppContainer
internal import BackupPlan
package import BackupRepository
internal import ContainerTree
internal import FileSystem
internal import Foundation
package import SystemPackage

/// A restore as iOS does it: into a new container with a new UUID, with empty Library/Caches and tmp, and without files
/// of the system. Preferences are restored.
///
/// Source: Apple, File System Programming Guide; Technical Note QA1719; the rows of an iOS 14.3 Manifest.db.
package struct AppRestorer {
    package let repository: Repository
    package let snapshot: Snapshot
    /// True if excluded directories are created again, empty and excluded from backup.
    package var recreatesFlaggedDirectories = false
    /// As in `RestoreOptions`.
    package var preservesSetIDBits = false
    /// Called with the number of finished files and bytes, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    package init(_ snapshot: Snapshot, of repository: Repository) {
        self.snapshot = snapshot
        self.repository = repository
    }

    /// The restored items, and the items that the app will miss.
    package struct Outcome: Sendable {
        /// The name of the new container in the directory.
        package let container: String
        package var restored: RestoreResult
        /// The items that the app will miss, by path; at most `AppRestorer.most`.
        package var missed: [MissingItem] = []
        /// The number of all missing items.
        package var missedInAll = 0
        /// The directories that were created again.
        package var recreated: [[UInt8]] = []
        /// True if the snapshot lists the items that were excluded from it.
        package let knowsExclusions: Bool
    }

    /// The maximum number of missing items in the result.
    package static let most = 10_000

    /// Restores into a new directory beneath `path`, which is created if it does not exist.
    ///
    /// - Throws: `notFound` if the snapshot has no bundle identifier, `full`, `failed`. The error names the incomplete
    ///   container.
    package func restore(beneath path: FilePath) throws(BackupError) -> Outcome {
        guard let identifier = snapshot.bundleIdentifier else {
            throw BackupError(
                .notFound, what: "snapshot \(snapshot.number) has no bundle identifier",
                hint: "make a snapshot with `sandboxbackup create --bundle-id`, or restore without --as-ios")
        }
        let name = UUID().uuidString
        do {
            _ = try Folder(makingIfAbsent: path)
            let container = try Container.create(at: path.appending(name), bundleIdentifier: identifier)
            var options = RestoreOptions(snapshot, of: repository, into: container.folder)
            options.isTargetNew = true
            options.preservesSetIDBits = preservesSetIDBits
            options.excludes = { Self.isSystems($0, of: identifier) }
            options.progress = progress
            let known = try snapshot.exclusions.map { id throws(BackupError) in try repository.exclusions(id) }
            var restorer = try Restorer(options)
            var outcome = Outcome(
                container: name, restored: try restorer.restore(), knowsExclusions: known != nil)
            try findMissing(in: container, known ?? [], outcome: &outcome)
            return outcome
        } catch { throw Self.failure(BackupError(error), leaving: name, beneath: path) }
    }

    /// Adds the incomplete container to an error. Another restore creates a new one and does not continue in it.
    private static func failure(_ error: BackupError, leaving name: String, beneath path: FilePath) -> BackupError {
        guard (try? Folder(opening: path.appending(name))) != nil else { return error }
        let hint = error.code == .full ? "free disk space and run the command again" : error.hint
        return BackupError(
            error.code, what: "\(error.what); the new container \(name) is incomplete",
            hint: hint.isEmpty ? "remove it" : "remove it, \(hint)")
    }

    /// Returns true if the system recreates the item on another device.
    private static func isSystems(_ path: [UInt8], of identifier: String) -> Bool {
        let components = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        return Location.exactly(components, bundleIdentifier: identifier)?.backup == .notBackedUp
    }

    private func findMissing(
        in container: Container, _ exclusions: [Repository.Exclusion], outcome: inout Outcome
    ) throws {
        var missed = MissingItemFinder(container)
        for one in exclusions where BackupReason(rawValue: one.reason)?.isByMark == true {
            if recreatesFlaggedDirectories, one.kind == .directory, one.reason == BackupReason.ownFlag.rawValue {
                do throws(FileSystemError) {
                    try Self.recreate(one, in: container)
                    outcome.recreated.append(one.path)
                } catch {
                    outcome.restored.incidents.append(
                        Snapshot.Incident(path: one.path, reason: "not-made-again"))
                }
            } else {
                missed.add(MissingItem(path: one.path, cause: .leftOut(flag: one.flag)))
            }
        }
        do throws(BackupError) {
            try repository.visit(snapshot) { path, entry throws(BackupError) in missed.look(at: path, entry) }
        } catch {
            // The restore has reported the damage; everything after it is not searched.
            guard error.code == .damaged else { throw error }
        }
        outcome.missedInAll = missed.count
        outcome.missed = missed.found.sorted { PathOrder.precedes($0.path, $1.path) }
    }

    private static func recreate(_ one: Repository.Exclusion, in container: Container) throws(FileSystemError) {
        let path = FilePath(bytes: one.path)
        try container.folder.createDirectories(path)
        // Apple's systems test for the presence of the attribute and ignore its value.
        try container.folder.open(path, followingLinks: false).setAttribute(one.flag, value: ExclusionMark.value)
    }
}
