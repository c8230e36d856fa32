internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import ContainerTree

extension Plan {
    /// Notes on items that are stored as planned, but without content: pipes, sockets and devices have none, and that of
    /// evicted files is not on this disk. Files that cannot be read without a download are incidents instead.
    var remarks: [Snapshot.Incident] {
        let missed = Set(incidents.map(\.path))
        let evicted = evictedFiles.filter { !missed.contains($0) }.map { path in
            let isPlaceholder = Availability.isPlaceholder(PathOrder.depthAndName(of: path).name)
            return Snapshot.Incident(path: path, reason: isPlaceholder ? "stored-as-placeholder" : "stored-as-zeros")
        }
        return specialNodes.map { Snapshot.Incident(path: $0, reason: BackupReason.specialNode.rawValue) } + evicted
    }

    /// Checks that the plan includes the container.
    ///
    /// - Throws: `failed`.
    func requireIncludedContainer() throws(BackupError) {
        guard let root = first, root.isStored else {
            throw BackupError(
                .failed, what: "the plan excludes the whole container; nothing was stored",
                hint: "`sandboxbackup plan` shows the reason")
        }
    }
}
