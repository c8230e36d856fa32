internal import Crypto
internal import FileSystem
internal import SystemPackage

/// Compares what a snapshot has of an item with what lies in the target, all but the owner. For one thread.
final class TargetComparison {
    private let store: BackupStore
    private let reader: ObjectReader
    private var attributeSets: [Int64: [BackupStore.Attribute]] = [:]
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)

    init(_ store: BackupStore, _ reader: ObjectReader) {
        self.store = store
        self.reader = reader
    }

    deinit { buffer.deallocate() }

    /// A snapshot's set of attributes, by name.
    func attributes(_ entry: SnapshotEntry) throws(BackupError) -> [BackupStore.Attribute] {
        guard let set = entry.attributes else { return [] }
        if let known = attributeSets[set] { return known }
        let attributes = try store.attributes(set)
        // Most items have one of few sets; where each has its own, they are not to fill the memory.
        if attributeSets.count == 256 { attributeSets = [:] }
        attributeSets[set] = attributes
        return attributes
    }

    /// Whether an item that is there is just what was kept; of a directory without what it holds.
    func isSame(_ entry: SnapshotEntry, _ there: FileStatus, _ name: FilePath, in folder: Folder) throws -> Bool {
        guard there.kind == entry.kind, there.modified == entry.modified else { return false }
        if entry.kind == .symbolicLink { return try folder.linkTarget(name) == entry.target }
        guard there.permissions & 0o7777 == entry.permissions else { return false }
        let file = try folder.open(name, followingLinks: false)
        guard try Self.attributes(of: file) == attributes(entry) else { return false }
        guard entry.kind == .file else { return true }
        guard let object = entry.object else { return false }
        let kept = try reader.describe(object)
        return try kept.size == there.size && hash(of: file, size: kept.size) == kept.hash
    }

    private static func attributes(of file: OpenFile) throws -> [BackupStore.Attribute] {
        try file.attributes().sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { name in
            try file.attribute(name).map { BackupStore.Attribute(name: name, value: $0) }
        }
    }

    private func hash(of file: OpenFile, size: UInt64) throws(FileSystemError) -> ContentHash? {
        var hasher = SHA256()
        var position: UInt64 = 0
        while position < size {
            // What a hole holds is known without reading it.
            let data = min(file.nextData(from: position) ?? size, size)
            if data > position {
                ObjectReader.addZeros(data - position, to: &hasher)
                position = data
                continue
            }
            let count = try file.read(into: buffer, from: position)
            guard count > 0 else { return nil }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
        return position == size ? ContentHash(bytes: Array(hasher.finalize())) : nil
    }
}
