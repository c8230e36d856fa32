internal import AppContainer
internal import BackupPlan
internal import ContainerTree
internal import FileSystem
public import SystemPackage

extension SimulatedDevice {
    /// Backs the container up and restores it to a new device: creates a new container that has only the items that a
    /// backup includes. The container of this device does not change.
    ///
    /// The new container has the directories that the system creates, empty where a backup leaves their content out. Items
    /// get their attributes, modes without set-ID bits, and modification dates. Each name of a file with several hard links
    /// becomes a separate file. The state of the app is not copied.
    ///
    /// - Parameter destination: The path of a directory that does not exist or is empty, outside of the container.
    /// - Returns: The new container, each item with the reason, and the references that are invalid there.
    /// - Throws: `appIsRunning`, `invalidDestination`, `busy`, `ended`; `failed`: the incomplete new container is removed.
    @discardableResult
    public func restore(to destination: FilePath) throws(DeviceError) -> EventResult {
        try copy(to: destination, because: .restore)
    }

    /// Transfers the app to a new device, with the items that a backup includes. The container of this device does not
    /// change.
    ///
    /// - Parameter destination: As in `restore(to:)`.
    /// - Returns: As of `restore(to:)`.
    /// - Throws: The errors of `restore(to:)`.
    @discardableResult
    public func transfer(to destination: FilePath) throws(DeviceError) -> EventResult {
        try copy(to: destination, because: .transfer)
    }

    private func copy(to destination: FilePath, because event: LifecycleEvent) throws(DeviceError) -> EventResult {
        try withOperation { status throws(DeviceError) in
            try status.requireNoProcess(for: "a \(event.rawValue)")
        } _: { status throws(DeviceError) in
            let result = try Self.copy(status.container, to: destination, because: event)
            send([.container(event)])
            return result
        }
    }

    private static func copy(
        _ container: Container, to destination: FilePath, because event: LifecycleEvent
    ) throws(DeviceError) -> EventResult {
        let plan: Plan
        do throws(ContainerError) { plan = try Plan(of: container) } catch { throw DeviceError(error) }
        let target = try NewContainer(at: destination, apartFrom: container)
        let outcomes: [ItemOutcome]
        let restored: Container
        do {
            outcomes = try target.copy(plan, of: container)
            var opened = try Container.open(destination, bundleIdentifier: container.bundleIdentifier)
            opened.recording = container.recording
            restored = opened
        } catch {
            let isGone = target.remove()
            let onDisk =
                isGone ? "The incomplete new container was removed." : "“\(destination)” is incomplete. Remove it."
            switch error {
            case let error as FileSystemError: throw DeviceError(ContainerError(error, onDisk: onDisk))
            case let error as ContainerError: throw DeviceError(error, onDisk: onDisk)
            default: throw DeviceError(.failed, description: "\(error) \(onDisk)")
            }
        }
        let (old, new) = (DirectoryTree(container), DirectoryTree(restored))
        let references = ContainerReferences(to: container)
        let search = ReferenceSearch(references: references, container: restored) { reference in
            guard !reference.isAbsolute else { return reference.path.isEmpty || old.contains(reference.path) }
            // A path of a directory is a setting: the app creates the directory again.
            let status = try? container.folder.statusIfPresent(FilePath(bytes: reference.path))
            return status.map { $0.kind != .directory } ?? false && !new.contains(reference.path)
        }
        try search.run()
        let (found, count) = search.found.sorted
        return EventResult(
            event: event, container: restored, items: outcomes, danglingReferences: found,
            danglingReferenceCount: count)
    }
}

/// A new container while items are copied to it.
private struct NewContainer {
    private let folder: Folder
    private let path: FilePath
    private let isCreated: Bool

    /// Creates the directory, or takes an empty one.
    init(at path: FilePath, apartFrom container: Container) throws(DeviceError) {
        self.path = path
        do throws(FileSystemError) {
            let isThere = (try? Folder(opening: path)) != nil
            folder = try Folder(makingIfAbsent: path, permissions: 0o700)
            isCreated = !isThere
        } catch { throw DeviceError(ContainerError(error)) }
        let problem: String?
        do throws(FileSystemError) {
            let isInside = try folder.absolutePath().starts(with: container.folder.absolutePath())
            problem =
                isInside
                ? "is in the container" : try folder.names().isEmpty ? nil : "is not empty"
        } catch { throw DeviceError(ContainerError(error)) }
        guard let problem else { return }
        if isCreated { _ = remove() }
        throw DeviceError(
            .invalidDestination,
            description:
                "“\(path)” \(problem). Nothing on disk has changed. Name a directory outside of the container that does not "
                + "exist.")
    }

    /// Removes everything that was copied. Returns false if a part remains.
    func remove() -> Bool {
        do throws(FileSystemError) {
            try folder.remove(try folder.names())
            guard isCreated, let name = path.lastComponent else { return true }
            let parent = path.removingLastComponent()
            try Folder(opening: parent.isEmpty ? "." : parent).removeEmptyDirectory(FilePath(root: nil, [name]))
            return true
        } catch { return false }
    }

    /// Copies the items that a plan includes and flushes them to disk.
    func copy(_ plan: Plan, of container: Container) throws -> [ItemOutcome] {
        var outcomes: [ItemOutcome] = []
        for path in EventModel.createdDirectories { try folder.createDirectories(FilePath(path)) }
        var directories: [PlanEntry] = []
        var source: (path: [UInt8], from: Folder, to: Folder)?
        for entry in plan {
            let path = FilePath(bytes: entry.path)
            guard entry.isStored else {
                if entry.path.isEmpty { continue }
                outcomes.append(
                    ItemOutcome(path: path, action: .leftOut, bytes: entry.bytes, reason: entry.decision.reason.phrase))
                continue
            }
            guard !entry.path.isEmpty else {
                directories.append(entry)
                continue
            }
            let parts = PathOrder.split(entry.path)
            if source?.path != parts.parent {
                let parent = FilePath(bytes: parts.parent)
                source = (
                    parts.parent, try container.folder.openFolder(noLinks: parent),
                    try folder.openFolder(noLinks: parent)
                )
            }
            guard let source else { continue }
            let name = FilePath(bytes: parts.name)
            switch entry.kind {
            case .directory:
                if try source.to.statusIfPresent(name) == nil {
                    try source.to.createDirectory(name, permissions: 0o700)
                }
                directories.append(entry)
            case .symbolicLink:
                try source.to.createSymbolicLink(name, to: try source.from.linkTarget(name))
                try source.to.applyOwner(name, of: entry.status)
                try source.to.setTimes(name, accessed: entry.status.modified, modified: entry.status.modified)
            default: try Self.copyFile(name, from: source.from, to: source.to)
            }
            outcomes.append(
                ItemOutcome(path: path, action: .restored, bytes: entry.bytes, reason: entry.decision.reason.phrase))
        }
        for name in EventModel.metadataFiles {
            guard try container.folder.statusIfPresent(FilePath(name))?.kind == .file else { continue }
            try Self.copyFile(FilePath(name), from: container.folder, to: folder)
        }
        for incident in plan.incidents {
            outcomes.append(
                ItemOutcome(
                    path: FilePath(bytes: incident.path), action: .unreadable, bytes: 0, reason: incident.reason))
        }
        // The deepest first: a new entry changes the date of its directory, and a mode may prevent new entries.
        for entry in directories.reversed() { try finish(entry, of: container) }
        try folder.syncTree()
        return outcomes.sorted { PathOrder.precedes($0.path.bytes, $1.path.bytes) }
    }

    private static func copyFile(_ name: FilePath, from: Folder, to: Folder) throws {
        let original = try from.open(name, followingLinks: false)
        let status = try original.status()
        let copy = try to.createFile(name, permissions: 0o600)
        // Attributes first, so that an excluded file is never visible without the exclusion.
        try copyAttributes(of: original, to: copy)
        try original.copyContentKeepingHoles(to: copy)
        try applyStatus(status, to: copy)
        try copy.close()
    }

    private func finish(_ entry: PlanEntry, of container: Container) throws {
        let path: FilePath = entry.path.isEmpty ? "." : FilePath(bytes: entry.path)
        let original = try container.folder.open(path, followingLinks: false)
        let copy = try folder.open(path, followingLinks: false)
        try Self.copyAttributes(of: original, to: copy)
        try Self.applyStatus(entry.status, to: copy)
    }

    private static func copyAttributes(of original: OpenFile, to copy: OpenFile) throws {
        do throws(FileSystemError) { try original.copyUserAttributes(to: copy) } catch {
            guard error.errno == .notSupported || error.errno == .notSupportedOnSocket else { throw error }
        }
    }

    private static func applyStatus(_ status: FileStatus, to copy: OpenFile) throws {
        let permissions = try copy.apply(status)
        let setIDBits: UInt16 = 0o6000
        if permissions & setIDBits != 0 { try copy.setPermissions(permissions & ~setIDBits) }
    }
}

extension OpenFile {
    /// Copies the user's attributes to another file, except the recorded state of a device. A name that is not UTF-8 is
    /// left out.
    fileprivate func copyUserAttributes(to copy: OpenFile) throws(FileSystemError) {
        for (name, value) in try attributeValues() where name != Container.deviceStateAttribute {
            if let value { try copy.setAttribute(name, value: value) }
        }
    }
}
