internal import FileSystem
internal import SystemPackage

/// One run of a restoration: its way down the tree.
struct RestorationRun {
    private let plan: Restoration
    private let reader: ObjectReader
    private let wanted: [[UInt8]]
    private(set) var outcome = Restoration.Outcome()
    /// Where the first name of a file with several names was put, by what the file was known by.
    private var firstNames: [HardLink: FilePath] = [:]
    private var attributeSets: [Int64: [BackupStore.Attribute]] = [:]
    private var found: Set<[UInt8]> = []

    private struct HardLink: Hashable {
        let inode: UInt64
        let object: Int64
    }

    init(_ plan: Restoration) throws(BackupError) {
        self.plan = plan
        reader = try ObjectReader(plan.store)
        wanted = plan.paths.map { path in Array(path.drop { $0 == UInt8(ascii: "/") }) }
    }

    mutating func restore() throws(BackupError) {
        for root in try plan.store.entries(of: plan.snapshot.tree) where root.kind == .directory {
            try directory(root, at: [], in: plan.target, depth: 0)
        }
        for path in wanted where !found.contains(path) {
            throw BackupError(
                .notFound,
                "snapshot \(plan.snapshot.number) holds nothing of the path “\(String(decoding: path, as: UTF8.self))”",
                hint: "`sandboxbackup diff` and `snapshots` show what it holds")
        }
    }

    /// Whether a path is wanted itself or by one above it, or only leads to one that is.
    private mutating func isWanted(_ path: [UInt8]) -> (whole: Bool, way: Bool) {
        guard !wanted.isEmpty else { return (true, true) }
        var way = path.isEmpty
        for one in wanted {
            if one.isEmpty || path == one || path.starts(with: one + [UInt8(ascii: "/")]) {
                found.insert(one)
                return (true, true)
            }
            if one.starts(with: path + [UInt8(ascii: "/")]) { way = true }
        }
        return (false, way)
    }

    private mutating func directory(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, depth: Int
    ) throws(BackupError) {
        guard let child = entry.child else { return note(path, "damaged") }
        guard depth < 512 else { return note(path, "too-deep") }
        for inner in try plan.store.entries(of: child) {
            guard Self.isName(inner.name) else {
                note(path, "impossible-name")
                continue
            }
            let innerPath = path.isEmpty ? inner.name : path + [UInt8(ascii: "/")] + inner.name
            let (whole, way) = isWanted(innerPath)
            guard whole || (way && inner.kind == .directory) else { continue }
            do {
                try item(inner, at: innerPath, in: folder, depth: depth)
            } catch let error as FileSystemError {
                guard error.errno != .noSpace else { throw BackupError(error) }
                note(innerPath, Self.reason(error))
            } catch { throw BackupError(error) }
        }
        do {
            let opened = try folder.open(".")
            try attributes(entry, to: opened, path)
            try opened.take(Self.status(of: entry))
        } catch let error as FileSystemError { note(path, Self.reason(error)) } catch { throw BackupError(error) }
    }

    private mutating func item(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, depth: Int
    ) throws {
        let name = FilePath(bytes: entry.name)
        switch entry.kind {
        case .directory:
            if try folder.statusIfPresent(name)?.kind != .directory {
                try folder.makeDirectory(name, permissions: 0o700)
            }
            try directory(entry, at: path, in: folder.folder(noFollow: name), depth: depth + 1)
            outcome.directories += 1
        case .file: try file(entry, at: path, name, in: folder)
        case .symbolicLink:
            guard let target = entry.target else { return note(path, "damaged") }
            try makeRoom(for: name, in: folder)
            try folder.makeLink(name, to: FilePath(bytes: target))
            try folder.setTimes(name, accessed: entry.modified, modified: entry.modified)
            outcome.links += 1
        default: note(path, "not-kept")
        }
    }

    private mutating func file(
        _ entry: SnapshotEntry, at path: [UInt8], _ name: FilePath, in folder: Folder
    ) throws {
        guard let object = entry.object else { return note(path, "damaged") }
        let link = HardLink(inode: entry.inode, object: object)
        if entry.links > 1, let first = firstNames[link] {
            try makeRoom(for: name, in: folder)
            try plan.target.addName(to: first, at: FilePath(bytes: path))
            outcome.files += 1
            return
        }
        let file = try stage(in: folder)
        do {
            let size = try reader.size(of: object)
            try reader.read(object) { position, bytes throws(BackupError) in
                do throws(FileSystemError) { try Self.write(bytes, at: position, of: size, to: file) } catch {
                    throw BackupError(error)
                }
            }
            if size > ObjectAdder.partSize { try file.setSize(size) }
            try attributes(entry, to: file, path)
            try file.take(Self.status(of: entry))
            try file.close()
            try put(name, in: folder)
            outcome.bytes += size
        } catch let error as BackupError where error.code == .damaged {
            try folder.remove(Self.staging)
            return note(path, "damaged")
        } catch {
            try? folder.remove(Self.staging)
            throw error
        }
        if entry.links > 1 { firstNames[link] = FilePath(bytes: path) }
        outcome.files += 1
        plan.progress(outcome.files, outcome.bytes)
    }

    private static let staging: FilePath = ".sandboxbackup-staging"

    private func stage(in folder: Folder) throws(FileSystemError) -> OpenFile {
        do throws(FileSystemError) { return try folder.create(Self.staging, permissions: 0o600) } catch {
            // A restoration that was ended left it.
            guard error.errno == .fileExists else { throw error }
            try folder.remove(Self.staging)
            return try folder.create(Self.staging, permissions: 0o600)
        }
    }

    private func put(_ name: FilePath, in folder: Folder) throws {
        do throws(FileSystemError) { try folder.rename(Self.staging, to: name, in: folder) } catch {
            guard error.errno == .fileExists else { throw error }
            try makeRoom(for: name, in: folder)
            try folder.rename(Self.staging, to: name, in: folder)
        }
    }

    /// Writes what is not zeros of a large file, in blocks, and all of a small one.
    private static func write(
        _ bytes: [UInt8], at position: UInt64, of size: UInt64, to file: OpenFile
    ) throws(FileSystemError) {
        guard size > ObjectAdder.partSize else { return try file.write(bytes) }
        var failure: FileSystemError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileSystemError) {
                var start = 0
                while start < bytes.count {
                    // From a block that holds something to one that holds nothing.
                    while start < bytes.count, isZero(bytes[start..<min(start + block, bytes.count)]) { start += block }
                    var end = start
                    while end < bytes.count, !isZero(bytes[end..<min(end + block, bytes.count)]) { end += block }
                    guard start < bytes.count else { break }
                    let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, bytes.count)])
                    try file.write(piece, at: position + UInt64(start))
                    start = end
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private static let block = 4096

    private static func isZero(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        var index = 0
        while index + 8 <= bytes.count {
            if bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) != 0 { return false }
            index += 8
        }
        return bytes[index...].allSatisfy { $0 == 0 }
    }

    private func makeRoom(for name: FilePath, in folder: Folder) throws {
        guard let there = try folder.statusIfPresent(name) else { return }
        guard plan.replacesFiles, there.kind != .directory else {
            throw FileSystemError("restore", name, .fileExists)
        }
        try folder.remove(name)
    }

    private mutating func attributes(_ entry: SnapshotEntry, to file: OpenFile, _ path: [UInt8]) throws {
        guard let set = entry.attributes else { return }
        if attributeSets[set] == nil { attributeSets[set] = try plan.store.attributes(set) }
        for attribute in attributeSets[set] ?? [] {
            do throws(FileSystemError) { try file.setAttribute(attribute.name, attribute.value) } catch {
                note(path, "attribute-not-set")
            }
        }
    }

    /// One component of a path, and no other: what a store says is not believed.
    private static func isName(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 255 && !name.contains(0) && !name.contains(UInt8(ascii: "/"))
            && name != [UInt8(ascii: ".")] && name != Array("..".utf8)
    }

    private static func status(of entry: SnapshotEntry) -> FileStatus {
        FileStatus(
            kind: entry.kind, permissions: entry.permissions, links: entry.links, owner: (entry.user, entry.group),
            size: entry.size, identity: (0, entry.inode), modified: entry.modified, changed: entry.changed)
    }

    private static func reason(_ error: FileSystemError) -> String {
        switch error.errno {
        case .fileExists: "already-there"
        case .permissionDenied, .notPermitted: "permission-denied"
        default: "not-writable"
        }
    }

    private mutating func note(_ path: [UInt8], _ reason: String) {
        outcome.incidents.append(Snapshot.Incident(path: path, reason: reason))
    }
}
