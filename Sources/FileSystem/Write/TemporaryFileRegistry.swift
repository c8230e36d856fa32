internal import CFileSystem
package import SystemPackage

/// The temporary files of a process, which removes them when a signal ends it.
///
/// Until `enable()` is called, as in an app that uses the library, nothing is registered.
package enum TemporaryFileRegistry {
    /// A name in a directory. The directory is identified by its inode, so that equal names in two repositories or
    /// containers are separate entries.
    fileprivate struct Key: Hashable {
        private let device: UInt64
        private let inode: UInt64
        let name: FilePath

        init(_ name: FilePath, in folder: Folder) {
            // Without a status, the open descriptor still distinguishes this directory from others.
            let identity = (try? folder.status(""))?.identity ?? (.max, UInt64(folder.descriptor))
            (device, inode, self.name) = (identity.device, identity.inode, name)
        }
    }

    /// A name in a directory that is used for one temporary file after the other. The directory is identified once.
    package struct Name {
        package let folder: Folder
        fileprivate let key: Key

        package init(_ name: FilePath, in folder: Folder) {
            self.folder = folder
            key = Key(name, in: folder)
        }
    }

    private struct State {
        var files: [Key: Folder] = [:]
        /// Directories that contain registered files and are removed if they are empty.
        var directories: [Key: Folder] = [:]
        /// Directories that are removed with everything in them.
        var trees: [Key: Folder] = [:]
        /// The number of `createFile` and `createTree` calls that have not returned from the kernel.
        var pendingCreations = 0
        var isTerminating = false
    }

    private static let isEnabled = AtomicFlag(false)
    private static let state = LockedValue(State())

    /// Starts to register files.
    package static func enable() { isEnabled.set(true) }

    /// The number of files and directories that are registered.
    package static var count: Int { state.withLock { $0.files.count + $0.directories.count + $0.trees.count } }

    /// Removes the registered files and directories, prevents new ones, and ends the process.
    ///
    /// Large directories are removed for about half a second, because a signal must end a process soon. The next
    /// `ScratchFolder` removes the rest.
    ///
    /// - Parameter end: Ends the process. Its argument is false if a part of a directory is left.
    package static func removeAll(andThen end: (_ isComplete: Bool) -> Never) -> Never {
        let deadline = Host.uptime + 500_000_000
        state.withLock { $0.isTerminating = true }
        while state.withLock({ $0.pendingCreations > 0 }) { cfs_pause(1) }
        state.withLock { state in
            for (key, folder) in state.files {
                _ = key.name.withPlatformString { folder.calls.remove(folder.descriptor, $0, false) }
            }
            // A directory may contain another one.
            for (key, folder) in state.directories.sorted(by: { $0.key.name.length > $1.key.name.length }) {
                _ = key.name.withPlatformString { folder.calls.remove(folder.descriptor, $0, true) }
            }
            var isComplete = true
            for (key, folder) in state.trees where !removeTree(key.name, in: folder, until: deadline) {
                isComplete = false
            }
            // Threads that create a file wait for this lock until the process has ended.
            end(isComplete)
        }
        end(true)
    }

    /// Creates a file that is registered until `unregister`. Safe to call from several threads at once.
    package static func createFile(
        _ name: FilePath, in folder: Folder, permissions: UInt32
    ) throws(FileSystemError) -> OpenFile {
        guard isEnabled.value else { return try folder.createFile(name, permissions: permissions) }
        return try createFile(Name(name, in: folder), permissions: permissions)
    }

    /// Creates a file of a name that is used repeatedly.
    package static func createFile(_ name: Name, permissions: UInt32) throws(FileSystemError) -> OpenFile {
        try create(name, registered: \.files) { () throws(FileSystemError) in
            try name.folder.createFile(name.key.name, permissions: permissions)
        }
    }

    /// Creates a directory that is registered with everything in it until `removeTree`.
    package static func createTree(
        _ name: FilePath, in folder: Folder, permissions: UInt32
    ) throws(FileSystemError) {
        guard isEnabled.value else { return try folder.createDirectory(name, permissions: permissions) }
        try create(Name(name, in: folder), registered: \.trees) { () throws(FileSystemError) in
            try folder.createDirectory(name, permissions: permissions)
        }
    }

    /// Removes a directory of `createTree`, if it exists. Returns false if a part of it is left.
    @discardableResult package static func removeTree(
        _ name: FilePath, in folder: Folder, until deadline: UInt64 = .max
    ) -> Bool {
        // Another thread may still create files in it, which fails as soon as their directory is removed.
        var pause = Pause()
        for _ in 0..<mostAttempts where Host.uptime < deadline {
            do throws(FileSystemError) {
                return try folder.removeTree(name, until: deadline)
            } catch {
                if isAbsent(name, in: folder) { return true }
                pause.wait()
            }
        }
        return false
    }

    /// Removes all directories of `createTree`, before the process ends.
    package static func removeTrees() {
        for (key, folder) in state.withLock({ $0.trees }) {
            removeTree(key.name, in: folder)
            state.withLock { $0.trees[key] = nil }
        }
    }

    private static func isAbsent(_ name: FilePath, in folder: Folder) -> Bool {
        do throws(FileSystemError) { return try folder.statusIfPresent(name) == nil } catch { return false }
    }

    /// About ten seconds.
    private static let mostAttempts = 500

    private static func create<Created>(
        _ name: Name, registered entries: WritableKeyPath<State, [Key: Folder]>,
        _ create: () throws(FileSystemError) -> Created
    ) throws(FileSystemError) -> Created {
        guard isEnabled.value else { return try create() }
        while !state.withLock({ state in
            if !state.isTerminating { state.pendingCreations += 1 }
            return !state.isTerminating
        }) { cfs_pause(1) }
        var isCreated = false
        defer {
            state.withLock { state in
                state.pendingCreations -= 1
                if isCreated { state[keyPath: entries][name.key] = name.folder }
            }
        }
        let created = try create()
        isCreated = true
        return created
    }

    /// Registers a file that exists or is about to be created.
    package static func register(_ name: FilePath, in folder: Folder) {
        guard isEnabled.value else { return }
        register(Name(name, in: folder))
    }

    /// Registers a name that is used repeatedly.
    package static func register(_ name: Name) {
        guard isEnabled.value else { return }
        state.withLock { $0.files[name.key] = name.folder }
    }

    /// Registers a directory that is removed together with the files in it.
    package static func register(directory name: FilePath, in folder: Folder) {
        guard isEnabled.value else { return }
        let key = Key(name, in: folder)
        state.withLock { $0.directories[key] = folder }
    }

    /// Removes the registration of a file or directory that is complete or has been removed.
    package static func unregister(_ name: FilePath, in folder: Folder) {
        guard isEnabled.value else { return }
        unregister(Name(name, in: folder))
    }

    /// Removes the registration of a name that is used repeatedly.
    package static func unregister(_ name: Name) {
        guard isEnabled.value else { return }
        state.withLock { state in
            state.files[name.key] = nil
            state.directories[name.key] = nil
            state.trees[name.key] = nil
        }
    }
}
