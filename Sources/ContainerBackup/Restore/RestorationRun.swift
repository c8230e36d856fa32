internal import FileSystem
internal import SystemPackage

/// One run of a restoration: its way down the tree.
struct RestorationRun {
    private let plan: Restoration
    private let reader: ObjectReader
    private let target: Folder
    private let comparison: TargetComparison
    private var wanted: WantedPaths
    private(set) var outcome = Restoration.Outcome()
    private var sameBytes: UInt64 = 0
    /// Where the first name of a file with several names was put, by what the file was known by.
    private var firstNames: [HardLink: FilePath] = [:]

    private struct HardLink: Hashable {
        let inode: UInt64
        let object: Int64
    }

    init(_ plan: Restoration, into target: Folder) throws(BackupError) {
        self.plan = plan
        self.target = target
        reader = try ObjectReader(plan.store)
        comparison = try TargetComparison(plan.store)
        wanted = WantedPaths(plan.paths)
    }

    mutating func restore() throws(BackupError) {
        for root in try plan.store.entries(of: plan.snapshot.tree) where root.kind == .directory {
            try directory(root, at: [], in: target, depth: 0)
        }
        try wanted.requireAll(in: plan.snapshot)
    }

    private mutating func directory(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, depth: Int
    ) throws(BackupError) {
        guard let child = entry.child else { return note(path, "damaged") }
        guard depth < SnapshotEntry.maximumDepth else { return note(path, "too-deep") }
        for inner in try plan.store.entries(of: child) {
            guard Self.isName(inner.name) else {
                note(path, "impossible-name")
                continue
            }
            let innerPath = path.isEmpty ? inner.name : path + [UInt8(ascii: "/")] + inner.name
            let (whole, way) = wanted.look(at: innerPath)
            guard whole || (way && inner.kind == .directory), !plan.leavesOut(innerPath) else { continue }
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
            guard let pointed = entry.target else { return note(path, "damaged") }
            if try isThere(entry, name, in: folder) { return }
            try makeRoom(for: name, in: folder)
            try folder.makeLink(name, to: FilePath(bytes: pointed))
            try folder.takeOwner(name, of: Self.status(of: entry))
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
            if let there = try folder.statusIfPresent(name), there.identity == (try target.status(first)).identity {
                outcome.same += 1
                return
            }
            try makeRoom(for: name, in: folder)
            try target.addName(to: first, at: FilePath(bytes: path))
            outcome.files += 1
            return
        }
        if try isThere(entry, name, in: folder) {
            if entry.links > 1 { firstNames[link] = FilePath(bytes: path) }
            return
        }
        let file = try stage(in: folder)
        do {
            let size = try reader.size(of: object)
            try reader.read(object) { position, bytes throws(BackupError) in
                tell(unfinished: position)
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
        tell()
    }

    /// Whether the target has the item as it was kept, which is counted.
    private mutating func isThere(_ entry: SnapshotEntry, _ name: FilePath, in folder: Folder) throws -> Bool {
        guard let there = try folder.statusIfPresent(name),
            try comparison.isSame(entry, there, name, in: folder)
        else { return false }
        outcome.same += 1
        sameBytes += there.kind == .file ? there.size : 0
        tell()
        return true
    }

    private func tell(unfinished: UInt64 = 0) {
        plan.progress(outcome.files + outcome.same, outcome.bytes + sameBytes + unfinished)
    }

    private static let staging: FilePath = ".sandboxbackup-staging"

    private func stage(in folder: Folder) throws(FileSystemError) -> OpenFile {
        do throws(FileSystemError) {
            return try UnfinishedFiles.make(Self.staging, in: folder, permissions: 0o600)
        } catch {
            // A restoration that was ended left it.
            guard error.errno == .fileExists else { throw error }
            try folder.remove(Self.staging)
            return try UnfinishedFiles.make(Self.staging, in: folder, permissions: 0o600)
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
        for attribute in try comparison.attributes(entry) {
            do throws(FileSystemError) { try file.setAttribute(attribute.name, attribute.value) } catch {
                note(path, "attribute-not-set")
            }
        }
    }

    /// One component of a path, and no other: what a store says is not believed.
    static func isName(_ name: [UInt8]) -> Bool {
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
