internal import AppContainer
internal import FileSystem

/// The availability of an item's content on this disk.
package enum Availability: UInt8, Sendable, CaseIterable {
    /// The content is on this disk.
    case present
    /// The file takes less room than its content: it has holes, or the file system compresses it.
    case sparse
    /// The content is elsewhere, usually in iCloud, and only the name, the size and the attributes are on this disk.
    case evicted
    /// The directory cannot be listed.
    case unreadable

    /// A short description for text output; nil for content that can be read.
    package var phrase: String? {
        switch self {
        case .present, .sparse: nil
        case .evicted: "content not on this disk"
        case .unreadable: "unreadable"
        }
    }

    /// The size in bytes up to which a file system may store a file without blocks, within its own structures.
    ///
    /// Source: ext4 (`inline_data`) and Btrfs (`max_inline`, at most 4 KiB), from the Linux kernel's documentation.
    static let mostInline: UInt64 = 4_096

    /// Returns true for the name of a placeholder, which iCloud Drive leaves in place of an evicted file: `.name.icloud`.
    package static func isPlaceholder(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        let ending = ".icloud".utf8
        return name.first == UInt8(ascii: ".") && name.count > ending.count + 1
            && name.suffix(ending.count).elementsEqual(ending)
    }
}

extension Directory {
    /// Returns the availability of the content of an item in this directory that is not a directory.
    ///
    /// A file is evicted if the system marks it (`SF_DATALESS` on Darwin), or if it has the name of a placeholder. A system
    /// without such a mark shows a file with a size, without blocks and without data. That may also be a file that has only
    /// been extended and never written, or zeros that the file system compressed to nothing (ZFS), so no tool treats the
    /// file as damaged. In an extracted archive or device backup, the blocks say nothing about the original.
    ///
    /// Source: Apple's technical note TN3150, “Getting ready for dataless files”; lseek(2) for `SEEK_DATA`.
    @inline(__always)
    package func availability(of item: Item) -> Availability {
        let status = item.status
        guard status.isFile else { return .present }
        if status.isDataless { return .evicted }
        if item.name.first == UInt8(ascii: "."), Availability.isPlaceholder(item.name) { return .evicted }
        return status.allocated < status.size ? availability(ofSparse: item) : .present
    }

    private func availability(ofSparse item: Item) -> Availability {
        guard keepsHoles, !Host.marksEvictedFiles, item.status.allocated == 0,
            item.status.size > Availability.mostInline || isInCloudDrive, item.entry.isHole
        else { return .sparse }
        return .evicted
    }

    /// True for what is stored in iCloud Drive and may be evicted by name and size alone.
    private var isInCloudDrive: Bool { path.starts(with: "Library/Mobile Documents/".utf8) }
}
