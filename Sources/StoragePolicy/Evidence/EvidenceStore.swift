internal import AppContainer
internal import ContainerTree
internal import Synchronization

/// The candidates of a whole container, in bounded memory.
///
/// What exceeds the bound is dropped from the end of the sorted paths, so that the result does not depend on the order
/// in which directories were read. Dropped directories are counted and make the run incomplete.
final class EvidenceStore: Sendable {
    private struct Kept {
        var directories: [DirectoryEvidence] = []
        var size = 0
        var last: [UInt8]?
        var dropped = 0
        /// When the system made the container, in seconds since 1970.
        var created: Int64?
        /// Files by the hour in which they were modified.
        var hours: [Int64: Int] = [:]
        var files = 0
    }
    private let kept = Mutex(Kept())
    /// The most bytes of names and records, roughly.
    private let limit: Int

    init(limit: Int = 6 << 20) { self.limit = limit }

    func add(_ directory: DirectoryEvidence, hours: [Int64: Int]) {
        guard !directory.groups.isEmpty else { return }
        var directory = directory
        directory.settle()
        kept.withLock { kept in
            for (hour, count) in hours where kept.hours[hour] != nil || kept.hours.count < 10_000 {
                kept.hours[hour, default: 0] += count
            }
            kept.files += hours.values.reduce(0, +)
            if let last = kept.last, !directory.path.lexicographicallyPrecedes(last) {
                kept.dropped += 1
                return
            }
            kept.directories.append(directory)
            kept.size += directory.footprint
            if kept.size > limit + limit / 2 { Self.trim(&kept, to: limit) }
        }
    }

    /// Notes when the system made the container.
    func noteCreation(_ seconds: Int64) { kept.withLock { $0.created = seconds } }

    /// The candidates by path, and what is known of the container as a whole.
    func take() -> (directories: [DirectoryEvidence], container: ContainerDates, dropped: Int) {
        kept.withLock { kept in
            Self.trim(&kept, to: limit)
            defer { kept.directories = [] }
            let most = kept.hours.values.max() ?? 0
            let dates = ContainerDates(created: kept.created, isFlat: kept.files > 0 && most * 2 > kept.files)
            return (kept.directories, dates, kept.dropped)
        }
    }

    private static func trim(_ kept: inout Kept, to limit: Int) {
        kept.directories.sort { $0.path.lexicographicallyPrecedes($1.path) }
        guard kept.size > limit else { return }
        while kept.size > limit, let last = kept.directories.popLast() {
            kept.size -= last.footprint
            kept.last = last.path
            kept.dropped += 1
        }
    }
}

/// The times of a container that bear on all its files.
struct ContainerDates: Sendable {
    /// When the system made the container, in seconds since 1970; nil where it is unknown.
    let created: Int64?
    /// Whether more than half of the files share one hour, as after a copy, so that times say little.
    let isFlat: Bool
}

extension DirectoryEvidence {
    /// The memory that the record takes, roughly, in bytes.
    fileprivate var footprint: Int {
        groups.reduce(path.count + 200) { size, group in
            group.files.reduce(size + 250) { $0 + $1.name.count + 40 }
        }
    }
}
