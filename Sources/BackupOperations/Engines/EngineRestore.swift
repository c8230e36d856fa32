internal import BackupPlan
package import BackupRepository
internal import ContainerTree
internal import ExternalPrograms
package import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// A snapshot that `EngineBackup` made: of the container, and a second one if databases were in use.
package struct EngineSnapshot: Sendable, Hashable {
    package let identifier: String
    /// The snapshot of the databases that were in use, each in one consistent state.
    package fileprivate(set) var stores: String?
    package let taken: Timestamp
    /// The bundle identifier of the container; nil if it is unknown.
    package let bundleIdentifier: String?
}

/// One snapshot in the list of a tool.
struct EngineRecord {
    let identifier: String
    let taken: Timestamp
    let owner: String
    let run: String
    let part: EngineTask.Part
}

/// The snapshots in the repository of an external tool that `EngineBackup` made.
package struct EngineSnapshots {
    private let engine: any BackupEngine
    private let kind: EngineKind
    /// The snapshots of containers, the oldest first.
    package let all: [EngineSnapshot]

    /// - Throws: `noRepository`, `locked`, `interrupted`, `failed`.
    package init(of kind: EngineKind, in repository: EngineRepository) throws(BackupError) {
        let engine = try kind.open(repository)
        (self.engine, self.kind) = (engine, kind)
        let records = try Invocation.current.interruption.during { () throws(BackupError) in try engine.listSnapshots()
        }
        let stores = Dictionary(
            records.filter { $0.part == .stores }.map { ($0.run, $0.identifier) }, uniquingKeysWith: { $1 })
        all = records.filter { $0.part == .container }.map { record in
            EngineSnapshot(
                identifier: record.identifier, stores: stores[record.run], taken: record.taken,
                bundleIdentifier: record.owner == EngineBackup.unknownOwner ? nil : record.owner)
        }.sorted { ($0.taken, $0.identifier) < ($1.taken, $1.identifier) }
    }

    /// Returns the snapshot that a user names.
    ///
    /// - Parameters:
    ///   - name: The beginning of an identifier, or `latest`.
    ///   - bundleIdentifier: The app for `latest`; nil if the repository contains only one.
    /// - Returns: The snapshot.
    /// - Throws: `notFound`, `ambiguous`.
    package func snapshot(named name: String, of bundleIdentifier: String?) throws(BackupError) -> EngineSnapshot {
        let owned = all.filter { bundleIdentifier == nil || $0.bundleIdentifier == bundleIdentifier }
        let found = name == "latest" ? owned : owned.filter { $0.identifier.hasPrefix(name) }
        let isClear = name == "latest" ? Set(found.map(\.bundleIdentifier)).count <= 1 : found.count <= 1
        guard isClear else {
            throw BackupError(
                .ambiguous, what: "several snapshots of \(kind.rawValue) match “\(ByteText.printable(name))”",
                hint: "name an app with --bundle-id, or more of the identifier")
        }
        guard let snapshot = found.last else {
            throw BackupError(
                .notFound,
                what:
                    "the repository of \(kind.rawValue) contains no snapshot “\(ByteText.printable(name))” of a container",
                hint: "`sandboxbackup snapshots --engine \(kind.rawValue)` lists them")
        }
        return snapshot
    }

    /// Calls `body` with a temporary repository that contains only this snapshot, so that it is restored like any other.
    ///
    /// The tool restores the container and, over it, the databases that were in use, into a private directory. The
    /// temporary directory needs space for twice the content until `body` has returned.
    ///
    /// - Throws: Errors of the tool, `full`, `failed`; errors of `body`.
    package func withRepository<Result>(
        of snapshot: EngineSnapshot, _ body: (Snapshot, Repository) throws -> Result
    ) throws -> Result {
        let scratch = try ScratchFolder(
            named: "sandboxbackup-restore", in: Invocation.current.temporaryDirectory)
        let repository = try Repository(creatingAt: scratch.path.appending("repository"), command: "restore")
        // An interruption ends the tool first. Afterwards, a signal removes the directory.
        let imported = try Invocation.current.interruption.during {
            let directory = scratch.path.appending("tree")
            let tree = try Folder(makingIfAbsent: directory)
            for identifier in [snapshot.identifier, snapshot.stores].compactMap(\.self) {
                try engine.restoreSnapshot(identifier, into: directory)
            }
            return try DirectorySnapshot.make(of: tree, for: snapshot, in: repository)
        }
        return try withExtendedLifetime(scratch) { try body(imported, repository) }
    }
}

/// A snapshot of a directory as it is, without a plan.
private struct DirectorySnapshot {
    private let writer: ContentWriter
    private let repository: Repository
    private var files = 0
    private var bytes: UInt64 = 0
    /// Pipes, sockets and devices, which no snapshot contains.
    private var incidents: [Snapshot.Incident] = []

    static func make(
        of folder: Folder, for origin: EngineSnapshot, in repository: Repository
    ) throws(BackupError) -> Snapshot {
        let writer = try ObjectWriter(repository)
        do {
            // The content is read once, so a small size matters less than time.
            var run = Self(writer: try ContentWriter(writer, level: 1) { _ in }, repository: repository)
            var root = SnapshotEntry(name: [], try folder.status(""))
            root.attributes = try run.attributes(of: folder.open("."))
            root.child = try run.directory(folder, at: [], depth: 1)
            let snapshot = Snapshot(
                taken: origin.taken, bundleIdentifier: origin.bundleIdentifier, kind: "application", view: "finder",
                tree: try repository.insertDirectory([root]), files: run.files, bytes: run.bytes,
                incidents: Snapshot.Incident.sorted(run.incidents))
            return try writer.finish(adding: snapshot)
        } catch {
            writer.abandon()
            throw BackupError(error)
        }
    }

    private init(writer: ContentWriter, repository: Repository) {
        (self.writer, self.repository) = (writer, repository)
    }

    private mutating func directory(_ folder: Folder, at path: [UInt8], depth: Int) throws -> Int64 {
        try Invocation.current.interruption.throwIfRequested()
        guard depth < SnapshotEntry.maximumDepth else {
            throw BackupError(.failed, what: "the snapshot has directories that are nested too deeply for a container")
        }
        var entries: [SnapshotEntry] = []
        for name in try folder.names().sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            var entry = SnapshotEntry(name: name.bytes, try folder.status(name))
            let inside = Restorer.path(of: entry, in: path)
            switch entry.kind {
            case .directory:
                let inner = try folder.openFolder(noFollow: name)
                entry.attributes = try attributes(of: inner.open("."))
                entry.child = try directory(inner, at: inside, depth: depth + 1)
            case .file:
                let file = try folder.open(name, followingLinks: false)
                entry.attributes = try attributes(of: file)
                entry.object = try writer.save(file).object
                files += 1
                bytes.addClamped(entry.size)
            case .symbolicLink: entry.target = try folder.linkTarget(name)
            default:
                incidents.append(Snapshot.Incident(path: inside, reason: "special-node"))
                continue
            }
            entries.append(entry)
        }
        return try repository.insertDirectory(entries)
    }

    private func attributes(of file: OpenFile) throws -> Int64? {
        let values: [(name: String, value: [UInt8]?)]
        do throws(FileSystemError) { values = try file.attributeValues() } catch {
            guard error.errno == .notSupported || error.errno == .notSupportedOnSocket else { throw error }
            return nil
        }
        return try repository.insertAttributes(Repository.Attribute.list(values))
    }
}
