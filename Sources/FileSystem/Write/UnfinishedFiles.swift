internal import Synchronization
package import SystemPackage

/// The files in the making of a program that may be told to end at any moment. For a library in an app nothing is noted.
package enum UnfinishedFiles {
    private static let isNoting = Atomic(false)
    /// By their names, which no two have in common.
    private static let folders = Mutex<[FilePath: Folder]>([:])
    /// Directories that hold such files and go with them, when they are empty.
    private static let directories = Mutex<[FilePath: Folder]>([:])

    /// From now on they are noted.
    package static func note() { isNoting.store(true, ordering: .relaxed) }

    /// Removes them, makes no more, and ends the process.
    package static func removeAll(andThen end: () -> Never) -> Never {
        folders.withLock { folders in
            for (name, folder) in folders {
                _ = name.withPlatformString { folder.calls.remove(folder.descriptor, $0, false) }
            }
            directories.withLock { directories in
                for (name, folder) in directories {
                    _ = name.withPlatformString { folder.calls.remove(folder.descriptor, $0, true) }
                }
            }
            // Whoever makes one waits for this lock until the process is no more.
            end()
        }
        end()
    }

    /// Makes a file that is one of them until it is forgotten.
    package static func make(
        _ name: FilePath, in folder: Folder, permissions: UInt32
    ) throws(FileSystemError) -> OpenFile {
        guard isNoting.load(ordering: .relaxed) else { return try folder.create(name, permissions: permissions) }
        return try folders.withLock { folders throws(FileSystemError) in
            let file = try folder.create(name, permissions: permissions)
            folders[name] = folder
            return file
        }
    }

    /// Has a file that is there already be one of them.
    package static func note(_ name: FilePath, in folder: Folder) {
        guard isNoting.load(ordering: .relaxed) else { return }
        folders.withLock { $0[name] = folder }
    }

    /// Has a directory go with what is made in it.
    package static func note(directory name: FilePath, in folder: Folder) {
        guard isNoting.load(ordering: .relaxed) else { return }
        directories.withLock { $0[name] = folder }
    }

    /// What has this name is finished, or gone.
    package static func forget(_ name: FilePath) {
        guard isNoting.load(ordering: .relaxed) else { return }
        folders.withLock { $0[name] = nil }
        directories.withLock { $0[name] = nil }
    }
}
