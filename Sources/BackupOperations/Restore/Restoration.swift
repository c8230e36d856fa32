package import BackupRepository
package import FileSystem
package import SystemPackage

/// Puts a snapshot, or a part of it, into a directory, and nothing outside it.
///
/// Every byte is judged by its hash on the way. A file appears under its name when it is whole. What is there already
/// under a file's name is replaced only where that was asked for, in one step; what the snapshot does not name is left
/// alone. So are directories that are there and only lead to a path that is wanted.
package struct Restoration {
    package let store: BackupStore
    package let snapshot: Snapshot
    /// Nil for a directory that is not there yet, which only a preview can take.
    package private(set) var target: Folder?
    /// Whether the target was made for this restoration.
    var isTargetNew = false
    /// The paths to restore with all that lies below, as they are or as they are printed; all where there are none.
    package var paths: [String] = []
    /// Whether a file or link that is there and not as it was kept is replaced.
    package var replacesFiles = false
    /// Whether set-user-ID and set-group-ID bits come back. Without it they are dropped and named.
    package var keepsSetIDBits = false
    /// Whether a path stays out, with all that lies below.
    var leavesOut: (_ path: [UInt8]) -> Bool = { _ in false }
    /// Is told how many files and bytes are done, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }
    package var threads = Host.processorCount

    package init(_ snapshot: Snapshot, of store: BackupStore, into target: Folder?) {
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
        /// Files and links that were there just as they were kept, and were left alone.
        package var same = 0
        /// Of the files among these.
        var sameBytes: UInt64 = 0
        /// What could not be restored, or not as it was; by path.
        package var incidents: [Snapshot.Incident] = []
        /// What was restored as it was kept, and was not kept as it was; by path.
        package var remarks: [Snapshot.Incident] = []
    }

    /// Makes the directory to restore into.
    ///
    /// - Throws: `notFound` for a path that the snapshot lacks, and nothing is made then; `full`, `failed`.
    package mutating func makeTarget(_ path: FilePath) throws(BackupError) {
        _ = try WantedPaths(self)
        do { target = try Folder(makingIfAbsent: path) } catch { throw BackupError(error) }
        isTargetNew = true
    }

    /// Whether the target itself gets the attributes, mode, owner and times of the container's directory.
    func setsTarget(_ wanted: WantedPaths) throws(FileSystemError) -> Bool {
        guard let target, !isTargetNew else { return true }
        guard wanted.look(at: []).whole else { return false }
        if replacesFiles { return true }
        return try target.names().isEmpty
    }

    /// Restores, and brings all of it down to the medium.
    ///
    /// - Throws: `notFound` for a path that the snapshot lacks, `locked`, `full`, `failed`. A damaged file is an incident,
    ///   and does not appear.
    package func run() throws(BackupError) -> Outcome {
        guard let target else {
            throw BackupError(.failed, "the directory to restore into is not there", hint: "make it")
        }
        var run = try RestorationRun(self, into: target)
        return try run.restore()
    }
}
