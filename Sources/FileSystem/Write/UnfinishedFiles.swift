internal import Synchronization
internal import SystemPackage

/// The files in the making of a program that may be told to end at any moment. For a library in an app nothing is noted.
package enum UnfinishedFiles {
    private static let isNoting = Atomic(false)
    /// By their names, which no two have in common.
    private static let folders = Mutex<[FilePath: Folder]>([:])

    /// From now on they are noted.
    package static func note() { isNoting.store(true, ordering: .relaxed) }

    /// Removes them, makes no more, and ends the process.
    package static func removeAll(andThen end: () -> Never) -> Never {
        folders.withLock { folders in
            for (name, folder) in folders {
                _ = name.withPlatformString { folder.calls.remove(folder.descriptor, $0, false) }
            }
            // Whoever makes one waits for this lock until the process is no more.
            end()
        }
        end()
    }

    static func make(
        _ name: FilePath, in folder: Folder, permissions: UInt32
    ) throws(FileSystemError) -> OpenFile {
        guard isNoting.load(ordering: .relaxed) else { return try folder.create(name, permissions: permissions) }
        return try folders.withLock { folders throws(FileSystemError) in
            let file = try folder.create(name, permissions: permissions)
            folders[name] = folder
            return file
        }
    }

    static func forget(_ name: FilePath) {
        guard isNoting.load(ordering: .relaxed) else { return }
        folders.withLock { $0[name] = nil }
    }
}
