internal import AppContainer
internal import ContainerTree
internal import FileSystem
public import Foundation
internal import SystemPackage

extension SimulatedDevice {
    /// Updates the app: its container gets a new path, whose last component is a new UUID, and the content moves there.
    ///
    /// A container whose directory is not named by a UUID keeps its path; references are then searched as if it had got
    /// another one. The move is atomic: after a crash the container is at the old or the new path, complete.
    ///
    /// - Parameter identifier: The new UUID.
    /// - Returns: The container at the new path, its items, each of which stands for its content, and the absolute paths
    ///   that were valid before, with file and key.
    /// - Throws: `appIsRunning`, `appIsOffloaded`, `moved`, `busy`, `ended`, `failed`.
    @discardableResult
    public func update(identifier: UUID = UUID()) throws(DeviceError) -> EventResult {
        try withOperation { status throws(DeviceError) in
            try status.requireInstallation()
            try status.requireNoProcess(for: "an update")
        } _: { status throws(DeviceError) in
            let result = try move(status.container, because: .update, to: identifier)
            send([.container(.update)])
            return result
        }
    }

    /// Offloads the app: the app is removed, and its container is kept as it is. The app cannot be launched until
    /// `reinstall`.
    ///
    /// - Returns: The items of the container, each of which stands for its content.
    /// - Throws: `appIsRunning`, `appIsOffloaded`, `busy`, `ended`, `failed`.
    @discardableResult
    public func offload() throws(DeviceError) -> EventResult {
        try withOperation { status throws(DeviceError) in
            try status.requireInstallation()
            try status.requireNoProcess(for: "offloading")
        } _: { status throws(DeviceError) in
            let items = try Self.topItems(of: status.container, .kept, reason: "offloading keeps the data")
            try Self.recordInstallation(false, on: status.container)
            self.status.withLock { $0.isInstalled = false }
            send([.container(.offload)])
            return EventResult(
                event: .offload, container: status.container, items: items, danglingReferences: [],
                danglingReferenceCount: 0)
        }
    }

    /// Installs an offloaded app again. Its container gets a new path, as in an update.
    ///
    /// - Parameter identifier: The new UUID.
    /// - Returns: As of `update(identifier:)`.
    /// - Throws: `appIsInstalled`, `moved`, `busy`, `ended`, `failed`.
    @discardableResult
    public func reinstall(identifier: UUID = UUID()) throws(DeviceError) -> EventResult {
        try withOperation { status throws(DeviceError) in
            guard !status.isInstalled else {
                throw DeviceError(
                    .appIsInstalled, description: "The app is installed. Nothing on disk has changed. Offload it first."
                )
            }
        } _: { status throws(DeviceError) in
            let result = try move(status.container, because: .offload, to: identifier)
            try Self.recordInstallation(true, on: result.container)
            self.status.withLock { $0.isInstalled = true }
            send([.reinstalled])
            return result
        }
    }

    /// Moves the container and searches for absolute paths to its old path.
    private func move(
        _ container: Container, because event: LifecycleEvent, to identifier: UUID
    ) throws(DeviceError) -> EventResult {
        let references = ContainerReferences(to: container)
        let moved = try Self.rename(container, to: identifier)
        status.withLock { $0.container = moved }
        let hasMoved = moved.location != container.location
        let items = try Self.topItems(
            of: moved, hasMoved ? .moved : .kept,
            reason: hasMoved ? "the container has a new path" : "the directory of the container is not named by a UUID")
        let tree = DirectoryTree(moved)
        let search = ReferenceSearch(references: references, container: moved) { reference in
            reference.isAbsolute && (reference.path.isEmpty || tree.contains(reference.path))
        }
        try search.run()
        let (found, count) = search.found.sorted
        return EventResult(
            event: event, container: moved, items: items, danglingReferences: found, danglingReferenceCount: count)
    }

    /// Renames the directory of a container if its name is a UUID.
    private static func rename(_ container: Container, to identifier: UUID) throws(DeviceError) -> Container {
        let location = container.location
        guard let name = location.lastComponent, UUID(uuidString: name.string) != nil else { return container }
        let parent = location.removingLastComponent()
        let newLocation = parent.appending(identifier.uuidString)
        let isRenamed: Bool
        do throws(FileSystemError) {
            let folder = try Folder(opening: parent.isEmpty ? "." : parent)
            let old = FilePath(root: nil, [name])
            // A link to the container would be renamed instead of its directory.
            let (found, own) = (try folder.statusIfPresent(old)?.identity, try container.folder.status("").identity)
            let isThere = found.map { $0 == own } ?? false
            if isThere {
                try folder.rename(old, to: FilePath(identifier.uuidString), in: folder)
                // The undo data of the tools, if there are any, belong to the container.
                let (from, to) = (
                    name.string + DeviceLayout.undoSuffix, identifier.uuidString + DeviceLayout.undoSuffix
                )
                try? folder.rename(FilePath(from), to: FilePath(to), in: folder)
                try folder.sync()
            }
            isRenamed = isThere
        } catch {
            throw DeviceError(ContainerError(error, onDisk: "The container is complete at its old or its new path."))
        }
        guard isRenamed else {
            throw DeviceError(
                .moved,
                description:
                    "The directory of the container is no longer at “\(location)”. Nothing on disk has changed. "
                    + "Open the container again.")
        }
        do throws(ContainerError) {
            var moved = try Container.open(newLocation, bundleIdentifier: container.bundleIdentifier)
            moved.recording = container.recording
            return moved
        } catch { throw DeviceError(error, onDisk: "The container is at its new path.") }
    }

    /// Returns the entries of the container's directory, with the size of their content.
    private static func topItems(
        of container: Container, _ action: ItemOutcome.Action, reason: String
    ) throws(DeviceError) -> [ItemOutcome] {
        let sizes = TopSizes()
        do throws(ContainerError) { try DirectoryTree(container).visit(sizes, threads: Host.processorCount) } catch {
            throw DeviceError(error)
        }
        return sizes.sizes.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            ItemOutcome(path: FilePath(bytes: $0.key), action: action, bytes: $0.value, reason: reason)
        }
    }
}

/// The sizes of the entries of a container's directory.
private final class TopSizes: ItemVisitor {
    private let found = LockedValue<[[UInt8]: UInt64]>([:])

    var sizes: [[UInt8]: UInt64] { found.withLock { $0 } }

    func root(_ item: Item, directory: Directory) {}
    func begin(_ directory: Directory, context: Void) -> UInt64 { 0 }

    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout UInt64) {
        let size = item.status.isFile ? item.status.size : 0
        guard directory.path.isEmpty else {
            accumulator += size
            return
        }
        found.withLock { $0[Array(item.name), default: 0] += size }
    }

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void, into accumulator: inout UInt64
    ) {
        if directory.path.isEmpty { found.withLock { $0[Array(item.name), default: 0] += 0 } }
    }

    func end(_ directory: Directory, context: Void, accumulator: UInt64) {
        guard let top = directory.path.split(separator: UInt8(ascii: "/"), maxSplits: 1).first else { return }
        found.withLock { $0[Array(top), default: 0] += accumulator }
    }

    func failed(_ failure: WalkFailure) {}
}
