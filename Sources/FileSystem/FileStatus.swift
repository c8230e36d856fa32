package import CFileSystem
internal import SystemPackage

/// What an entry of a directory is.
package enum FileKind: UInt8, Sendable, Hashable, CaseIterable {
    case unknown, file, directory, symbolicLink, fifo, socket, characterDevice, blockDevice
}

/// A point in time as a file system keeps it: seconds and nanoseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Sendable, Hashable, Comparable {
    package var seconds: Int64
    package var nanoseconds: UInt32

    @inlinable package init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    @inlinable package init(_ time: cfs_time) { self.init(seconds: time.seconds, nanoseconds: time.nanoseconds) }

    /// The system clock's reading.
    package static var now: Timestamp { Timestamp(cfs_now()) }

    package var time: cfs_time { cfs_time(seconds: seconds, nanoseconds: nanoseconds) }

    @inlinable package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
    }

    /// Waits, for a hundredth of a second at most, until whatever is changed from now on gets a later time than this one.
    ///
    /// A kernel may take the times of files from a clock that moves a hundred times a second only, so that two changes in
    /// a row look like one. Source: ktime_get_coarse_real_ts64 in Linux, CONFIG_HZ of 100 and more; multigrain since 6.13.
    package func waitUntilPast() {
        let now = Timestamp.now
        guard now.seconds.subtractingReportingOverflow(seconds).partialValue.magnitude < 2 else { return }
        let age = (now.seconds - seconds) * 1_000_000_000 + Int64(now.nanoseconds) - Int64(nanoseconds)
        if age.magnitude < 10_000_000 { cfs_pause(11) }
    }
}

/// What the kernel says of one entry; a symbolic link is described itself, not its target.
package struct FileStatus: Sendable {
    package let raw: cfs_status

    @inlinable package init(_ raw: cfs_status) { self.raw = raw }

    /// An entry of which nothing but this is known.
    package init(kind: FileKind, size: UInt64) {
        var raw = cfs_status()
        raw.kind = kind.rawValue
        raw.size = size
        self.raw = raw
    }

    /// What was kept of a status: all but when the entry was read and made, and what it takes on the disk.
    package init(
        kind: FileKind, permissions: UInt16, links: UInt32, owner: (user: UInt32, group: UInt32), size: UInt64,
        identity: (device: UInt64, inode: UInt64), modified: Timestamp, changed: Timestamp
    ) {
        var raw = cfs_status()
        raw.kind = kind.rawValue
        raw.permissions = permissions
        raw.links = links
        (raw.user, raw.group) = owner
        raw.size = size
        (raw.device, raw.inode) = identity
        raw.modified = modified.time
        raw.changed = changed.time
        self.raw = raw
    }

    /// What the kernel says of a directory's entry; a link is not followed.
    package init(of name: UnsafePointer<CChar>, in directory: Int32) throws(FileSystemError) {
        var raw = cfs_status()
        try succeed(cfs_status_at(directory, name, &raw), "examine", FilePath(platformString: name))
        self.raw = raw
    }

    /// Whether it is a regular file; quicker than its kind.
    @inlinable package var isFile: Bool { raw.kind == UInt8(CFS_FILE) }
    package var kind: FileKind { FileKind(rawValue: raw.kind) ?? .unknown }
    /// Permission, set-id and sticky bits.
    package var permissions: UInt16 { raw.permissions }
    /// The numbers of its owner and group.
    package var owner: (user: UInt32, group: UInt32) { (raw.user, raw.group) }
    /// Bytes of content.
    @inlinable package var size: UInt64 { raw.size }
    /// Bytes taken on the disk.
    package var allocated: UInt64 { raw.allocated }
    /// What the entry is to the kernel, whatever its names.
    package var identity: (device: UInt64, inode: UInt64) { (raw.device, raw.inode) }
    /// How many names the entry has.
    package var links: UInt32 { raw.links }
    package var accessed: Timestamp { Timestamp(raw.accessed) }
    @inlinable package var modified: Timestamp { Timestamp(raw.modified) }
    package var changed: Timestamp { Timestamp(raw.changed) }
    /// When the entry was made, where the file system keeps that.
    package var birth: Timestamp? { raw.has_birth ? Timestamp(raw.birth) : nil }
    /// The owner's "leave out of dumps" bit (`chattr +d`, `chflags nodump`).
    package var isNoDump: Bool { raw.no_dump }
}
