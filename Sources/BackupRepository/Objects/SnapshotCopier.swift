internal import FileSystem

/// A copier of snapshots from one repository into another. Every byte and every directory that it reads is verified.
///
/// Content, directories and attributes that the target already contains are not stored again. The copy of a snapshot has
/// the ID of the original.
package struct SnapshotCopier {
    private let source: Repository
    private let target: Repository
    private let reader: ObjectReader
    private let compressor: Compressor
    /// The rows of the target by those of the source.
    private var rows = Rows()

    /// Called with the number of copied files and their bytes since the last call.
    package var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    private struct Rows {
        var objects: [Int64: Int64] = [:]
        var directories: [Int64: Int64] = [:]
        var attributes: [Int64: Int64] = [:]
    }

    /// - Parameters:
    ///   - source: The repository with the snapshots.
    ///   - target: The repository that gets them, opened for adding.
    ///   - level: The compression level, as in `zstd -LEVEL`.
    /// - Throws: `noMemory`, `failed`, and errors of opening the catalogue of the source.
    package init(from source: Repository, to target: Repository, level: Int32 = 3) throws(BackupError) {
        self.source = source
        self.target = target
        reader = try ObjectReader(source)
        compressor = try Compressor(level: level)
    }

    /// Copies a snapshot. After an error, the target contains its earlier snapshots, and possibly content for a next try.
    ///
    /// - Returns: The snapshot of the target.
    /// - Throws: `damaged` if the original is; `full`, `readOnly`, `failed`.
    package mutating func copy(_ snapshot: Snapshot) throws(BackupError) -> Snapshot {
        let tree = TreeReader(snapshot, of: source)
        guard try tree.isSnapshotWhole() else {
            throw BackupError(
                .damaged, what: "the row of snapshot \(snapshot.number) does not match its hash",
                hint: "`sandboxbackup verify` reports all damage")
        }
        let writer = try ObjectWriter(target)
        do {
            let copy = Snapshot(
                taken: snapshot.taken, bundleIdentifier: snapshot.bundleIdentifier, kind: snapshot.kind,
                view: snapshot.view, tree: try directory(snapshot.tree, at: [], tree: tree, writer: writer),
                files: snapshot.files,
                bytes: snapshot.bytes, incidents: snapshot.incidents, exclusions: try exclusions(of: snapshot),
                labels: snapshot.labels)
            return try writer.finish(adding: copy)
        } catch {
            writer.abandon()
            // Rows of the target that were not committed are gone.
            rows = Rows()
            throw error
        }
    }

    private mutating func directory(
        _ number: Int64, at path: [UInt8], tree: TreeReader, writer: ObjectWriter
    ) throws(BackupError) -> Int64 {
        if let known = rows.directories[number] { return known }
        var entries: [SnapshotEntry] = []
        let isWhole = try tree.read(number) { entry throws(BackupError) in
            var copy = entry
            let inner = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
            if let child = entry.child { copy.child = try directory(child, at: inner, tree: tree, writer: writer) }
            if let object = entry.object { copy.object = try self.object(object, writer) }
            if let attributes = entry.attributes { copy.attributes = try self.attributes(attributes) }
            if entry.kind == .file { progress(1, entry.size) }
            entries.append(copy)
        }
        guard isWhole else { throw tree.snapshot.damage(at: path) }
        let copied = try target.insertDirectory(entries)
        rows.directories[number] = copied
        return copied
    }

    private mutating func object(_ number: Int64, _ writer: ObjectWriter) throws(BackupError) -> Int64 {
        if let known = rows.objects[number] { return known }
        let description = try reader.describe(number)
        let copied: Int64
        if let found = try writer.find(description.hash, size: Int(description.size)) {
            copied = found
        } else {
            copied = try add(number, description: description, writer: writer)
        }
        rows.objects[number] = copied
        return copied
    }

    private mutating func add(
        _ number: Int64, description: ObjectReader.Description, writer: ObjectWriter
    ) throws(BackupError) -> Int64 {
        guard description.form == .parts else {
            let content = try reader.verifiedContent(number, description: description)
            do {
                return try content.withUnsafeBytes {
                    try writer.add($0, hash: description.hash, compressor: compressor)
                }
            } catch { throw BackupError(error) }
        }
        var list = PartList()
        for (position, part) in try reader.verifiedParts(of: number, description) {
            list.add(try object(part, writer), hash: try reader.describe(part).hash, at: position)
        }
        return try writer.add(list, size: description.size)
    }

    private mutating func attributes(_ number: Int64) throws(BackupError) -> Int64? {
        if let known = rows.attributes[number] { return known }
        let copied = try target.insertAttributes(try source.attributes(number))
        rows.attributes[number] = copied
        return copied
    }

    private func exclusions(of snapshot: Snapshot) throws(BackupError) -> Int64? {
        guard let number = snapshot.exclusions else { return nil }
        let list = try source.exclusions(number)
        guard try source.hash(ofExclusions: number) == Repository.hash(of: list) else {
            throw BackupError(.damaged, what: "the exclusions of snapshot \(snapshot.number) do not match their hash")
        }
        return try target.insertExclusions(list)
    }
}
