package import CFileSystem
internal import SystemPackage

/// The kind of a directory entry.
package enum FileKind: UInt8, Sendable, Hashable, CaseIterable {
    case unknown, file, directory, symbolicLink, fifo, socket, characterDevice, blockDevice
}

/// A timestamp of a file system: seconds and nanoseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Sendable, Hashable, Comparable {
    package var seconds: Int64
    package var nanoseconds: UInt32

    @inlinable package init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    @inlinable package init(_ time: cfs_time) { self.init(seconds: time.seconds, nanoseconds: time.nanoseconds) }

    /// The current time of the system clock.
    package static var now: Timestamp { Timestamp(cfs_now()) }

    package var time: cfs_time { cfs_time(seconds: seconds, nanoseconds: nanoseconds) }

    @inlinable package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
    }

    /// Waits, for at most a hundredth of a second, until later changes to files get a later timestamp than this one.
    ///
    /// A kernel may take timestamps from a clock that advances only a hundred times a second, so that two consecutive
    /// changes have equal timestamps. Source: ktime_get_coarse_real_ts64 in Linux, CONFIG_HZ of 100 and more; multigrain since 6.13.
    package func waitUntilPast() {
        let now = Timestamp.now
        guard now.seconds.subtractingReportingOverflow(seconds).partialValue.magnitude < 2 else { return }
        let age = (now.seconds - seconds) * 1_000_000_000 + Int64(now.nanoseconds) - Int64(nanoseconds)
        if age.magnitude < 10_000_000 { cfs_pause(11) }
    }
}

/// The status of an entry (`stat`). For a symbolic link, the status of the link itself.
package struct FileStatus: Sendable {
    package let raw: cfs_status

    @inlinable package init(_ raw: cfs_status) { self.raw = raw }

    /// Creates the status of an entry of which only the kind and the size are known.
    package init(kind: FileKind, size: UInt64) {
        var raw = cfs_status()
        raw.kind = kind.rawValue
        raw.size = size
        self.raw = raw
    }

    /// Creates a status from stored values. The access time, the creation time and the allocated size are not stored.
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

    /// Reads the status of a directory entry. Does not follow a link.
    package init(of name: UnsafePointer<CChar>, in directory: Int32) throws(FileSystemError) {
        var raw = cfs_status()
        try succeed(cfs_status_at(directory, name, &raw), operation: "examine", FilePath(platformString: name))
        self.raw = raw
    }

    /// True for a regular file. Faster than `kind`.
    @inlinable package var isFile: Bool { raw.kind == UInt8(CFS_FILE) }
    package var kind: FileKind { FileKind(rawValue: raw.kind) ?? .unknown }
    /// Permission, set-id and sticky bits.
    package var permissions: UInt16 { raw.permissions }
    /// True if the file belongs to the user whose rights this process has.
    package var isOwnedByThisUser: Bool { raw.user == cfs_user() }
    /// The IDs of the owner and the group.
    package var owner: (user: UInt32, group: UInt32) { (raw.user, raw.group) }
    /// The size of the content in bytes.
    @inlinable package var size: UInt64 { raw.size }
    /// The allocated size on disk in bytes.
    package var allocated: UInt64 { raw.allocated }
    /// The identity of the entry, which is independent of its names.
    package var identity: (device: UInt64, inode: UInt64) { (raw.device, raw.inode) }
    /// The number of hard links.
    package var links: UInt32 { raw.links }
    package var accessed: Timestamp { Timestamp(raw.accessed) }
    @inlinable package var modified: Timestamp { Timestamp(raw.modified) }
    package var changed: Timestamp { Timestamp(raw.changed) }
    /// The creation time, if the file system stores it.
    package var birth: Timestamp? { raw.has_birth ? Timestamp(raw.birth) : nil }
    /// The status of a copy that does not exist yet: with an unknown creation time, and without the nodump flag, which
    /// Apple's systems do not restore.
    package var restored: FileStatus {
        var raw = raw
        (raw.has_birth, raw.no_dump) = (false, false)
        return FileStatus(raw)
    }
    /// Returns the status with another inode number.
    package func with(inode: UInt64) -> FileStatus {
        var raw = raw
        raw.inode = inode
        return FileStatus(raw)
    }
    /// True if the content is not on this disk, as of a file that iCloud has evicted (`SF_DATALESS`). Reading it would start
    /// a download, or fail with `Errno.deadlock` after `Host.leaveFilesUntouched()`.
    package var isDataless: Bool { raw.dataless }
    /// The flag that excludes the entry from dumps (`chattr +d`, `chflags nodump`).
    package var isNoDump: Bool { raw.no_dump }
}
