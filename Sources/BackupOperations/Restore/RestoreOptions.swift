package import BackupRepository
package import FileSystem
package import SystemPackage
internal import TextOutput

/// The options of a restore into a directory. Nothing outside the directory is written.
///
/// Every byte is verified by its hash. A file gets its name when it is complete. Existing files are replaced
/// atomically, and only if requested. Items that the snapshot does not contain stay, and so do existing directories
/// that only lead to a selected path.
package struct RestoreOptions {
    package let repository: Repository
    package let snapshot: Snapshot
    /// The target directory; nil if it does not exist, which only a preview accepts.
    package private(set) var target: Folder?
    /// True if the target was created for this restore.
    var isTargetNew = false
    /// The paths to restore with everything below them, literally or escaped as in reports; empty for all.
    package var paths: [String] = []
    /// True if existing files and links that differ from the snapshot are replaced.
    package var overwritesFiles = false
    /// True if set-user-ID and set-group-ID bits are restored. Otherwise they are dropped and reported.
    package var preservesSetIDBits = false
    /// Returns true if a path is omitted with everything below it.
    var excludes: (_ path: [UInt8]) -> Bool = { _ in false }
    /// Called with the number of finished files and bytes, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }
    package var threads = Host.processorCount

    package init(_ snapshot: Snapshot, of repository: Repository, into target: Folder?) {
        self.snapshot = snapshot
        self.repository = repository
        self.target = target
    }

    /// Creates the target directory.
    ///
    /// - Throws: `notFound` for a path that is not in the snapshot, before anything is created; `full`, `failed`.
    package mutating func createTarget(_ path: FilePath) throws(BackupError) {
        _ = try PathSelection(self)
        do { target = try Folder(makingIfAbsent: path) } catch { throw BackupError(error) }
        isTargetNew = true
    }

    /// Returns true if the target directory itself gets the attributes, mode, owner and times of the container.
    func setsTarget(_ selection: PathSelection) throws(FileSystemError) -> Bool {
        guard let target, !isTargetNew else { return true }
        guard selection.look(at: []).whole else { return false }
        if overwritesFiles { return true }
        return try target.names().isEmpty
    }
}

/// The selected paths of a snapshot, with everything below them; everything if no path is given.
struct PathSelection {
    private let selection: [[UInt8]]

    /// - Throws: `notFound` for a path that is not in the snapshot.
    init(_ options: RestoreOptions) throws(BackupError) {
        var selection: [[UInt8]] = []
        for text in options.paths { selection.append(try options.repository.path(text, in: options.snapshot)) }
        self.selection = selection
    }

    /// Returns the selected items that an incomplete snapshot lacks, or does not have as they were in the container.
    func missing(_ options: RestoreOptions) -> [Snapshot.Incident] {
        Snapshot.Incident.sorted(options.snapshot.incidents).filter { incident in
            // An incident of the container itself is about any of its items.
            (incident.path.isEmpty || look(at: incident.path).whole) && !options.excludes(incident.path)
        }
    }

    /// Returns whether a path is selected, itself or by a directory above it, and whether it leads to a selected path.
    func look(at path: [UInt8]) -> (whole: Bool, way: Bool) {
        guard !selection.isEmpty else { return (true, true) }
        let slash = [UInt8(ascii: "/")]
        if selection.contains(where: { $0.isEmpty || path == $0 || path.starts(with: $0 + slash) }) {
            return (true, true)
        }
        return (false, path.isEmpty || selection.contains { $0.starts(with: path + slash) })
    }
}
