internal import FileSystem
internal import SystemPackage

extension MobileBackupWriter {
    /// Makes the folder that a backup is written to, and locks it; one that a killed process left is emptied.
    static func claim(_ staging: FilePath, in root: Folder) throws(MobileBackupError) -> (Folder, Lock) {
        let folder = try writing { () throws(FileSystemError) in
            do throws(FileSystemError) { try root.createDirectory(staging, permissions: 0o700) } catch {
                guard error.errno == .fileExists else { throw error }
            }
            return try root.openFolder(noFollow: staging)
        }
        let lock: Lock
        do throws(FileSystemError) { lock = try Lock(folder, within: .zero) } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { throw MobileBackupError(writing: error) }
            throw beingWritten
        }
        // Whoever had it may have renamed or removed it between the open and the lock.
        let isThere = try writing { () throws(FileSystemError) in
            try root.statusIfPresent(staging)?.identity ?? (0, 0) == folder.status("").identity
        }
        guard isThere else { throw beingWritten }
        try writing { () throws(FileSystemError) in for name in try folder.names() { try folder.remove(name) } }
        return (folder, lock)
    }

    private static var beingWritten: MobileBackupError {
        MobileBackupError(
            .beingWritten, "Another process writes a backup of this device here. Wait for it, or choose another folder."
        )
    }
}
