internal import AppContainer
internal import BackupPlan
package import BackupRepository
package import FileSystem
package import SystemPackage
internal import TextOutput

/// The handling of existing files and links that differ from the snapshot.
package enum OverwritePolicy: String, Sendable, CaseIterable {
    /// They are kept and reported.
    case never
    /// They are replaced.
    case always
    /// They are replaced if their size or modification time differs. Their content is not read.
    case ifChanged = "if-changed"
    /// They are replaced if the snapshot has a later modification time.
    case ifNewer = "if-newer"

    /// Returns true if an existing item stays, because the snapshot has no later version.
    func keeps(_ there: FileStatus, for entry: SnapshotEntry) -> Bool {
        self == .ifNewer && there.kind != .directory && there.modified >= entry.modified
    }
}

/// The options of a restore into a directory. Nothing outside the directory is written.
///
/// Every byte is verified by its hash. A file gets its name when it is complete, and a new target when the whole tree
/// is. Existing files are replaced atomically, and only if requested. Items that the snapshot does not contain stay unless `deletes` is set, and so do
/// existing directories that only lead to a selected path.
package struct RestoreOptions {
    package let repository: Repository
    package let snapshot: Snapshot
    /// The target directory; nil if it does not exist, which only a preview accepts.
    package private(set) var target: Folder?
    /// True if the target was created for this restore.
    var isTargetNew = false
    /// The directory that gets the name of the target at the end; nil if the target existed.
    private(set) var staging: StagingDirectory?
    /// The paths to restore with everything below them, literally or escaped as in reports; empty for all.
    package var paths: [String] = []
    /// Patterns of items to restore with everything below them; nil for all.
    package var included: ItemPatterns?
    /// Patterns of items that are omitted with everything below them.
    package var excluded: ItemPatterns?
    /// The handling of existing files and links that differ from the snapshot.
    package var overwrite = OverwritePolicy.never
    /// True if selected items that the snapshot does not contain are deleted.
    package var deletes = false
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

    /// Checks the paths and the patterns.
    ///
    /// - Throws: `notFound` if the snapshot does not have the items.
    package func requireItems() throws(BackupError) { _ = try PathSelection(self) }

    /// Creates the target directory, or a private one beside it that gets its name when the restore is complete.
    ///
    /// - Throws: `notFound` for a path that is not in the snapshot, before anything is created; `misplaced`, `full`,
    ///   `failed`.
    package mutating func createTarget(_ path: FilePath) throws(BackupError) {
        _ = try PathSelection(self)
        staging = try StagingDirectory(beside: path, for: self)
        if let staging {
            target = staging.folder
        } else {
            do { target = try Folder(makingIfAbsent: path) } catch { throw BackupError(error) }
        }
        isTargetNew = true
    }

    /// Returns true if the target directory itself gets the attributes, mode, owner and times of the container.
    func setsTarget(_ selection: PathSelection) throws(FileSystemError) -> Bool {
        guard let target, !isTargetNew else { return true }
        guard selection.look(at: []).whole else { return false }
        if overwrite != .never { return true }
        return try target.names().isEmpty
    }
}

/// The selected items of a snapshot, with everything below them; everything without paths and patterns.
struct PathSelection {
    /// The selected paths; nil for all.
    private var selected: Set<[UInt8]>?
    /// The directories that lead to them.
    private var ways: Set<[UInt8]> = []
    private var options: RestoreOptions
    /// True if the target records the identity of its container, which a restore keeps.
    private var keepsIdentity: Bool

    private static let slash = UInt8(ascii: "/")
    private static let identity = Array(Location.metadata.path.utf8)

    /// - Throws: `notFound` for a path that is not in the snapshot, and if no item matches the patterns.
    init(_ options: RestoreOptions) throws(BackupError) {
        self.options = options
        let metadata = FilePath(Location.metadata.path)
        // An interrupted restore may have created it.
        keepsIdentity = options.staging == nil && (try? options.target?.statusIfPresent(metadata)) != nil
        guard !options.paths.isEmpty || options.included != nil else { return }
        selected = []
        for text in options.paths { insert(try options.repository.path(text, in: options.snapshot)) }
        guard let included = options.included else { return }
        let base = options.paths.isEmpty ? nil : self
        (selected, ways) = ([], [])
        var matches = self
        try options.repository.visit(options.snapshot) { path, entry throws(BackupError) in
            guard !path.isEmpty, base?.look(at: path).whole ?? true, !matches.look(at: path).whole,
                included.matches(name: entry.name, path: path)
            else { return }
            matches.insert(path)
        } damaged: { path in
            // The restore reports the damage.
            matches.insertWay(to: path)
            matches.ways.insert(path)
        }
        self = matches
        guard selected?.isEmpty == false || !ways.isEmpty else {
            throw BackupError(
                .notFound, what: "no item of snapshot \(options.snapshot.number) matches the patterns of --include",
                hint: "`sandboxbackup find` searches in all snapshots")
        }
    }

    private mutating func insert(_ path: [UInt8]) {
        selected?.insert(path)
        insertWay(to: path)
    }

    private mutating func insertWay(to path: [UInt8]) { ways.formUnion(Self.directories(above: path)) }

    /// Returns the paths of the directories above an item, the container last.
    static func directories(above path: [UInt8]) -> [[UInt8]] {
        guard !path.isEmpty else { return [] }
        return path.indices.reversed().filter { path[$0] == slash }.map { Array(path[..<$0]) } + [[]]
    }

    /// Returns the selected items that an incomplete snapshot lacks, or does not have as they were in the container.
    var missing: [Snapshot.Incident] {
        Snapshot.Incident.sorted(options.snapshot.incidentsBelowRoot).filter { incident in
            // An incident of the container itself is about any of its items.
            guard !incident.path.isEmpty else { return true }
            return look(at: incident.path).whole
                && !([incident.path] + Self.directories(above: incident.path)).contains(where: omits)
        }
    }

    /// Returns true if a path is omitted with everything below it.
    func omits(_ path: [UInt8]) -> Bool {
        guard !path.isEmpty else { return false }
        if keepsIdentity, path == Self.identity { return true }
        guard let excluded = options.excluded else { return options.excludes(path) }
        return options.excludes(path)
            || excluded.matches(name: PathOrder.depthAndName(of: path).name, path: path)
    }

    /// Returns whether a path is selected, itself or by a directory above it, and whether it leads to a selected path.
    func look(at path: [UInt8]) -> (whole: Bool, way: Bool) {
        guard let selected else { return (true, true) }
        if selected.contains(path) || Self.directories(above: path).contains(where: selected.contains) {
            return (true, true)
        }
        return (false, path.isEmpty || ways.contains(path))
    }
}
