public import AppContainer
public import SystemPackage

/// The effect of an event on one item.
public struct ItemOutcome: Sendable, Hashable {
    /// The effect.
    public enum Action: String, Sendable, CaseIterable {
        /// The item was deleted.
        case removed
        /// The item was not deleted.
        case kept
        /// The item has a new path, with its content.
        case moved
        /// The item was copied to the new container.
        case restored
        /// The item is not in the new container.
        case leftOut = "left-out"
        /// The item could not be read, and is not in the new container.
        case unreadable
    }

    /// The path relative to the container, with the exact bytes of the names.
    public let path: FilePath
    /// The effect.
    public let action: Action
    /// The size of a file, or of the whole content of a directory that stands for it.
    public let bytes: UInt64
    /// The reason, as a phrase.
    public let reason: String
}

/// A reference in a file that an event made invalid.
public struct DanglingReference: Sendable, Hashable {
    /// The file or link that contains the reference, relative to the container.
    public let file: FilePath
    /// The key in a property list: `/recent/0`. Nil for a link.
    public let key: String?
    /// The item that the reference named, relative to the container.
    public let target: FilePath
    /// True for an absolute path.
    public let isAbsolute: Bool
}

/// The result of an event on a device.
public struct EventResult: Sendable {
    /// The event.
    public let event: LifecycleEvent
    /// The container after the event. For a restore and a transfer, the new container.
    public let container: Container
    /// The items, sorted by path. A directory may stand for its content.
    public let items: [ItemOutcome]
    /// References in property lists and links that were valid before the event, sorted by file and key; at most 10,000.
    public let danglingReferences: [DanglingReference]
    /// The number of all such references.
    public let danglingReferenceCount: Int

    /// Returns the number and bytes of the items with an effect.
    public func total(_ action: ItemOutcome.Action) -> (items: Int, bytes: UInt64) {
        items.reduce(into: (0, 0)) { total, item in
            guard item.action == action else { return }
            total.items += 1
            total.bytes += item.bytes
        }
    }

    /// True if every item could be read.
    public var isComplete: Bool { !items.contains { $0.action == .unreadable } }
}
