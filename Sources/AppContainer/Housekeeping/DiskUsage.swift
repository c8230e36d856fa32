internal import FileSystem
public import Foundation
internal import SystemPackage

/// The number and size of the files in a container.
public struct DiskUsage: Sendable, Hashable {
    /// The number and size of a set of files.
    public struct Size: Sendable, Hashable {
        /// The number of files, links and special files, without directories.
        public internal(set) var items = 0
        /// The bytes of content.
        public internal(set) var logical: UInt64 = 0
        /// The allocated bytes on disk, including directories. For a sparse file, fewer than its content. A file with
        /// several hard links counts once.
        public internal(set) var onDisk: UInt64 = 0

        /// The size of an empty set.
        public static let zero = Size()
    }
    /// A file.
    public struct Item: Sendable, Hashable {
        /// The path of the file.
        public let path: ContainerPath
        /// The bytes of content.
        public let size: UInt64
        /// The modification date.
        public let modified: Date
    }

    /// The total.
    public internal(set) var all = Size.zero
    /// The size for each standard directory that exists. A file counts for the nearest one.
    public internal(set) var byLocation: [Location: Size] = [:]
    /// The size for each treatment by backups.
    public internal(set) var byBackup: [BackupState: Size] = [:]
    /// The files with the most content, the largest first.
    public internal(set) var largest: [Item] = []
    /// The files with the earliest modification dates, the oldest first.
    public internal(set) var oldest: [Item] = []
}

extension Container {
    /// Returns the number and size of the files in a directory, by location and by treatment in backups.
    ///
    ///     let bytes = try container.usage(of: .caches).all.onDisk
    ///
    /// - Parameters:
    ///   - item: The directory, or a single file. The container by default. A standard directory that does not exist yet
    ///     is empty.
    ///   - count: The number of the largest and oldest files to list.
    /// - Returns: The counts. Files that change during the call are counted as they were when they were read.
    /// - Throws: `notFound`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func usage(of item: ContainerPath = .root, naming count: Int = 10) throws(ContainerError) -> DiskUsage {
        let path = try relative(item)
        var counter = DiskUsageCounter(named: count)
        do throws(FileSystemError) {
            if item.isStandardDirectory, try folder.statusIfPresent(path) == nil { return DiskUsage() }
        } catch { throw ContainerError(reading: error) }
        let position = try backupPosition(of: item)
        do throws(FileSystemError) {
            let status = try folder.status(path)
            let location = nearestLocation(path.components.map(\.string))
            counter.add(path, status: status, location: location, position: position)
            guard status.kind == .directory else { return counter.usage(self) }
            try folder.visit(path) { entry throws(FileSystemError) in
                try counter.add(entry, in: self)
                return true
            }
        } catch { throw ContainerError(reading: error) }
        return counter.usage(self)
    }
}

/// A counter of files in a container.
private struct DiskUsageCounter {
    private struct Directory {
        let location: Location
        let position: BackupPosition
    }
    private struct Inode: Hashable {
        let device: UInt64
        let number: UInt64
    }
    private struct File {
        let path: FilePath
        let status: FileStatus
    }

    private let named: Int
    private var counted = DiskUsage()
    private var directories: [FilePath: Directory] = [:]
    /// The files with several hard links that have been counted.
    private var seen: Set<Inode> = []
    private var largest: [File] = []
    private var oldest: [File] = []

    init(named: Int) { self.named = max(0, named) }

    /// Adds the item at which the count begins.
    mutating func add(_ path: FilePath, status: FileStatus, location: Location, position: BackupPosition) {
        guard status.kind == .directory else {
            return count(path, status: status, location: location, backup: position.decision.state)
        }
        enter(path, status: status, directory: Directory(location: location, position: position))
    }

    private mutating func enter(_ path: FilePath, status: FileStatus, directory: Directory) {
        directories[path] = directory
        add(
            DiskUsage.Size(items: 0, logical: 0, onDisk: status.allocated), location: directory.location,
            backup: directory.position.decision.state)
    }

    mutating func add(_ entry: Folder.Entry, in container: Container) throws(FileSystemError) {
        guard let parent = directories[entry.path.removingLastComponent()] else { return }
        let status = entry.status
        let carriesFlag = status.kind == .file || status.kind == .directory
        let facts = Container.BackupFacts(
            status: status, attributes: carriesFlag ? try Container.attributeNames(of: try entry.open()) : [])
        let path = entry.path.bytes
        let name = path.split(separator: UInt8(ascii: "/")).last ?? []
        if status.kind == .directory {
            let own = container.location(entry.path.components.map(\.string))
            let position = name.withUnsafeBytes {
                parent.position.entering(facts.item(named: $0), at: own, of: container, path: path)
            }
            return enter(
                entry.path, status: status, directory: Directory(location: own ?? parent.location, position: position))
        }
        let decision = name.withUnsafeBytes { parent.position.decision(on: facts.item(named: $0), path: path) }
        count(entry.path, status: status, location: parent.location, backup: decision.state)
    }

    private mutating func count(
        _ path: FilePath, status: FileStatus, location: Location, backup: BackupState
    ) {
        let (device, number) = status.identity
        let isNew = status.links < 2 || seen.insert(Inode(device: device, number: number)).inserted
        let size = DiskUsage.Size(
            items: 1, logical: status.kind == .file ? status.size : 0, onDisk: isNew ? status.allocated : 0)
        add(size, location: location, backup: backup)
        guard status.kind == .file else { return }
        let file = File(path: path, status: status)
        Self.insert(file, into: &largest, atMost: named) { $0.status.size > $1.status.size }
        Self.insert(file, into: &oldest, atMost: named) { $0.status.modified < $1.status.modified }
    }

    func usage(_ container: Container) -> DiskUsage {
        var usage = counted
        usage.largest = largest.map { Self.item($0, container: container) }
        usage.oldest = oldest.map { Self.item($0, container: container) }
        return usage
    }

    private mutating func add(_ size: DiskUsage.Size, location: Location, backup: BackupState) {
        counted.all += size
        counted.byLocation[location, default: .zero] += size
        counted.byBackup[backup, default: .zero] += size
    }

    /// Inserts a file into a sorted list with a maximum length. Of equal files, the first ones remain.
    private static func insert(
        _ file: File, into list: inout [File], atMost count: Int, before: (File, File) -> Bool
    ) {
        let position = list.firstIndex { before(file, $0) } ?? list.endIndex
        guard position < count else { return }
        list.insert(file, at: position)
        if list.count > count { list.removeLast() }
    }

    private static func item(_ file: File, container: Container) -> DiskUsage.Item {
        DiskUsage.Item(
            path: container.containerPath(file.path), size: file.status.size, modified: file.status.modified.date)
    }
}

extension DiskUsage.Size {
    fileprivate static func += (left: inout Self, right: Self) {
        left.items += right.items
        // A sparse file may have 8 EiB, so that the sum of three overflows.
        left.logical = left.logical.addingUpToMaximum(right.logical)
        left.onDisk = left.onDisk.addingUpToMaximum(right.onDisk)
    }
}

extension UInt64 {
    fileprivate func addingUpToMaximum(_ other: UInt64) -> UInt64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

/// The capacity of the file system of a container, in bytes.
public struct Capacity: Sendable, Hashable {
    /// The total capacity.
    public let total: UInt64
    /// The free space, including the part reserved for the superuser.
    public let free: UInt64
    /// The free space for this user.
    public let available: UInt64
}

extension Container {
    /// Returns the current capacity of the file system of the container.
    ///
    /// - Throws: `failed`.
    public func capacity() throws(ContainerError) -> Capacity {
        do throws(FileSystemError) {
            let space = try folder.space()
            return Capacity(total: space.total, free: space.free, available: space.available)
        } catch { throw ContainerError(error) }
    }
}
