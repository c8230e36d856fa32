package import FileSystem
package import SystemPackage

/// The identity and the state of an item at one moment, by which an undo recognizes it.
package struct ItemStamp: Codable, Sendable, Hashable {
    private let kind: UInt8
    private let inode: UInt64
    private let size: UInt64
    private let modified: [Int64]
    /// A checksum of the names, kinds, sizes and modification times of the content of a directory.
    private let tree: UInt64?

    /// Reads the stamp of an entry, of a directory with its content.
    package init(of path: FilePath, in folder: Folder) throws(FileSystemError) {
        let status = try folder.status(path)
        let tree = status.kind == .directory ? try Self.sum(of: path, in: folder) : nil
        self.init(status, tree: tree)
    }

    /// Creates the stamp of an entry without its content.
    package init(_ status: FileStatus, tree: UInt64? = nil) {
        kind = status.kind.rawValue
        inode = status.identity.inode
        size = status.kind == .directory ? 0 : status.size
        modified = [status.modified.seconds, Int64(status.modified.nanoseconds)]
        self.tree = tree
    }

    /// Returns true if an entry is this item, perhaps with changes. A file system may give inodes new numbers, so that the
    /// same size and modification time are sufficient.
    func isSame(as status: FileStatus) -> Bool {
        let other = ItemStamp(status)
        return kind == other.kind && (inode == other.inode || size == other.size && modified == other.modified)
    }

    /// Returns true if an entry has the inode of this item.
    func hasInode(of status: FileStatus) -> Bool { kind == status.kind.rawValue && inode == status.identity.inode }

    /// Returns true if an entry is this item without changes of its content.
    func isUnchanged(_ path: FilePath, in folder: Folder) throws(FileSystemError) -> Bool {
        let other = try ItemStamp(of: path, in: folder)
        guard kind == other.kind else { return false }
        if kind == FileKind.directory.rawValue { return tree == other.tree }
        return size == other.size && modified == other.modified
    }

    private static func sum(of path: FilePath, in folder: Folder) throws(FileSystemError) -> UInt64 {
        var sum: UInt64 = 0
        let (parent, name) = try folder.locate(path)
        try parent.openFolder(noFollow: name).visit("") { entry throws(FileSystemError) in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { $0.forEach(add) } }
            for byte in entry.path.bytes { add(byte) }
            add(entry.status.kind.rawValue)
            if entry.status.kind != .directory {
                add(entry.status.size)
                add(UInt64(bitPattern: entry.status.modified.seconds))
                add(UInt64(entry.status.modified.nanoseconds))
            }
            // A sum, because the order of the entries is of no importance.
            sum &+= hash
            return true
        }
        return sum
    }
}
