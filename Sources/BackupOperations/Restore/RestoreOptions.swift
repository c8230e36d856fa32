package import BackupRepository
package import FileSystem
package import SystemPackage
internal import TextOutput

/// Puts a snapshot, or a part of it, into a directory, and nothing outside it.
///
/// Every byte is judged by its hash on the way. A file appears under its name when it is whole. What is there already
/// under a file's name is replaced only where that was asked for, in one step; what the snapshot does not name is left
/// alone. So are directories that are there and only lead to a path that is wanted.
package struct RestoreOptions {
    package let repository: Repository
    package let snapshot: Snapshot
    /// Nil for a directory that is not there yet, which only a preview can take.
    package private(set) var target: Folder?
    /// Whether the target was made for this options.
    var isTargetNew = false
    /// The paths to restore with all that lies below, as they are or as they are printed; all where there are none.
    package var paths: [String] = []
    /// Whether a file or link that is there and not as it was kept is replaced.
    package var overwritesFiles = false
    /// Whether set-user-ID and set-group-ID bits come back. Without it they are dropped and named.
    package var preservesSetIDBits = false
    /// Whether a path stays out, with all that lies below.
    var excludes: (_ path: [UInt8]) -> Bool = { _ in false }
    /// Is told how many files and bytes are done, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }
    package var threads = Host.processorCount

    package init(_ snapshot: Snapshot, of repository: Repository, into target: Folder?) {
        self.snapshot = snapshot
        self.repository = repository
        self.target = target
    }

    /// Makes the directory to restore into.
    ///
    /// - Throws: `notFound` for a path that the snapshot lacks, and nothing is made then; `full`, `failed`.
    package mutating func createTarget(_ path: FilePath) throws(BackupError) {
        _ = try PathSelection(self)
        do { target = try Folder(makingIfAbsent: path) } catch { throw BackupError(error) }
        isTargetNew = true
    }

    /// Whether the target itself gets the attributes, mode, owner and times of the container's directory.
    func setsTarget(_ selection: PathSelection) throws(FileSystemError) -> Bool {
        guard let target, !isTargetNew else { return true }
        guard selection.look(at: []).whole else { return false }
        if overwritesFiles { return true }
        return try target.names().isEmpty
    }
}

/// The paths of a snapshot that are to be restored, with all that lies below them; all where none is named.
struct PathSelection {
    private let selection: [[UInt8]]

    /// - Throws: `notFound` for a path that the snapshot lacks.
    init(_ options: RestoreOptions) throws(BackupError) {
        var selection: [[UInt8]] = []
        for text in options.paths {
            // As it is, or as reports print it.
            let readings = [Array(text.utf8), ByteText.unescaped(text)].filter { !$0.contains(0) }
                .map { FilePath(bytes: $0).lexicallyNormalized().removingRoot().bytes }
            var found: [UInt8]?
            for path in readings where found == nil {
                if try options.repository.holds(path, in: options.snapshot) { found = path }
            }
            guard let found else {
                throw BackupError(
                    .notFound,
                    "snapshot \(options.snapshot.number) holds nothing of the path “\(ByteText.escaped(Array(text.utf8)))”",
                    hint: "`sandboxbackup diff` and `snapshots` show what it holds")
            }
            selection.append(found)
        }
        self.selection = selection
    }

    /// Whether a path is wanted itself or by one above it, or only leads to one that is.
    func look(at path: [UInt8]) -> (whole: Bool, way: Bool) {
        guard !selection.isEmpty else { return (true, true) }
        let slash = [UInt8(ascii: "/")]
        if selection.contains(where: { $0.isEmpty || path == $0 || path.starts(with: $0 + slash) }) {
            return (true, true)
        }
        return (false, path.isEmpty || selection.contains { $0.starts(with: path + slash) })
    }
}
