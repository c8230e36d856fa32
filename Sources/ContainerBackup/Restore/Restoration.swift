package import FileSystem
internal import SystemPackage

/// Puts a snapshot, or a part of it, into a directory, and nothing outside it.
///
/// Every byte is judged by its hash on the way. A file appears under its name when it is whole. What is there already
/// under a file's name is replaced only where that was asked for; what the snapshot does not name is left alone.
package struct Restoration {
    package let store: BackupStore
    package let snapshot: Snapshot
    package let target: Folder
    /// The paths to restore with all that lies below; all where there are none.
    package var paths: [[UInt8]] = []
    package var replacesFiles = false
    /// Is told how many files and bytes are done.
    package var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    package init(_ snapshot: Snapshot, of store: BackupStore, into target: Folder) {
        self.snapshot = snapshot
        self.store = store
        self.target = target
    }

    /// What was done.
    package struct Outcome: Sendable {
        package var files = 0
        package var directories = 0
        package var links = 0
        package var bytes: UInt64 = 0
        /// What could not be restored, or not as it was; by path.
        package var incidents: [Snapshot.Incident] = []
    }

    /// Restores.
    ///
    /// - Throws: `notFound` for a path that the snapshot lacks, `full`, `failed`. A damaged file is an incident, and does
    ///   not appear.
    package func run() throws(BackupError) -> Outcome {
        var run = try RestorationRun(self)
        try run.restore()
        return run.outcome
    }
}
