package import AppContainer
package import ContainerTree
internal import FileSystem
internal import SystemPackage

/// A model of the events of a device on a container: the items that each event removes, and the event that gives the
/// container another path. Nothing on disk changes.
///
/// The first event that removes an item is its cause. The memory depends on the number of directories that lead to
/// excluded items in Library/Caches and tmp, not on the size of the container.
package struct EventModel: Sendable {
    package let events: [LifecycleEvent]
    private let container: Container
    /// The directories that lead to items that a purge spares.
    private let keptDirectories: Set<[UInt8]>
    private let paths = PathMemory()

    /// Creates a model. A purge needs a visit of the tree.
    ///
    /// - Throws: An error of reading the container itself.
    package init(_ events: [LifecycleEvent], of tree: some Tree, threads: Int) throws(ContainerError) {
        self.events = events
        container = tree.container
        let survey = PurgeSurvey(collectsCandidates: false)
        if events.contains(.purge) { try tree.visit(survey, threads: threads) }
        keptDirectories = survey.keptDirectories
    }

    /// The models of the events up to and including each one that removes items.
    package var removingPrefixes: [EventModel] {
        var prefixes: [EventModel] = []
        for (index, event) in events.enumerated() {
            let hasRestored = events[..<index].contains(where: \.keepsOnlyBackedUpItems)
            // After a restore, nothing is left that another event would remove.
            guard !hasRestored, event == .purge || event.keepsOnlyBackedUpItems else { continue }
            prefixes.append(EventModel(Array(events[...index]), other: self))
        }
        return prefixes
    }

    private init(_ events: [LifecycleEvent], other: EventModel) {
        (self.events, container, keptDirectories) = (events, other.container, other.keptDirectories)
    }

    /// The first event that gives the container another path.
    package var move: LifecycleEvent? { events.first(where: \.movesContainer) }

    /// The effect of the events on an item.
    package enum Fate: Sendable, Hashable {
        case kept
        /// A restore does not copy the item, but the system creates one in its place: without attributes, and empty if it
        /// is a directory.
        case recreated(by: LifecycleEvent)
        case removed(by: LifecycleEvent)

        /// The event that removes the item; nil if it exists afterwards.
        package var removal: LifecycleEvent? {
            guard case .removed(let event) = self else { return nil }
            return event
        }
    }

    /// The effect of the events on the item at a path.
    package struct Outcome: Sendable, Hashable {
        package let fate: Fate
        package let isDirectory: Bool
    }

    /// Returns the effect on an item; `own` is the directory that the item is, if it is one.
    package func fate(of item: Item, as own: Directory? = nil, in directory: Directory) -> Fate {
        var recreation: LifecycleEvent?
        for event in events {
            switch event {
            case .update, .offload: continue
            case .purge: if isPurged(item, as: own, in: directory) { return .removed(by: event) }
            case .restore, .transfer:
                guard !(own?.decision ?? directory.decision(for: item)).isStored else { continue }
                guard Self.isCreatedBySystem(own?.path ?? directory.path(of: item), isDirectory: own != nil) else {
                    return .removed(by: event)
                }
                recreation = recreation ?? event
            }
        }
        return recreation.map { .recreated(by: $0) } ?? .kept
    }

    private func isPurged(_ item: Item, as own: Directory?, in directory: Directory) -> Bool {
        guard PurgeSurvey.isPurgeable(directory) else { return false }
        guard let own else { return directory.exclusion(stateOf: item) != .excluded }
        return own.exclusion.state != .excluded && !keptDirectories.contains(own.path)
    }

    /// The items of a new container that the system creates. A group's container has the same directories.
    package static let createdDirectories = [
        "Documents", "Library", "Library/Caches", "Library/Preferences", "SystemData", "tmp",
    ]
    package static let metadataFiles = [
        Location.metadata.path, ".com.apple.containermanagerd.metadata.plist",
    ]

    private static func isCreatedBySystem(_ path: [UInt8], isDirectory: Bool) -> Bool {
        (isDirectory ? createdDirectories : metadataFiles).contains { path.elementsEqual($0.utf8) }
    }
}

extension EventModel {
    /// The effect of the events on the item at a path; nil if there is no such item. Links on the path are not followed.
    /// Results are kept for the next call.
    package func outcome(ofItemAt path: [UInt8]) -> Outcome? {
        if let known = paths[path] { return known }
        let outcome = computedOutcome(ofItemAt: path)
        paths[path] = outcome
        return outcome
    }

    private func computedOutcome(ofItemAt path: [UInt8]) -> Outcome? {
        let folder = container.folder
        guard let status = try? folder.status(""),
            let names = try? ExtendedAttributes.list(of: folder.descriptor, path: "")
        else { return nil }
        let item = Item(WalkEntry(of: folder, status: status, carriesAttributes: true), attributes: names)
        var directory = Directory.root(item, of: container)
        var fate = Fate.kept
        var parent = folder
        let components = path.split(separator: UInt8(ascii: "/"))
        for (index, component) in components.enumerated() {
            let name = FilePath(bytes: component)
            guard name.components.count == 1, let status = try? parent.statusIfPresent(name) else { return nil }
            let names = Self.attributes(of: name, status, in: parent)
            let isLast = index == components.count - 1
            let next = Array(component).withUnsafeBytes { bytes -> Directory? in
                let item = Item(WalkEntry(name: bytes, status: status), attributes: names)
                guard status.kind == .directory else {
                    fate = self.fate(of: item, in: directory)
                    return nil
                }
                let own = directory.subdirectory(item, of: container)
                fate = self.fate(of: item, as: own, in: directory)
                return own
            }
            if isLast { return Outcome(fate: fate, isDirectory: status.kind == .directory) }
            guard let next, let inner = try? parent.openFolder(noFollow: name) else { return nil }
            (directory, parent) = (next, inner)
        }
        return Outcome(fate: fate, isDirectory: true)
    }

    private static func attributes(of name: FilePath, _ status: FileStatus, in folder: Folder) -> [String] {
        guard status.kind == .file || status.kind == .directory else { return [] }
        return
            (try? name.withPlatformString { entry throws(FileSystemError) in
                try ExtendedAttributes.list(in: folder.descriptor, entry: entry, path: name)
            }) ?? []
    }
}

/// The results of earlier questions about paths, with a bound.
private final class PathMemory: Sendable {
    private let known = LockedValue<[[UInt8]: EventModel.Outcome?]>([:])
    private static let most = 10_000

    subscript(path: [UInt8]) -> EventModel.Outcome?? {
        get { known.withLock { $0[path] } }
        set {
            known.withLock { known in
                if known.count >= Self.most { known.removeAll() }
                if let newValue { known.updateValue(newValue, forKey: path) }
            }
        }
    }
}
