internal import AppContainer
internal import BackupPlan
internal import BackupRepository

extension Plan {
    /// Pipes, sockets and devices, which have no content to store.
    var specialNodeRemarks: [Snapshot.Incident] {
        specialNodes.map { Snapshot.Incident(path: $0, reason: BackupReason.specialNode.rawValue) }
    }

    /// Checks that the plan includes the container.
    ///
    /// - Throws: `failed`.
    func requireIncludedContainer() throws(BackupError) {
        guard let root = first, root.isStored else {
            throw BackupError(
                .failed, "the plan excludes the whole container; nothing was stored",
                hint: "`sandboxbackup plan` shows the reason")
        }
    }
}
