internal import AppContainer
internal import FileSystem

/// The shared state of the threads that build a plan.
final class PlanBuilder: Sendable {
    struct State: Sendable {
        var records = RecordArray()
        var names = NameArena()
        /// Lists of attribute names; the first list is empty.
        var attributeLists: [[String]] = [[]]
        var attributeNumbers: [[String]: UInt32] = [:]
        var devices: [UInt64] = []
        /// The content of excluded directories, by directory number.
        var excludedContent: [UInt32: PlanSum] = [:]
        var regenerable: [Location: RegenerableSum] = [:]
        var carriesAttributes = true
        var accessLists = Loss(.accessList)
        var warnings: [PlanWarning] = []
        var incidents: [PlanIncident] = []
        var directories: UInt32 = 0
    }
    private let state = LockedValue(State())

    /// Returns a number for a new directory.
    func newDirectory() -> UInt32 {
        state.withLock { state in
            defer { state.directories += 1 }
            return state.directories
        }
    }

    func add(_ warning: PlanWarning) { state.withLock { $0.warnings.append(warning) } }
    func add(_ incident: PlanIncident) { state.withLock { $0.incidents.append(incident) } }

    /// Moves the records of an accumulator into the plan.
    func take(_ accumulator: inout PlanAccumulator) {
        state.withLock { Self.move(&accumulator, into: &$0) }
        accumulator.records.removeAll(keepingCapacity: true)
        accumulator.names.removeAll(keepingCapacity: true)
        accumulator.devices.removeAll(keepingCapacity: true)
        accumulator.attributes.removeAll(keepingCapacity: true)
    }

    /// Moves all content of an accumulator into the plan at the end of its directory.
    func take(_ accumulator: inout PlanAccumulator, endOf context: DirectoryContext, location: Location) {
        state.withLock { state in
            Self.move(&accumulator, into: &state)
            if context.isExcluded {
                state.excludedContent[context.number, default: PlanSum()].add(accumulator.excludedContent)
            }
            state.accessLists.add(accumulator.accessLists)
            if accumulator.regenerable.sum.items > 0 {
                state.regenerable[location, default: RegenerableSum()].add(accumulator.regenerable)
            }
        }
    }

    /// Returns the state and clears it, so that later changes do not copy it.
    func finish() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }

    private static func move(_ accumulator: inout PlanAccumulator, into state: inout State) {
        for (record, names) in accumulator.attributes {
            accumulator.records[record].attributes = number(of: names, in: &state)
        }
        if !accumulator.carriesAttributes { state.carriesAttributes = false }
        guard !accumulator.records.isEmpty else { return }
        let start = state.names.add(accumulator.names)
        for (var record, device) in zip(accumulator.records, accumulator.devices) {
            record.namePiece = start.piece
            record.nameStart += start.start
            record.device = number(of: device, in: &state)
            state.records.append(record)
        }
    }

    /// Returns the index of a device. Devices beyond the limit, which no container reaches, share one index.
    private static func number(of device: UInt64, in state: inout State) -> UInt16 {
        if let number = state.devices.firstIndex(of: device) { return UInt16(number) }
        guard state.devices.count < UInt16.max else { return .max }
        state.devices.append(device)
        return UInt16(state.devices.count - 1)
    }

    private static func number(of names: [String], in state: inout State) -> UInt32 {
        if let number = state.attributeNumbers[names] { return number }
        let number = UInt32(state.attributeLists.count)
        state.attributeLists.append(names)
        state.attributeNumbers[names] = number
        return number
    }
}

/// The compact record of an item: 80 bytes, without pointers.
struct PlanRecord {
    /// The size of a file, or of the content of an excluded directory.
    var size: UInt64
    let inode: UInt64
    private let modifiedSeconds: Int64
    private let changedSeconds: Int64
    private let modifiedNanoseconds: UInt32
    private let changedNanoseconds: UInt32
    private let links: UInt32
    private let user: UInt32
    private let group: UInt32
    /// The position of the name in the arena: the chunk, and the first byte in it.
    var namePiece: UInt32 = 0
    var nameStart: UInt32
    /// The number of the parent directory, or `none` for the container itself.
    let parent: UInt32
    /// The number of the directory, if the item is one.
    let directory: UInt32
    /// The index of the list of attribute names.
    var attributes: UInt32 = 0
    let nameLength: UInt16
    /// The permissions in twelve bits, below three bits for the kind and one for a regenerable file.
    private let mode: UInt16
    /// The index of the device.
    var device: UInt16 = 0
    let reason: PlanReason
    let decider: PlanDecider

    static let none = UInt32.max

    init(
        _ status: FileStatus, nameStart: Int, nameLength: Int, in parent: UInt32, directory: UInt32,
        verdict: PlanVerdict, isRegenerable: Bool
    ) {
        size = status.kind == .directory ? 0 : status.size
        inode = status.identity.inode
        (modifiedSeconds, modifiedNanoseconds) = (status.modified.seconds, status.modified.nanoseconds)
        (changedSeconds, changedNanoseconds) = (status.changed.seconds, status.changed.nanoseconds)
        (user, group) = status.owner
        links = status.links
        self.nameStart = UInt32(nameStart)
        self.nameLength = UInt16(nameLength)
        self.parent = parent
        self.directory = directory
        mode = status.permissions & 0o7777 | UInt16(status.kind.rawValue & 7) << 12 | (isRegenerable ? 1 << 15 : 0)
        reason = verdict.reason
        decider = verdict.decider
    }

    var kind: FileKind { FileKind(rawValue: UInt8(mode >> 12 & 7)) ?? .unknown }
    var isRegenerable: Bool { mode >> 15 == 1 }

    /// The size that counts in sums: that of files, and of the content of excluded directories.
    var bytes: UInt64 { kind == .file || kind == .directory ? size : 0 }

    func status(device: UInt64) -> FileStatus {
        FileStatus(
            kind: kind, permissions: mode & 0o7777, links: links, owner: (user, group),
            size: kind == .directory ? 0 : size, identity: (device, inode),
            modified: Timestamp(seconds: modifiedSeconds, nanoseconds: modifiedNanoseconds),
            changed: Timestamp(seconds: changedSeconds, nanoseconds: changedNanoseconds))
    }
}

/// An array of records in chunks. It grows without copying, so it never needs twice its memory.
struct RecordArray: Sendable {
    private static let pieceBits = 14
    private var pieces: [[PlanRecord]] = []
    private(set) var count = 0

    mutating func append(_ record: PlanRecord) {
        if count & (1 << Self.pieceBits - 1) == 0 {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(1 << Self.pieceBits)
        }
        pieces[pieces.count - 1].append(record)
        count += 1
    }

    subscript(_ index: UInt32) -> PlanRecord {
        get { pieces[Int(index) >> Self.pieceBits][Int(index) & (1 << Self.pieceBits - 1)] }
        _modify { yield &pieces[Int(index) >> Self.pieceBits][Int(index) & (1 << Self.pieceBits - 1)] }
    }
}

/// The names of all items, in a few large chunks: one allocation per chunk, and no copying.
struct NameArena: Sendable {
    private static let pieceSize = 1 << 20
    private var pieces: [[UInt8]] = []

    /// Adds the names of several items and returns the position of the first byte.
    mutating func add(_ names: [UInt8]) -> (piece: UInt32, start: UInt32) {
        if pieces.last.map({ $0.count + names.count > Self.pieceSize }) ?? true {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(max(Self.pieceSize, names.count))
        }
        let start = pieces[pieces.count - 1].count
        pieces[pieces.count - 1] += names
        return (UInt32(pieces.count - 1), UInt32(start))
    }

    /// Returns the name of a record.
    func name(of record: PlanRecord) -> ArraySlice<UInt8> {
        let start = Int(record.nameStart)
        return pieces[Int(record.namePiece)][start..<(start + Int(record.nameLength))]
    }
}
