internal import AppContainer
internal import ContainerLifecycle
internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// The data about a directory that rules use for its items.
final class DirectoryContext: Sendable {
    /// The traits of all items of the directory.
    let traits: ItemTraits
    let registry: RegistryPosition
    /// The nearest directory, this one or above it in the same location, whose name is a cache's.
    let cacheDirectory: String?
    /// The same of logs.
    let logDirectory: String?
    /// The status of the directory itself.
    let status: FileStatus
    /// The size of the directory itself.
    let size: DirectorySize
    let selector: RuleSelector
    /// True if the files are candidates for a verdict: backed up, in a location for app data.
    let isWeighed: Bool
    /// True if this is, or is in, a directory of the system.
    private let isSystem: Bool
    /// The suppressions that this directory and its ancestors carry.
    let carried: [Suppressions.Carried]
    /// True if this is the context of the directory's items, false for the directory as an item.
    let isOwn: Bool

    /// The container's own directory.
    convenience init(root item: Item, _ directory: Directory, policy: Policy) {
        self.init(
            item, directory, registry: policy.positions.root, size: DirectorySize(), caches: nil, logs: nil,
            isSystem: false, carried: [], policy: policy)
    }

    /// Returns the context of a subdirectory.
    func entering(_ item: Item, _ directory: Directory, policy: Policy) -> DirectoryContext {
        let name = String(decoding: item.name, as: UTF8.self).lowercased()
        func named(_ names: Set<String>, _ above: String?) -> String? {
            names.contains(name) ? ByteText.escaped(Array(item.name)) : (directory.isLocation ? nil : above)
        }
        return DirectoryContext(
            item, directory, registry: registry.entering(item.name, policy.positions), size: DirectorySize(in: size),
            caches: named(Self.cacheNames, cacheDirectory),
            logs: named(Self.logNames, logDirectory),
            isSystem: isSystem || policy.model?.vocabulary.isSystem(name, in: directory) ?? false, carried: carried,
            policy: policy)
    }

    private init(
        _ item: Item, _ directory: Directory, registry: RegistryPosition, size: DirectorySize, caches: String?,
        logs: String?, isSystem: Bool, carried above: [Suppressions.Carried], policy: Policy
    ) {
        var traits = RuleScope.LocationName.of(directory.location).trait
        if directory.isBackedUp { traits.formUnion(.backedUp) }
        if policy.kind == .group { traits.formUnion(.group) }
        if caches != nil { traits.formUnion(.insideCache) }
        if logs != nil { traits.formUnion(.insideLogs) }
        if directory.isLocation { traits.formUnion(.direct) }
        for allocation in policy.allocator.locations where allocation.locations.contains(directory.location) {
            traits.formUnion(allocation.trait)
        }
        traits.formUnion(policy.declared)
        self.traits = traits
        self.registry = registry
        self.size = size
        cacheDirectory = caches
        logDirectory = logs
        status = item.status
        selector = policy.selector(for: traits)
        carried = above + policy.suppressions.read(item, at: directory.path)
        isOwn = true
        self.isSystem = isSystem
        isWeighed = policy.model != nil && !isSystem && directory.isWeighed
    }

    private init(_ own: DirectoryContext, in above: DirectoryContext, policy: Policy) {
        // What is asked of the directory that an item lies in is asked of the one above.
        let position = policy.allocator.byDirectory.union([.direct])
        traits = own.traits.subtracting(position).union(above.traits.intersection(position))
        selector = policy.selector(for: traits)
        (cacheDirectory, logDirectory, status) = (own.cacheDirectory, own.logDirectory, own.status)
        size = own.size
        registry = above.registry
        carried = own.carried
        isOwn = false
        (isSystem, isWeighed) = (own.isSystem, false)
    }

    /// The names of cache directories, in lower case.
    static let cacheNames: Set<String> = [
        "cache", "caches", "imagecache", "image_cache", "image-cache", "imagecaches", "thumbnails", "thumbnailcache",
        "tilecache", "diskcache", "webcache",
    ]
    /// The names of log directories, in lower case.
    static let logNames: Set<String> = ["log", "logs"]

    /// Returns true if a registry entry matches an item of the directory, or the directory itself.
    @inline(__always)
    func isRegistered(_ item: Item) -> Bool {
        item.name.isEmpty
            ? !registry.taken.isEmpty : registry.hasMatch(item.name, isDirectory: item.status.kind == .directory)
    }

    /// Returns the context for evaluating the directory itself as an item of its parent.
    func asItem(of above: DirectoryContext, policy: Policy) -> DirectoryContext {
        DirectoryContext(self, in: above, policy: policy)
    }
}

extension Directory {
    /// True if apps keep backed-up data of their own in the directory.
    fileprivate var isWeighed: Bool {
        isBackedUp && exclusion.state != .excluded
            && [.documents, .applicationSupport, .library, .root].contains(location)
    }
}

extension Vocabulary {
    /// Returns true if a directory of Library, or of a group's root, is the system's.
    fileprivate func isSystem(_ name: String, in directory: Directory) -> Bool {
        (system.contains(name) || name.hasPrefix("com.apple."))
            && directory.depth <= (directory.location == .root ? 1 : 2)
    }
}

extension ItemTraits {
    static func exclusion(_ state: BackupExclusion.State) -> ItemTraits {
        switch state {
        case .included: .included
        case .excluded: .excluded
        case .unknown: .unknown
        }
    }
}
