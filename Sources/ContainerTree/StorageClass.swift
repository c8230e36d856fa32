package import AppContainer

/// The treatment of an item by backups and by the system, for maps and sums of a container.
package enum StorageClass: UInt8, Sendable, CaseIterable {
    /// User data or state of the app, included in backups.
    case backedUp
    /// Re-downloadable, regenerable, a log or temporary, and nevertheless included in backups.
    case redownloadable
    /// Included in backups, and nothing says what it is.
    case undecided
    /// In Library/Caches.
    case caches
    /// In tmp.
    case temporary
    /// Excluded from backup by an attribute, or in a directory that backups leave out.
    case excluded
    /// In a directory that is backed up on a file system that cannot store an exclusion, or in a directory whose treatment
    /// is not documented.
    case unknown
    /// Included in backups by name, but the content is elsewhere, usually in iCloud, and in no backup.
    case evicted

    /// The class of an item by the decision of a backup.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - availability: The availability of its content.
    ///   - maker: The recorded origin of the item.
    package init(_ decision: BackupDecision, availability: Availability, maker: Provenance.Maker?) {
        self.init(
            decision, availability,
            included: maker.map { $0.isRegenerable ? .redownloadable : .backedUp } ?? .undecided)
    }

    /// The class of an item by the decision of a backup, and by what it is if a backup includes it with its content.
    package init(_ decision: BackupDecision, _ availability: Availability = .present, included: StorageClass) {
        guard availability != .evicted || !decision.isStored else {
            self = .evicted
            return
        }
        switch decision.state {
        case .included: self = included
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

extension StorageClass {
    /// The classes of included items that give way to this one once more is known, the first one first.
    fileprivate var weaker: [StorageClass] {
        switch self {
        case .redownloadable: [.undecided, .backedUp, .unknown]
        case .backedUp: [.undecided]
        default: []
        }
    }

    /// True if more knowledge makes the class of an item this one.
    func replaces(_ other: StorageClass) -> Bool { weaker.contains(other) }
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

    /// Moves at most `items` and `bytes` to a class, from those that give way to it.
    mutating func mark(_ storage: StorageClass, items: Int, bytes: UInt64) {
        guard !sums.isEmpty else { return }
        var (leftItems, leftBytes) = (items, bytes)
        for other in storage.weaker {
            let index = Int(other.rawValue)
            let moved = (items: min(leftItems, sums[index].items), bytes: min(leftBytes, sums[index].bytes))
            sums[index].items -= moved.items
            sums[index].bytes -= moved.bytes
            add(storage, items: moved.items, bytes: moved.bytes)
            leftItems -= moved.items
            leftBytes -= moved.bytes
        }
    }
}
