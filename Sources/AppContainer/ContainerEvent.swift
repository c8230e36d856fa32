/// An event that no call of the app returns: entries that a cache has removed, a value that was saved in the background,
/// a directory that the system had deleted.
///
///     container.eventHandler = { event in show("\(event.kind.rawValue): \(event.files)") }
///
/// `ContainerLogging` writes events to a logger of swift-log.
public struct ContainerEvent: Sendable {
    /// The kind of an event.
    public enum Kind: String, Sendable, Hashable {
        /// A cache has removed entries beyond its limits, or expired ones. The item is its directory.
        case evicted
        /// A `FileValue` has saved its changes.
        case saved
        /// Another process has changed the file of a `FileValue` that has unsaved changes: `merge` has joined both, or
        /// the value of this process remains.
        case conflicted
        /// A `FileValue` could not be read or saved in the background. The error is also its `lastError`.
        case failed
        /// A finished download has been moved into the container.
        case downloaded
        /// `purgeExpired` has removed files whose expiry date has passed. The item is the container.
        case expired
        /// `sweepLeftovers` has removed leftovers of interrupted saves. The item is the container.
        case swept
        /// A directory was deleted during a save, as by a purge of the system, and has been made again.
        case recreated
    }

    /// The kind.
    public let kind: Kind
    /// The file or directory.
    public let item: ContainerPath
    /// The number of files or directories.
    public let files: Int
    /// The size of the files in bytes, as far as it is known.
    public let bytes: UInt64?
    /// The error of a failure.
    public let error: ContainerError?
}

extension Container {
    /// Reports an event to the handler. Must not be called while a lock is held, because the handler may use the
    /// container.
    func report(
        _ kind: ContainerEvent.Kind, _ item: ContainerPath, files: Int = 1, bytes: UInt64? = nil,
        error: ContainerError? = nil
    ) {
        eventHandler?(ContainerEvent(kind: kind, item: item, files: files, bytes: bytes, error: error))
    }
}
