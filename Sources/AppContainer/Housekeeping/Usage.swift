internal import FileSystem
public import Foundation
internal import SystemPackage

/// What a container's files take, in numbers and bytes.
public struct Usage: Sendable, Hashable {
    /// Some files' number and size.
    public struct Size: Sendable, Hashable {
        /// Files, links and special files; no directories.
        public internal(set) var items = 0
        /// Bytes of content.
        public internal(set) var logical: UInt64 = 0
        /// Bytes taken on the disk, directories' own included: less than the content of a sparse file. What has
        /// several names counts once.
        public internal(set) var onDisk: UInt64 = 0

        /// Nothing.
        public static let zero = Size()
    }
    /// One file.
    public struct Item: Sendable, Hashable {
        /// Where it lies.
        public let place: ContainerPath
        /// Bytes of content.
        public let size: UInt64
        /// When its content was last changed.
        public let modified: Date
    }

    /// Everything.
    public internal(set) var all = Size.zero
    /// By the nearest location of `Location.table` that holds a file or a directory; one that is not there is not
    /// named.
    public internal(set) var byLocation: [Location: Size] = [:]
    /// By whether a flag keeps a file out of backups; where it lies is another matter: see `Location.backup`.
    public internal(set) var byExclusion: [BackupExclusion.State: Size] = [:]
    /// The files with the most content, the largest first.
    public internal(set) var largest: [Item] = []
    /// The files that were changed the longest ago, the oldest first.
    public internal(set) var oldest: [Item] = []
}

extension Container {
    /// Counts what the container's files take, by where they lie and whether they are flagged.
    ///
    /// - Parameter count: How many of the largest and oldest files are named.
    /// - Returns: The counts, as of the moments at which each file was looked at.
    /// - Throws: `permissionDenied`, `failed`.
    public func usage(naming count: Int = 10) throws(ContainerError) -> Usage {
        var count = UsageCount(named: count)
        do throws(FileSystemError) {
            let root = try folder.status("")
            let isFlagged = try Self.exclusion(of: try folder.open("."), above: .included)
            count.enter("", root, .root, isFlagged)
            try folder.visit("") { entry throws(FileSystemError) in
                try count.add(entry, bundleIdentifier: bundleIdentifier)
                return true
            }
        } catch { throw ContainerError(error) }
        return try count.usage(self)
    }

    fileprivate static func exclusion(
        of file: OpenFile, above: BackupExclusion.State
    ) throws(FileSystemError) -> BackupExclusion.State {
        if above == .excluded { return above }
        do throws(FileSystemError) {
            let names = try file.attributes()
            return names.contains { ExclusionMark(attribute: $0)?.isApple == true } ? .excluded : above
        } catch {
            guard error.errno == .notSupported || error.errno == .notSupportedOnSocket else { throw error }
            return .unknown
        }
    }
}

/// A count in the making.
private struct UsageCount {
    private struct Directory {
        let location: Location
        let exclusion: BackupExclusion.State
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
    private var counted = Usage()
    private var directories: [FilePath: Directory] = [:]
    /// Files with several names that have been counted.
    private var seen: Set<Inode> = []
    private var largest: [File] = []
    private var oldest: [File] = []

    init(named: Int) { self.named = max(0, named) }

    mutating func enter(
        _ path: FilePath, _ status: FileStatus, _ location: Location, _ exclusion: BackupExclusion.State
    ) {
        directories[path] = Directory(location: location, exclusion: exclusion)
        add(Usage.Size(items: 0, logical: 0, onDisk: status.allocated), location, exclusion)
    }

    mutating func add(_ entry: Folder.Entry, bundleIdentifier: String?) throws(FileSystemError) {
        let parent = directories[entry.path.removingLastComponent()] ?? Directory(location: .root, exclusion: .unknown)
        let status = entry.status
        let carriesFlag = status.kind == .file || status.kind == .directory
        let exclusion =
            carriesFlag ? try Container.exclusion(of: try entry.open(), above: parent.exclusion) : parent.exclusion
        if status.kind == .directory {
            let components = entry.path.components.map(\.string)
            let own = Location.exactly(components, bundleIdentifier: bundleIdentifier)
            return enter(entry.path, status, own ?? parent.location, exclusion)
        }
        let (device, number) = status.identity
        let isNew = status.links < 2 || seen.insert(Inode(device: device, number: number)).inserted
        let size = Usage.Size(
            items: 1, logical: status.kind == .file ? status.size : 0, onDisk: isNew ? status.allocated : 0)
        add(size, parent.location, exclusion)
        guard status.kind == .file else { return }
        let file = File(path: entry.path, status: status)
        Self.insert(file, into: &largest, atMost: named) { $0.status.size > $1.status.size }
        Self.insert(file, into: &oldest, atMost: named) { $0.status.modified < $1.status.modified }
    }

    func usage(_ container: Container) throws(ContainerError) -> Usage {
        var usage = counted
        usage.largest = try largest.map { file throws(ContainerError) in try Self.item(file, container) }
        usage.oldest = try oldest.map { file throws(ContainerError) in try Self.item(file, container) }
        return usage
    }

    private mutating func add(_ size: Usage.Size, _ location: Location, _ exclusion: BackupExclusion.State) {
        counted.all += size
        counted.byLocation[location, default: .zero] += size
        counted.byExclusion[exclusion, default: .zero] += size
    }

    /// Keeps the first few in an order; of equals, those met first.
    private static func insert(
        _ file: File, into list: inout [File], atMost count: Int, before: (File, File) -> Bool
    ) {
        let position = list.firstIndex { before(file, $0) } ?? list.endIndex
        guard position < count else { return }
        list.insert(file, at: position)
        if list.count > count { list.removeLast() }
    }

    private static func item(_ file: File, _ container: Container) throws(ContainerError) -> Usage.Item {
        Usage.Item(
            place: try container.place(file.path), size: file.status.size, modified: file.status.modified.date)
    }
}

extension Usage.Size {
    fileprivate static func += (left: inout Self, right: Self) {
        left.items += right.items
        // A sparse file may claim 8 EiB, so that three pass what 64 bits count.
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
