internal import CFileSystem
internal import SystemPackage

extension Folder {
    private static let mostPending = 100_000

    /// Counts the entries beneath the folder by their names alone, which takes a fraction of the time of a walk. Skips
    /// unreadable directories.
    ///
    /// - Returns: The number of entries, or nil if the tree is too wide or `isCalledOff` returns true.
    package func countEntries(unless isCalledOff: () -> Bool) -> Int? {
        var count = 0
        var pending: [FilePath] = [""]
        while let path = pending.popLast() {
            if isCalledOff() || pending.count > Self.mostPending { return nil }
            let descriptor = resolve(path, CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | CFS_NO_LINKS | CFS_NO_FOLLOW)
            guard descriptor >= 0, let stream = cfs_directory_take(descriptor) else { continue }
            defer { cfs_directory_close(stream) }
            var entry = cfs_entry()
            while cfs_directory_next(stream, &entry) > 0 {
                count += 1
                guard entry.kind == UInt8(CFS_DIRECTORY) else { continue }
                let name = UnsafeRawBufferPointer(start: entry.name, count: entry.length)
                pending.append(FilePath(bytes: path.bytes + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + name))
            }
        }
        return count
    }
}
