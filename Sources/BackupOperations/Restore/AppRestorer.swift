internal import AppContainer
internal import BackupPlan
package import BackupRepository
internal import ContainerTree
internal import FileSystem
internal import Foundation
package import SystemPackage

/// Restores a snapshot as iOS restores an app: into a new container, of a name that no stored path knows, with empty
/// Library/Caches and tmp, and without what the system keeps there for itself. Preferences come back.
///
/// Source: Apple, File System Programming Guide; Technical Note QA1719; the rows of an iOS 14.3 Manifest.db.
package struct AppRestorer {
    package let repository: Repository
    package let snapshot: Snapshot
    /// Whether directories that a flag kept out are made again, empty and flagged.
    package var recreatesFlaggedDirectories = false
    /// As in `RestoreOptions`.
    package var preservesSetIDBits = false
    /// Is told how many files and bytes are done, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    package init(_ snapshot: Snapshot, of repository: Repository) {
        self.snapshot = snapshot
        self.repository = repository
    }

    /// What was done, and what the app will not find.
    package struct Outcome: Sendable {
        /// The new container's name in the directory.
        package let container: String
        package var restored: RestoreResult
        /// What the app will miss, by path; at most `AppRestorer.most`.
        package var missed: [MissingItem] = []
        /// What there was of that in all.
        package var missedInAll = 0
        /// The directories that were made again.
        package var recreated: [[UInt8]] = []
        /// Whether the snapshot says what was left out of it.
        package let knowsExclusions: Bool
    }

    /// So many things that the app will miss are named.
    package static let most = 10_000

    /// Restores into a new directory beneath `path`, which is made where it is missing.
    ///
    /// - Throws: `notFound` where the snapshot does not say whose it is, `full`, `failed`; the container that was begun is
    ///   named then.
    package func restore(beneath path: FilePath) throws(BackupError) -> Outcome {
        guard let identifier = snapshot.bundleIdentifier else {
            throw BackupError(
                .notFound, "snapshot \(snapshot.number) does not say whose container it is",
                hint: "make one with `sandboxbackup create --bundle-id`, or restore it without --as-ios")
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
            try findMissing(in: container, known ?? [], &outcome)
            return outcome
        } catch { throw Self.failure(BackupError(error), leaving: name, beneath: path) }
    }

    /// The next restoration makes another container, and does not go on in one that this left.
    private static func failure(_ error: BackupError, leaving name: String, beneath path: FilePath) -> BackupError {
        guard (try? Folder(opening: path.appending(name))) != nil else { return error }
        let hint = error.code == .full ? "make room and run it again" : error.hint
        return BackupError(
            error.code, "\(error.what); the new container \(name) is not whole",
            hint: hint.isEmpty ? "remove it" : "remove it, \(hint)")
    }

    /// Whether the system makes it anew on another device.
    private static func isSystems(_ path: [UInt8], of identifier: String) -> Bool {
        let components = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        return Location.exactly(components, bundleIdentifier: identifier)?.backup == .notBackedUp
    }

    private func findMissing(
        in container: Container, _ exclusions: [Repository.Exclusion], _ outcome: inout Outcome
    ) throws {
        var missed = MissingItemFinder(container)
        for one in exclusions where PlanReason(rawValue: one.reason)?.isByMark == true {
            if recreatesFlaggedDirectories, one.kind == .directory, one.reason == PlanReason.ownFlag.rawValue {
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
            // The restoration has named what is damaged; what comes after it is not looked at.
            guard error.code == .damaged else { throw error }
        }
        outcome.missedInAll = missed.count
        outcome.missed = missed.found.sorted { PathOrder.precedes($0.path, $1.path) }
    }

    private static func recreate(_ one: Repository.Exclusion, in container: Container) throws(FileSystemError) {
        let path = FilePath(bytes: one.path)
        try container.folder.makeFolder(path)
        // Apple's systems ask whether a flag is there, and not for its value.
        try container.folder.open(path, followingLinks: false).setAttribute(one.flag, ExclusionMark.value)
    }
}
