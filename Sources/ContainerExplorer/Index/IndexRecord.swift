internal import AppContainer
internal import FileSystem

/// The compact record of an item: 64 bytes, without pointers.
struct IndexRecord {
    static let none = UInt32.max

    /// The bytes of content of a regular file, else 0.
    let logical: UInt64
    /// The allocated bytes of the item itself.
    let allocated: UInt64
    /// The modification date in seconds.
    let modified: Int64
    /// The position of the name.
    var nameStart: UInt64
    /// The number of the directory that contains the item.
    var parent: UInt32 = 0
    /// The number of items of the subtree, including the item.
    var extent: UInt32 = 1
    /// The number of the item whose mark excludes this one from backup, or `none`.
    var carrier: UInt32 = Self.none
    /// The position of the totals of a directory, or `none`. While the index is built, the number of the directory in
    /// the order in which directories were found.
    var totals: UInt32 = Self.none
    let nameLength: UInt16
    let targetLength: UInt16
    let permissions: UInt16
    private let kindNumber: UInt8
    /// The index of the nearest location in the table.
    private let locationNumber: UInt8
    /// The number of the item's own exclusion mark, from 1, or 0.
    private let markNumber: UInt8
    /// The number of the recorded maker, from 1, or 0.
    private let makerNumber: UInt8
    private var flags: UInt8

    init(
        _ status: FileStatus, nameStart: Int, nameLength: Int, targetLength: Int, location: UInt8,
        mark: ExclusionMark?, maker: Provenance.Maker?, carriesAttributes: Bool
    ) {
        logical = status.isFile ? status.size : 0
        allocated = status.allocated
        modified = status.modified.seconds
        self.nameStart = UInt64(nameStart)
        // Kernels limit names to 255 bytes and targets to 4,095.
        self.nameLength = UInt16(clamping: nameLength)
        self.targetLength = UInt16(clamping: targetLength)
        permissions = status.permissions
        kindNumber = status.kind.rawValue
        locationNumber = location
        markNumber = mark.flatMap { ExclusionMark.allCases.firstIndex(of: $0) }.map { UInt8($0 + 1) } ?? 0
        makerNumber = maker.flatMap { Provenance.Maker.allCases.firstIndex(of: $0) }.map { UInt8($0 + 1) } ?? 0
        flags = (carriesAttributes ? Flag.carriesAttributes : 0)
        if status.kind != .directory, status.links > 1 { flags |= Flag.severalLinks }
    }

    private enum Flag {
        static let carriesAttributes: UInt8 = 1
        static let severalLinks: UInt8 = 2
        static let excluded: UInt8 = 4
        static let unknown: UInt8 = 8
    }

    var kind: FileKind { FileKind(rawValue: kindNumber) ?? .unknown }
    var location: Location { Location.table[Int(locationNumber)] }
    var mark: ExclusionMark? { markNumber == 0 ? nil : ExclusionMark.allCases[Int(markNumber) - 1] }
    var maker: Provenance.Maker? { makerNumber == 0 ? nil : Provenance.Maker.allCases[Int(makerNumber) - 1] }
    var carriesAttributes: Bool { flags & Flag.carriesAttributes != 0 }
    var hasSeveralLinks: Bool { flags & Flag.severalLinks != 0 }

    /// The state of the backup exclusion.
    var exclusion: BackupExclusion.State {
        get { flags & Flag.excluded != 0 ? .excluded : flags & Flag.unknown != 0 ? .unknown : .included }
        set {
            flags &= ~(Flag.excluded | Flag.unknown)
            if newValue == .excluded { flags |= Flag.excluded }
            if newValue == .unknown { flags |= Flag.unknown }
        }
    }
}

/// The totals of a directory.
struct IndexTotals: Sendable {
    var size = ItemSize.zero
    /// The number of items below the directory.
    var items: UInt32 = 0
}
