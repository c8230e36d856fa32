import BackupRepository
import TextOutput

/// The damage that a command has met. Commands report the rest, and end with the exit code for damage.
struct DamageReport {
    private var isEmpty = true

    /// Reports a damaged directory, whose content was skipped.
    mutating func add(_ path: [UInt8], in snapshot: Snapshot) {
        let name = path.isEmpty ? "a directory" : "the directory “\(ByteText.escaped(path))”"
        Failure.warn(
            """
            \(name) of snapshot \(snapshot.number) is damaged and was skipped; `sandboxbackup verify` reports all \
            damage
            """)
        isEmpty = false
    }

    /// Reports a snapshot that could not be read as a whole.
    mutating func add(_ snapshot: Snapshot, error: BackupError) {
        Failure.warn("snapshot \(snapshot.number) was skipped: \(error.what)")
        isEmpty = false
    }

    /// Reports damaged snapshots, and throws if anything was damaged.
    mutating func end(_ snapshots: [SnapshotList.Damaged]) throws {
        Failure.warn(of: snapshots)
        if !isEmpty || !snapshots.isEmpty { throw Failure.damaged }
    }
}
