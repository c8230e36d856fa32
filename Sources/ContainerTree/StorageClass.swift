package import AppContainer

/// The treatment of an item by backups and by the system, for maps and sums of a container.
package enum StorageClass: UInt8, Sendable, CaseIterable {
    /// Included in backups, and not known to be re-downloadable.
    case backedUp
    /// Re-downloadable or regenerable, and included in backups.
    case redownloadable
    /// In Library/Caches.
    case caches
    /// In tmp.
    case temporary
    /// Excluded from backup by an attribute, or in a directory that backups leave out.
    case excluded
    /// In a directory that is backed up on a file system that cannot store an exclusion, or in a directory whose treatment
    /// is not documented.
    case unknown

    /// The class of an item by the decision of a backup.
    package init(_ decision: BackupDecision) {
        switch decision.state {
        case .included: self = .backedUp
        case .unknown: self = .unknown
        case .excluded:
            self =
                switch decision.reason {
                case .caches: .caches
                case .temporary: .temporary
                default: .excluded
                }
        }
    }
}

/// The number of items and the bytes of their content, by class.
package struct StorageSums: Sendable, Hashable {
    /// The number of items and the bytes of their content.
    package struct Sum: Sendable, Hashable {
        package fileprivate(set) var items = 0
        package fileprivate(set) var bytes: UInt64 = 0

        mutating func add(items: Int, bytes: UInt64) {
            self.items += items
            let (sum, isOver) = self.bytes.addingReportingOverflow(bytes)
            self.bytes = isOver ? .max : sum
        }
    }

    /// Empty, or one sum for each class.
    private var sums: [Sum] = []

    package init() {}

    package subscript(_ storage: StorageClass) -> Sum { sums.isEmpty ? Sum() : sums[Int(storage.rawValue)] }

    /// The sum of all classes.
    package var total: Sum { sums.reduce(into: Sum()) { $0.add(items: $1.items, bytes: $1.bytes) } }

    package mutating func add(_ storage: StorageClass, items: Int, bytes: UInt64) {
        if sums.isEmpty { sums = Array(repeating: Sum(), count: StorageClass.allCases.count) }
        sums[Int(storage.rawValue)].add(items: items, bytes: bytes)
    }

    package mutating func add(_ other: StorageSums) {
        for storage in StorageClass.allCases where other[storage].items > 0 {
            add(storage, items: other[storage].items, bytes: other[storage].bytes)
        }
    }

    /// Moves at most `items` and `bytes` from the classes that may be in backups to `redownloadable`.
    mutating func markRedownloadable(items: Int, bytes: UInt64) {
        guard !sums.isEmpty else { return }
        var (leftItems, leftBytes) = (items, bytes)
        for storage in [StorageClass.backedUp, .unknown] {
            let index = Int(storage.rawValue)
            let moved = (items: min(leftItems, sums[index].items), bytes: min(leftBytes, sums[index].bytes))
            sums[index].items -= moved.items
            sums[index].bytes -= moved.bytes
            add(.redownloadable, items: moved.items, bytes: moved.bytes)
            leftItems -= moved.items
            leftBytes -= moved.bytes
        }
    }
}
