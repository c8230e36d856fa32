internal import BackupRepository
internal import FileSystem
internal import SystemPackage

/// Compares what a snapshot has of an item with what lies in the target, all but the owner. For one thread.
final class TargetComparison {
    private let repository: Repository
    private let reader: ObjectReader
    /// The bits of a kept mode that the target has.
    private let permissionMask: UInt16
    private var attributeSets: [Int64: [Repository.Attribute]] = [:]
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ObjectWriter.partSize, alignment: 4096)

    init(_ repository: Repository, _ reader: ObjectReader, preservesSetIDBits: Bool) {
        self.repository = repository
        self.reader = reader
        permissionMask = preservesSetIDBits ? 0o7777 : 0o7777 & ~SnapshotEntry.setIDBits
    }

    deinit { buffer.deallocate() }

    /// A snapshot's set of attributes, by name.
    func attributes(_ entry: SnapshotEntry) throws(BackupError) -> [Repository.Attribute] {
        guard let set = entry.attributes else { return [] }
        if let known = attributeSets[set] { return known }
        let attributes = try repository.attributes(set)
        // Most items have one of few sets; where each has its own, they are not to fill the memory.
        if attributeSets.count == 256 { attributeSets = [:] }
        attributeSets[set] = attributes
        return attributes
    }

    /// Whether an item that is there is just what was kept; of a directory without what it holds. What cannot be looked at
    /// is not known to be.
    ///
    /// - Throws: `damaged` where the store does not say what was kept.
    func isSame(
        _ entry: SnapshotEntry, _ there: FileStatus, _ name: FilePath, in folder: Folder
    ) throws(BackupError) -> Bool {
        guard there.kind == entry.kind, there.modified == entry.modified else { return false }
        do {
            if entry.kind == .symbolicLink { return try folder.linkTarget(name) == entry.target }
            guard there.permissions & 0o7777 == entry.permissions & permissionMask else { return false }
            let file = try folder.open(name, followingLinks: false)
            guard try Self.attributes(of: file) == attributes(entry) else { return false }
            return try entry.kind != .file || holds(file, there.size, contentOf: entry)
        } catch is FileSystemError { return false } catch { throw BackupError(error) }
    }

    private static func attributes(of file: OpenFile) throws(FileSystemError) -> [Repository.Attribute] {
        do throws(FileSystemError) { return Repository.Attribute.list(try file.attributeValues()) } catch {
            // Many network disks carry none.
            guard error.errno == .notSupported else { throw error }
            return []
        }
    }

    private func holds(_ file: OpenFile, _ size: UInt64, contentOf entry: SnapshotEntry) throws -> Bool {
        guard let object = entry.object else { return false }
        let kept = try reader.describe(object)
        guard kept.size == size else { return false }
        guard kept.form == .parts else { return try has(kept.hash, kept.size, at: 0, in: file) }
        var end: UInt64 = 0
        for (position, part) in try reader.verifiedParts(of: object, kept) {
            let inner = try reader.describe(part)
            guard try isZero(end..<position, in: file), try has(inner.hash, inner.size, at: position, in: file) else {
                return false
            }
            end = position + inner.size
        }
        return try isZero(end..<kept.size, in: file)
    }

    /// Whether what lies there, of at most a part's size, is what is known by this hash.
    private func has(
        _ hash: ContentHash, _ size: UInt64, at position: UInt64, in file: OpenFile
    ) throws(FileSystemError) -> Bool {
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(size)])
        guard try file.read(into: piece, from: position) == piece.count else { return false }
        return ContentHash(of: UnsafeRawBufferPointer(piece)) == hash
    }

    private func isZero(_ range: Range<UInt64>, in file: OpenFile) throws(FileSystemError) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            // What a hole holds is known without reading it.
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
