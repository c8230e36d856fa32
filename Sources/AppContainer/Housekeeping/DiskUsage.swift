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
    ///   - item: The directory, or a single file. The container by default. A standard directory that does not exist
    ///     yet is empty.
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
            if status.kind == .directory { try counter.addContent(of: self) }
        } catch { throw ContainerError(reading: error) }
        return counter.usage(self)
    }
}

/// A counter of files in a container.
private struct DiskUsageCounter {
    private struct Directory {
        /// The path from the root of the container.
        let path: [UInt8]
        let location: Location
        let position: BackupPosition
    }
    private struct Inode: Hashable {
        let device: UInt64
        let number: UInt64
    }
    private struct File {
        let path: [UInt8]
        let status: FileStatus
    }
    /// The path of an entry, of which most are never made.
    private struct EntryPath {
        /// The path of the directory with a slash, or empty.
        let folder: [UInt8]
        let name: UnsafeRawBufferPointer

        var bytes: [UInt8] { folder + name }

        func precedes(_ other: [UInt8]) -> Bool {
            let start = other.prefix(folder.count)
            return start.elementsEqual(folder)
                ? name.lexicographicallyPrecedes(other[start.endIndex...]) : folder.lexicographicallyPrecedes(other)
        }
    }
    /// The sizes of the entries of a directory. They count for one location.
    private struct Sizes {
        var all = DiskUsage.Size.zero
        var included = DiskUsage.Size.zero
        var excluded = DiskUsage.Size.zero
        var unknown = DiskUsage.Size.zero

        mutating func add(_ size: DiskUsage.Size, _ state: BackupState) {
            all += size
            switch state {
            case .included: included += size
            case .excluded: excluded += size
            case .unknown: unknown += size
            }
        }
    }

    private let named: Int
    private var counted = DiskUsage()
    /// The directories whose content has not been counted.
    private var pending: [Directory] = []
    /// The files with several hard links that have been counted.
    private var seen: Set<Inode> = []
    private var largest: [File] = []
    private var oldest: [File] = []

    init(named: Int) { self.named = max(0, named) }

    /// Adds the item at which the count begins.
    mutating func add(_ path: FilePath, status: FileStatus, location: Location, position: BackupPosition) {
        guard status.kind == .directory else {
            let size = path.bytes.withUnsafeBytes { count(EntryPath(folder: [], name: $0), status: status) }
            return add(size, location: location, backup: position.decision.state)
        }
        enter(Directory(path: path.bytes, location: location, position: position), status: status)
    }

    private mutating func enter(_ directory: Directory, status: FileStatus) {
        pending.append(directory)
        add(
            DiskUsage.Size(items: 0, logical: 0, onDisk: status.allocated), location: directory.location,
            backup: directory.position.decision.state)
    }

    /// Adds everything beneath the directories that were entered. Skips what disappears meanwhile.
    mutating func addContent(of container: Container) throws(FileSystemError) {
        let start = pending.count
        while let directory = pending.popLast() {
            do throws(FileSystemError) { try addContent(of: directory, in: container) } catch {
                guard error.errno == .noSuchFileOrDirectory, pending.count >= start else { throw error }
            }
        }
    }

    private mutating func addContent(of directory: Directory, in container: Container) throws(FileSystemError) {
        var sizes = Sizes()
        // The sum of what was counted before the directory disappeared remains.
        defer { add(sizes, location: directory.location) }
        let folder = try container.folder.openFolder(noLinks: FilePath(bytes: directory.path))
        // A file system without attributes may return empty lists for its entries.
        let carriesAttributes = try Container.attributeNames(of: try folder.open(".")) != nil
        // Marks change nothing in a directory that no backup contains.
        let readsMarks = carriesAttributes && directory.position.decision.isStored
        let prefix = directory.path.isEmpty ? [] : directory.path + [UInt8(ascii: "/")]
        try folder.forEachEntry { name, status throws(FileSystemError) in
            guard let start = name.baseAddress else { return }
            var facts = Container.BackupFacts(status: status, attributes: carriesAttributes ? [] : nil)
            if readsMarks, status.kind == .file || status.kind == .directory {
                do throws(FileSystemError) {
                    facts.attributes = try folder.attributeNames(
                        ofEntry: start.assumingMemoryBound(to: CChar.self), path: FilePath(bytes: name))
                } catch {
                    if error.errno == .noSuchFileOrDirectory { return }
                    throw FileSystemError(error.operation, path: FilePath(bytes: prefix + name), errno: error.errno)
                }
            }
            let item = facts.item(named: name)
            guard status.kind == .directory else {
                let decision = directory.position.decision(on: item, path: prefix + name)
                return sizes.add(count(EntryPath(folder: prefix, name: name), status: status), decision.state)
            }
            let path = prefix + name
            let own = container.location(FilePath(bytes: path).names.map(\.string))
            let position = directory.position.entering(item, at: own, of: container, path: path)
            enter(Directory(path: path, location: own ?? directory.location, position: position), status: status)
        }
    }

    /// Returns the size of a file, and adds the file to the lists of the largest and the oldest.
    private mutating func count(_ path: EntryPath, status: FileStatus) -> DiskUsage.Size {
        let (device, number) = status.identity
        let isNew = status.links < 2 || seen.insert(Inode(device: device, number: number)).inserted
        let isFile = status.isFile
        if isFile {
            Self.insert(status, path, into: &largest, atMost: named) { $0.size > $1.size }
            Self.insert(status, path, into: &oldest, atMost: named) { $0.modified < $1.modified }
        }
        return DiskUsage.Size(
            items: 1, logical: isFile ? status.size : 0, onDisk: isNew ? status.allocated : 0)
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

    private mutating func add(_ sizes: Sizes, location: Location) {
        guard sizes.all.items > 0 else { return }
        counted.all += sizes.all
        counted.byLocation[location, default: .zero] += sizes.all
        for (state, size) in [
            (BackupState.included, sizes.included), (.excluded, sizes.excluded), (.unknown, sizes.unknown),
        ]
        where size.items > 0 {
            counted.byBackup[state, default: .zero] += size
        }
    }

    /// Inserts a file into a sorted list with a maximum length. Of equal files, the one with the first path remains.
    private static func insert(
        _ status: FileStatus, _ path: EntryPath, into list: inout [File], atMost count: Int,
        before: (FileStatus, FileStatus) -> Bool
    ) {
        func precedes(_ other: File) -> Bool {
            before(status, other.status) || !before(other.status, status) && path.precedes(other.path)
        }
        if list.count >= count {
            guard let last = list.last, precedes(last) else { return }
        }
        list.insert(File(path: path.bytes, status: status), at: list.firstIndex(where: precedes) ?? list.endIndex)
        if list.count > count { list.removeLast() }
    }

    private static func item(_ file: File, container: Container) -> DiskUsage.Item {
        DiskUsage.Item(
            path: container.containerPath(FilePath(bytes: file.path)), size: file.status.size,
            modified: file.status.modified.date)
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
    /// The space for data that the user asks for, such as a download: on Apple's systems with what the system can purge
    /// for it, elsewhere `available`.
    public let availableForImportantUse: UInt64
}

extension Container {
    /// Returns the current capacity of the file system of the container.
    ///
    /// - Throws: `failed`.
    public func capacity() throws(ContainerError) -> Capacity {
        do throws(FileSystemError) {
            let space = try folder.space()
            return Capacity(
                total: space.total, free: space.free, available: space.available,
                availableForImportantUse: importantCapacity ?? space.available)
        } catch { throw ContainerError(error) }
    }

    private var importantCapacity: UInt64? {
        #if canImport(Darwin)
        let values = try? URL(filePath: location.string, directoryHint: .isDirectory).resourceValues(
            forKeys: [.volumeAvailableCapacityForImportantUsageKey])
        return values?.volumeAvailableCapacityForImportantUsage.flatMap { UInt64(exactly: $0) }
        #else
        return nil
        #endif
    }
}
