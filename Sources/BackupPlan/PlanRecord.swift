internal import FileSystem

/// One item as a plan keeps it: what a backup compares, in 80 bytes and without a pointer.
struct PlanRecord {
    /// Bytes of a file; of a directory that is left out, of all that it holds.
    var size: UInt64
    let inode: UInt64
    private let modifiedSeconds: Int64
    private let changedSeconds: Int64
    private let modifiedNanoseconds: UInt32
    private let changedNanoseconds: UInt32
    private let links: UInt32
    private let user: UInt32
    private let group: UInt32
    /// Where the name lies: a piece of the arena, and the first byte in it.
    var namePiece: UInt32 = 0
    var nameStart: UInt32
    /// The number of the directory it lies in, or `none` for the container itself.
    let parent: UInt32
    /// Its own number, if it is a directory.
    let directory: UInt32
    /// Which set of attribute names it has.
    var attributes: UInt32 = 0
    let nameLength: UInt16
    /// Twelve bits of permissions below three of the kind.
    private let mode: UInt16
    /// Which of the plan's disks it lies on.
    var device: UInt16 = 0
    let reason: PlanReason
    let decider: PlanDecider

    static let none = UInt32.max

    init(
        _ status: FileStatus, nameStart: Int, nameLength: Int, in parent: UInt32, directory: UInt32,
        verdict: PlanVerdict
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
        mode = status.permissions & 0o7777 | UInt16(status.kind.rawValue) << 12
        reason = verdict.reason
        decider = verdict.decider
    }

    var kind: FileKind { FileKind(rawValue: UInt8(mode >> 12)) ?? .unknown }

    /// What the item adds to a sum: content, that is, of files and of directories that are left out.
    var bytes: UInt64 { kind == .file || kind == .directory ? size : 0 }

    func status(device: UInt64) -> FileStatus {
        FileStatus(
            kind: kind, permissions: mode & 0o7777, links: links, owner: (user, group),
            size: kind == .directory ? 0 : size, identity: (device, inode),
            modified: Timestamp(seconds: modifiedSeconds, nanoseconds: modifiedNanoseconds),
            changed: Timestamp(seconds: changedSeconds, nanoseconds: changedNanoseconds))
    }
}
