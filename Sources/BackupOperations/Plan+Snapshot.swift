internal import BackupPlan
internal import BackupRepository

extension Plan {
    /// Pipes, sockets and devices, which have no content to store.
    var specialNodeRemarks: [Snapshot.Incident] {
        specialNodes.map { Snapshot.Incident(path: $0, reason: PlanReason.specialNode.rawValue) }
    }

    /// - Throws: `failed` where the container itself is left out.
    func requireIncludedContainer() throws(BackupError) {
        guard let root = first, root.decision == .include else {
            throw BackupError(
                .failed, "the plan keeps nothing of the container; nothing has been stored",
                hint: "`sandboxbackup plan` tells why")
        }
    }
}
