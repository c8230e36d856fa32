internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import DatabaseInspection
internal import ExternalPrograms
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// Consistent copies of databases in use, in a private tree with the shape of the container, which a tool stores
/// instead of the original files.
///
/// The tree has no hard links: creating one would change the change time of the app's file, and a tool would read it
/// again.
final class StagedDatabases {
    /// The items of the tree.
    private(set) var items: [EngineItem] = []
    /// The main files of the databases in the tree; their original files are omitted.
    private(set) var mains: Set<[UInt8]> = []
    /// Databases whose files are stored as they are, because they have no consistent copy or a foreign log.
    private(set) var incidents: [Snapshot.Incident] = []
    /// Items without their attributes, because the temporary directory does not support them.
    private(set) var withoutAttributes: [[UInt8]] = []
    let location: FilePath

    private let folder: Folder
    private let container: Container
    private let scratch: URL

    /// Copies the databases with these main files.
    ///
    /// - Throws: `failed`; `full` without space for the copies.
    init(_ mains: Set<[UInt8]>, of container: Container, plan: Plan) throws(BackupError) {
        self.container = container
        let temporary = URL(fileURLWithPath: Invocation.current.temporaryDirectory.string).resolvingSymlinksInPath()
        scratch = temporary.appending(path: "sandboxbackup-stores-\(UUID().uuidString)")
        // The tree gets the mode of the container, which may be open to others, so its parent is private.
        location = FilePath(scratch.path).appending("tree")
        do {
            try FileManager.default.createDirectory(
                at: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try FileManager.default.createDirectory(
                atPath: location.string, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            folder = try Folder(opening: location, calls: container.folder.calls)
        } catch { throw BackupError(error) }
        do {
            for main in mains.sorted(by: PathOrder.precedes) { try stage(main, plan: plan) }
            try finishDirectories()
        } catch {
            remove()
            throw BackupError(error)
        }
    }

    func remove() {
        // The directories have the modes of the container by now, which may forbid removals.
        for path in [FilePath()] + directories {
            location.appending(path.components).withPlatformString { _ = chmod($0, 0o700) }
        }
        try? FileManager.default.removeItem(at: scratch)
    }

    /// Returns true if a path is a file of a staged database.
    func holds(_ path: [UInt8]) -> Bool {
        mains.contains(path) || DatabaseFileNames.mains(ofCompanion: path).contains(where: mains.contains)
    }

    private func stage(_ main: [UInt8], plan: Plan) throws {
        try Invocation.current.interruption.throwIfRequested()
        guard plan.entry(at: main)?.isStored == true else { return }
        guard let set = DatabaseFiles.consistentCopy(of: main, in: container.folder, copyingTo: location) else {
            return incidents.append(Snapshot.Incident(path: main, reason: "no-consistent-copy"))
        }
        if set.foreignLog != nil { incidents.append(Snapshot.Incident(path: main, reason: "foreign-log")) }
        try makeDirectories(above: main)
        for file in DatabaseFile.allCases {
            let path = main + Array(file.rawValue.utf8)
            // The journal may be gone by now; its copy still belongs to the main file.
            guard let copy = set.open(file),
                let original = [path, main].lazy.compactMap({ try? self.container.folder.open(FilePath(bytes: $0)) })
                    .first
            else { continue }
            try stage(copy, as: original, at: path)
        }
        mains.insert(main)
    }

    private func stage(_ copy: OpenFile, as original: OpenFile, at path: [UInt8]) throws {
        let file = try folder.createFile(FilePath(bytes: path), permissions: 0o600)
        var offset: UInt64 = 0
        while true {
            let piece = try copy.read(upTo: 1 << 20, from: offset)
            if piece.isEmpty { break }
            try file.write(piece)
            offset += UInt64(piece.count)
        }
        try finish(file, as: original, at: path)
    }

    /// Copies everything except the content from the original to the copy.
    private func finish(_ made: OpenFile, as original: OpenFile, at path: [UInt8]) throws {
        do { try made.copyAttributes(of: original) } catch { withoutAttributes.append(path) }
        try made.apply(try original.status())
        items.append(EngineItem(path: path, status: try made.status()))
    }

    private func makeDirectories(above path: [UInt8]) throws {
        var above = FilePath()
        for component in FilePath(bytes: path).removingLastComponent().components {
            above.append(component)
            guard try folder.statusIfPresent(above) == nil else { continue }
            try folder.createDirectory(above, permissions: 0o700)
            directories.append(above)
        }
    }
    private var directories: [FilePath] = []

    /// Sets the times of the directories after all content is written.
    private func finishDirectories() throws {
        for path in directories.reversed() + [FilePath()] {
            let directory: FilePath = path.isEmpty ? "." : path
            try finish(try folder.open(directory), as: try container.folder.open(directory), at: path.bytes)
        }
    }
}

extension Plan {
    /// Returns the main files of databases that are in use, judged by the names beside them and by the locks of writers:
    /// in the journal modes MEMORY and OFF, a writer has no file beside the database.
    func databasesInUse(in container: Container) -> Set<[UInt8]> {
        var mains: Set<[UInt8]> = []
        for entry in self where entry.isStored && entry.kind == .file {
            mains.formUnion(stores(of: entry.path, in: container, companionsOnly: true))
            // The size of a database is a multiple of its page size.
            guard entry.bytes > 0, entry.bytes % 512 == 0,
                let file = try? container.folder.open(FilePath(bytes: entry.path), followingLinks: false)
            else { continue }
            if DatabaseLock.isWriting(to: file) { mains.insert(entry.path) }
        }
        return mains
    }

    /// Returns the main files of included databases that a file belongs to.
    func stores(of path: [UInt8], in container: Container, companionsOnly: Bool = false) -> [[UInt8]] {
        ((companionsOnly ? [] : [path]) + DatabaseFileNames.mains(ofCompanion: path)).filter { main in
            guard let entry = entry(at: main), entry.isStored, entry.kind == .file,
                let file = try? container.folder.open(FilePath(bytes: main), followingLinks: false)
            else { return false }
            return (try? file.read(upTo: DatabaseHeader.magic.count)) == DatabaseHeader.magic
        }
    }
}
