internal import CFileSystem
internal import Synchronization
package import SystemPackage

/// The files in the making of a program that may be told to end at any moment. For a library in an app nothing is noted.
package enum UnfinishedFiles {
    private struct State {
        /// By their names, which no two have in common.
        var folders: [FilePath: Folder] = [:]
        /// Directories that hold such files and go with them, when they are empty.
        var directories: [FilePath: Folder] = [:]
        /// Of how many the kernel has not said yet that they are there.
        var coming = 0
        var isEnding = false
    }

    private static let isNoting = Atomic(false)
    private static let state = Mutex(State())

    /// From now on they are noted.
    package static func note() { isNoting.store(true, ordering: .relaxed) }

    /// Removes them, makes no more, and ends the process.
    package static func removeAll(andThen end: () -> Never) -> Never {
        state.withLock { $0.isEnding = true }
        while state.withLock({ $0.coming > 0 }) { cfs_pause(1) }
        state.withLock { state in
            for (name, folder) in state.folders {
                _ = name.withPlatformString { folder.calls.remove(folder.descriptor, $0, false) }
            }
            for (name, folder) in state.directories {
                _ = name.withPlatformString { folder.calls.remove(folder.descriptor, $0, true) }
            }
            // Whoever makes one waits for this lock until the process is no more.
            end()
        }
        end()
    }

    /// Makes a file that is one of them until it is forgotten. Several threads may do so at the same time.
    package static func make(
        _ name: FilePath, in folder: Folder, permissions: UInt32
    ) throws(FileSystemError) -> OpenFile {
        guard isNoting.load(ordering: .relaxed) else { return try folder.create(name, permissions: permissions) }
        while !state.withLock({ state in
            if !state.isEnding { state.coming += 1 }
            return !state.isEnding
        }) { cfs_pause(1) }
        var isThere = false
        defer {
            state.withLock { state in
                state.coming -= 1
                if isThere { state.folders[name] = folder }
            }
        }
        let file = try folder.create(name, permissions: permissions)
        isThere = true
        return file
    }

    /// Has a file that is there already be one of them.
    package static func note(_ name: FilePath, in folder: Folder) {
        guard isNoting.load(ordering: .relaxed) else { return }
        state.withLock { $0.folders[name] = folder }
    }

    /// Has a directory go with what is made in it.
    package static func note(directory name: FilePath, in folder: Folder) {
        guard isNoting.load(ordering: .relaxed) else { return }
        state.withLock { $0.directories[name] = folder }
    }

    /// What has this name is finished, or gone.
    package static func forget(_ name: FilePath) {
        guard isNoting.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.folders[name] = nil
            state.directories[name] = nil
        }
    }
}
