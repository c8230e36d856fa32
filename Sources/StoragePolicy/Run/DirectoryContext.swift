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
    let isSystem: Bool
    /// The suppressions that this directory and its ancestors carry.
    let carried: [CarriedSuppression]
    /// True if this is the context of the directory's items, false for the directory as an item.
    let isOwn: Bool

    /// Creates the context of a directory's items.
    init(
        traits: ItemTraits, registry: RegistryPosition, caches: String?, logs: String?, status: FileStatus,
        size: DirectorySize, selector: RuleSelector, isWeighed: Bool, isSystem: Bool, carried: [CarriedSuppression]
    ) {
        self.traits = traits
        self.registry = registry
        (cacheDirectory, logDirectory, self.status) = (caches, logs, status)
        self.size = size
        self.selector = selector
        self.carried = carried
        isOwn = true
        (self.isSystem, self.isWeighed) = (isSystem, isWeighed)
    }

    /// Creates the context of a directory as an item of the one above.
    init(_ own: DirectoryContext, in above: DirectoryContext, traits: ItemTraits, selector: RuleSelector) {
        (self.traits, self.selector) = (traits, selector)
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
}

extension ItemTraits {
    static func exclusion(_ state: BackupState) -> ItemTraits {
        switch state {
        case .included: .included
        case .excluded: .excluded
        case .unknown: .unknown
        }
    }
}
