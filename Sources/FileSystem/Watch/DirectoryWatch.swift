internal import CFileSystem
package import SystemPackage

/// Changes to the entries of directories, as the kernel reports them: inotify(7) on Linux, kqueue(2) on Darwin.
///
/// One thread waits for events. Directories may be added and removed, and the wait may be stopped, on any thread, so the
/// class is safe to share.
package final class DirectoryWatch: @unchecked Sendable {
    /// A change.
    package struct Event: Sendable {
        package enum Kind: Sendable {
            /// An entry appeared, was replaced, or its content or attributes changed.
            case changed
            /// An entry was removed or renamed.
            case removed
            /// The directory itself was removed or renamed.
            case selfRemoved
            /// The directory is not watched any more.
            case ended
            /// The kernel lost events.
            case overflow
        }
        package let kind: Kind
        /// The directory, as `add` returned it. Negative for `overflow`.
        package let directory: Int32
        /// The name of the entry. Empty for the directory itself, and if `reportsNames` is false.
        package let name: FilePath
        package let isDirectory: Bool
        /// True if the entry did not have this name before.
        package let isNew: Bool
        /// True if the entry was removed by a rename.
        package let isMoved: Bool
    }

    /// True if the system reports the name of the entry that has changed.
    package static var reportsNames: Bool { cfs_watch_reports_names }

    private let watch: OpaquePointer

    /// Creates a watch without directories.
    ///
    /// - Throws: `tooManyOpenFiles` if the system's limit is reached; `noMemory`.
    package init() throws(FileSystemError) {
        var made: OpaquePointer?
        try succeed(cfs_watch_make(&made), operation: "create a watch of", "")
        guard let made else { throw FileSystemError("create a watch of", path: "", errno: .noMemory) }
        watch = made
    }

    deinit { cfs_watch_free(watch) }

    /// Starts to watch the entries of a directory. Returns a number for it. On Linux it is the same for the same directory.
    ///
    /// - Throws: `noSpace` if the system's limit is reached.
    package func add(_ folder: Folder) throws(FileSystemError) -> Int32 {
        try succeed(cfs_watch_add(watch, folder.descriptor), operation: "watch the directory", folder.path)
    }

    /// Stops to watch a directory.
    package func remove(_ directory: Int32) { cfs_watch_remove(watch, directory) }

    /// Waits for the next event. Returns nil after `stop`.
    package func next() throws(FileSystemError) -> Event? {
        var change = cfs_change()
        try succeed(cfs_watch_next(watch, &change), operation: "wait for changes of", "")
        let kind: Event.Kind
        switch Int(change.kind) {
        case CFS_WATCH_CHANGED: kind = .changed
        case CFS_WATCH_REMOVED: kind = .removed
        case CFS_WATCH_SELF_REMOVED: kind = .selfRemoved
        case CFS_WATCH_ENDED: kind = .ended
        case CFS_WATCH_OVERFLOW: kind = .overflow
        default: return nil
        }
        let name = withUnsafeBytes(of: change.name) { FilePath(bytes: $0.prefix(change.length)) }
        return Event(
            kind: kind, directory: change.directory, name: name, isDirectory: change.is_directory,
            isNew: change.is_new, isMoved: change.is_moved)
    }

    /// Ends the wait, now and later.
    package func stop() { cfs_watch_stop(watch) }
}
