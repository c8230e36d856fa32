internal import BackupPlan
package import BackupRepository
package import FileSystem
internal import Foundation
package import MobileBackup

/// Takes the containers of a backup in Apple's layout into a store, each as a snapshot.
///
/// Nothing that the backup says is believed: a row that leads out, lies or is garbage is an incident of the snapshot, and
/// what it tells of is not in it.
package struct Importation {
    private let backup: MobileBackup
    private let domains: [BackupDomain]
    private let systemDomains: Int
    /// Whether items keep the owner and group that the backup says. Else they get those of this process: nothing proves
    /// what a backup says, and root would restore files of any user from it.
    package var keepsOwners = false
    /// Is told how many files and bytes have been taken.
    package var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    /// What was taken.
    package struct Outcome: Sendable {
        package var snapshots: [Snapshot] = []
        /// How many of the backup's domains are the system's, and so no containers.
        package let systemDomains: Int
        /// How many items got this process's owner and group instead of those that the backup says.
        package var replacedOwners = 0
    }

    /// Looks which containers a backup holds: apps', plug-ins' and groups', or the one that is asked for.
    ///
    /// - Throws: `notFound` where the backup does not hold it, or no container at all; `failed`.
    package init(of backup: MobileBackup, bundleIdentifier: String? = nil) throws(BackupError) {
        self.backup = backup
        let all: [BackupDomain]
        do throws(MobileBackupError) { all = try backup.domains() } catch { throw BackupError(error) }
        let containers = all.filter { $0.snapshotKind != nil }
        systemDomains = all.count - containers.count
        domains = containers.filter { domain in
            guard let bundleIdentifier, let identifier = domain.bundleID else { return bundleIdentifier == nil }
            return identifier.utf8.elementsEqual(bundleIdentifier.utf8)
        }
        guard domains.isEmpty else { return }
        throw BackupError(
            .notFound, "the backup holds no container" + (bundleIdentifier.map { " of “\($0)”" } ?? " of an app"),
            hint: containers.isEmpty ? "" : "leave --bundle-id out to import all that it holds")
    }

    /// How many files there are to be taken, by what the manifest says.
    ///
    /// - Throws: `failed` where it cannot be read on.
    package func fileCount() throws(BackupError) -> Int {
        do throws(MobileBackupError) { return try backup.fileCount(of: domains) } catch { throw BackupError(error) }
    }

    /// Takes one container after the other. What has been taken stays, whatever comes later. The snapshots are said to
    /// be taken when the backup was made, or `now` where it does not say that.
    ///
    /// - Throws: `full`, `readOnly`, `damaged` where the store is, `failed` where the backup cannot be read on.
    package func run(into store: BackupStore, now: Timestamp) throws(BackupError) -> Outcome {
        var outcome = Outcome(systemDomains: systemDomains)
        do {
            let date = try backup.date().map { Timestamp(seconds: $0) }
            if date == nil { try Snapshot.requireClock(now) }
            let taken = date ?? now
            var (files, bytes) = (0, UInt64(0))
            for domain in domains {
                let result = try take(domain, into: store, taken: taken) {
                    files += $0
                    bytes.addClamped($1)
                    progress(files, bytes)
                }
                outcome.snapshots.append(result.snapshot)
                outcome.replacedOwners += result.replacedOwners
            }
        } catch { throw BackupError(error) }
        return outcome
    }

    private func take(
        _ domain: BackupDomain, into store: BackupStore, taken: Timestamp, done: @escaping (Int, UInt64) -> Void
    ) throws -> (snapshot: Snapshot, replacedOwners: Int) {
        let adder = try ObjectAdder(store)
        do {
            let owner = keepsOwners ? nil : (user: UInt32(geteuid()), group: UInt32(getegid()))
            var run = try ImportationRun(backup, store, adder, owner: owner, done: done)
            try backup.entries(of: domain) { row throws in try run.take(row) }
            let tree = try run.writeTree(made: taken)
            let snapshot = Snapshot(
                taken: taken, bundleIdentifier: domain.bundleID, kind: domain.snapshotKind ?? "",
                // What a backup that is not encrypted has.
                view: BackupView.finderUnencrypted.rawValue, tree: tree.directory, files: tree.files,
                bytes: tree.bytes, incidents: Snapshot.Incident.sorted(tree.incidents))
            return (try adder.finish(adding: snapshot), run.replacedOwners)
        } catch {
            adder.abandon()
            throw error
        }
    }
}
