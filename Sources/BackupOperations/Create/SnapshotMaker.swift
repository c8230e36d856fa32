package import AppContainer
package import BackupPlan
package import BackupRepository
package import FileSystem
internal import Synchronization
internal import SystemPackage

/// Makes a snapshot of what a plan keeps.
///
/// What is as the last snapshot of the same container has it is not read again. Ended at any point, the store holds its
/// finished snapshots and what has been settled of this one, which the next run finds there.
package struct SnapshotMaker {
    package let container: Container
    package let plan: Plan
    package let store: BackupStore
    /// When the snapshot is said to be taken.
    package let taken: Timestamp
    package var threads = Host.processorCount
    /// As `zstd -LEVEL` has it.
    package var level: Int32 = 3
    /// Is told how many files and bytes of the container are done, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    package init(container: Container, plan: Plan, store: BackupStore, taken: Timestamp) {
        self.container = container
        self.plan = plan
        self.store = store
        self.taken = taken
    }

    /// What a run did.
    package struct Outcome: Sendable {
        package let snapshot: Snapshot
        /// Files that were read, the others being as the last snapshot has them.
        package let filesRead: Int
        package let bytesRead: UInt64
        /// What a user should know, though it was kept as planned.
        package let remarks: [Snapshot.Incident]
    }

    /// Makes it.
    ///
    /// - Throws: `full`, `readOnly`, `damaged`, `failed`, also for a clock that is set to a date that no snapshot can
    ///   have. What the container does not give is an incident.
    package func make() throws(BackupError) -> Outcome {
        try Snapshot.requireClock(taken)
        try plan.requireKeeping()
        let adder = try ObjectAdder(store)
        do {
            let last = store.readableSnapshots().last { $0.bundleIdentifier == container.bundleIdentifier }
            var kept = try KeptItems(plan, of: container, since: last, in: store)
            try kept.gather(self, adder)
            var writer = TreeWriter(plan, kept, container, store)
            let tree = try writer.write()
            guard tree.directory != 0 else {
                throw BackupError(.failed, "the container is no longer there; no snapshot has been made")
            }
            let snapshot = Snapshot(
                taken: taken, bundleIdentifier: container.bundleIdentifier, kind: container.kind.rawValue,
                view: plan.rules.view.rawValue, tree: tree.directory, files: tree.files, bytes: tree.bytes,
                incidents: Snapshot.Incident.sorted(
                    plan.incidents.map { Snapshot.Incident(path: $0.path, reason: $0.reason) } + kept.incidents
                        + tree.incidents),
                exclusions: try store.exclusions(
                    plan.lazy.filter { $0.decision == .exclude }.map { entry in
                        BackupStore.Exclusion(
                            path: entry.path, kind: entry.kind, reason: entry.reason.rawValue,
                            flag: entry.decidedBy.description)
                    }))
            return Outcome(
                snapshot: try adder.finish(adding: snapshot), filesRead: kept.filesRead, bytesRead: kept.bytesRead,
                remarks: Snapshot.Incident.sorted(plan.specialNodeRemarks + kept.remarks))
        } catch {
            adder.abandon()
            throw BackupError(error)
        }
    }
}
