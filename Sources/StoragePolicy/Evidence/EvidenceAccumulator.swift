internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The candidates of a whole container, in bounded memory.
///
/// If the names of all files exceed the limit, only the first of each group are kept. Names that exceed it even so are
/// dropped from the end of the sorted paths, so that the result does not depend on the order in which directories were
/// read. Dropped directories are counted, and the report names that some were not weighed.
final class EvidenceAccumulator: Sendable {
    private struct Kept {
        var directories: [DirectoryEvidence] = []
        var size = 0
        /// True if only the first names of each group are kept.
        var isShort = false
        /// The first path of those that were dropped; nothing from it on is kept.
        var firstDropped: [UInt8]?
        var dropped = 0
        /// Files by the hour in which they were modified.
        var hours = TimeClusters(width: 3_600, most: 1_024)
    }
    private let kept = LockedValue(Kept())
    /// The most bytes of names and records, roughly.
    private let limit: Int

    init(limit: Int = 4 << 20) { self.limit = limit }

    func add(_ directory: DirectoryEvidence, hours: TimeClusters) {
        var directory = directory
        directory.finish()
        kept.withLock { kept in
            kept.hours.add(hours)
            guard !directory.groups.isEmpty || !directory.decidedDatabases.isEmpty else { return }
            if let first = kept.firstDropped, !directory.path.lexicographicallyPrecedes(first) {
                kept.dropped += 1
                return
            }
            if kept.isShort { directory.shorten() }
            kept.size += directory.footprint
            kept.directories.append(directory)
            if !kept.isShort, kept.size > limit { Self.shorten(&kept) }
            if kept.size > limit + limit / 2 { Self.trim(&kept, to: limit) }
        }
    }

    /// The candidates by path, whether most files share one hour, and the number of directories that were dropped.
    func removeAll() -> (directories: [DirectoryEvidence], isFlat: Bool, dropped: Int) {
        kept.withLock { kept in
            Self.trim(&kept, to: limit)
            defer { kept.directories = [] }
            return (kept.directories, kept.hours.fullestShare > 0.5, kept.dropped)
        }
    }

    private static func shorten(_ kept: inout Kept) {
        kept.isShort = true
        for index in kept.directories.indices { kept.directories[index].shorten() }
        kept.size = kept.directories.reduce(0) { $0 + $1.footprint }
    }

    private static func trim(_ kept: inout Kept, to limit: Int) {
        kept.directories.sort { $0.path.lexicographicallyPrecedes($1.path) }
        while kept.size > limit, let last = kept.directories.popLast() {
            kept.size -= last.footprint
            kept.firstDropped = last.path
            kept.dropped += 1
        }
    }
}
