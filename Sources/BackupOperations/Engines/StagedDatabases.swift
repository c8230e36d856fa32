internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import ContainerStores
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// SQLite stores in use, each as one state of it, in a private tree of the same shape as the container: what a tool
/// takes in place of their files.
///
/// No hard links: making one changes when the app's file was last changed, and a tool would read it anew.
final class StagedDatabases {
    /// What the tree holds.
    private(set) var items: [EngineItem] = []
    /// Stores that are in the tree; the container's own files of them are not taken.
    private(set) var mains: Set<[UInt8]> = []
    /// Stores of which no single state can be had; their files are taken as they are.
    private(set) var inconsistent: [[UInt8]] = []
    /// What is in the tree without its attributes, since temporary files can have none where they are.
    private(set) var bare: [[UInt8]] = []
    let location: FilePath

    private let folder: Folder
    private let container: Container
    private let place: URL

    /// Copies the stores of these main files.
    ///
    /// - Throws: `failed`, `full` where the copies find no room.
    init(_ mains: Set<[UInt8]>, of container: Container, _ plan: Plan) throws(BackupError) {
        self.container = container
        let temporary = FileManager.default.temporaryDirectory.absoluteURL.resolvingSymlinksInPath()
        place = temporary.appending(path: "sandboxbackup-stores-\(UUID().uuidString)")
        // The tree gets the mode of the container, which may let others in; what it lies in lets no one in.
        location = FilePath(place.path).appending("tree")
        do {
            try FileManager.default.createDirectory(
                at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try FileManager.default.createDirectory(
                atPath: location.string, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            folder = try Folder(opening: location, calls: container.folder.calls)
        } catch { throw BackupError(error) }
        do {
            for main in mains.sorted(by: PathOrder.precedes) { try stage(main, plan) }
            try finishDirectories()
        } catch {
            remove()
            throw BackupError(error)
        }
    }

    func remove() {
        // They have the container's modes by now, and out of a directory that may not be written to nothing goes.
        for path in [FilePath()] + directories {
            location.appending(path.components).withPlatformString { _ = chmod($0, 0o700) }
        }
        try? FileManager.default.removeItem(at: place)
    }

    /// Whether a path is a file of a store that is in the tree.
    func holds(_ path: [UInt8]) -> Bool {
        mains.contains(path) || DatabaseFileNames.mains(ofCompanion: path).contains(where: mains.contains)
    }

    private func stage(_ main: [UInt8], _ plan: Plan) throws {
        try RunCancellation.check()
        guard plan.entry(at: main)?.decision == .include else { return }
        guard let set = StoreSet.consistentCopy(of: main, in: container.folder, copyingTo: location) else {
            return inconsistent.append(main)
        }
        try makeDirectories(above: main)
        for file in StoreFile.allCases {
            let path = main + Array(file.rawValue.utf8)
            // A journal may be gone by now; what was copied of it belongs to the main file all the same.
            guard let copy = set.open(file),
                let original = [path, main].lazy.compactMap({ try? self.container.folder.open(FilePath(bytes: $0)) })
                    .first
            else { continue }
            try stage(copy, as: original, at: path)
        }
        mains.insert(main)
    }

    private func stage(_ copy: OpenFile, as original: OpenFile, at path: [UInt8]) throws {
        let file = try folder.create(FilePath(bytes: path), permissions: 0o600)
        var offset: UInt64 = 0
        while true {
            let piece = try copy.read(upTo: 1 << 20, from: offset)
            if piece.isEmpty { break }
            try file.write(piece)
            offset += UInt64(piece.count)
        }
        try finish(file, as: original, at: path)
    }

    /// Gives what is in the tree all that the container's own has beside its content.
    private func finish(_ made: OpenFile, as original: OpenFile, at path: [UInt8]) throws {
        do { try made.takeAttributes(of: original) } catch { bare.append(path) }
        try made.take(try original.status())
        items.append(EngineItem(path: path, status: try made.status()))
    }

    private func makeDirectories(above path: [UInt8]) throws {
        var above = FilePath()
        for component in FilePath(bytes: path).removingLastComponent().components {
            above.append(component)
            guard try folder.statusIfPresent(above) == nil else { continue }
            try folder.makeDirectory(above, permissions: 0o700)
            directories.append(above)
        }
    }
    private var directories: [FilePath] = []

    /// Directories get their times when nothing comes into them any more.
    private func finishDirectories() throws {
        for path in directories.reversed() + [FilePath()] {
            let place: FilePath = path.isEmpty ? "." : path
            try finish(try folder.open(place), as: try container.folder.open(place), at: path.bytes)
        }
    }
}

extension Plan {
    /// The main files of stores that are in use, as far as the names beside them tell.
    func databasesInUse(in container: Container) -> Set<[UInt8]> {
        var mains: Set<[UInt8]> = []
        for entry in self where entry.decision == .include && entry.kind == .file {
            mains.formUnion(stores(of: entry.path, in: container, companionsOnly: true))
        }
        return mains
    }

    /// The main files of kept stores that a file belongs to.
    func stores(of path: [UInt8], in container: Container, companionsOnly: Bool = false) -> [[UInt8]] {
        ((companionsOnly ? [] : [path]) + DatabaseFileNames.mains(ofCompanion: path)).filter { main in
            guard let entry = entry(at: main), entry.decision == .include, entry.kind == .file,
                let file = try? container.folder.open(FilePath(bytes: main), followingLinks: false)
            else { return false }
            return (try? file.read(upTo: StoreHeader.magic.count)) == StoreHeader.magic
        }
    }
}
