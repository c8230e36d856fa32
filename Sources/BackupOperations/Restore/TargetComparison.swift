internal import BackupRepository
internal import FileSystem
internal import SystemPackage

/// A comparison of snapshot entries with existing items, except for their owner. Not thread-safe.
final class TargetComparison {
    private let repository: Repository
    private let reader: ObjectReader
    /// The permission bits that a restore sets.
    private let permissionMask: UInt16
    /// False if files of the same size are not read.
    private let readsContent: Bool
    private var attributeSets: [Int64: [Repository.Attribute]] = [:]
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ObjectWriter.partSize, alignment: 4096)

    init(_ repository: Repository, reader: ObjectReader, preservesSetIDBits: Bool, readsContent: Bool) {
        self.repository = repository
        self.reader = reader
        self.readsContent = readsContent
        permissionMask = preservesSetIDBits ? 0o7777 : 0o7777 & ~SnapshotEntry.setIDBits
    }

    deinit { buffer.deallocate() }

    /// Returns the attributes of an entry, by name.
    func attributes(_ entry: SnapshotEntry) throws(BackupError) -> [Repository.Attribute] {
        guard let set = entry.attributes else { return [] }
        if let known = attributeSets[set] { return known }
        let attributes = try repository.attributes(set)
        // Most items share few sets; otherwise the cache must not grow without limit.
        if attributeSets.count == 256 { attributeSets = [:] }
        attributeSets[set] = attributes
        return attributes
    }

    /// Returns true if an existing item matches the entry; the content of directories is ignored. An unreadable item
    /// does not match.
    ///
    /// - Throws: `damaged` if the rows of the entry are damaged.
    func isSame(
        _ entry: SnapshotEntry, there: FileStatus, name: FilePath, in folder: Folder
    ) throws(BackupError) -> Bool {
        guard there.kind == entry.kind, there.modified == entry.modified else { return false }
        do {
            if entry.kind == .symbolicLink { return try folder.linkTarget(name) == entry.target }
            guard there.permissions & 0o7777 == entry.permissions & permissionMask else { return false }
            let file = try folder.open(name, followingLinks: false)
            guard try Self.attributes(of: file) == attributes(entry) else { return false }
            return try entry.kind != .file || holds(file, size: there.size, contentOf: entry)
        } catch is FileSystemError { return false } catch { throw BackupError(error) }
    }

    private static func attributes(of file: OpenFile) throws(FileSystemError) -> [Repository.Attribute] {
        do throws(FileSystemError) { return Repository.Attribute.list(try file.attributeValues()) } catch {
            // Many network file systems have no attributes.
            guard error.errno == .notSupported || error.errno == .notSupportedOnSocket else { throw error }
            return []
        }
    }

    private func holds(_ file: OpenFile, size: UInt64, contentOf entry: SnapshotEntry) throws -> Bool {
        guard let object = entry.object else { return false }
        let kept = try reader.describe(object)
        guard kept.size == size else { return false }
        guard readsContent else { return true }
        guard kept.form == .parts else { return try has(kept.hash, size: kept.size, at: 0, in: file) }
        var end: UInt64 = 0
        for (position, part) in try reader.verifiedParts(of: object, kept) {
            let inner = try reader.describe(part)
            guard try isZero(end..<position, in: file), try has(inner.hash, size: inner.size, at: position, in: file)
            else {
                return false
            }
            end = position + inner.size
        }
        return try isZero(end..<kept.size, in: file)
    }

    /// Returns true if the bytes at a position, at most a part's size, have this hash.
    private func has(
        _ hash: ContentHash, size: UInt64, at position: UInt64, in file: OpenFile
    ) throws(FileSystemError) -> Bool {
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(size)])
        guard try file.read(into: piece, from: position) == piece.count else { return false }
        return ContentHash(of: UnsafeRawBufferPointer(piece)) == hash
    }

    private func isZero(_ range: Range<UInt64>, in file: OpenFile) throws(FileSystemError) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            // Holes are zeros and need not be read.
            position = max(position, file.nextData(from: position) ?? range.upperBound)
            guard position < range.upperBound else { break }
            let count = Int(min(UInt64(buffer.count), range.upperBound - position))
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            guard try file.read(into: piece, from: position) == count, UnsafeRawBufferPointer(piece).isZero else {
                return false
            }
            position += UInt64(count)
        }
        return true
    }
}
