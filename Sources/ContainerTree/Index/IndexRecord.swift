internal import AppContainer
internal import FileSystem

/// The compact record of an item: 64 bytes, without pointers. Names, what only directories have, and what few items
/// have are kept apart.
struct IndexRecord: Sendable {
    static let none = UInt32.max

    /// The size of the item's content; 0 for a directory.
    private let size: UInt64
    private let inode: UInt64
    /// The modification and the change of the status; both are empty if one does not fit.
    private let modified: CompactTime
    private let changed: CompactTime
    /// The position of the name in the `NameArena`.
    var name: UInt32 = 0
    /// The number of the directory that contains the item.
    var parent: UInt32 = 0
    /// The position of the totals of a directory, or `none`. While the index is built, the number of the directory in
    /// the order in which directories were found.
    var totals = Self.none
    /// The allocated blocks of 512 bytes, at most 2 TiB.
    private let blocks: UInt32
    /// The index of the list of attribute names.
    var attributes: UInt32 = 0
    /// The index of device, owner and group.
    var owner: UInt32 = 0
    /// The permissions in twelve bits, below three bits for the kind.
    private let mode: UInt16
    let nameLength: UInt8
    /// The index of the nearest location in the table.
    private let locationNumber: UInt8
    /// The number of the item's own exclusion mark in four bits, below that of the recorded maker; from 1, or 0.
    private let origin: UInt8
    private var flags: UInt8
    let decision: BackupDecision

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - location: The index of its nearest location in the table.
    ///   - decision: The decision of a backup.
    ///   - availability: The availability of its content.
    ///   - maker: The recorded maker.
    ///   - directory: The number of the directory, if the item is one.
    init(
        _ item: Item, at location: UInt8, decision: BackupDecision, availability: Availability,
        maker: Provenance.Maker?, directory: UInt32
    ) {
        let status = item.status
        size = status.kind == .directory ? 0 : status.size
        inode = status.identity.inode
        let times = (CompactTime(status.modified), CompactTime(status.changed))
        (modified, changed) = times.0.isEmpty || times.1.isEmpty ? (.empty, .empty) : times
        blocks = UInt32(clamping: status.allocated / 512)
        // Kernels limit names to 255 bytes.
        nameLength = UInt8(clamping: item.name.count)
        mode = status.permissions & 0o7777 | UInt16(status.kind.rawValue & 7) << 12
        locationNumber = location
        let mark = item.marks.first.flatMap { ExclusionMark.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let made = maker.flatMap { Provenance.Maker.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        origin = UInt8(mark | made << 4)
        self.decision = decision
        flags = item.carriesAttributes ? Flag.carriesAttributes : 0
        if status.kind != .directory, status.links > 1 { flags |= Flag.severalLinks }
        totals = directory
        self.availability = availability
    }

    private enum Flag {
        static let carriesAttributes: UInt8 = 1
        static let severalLinks: UInt8 = 2
        static let excluded: UInt8 = 4
        static let unknown: UInt8 = 8
        /// The position of the two bits of the availability.
        static let availability: UInt8 = 4
    }

    var kind: FileKind { FileKind(rawValue: UInt8(mode >> 12 & 7)) ?? .unknown }
    var permissions: UInt16 { mode & 0o7777 }
    var location: Location { Location.table[Int(locationNumber)] }
    var hasMark: Bool { origin & 15 != 0 }
    var mark: ExclusionMark? { hasMark ? ExclusionMark.allCases[Int(origin & 15) - 1] : nil }
    var maker: Provenance.Maker? { origin >> 4 == 0 ? nil : Provenance.Maker.allCases[Int(origin >> 4) - 1] }
    var carriesAttributes: Bool { flags & Flag.carriesAttributes != 0 }
    var hasSeveralLinks: Bool { flags & Flag.severalLinks != 0 }

    /// The bytes of content of a regular file, and the allocated bytes of the item itself.
    var own: ItemSize { ItemSize(logical: kind == .file ? size : 0, allocated: UInt64(blocks) * 512) }

    /// The availability of the content.
    var availability: Availability {
        get { Availability(rawValue: flags >> Flag.availability & 3) ?? .present }
        set { flags = flags & ~(3 << Flag.availability) | newValue.rawValue << Flag.availability }
    }

    /// The state of the backup exclusion.
    var exclusion: BackupState {
        get { flags & Flag.excluded != 0 ? .excluded : flags & Flag.unknown != 0 ? .unknown : .included }
        set {
            flags &= ~(Flag.excluded | Flag.unknown)
            if newValue == .excluded { flags |= Flag.excluded }
            if newValue == .unknown { flags |= Flag.unknown }
        }
    }

    /// The times of the modification and of the change of the status; nil if they are kept apart.
    var times: IndexTimes? {
        modified.isEmpty ? nil : IndexTimes(modified: modified.timestamp, changed: changed.timestamp)
    }

    func status(_ owner: IndexOwner, times: IndexTimes, links: UInt32) -> FileStatus {
        FileStatus(
            kind: kind, permissions: permissions, links: links, owner: (owner.user, owner.group), size: size,
            identity: (owner.device, inode), modified: times.modified, changed: times.changed)
    }
}

/// A timestamp in 8 bytes: the seconds from the end of 1901 to 2446, which is the range of ext4, and the nanoseconds.
struct CompactTime: Sendable {
    private let bits: UInt64
    static let empty = CompactTime(bits: .max)
    private static let first = -(Int64(1) << 31)

    private init(bits: UInt64) { self.bits = bits }

    /// Creates the compact form of a timestamp; empty if it does not fit.
    init(_ time: Timestamp) {
        let (seconds, isOver) = time.seconds.subtractingReportingOverflow(Self.first)
        guard !isOver, 0..<(1 << 34 - 1) ~= seconds, time.nanoseconds < 1 << 30 else {
            self = .empty
            return
        }
        bits = UInt64(seconds) << 30 | UInt64(time.nanoseconds)
    }

    var isEmpty: Bool { bits == .max }
    var timestamp: Timestamp {
        Timestamp(seconds: Int64(bits >> 30) + Self.first, nanoseconds: UInt32(bits & (1 << 30 - 1)))
    }
}

/// The times of an item.
struct IndexTimes: Sendable {
    let modified: Timestamp
    let changed: Timestamp
}

/// The device, owner and group of items. A container has few.
struct IndexOwner: Hashable, Sendable {
    let device: UInt64
    let user: UInt32
    let group: UInt32

    init(_ status: FileStatus) {
        device = status.identity.device
        (user, group) = status.owner
    }
}

/// The totals of a directory.
struct IndexTotals: Sendable {
    var size = ItemSize.zero
    /// The number of records of the subtree, including the directory.
    var extent: UInt32 = 1
    /// The number of items below the directory.
    var items: UInt32 = 0
}

/// An array of records in chunks. It grows without copying, so it never needs twice its memory.
struct RecordArray: Sendable {
    private static let pieceBits = 14
    private var pieces: [[IndexRecord]] = []
    private(set) var count = 0

    mutating func append(_ record: IndexRecord) {
        if count & (1 << Self.pieceBits - 1) == 0 {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(1 << Self.pieceBits)
        }
        pieces[pieces.count - 1].append(record)
        count += 1
    }

    subscript(_ index: Int) -> IndexRecord {
        get { pieces[index >> Self.pieceBits][index & (1 << Self.pieceBits - 1)] }
        _modify { yield &pieces[index >> Self.pieceBits][index & (1 << Self.pieceBits - 1)] }
    }

    /// Moves the record that is at `order[index]` to each index.
    mutating func permute(_ order: consuming [UInt32]) {
        var order = order
        for start in order.indices where order[start] != start {
            let first = self[start]
            var index = start
            while true {
                let next = Int(order[index])
                order[index] = UInt32(index)
                guard next != start else { break }
                self[index] = self[next]
                index = next
            }
            self[index] = first
        }
    }
}

/// The names of all items, in chunks of 1 MiB: one allocation per chunk, and no copying. At most 4 GiB.
struct NameArena: Sendable {
    private static let pieceBits: UInt32 = 20
    private var pieces: [[UInt8]] = []

    /// Adds a name and returns its position; nil if there is no room.
    mutating func add(_ name: some Collection<UInt8>) -> UInt32? {
        if pieces.last.map({ $0.count + name.count > 1 << Self.pieceBits }) ?? true {
            guard pieces.count < 1 << (32 - Self.pieceBits) else { return nil }
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(1 << Self.pieceBits)
        }
        let position = UInt32(pieces.count - 1) << Self.pieceBits | UInt32(pieces[pieces.count - 1].count)
        pieces[pieces.count - 1].append(contentsOf: name)
        return position
    }

    subscript(_ position: UInt32, length: Int) -> ArraySlice<UInt8> {
        let start = Int(position & (1 << Self.pieceBits - 1))
        return pieces[Int(position >> Self.pieceBits)][start..<(start + length)]
    }
}
