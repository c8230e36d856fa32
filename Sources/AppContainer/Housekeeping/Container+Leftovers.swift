package import FileSystem
internal import SystemPackage

extension Container {
    /// Removes what saves and copies that never ended left behind: files and directories in the making, whose maker
    /// is gone and that no one has changed for a while.
    ///
    /// A maker that is alive holds a lock on what it writes; `age` is for file systems without locks, and for a batch,
    /// whose files wait without one for the last of them to be written. It must be longer than a batch takes.
    ///
    /// - Parameter age: How long nothing may have changed at a leftover; an hour unless told.
    /// - Returns: What was removed, sorted by path within each directory.
    /// - Throws: `permissionDenied`, `failed`.
    @discardableResult
    public func sweepLeftovers(olderThan age: Duration = .seconds(3_600)) throws(ContainerError) -> [ContainerPath] {
        try sweepLeftovers(olderThan: age, now: .now)
    }

    /// The same at a time of a test's own.
    package func sweepLeftovers(olderThan age: Duration, now: Timestamp) throws(ContainerError) -> [ContainerPath] {
        let latest = now.earlier(by: age)
        var swept: [FilePath] = []
        do throws(FileSystemError) {
            try folder.visit("") { entry throws(FileSystemError) in
                guard entry.name.bytes.starts(with: Replace.stagingPrefix.utf8) else { return true }
                // A copy's own time is its original's; the change of its inode is not.
                let last = max(entry.status.modified, entry.status.changed)
                if last <= latest, isAbandoned(entry) {
                    try entry.remove()
                    swept.append(entry.path)
                }
                return false
            }
        } catch { throw ContainerError(error, onDisk: "Leftovers removed before it: \(swept.count).") }
        return try swept.map { path throws(ContainerError) in try place(path) }
    }

    /// Whether no one holds the lock that whoever makes a file or directory has on it.
    private func isAbandoned(_ entry: Folder.Entry) -> Bool {
        guard entry.status.kind == .file || entry.status.kind == .directory else { return true }
        return (try? entry.open())?.tryLock() ?? false
    }
}

extension Timestamp {
    fileprivate func earlier(by duration: Duration) -> Timestamp {
        let (wholeSeconds, attoseconds) = duration.components
        // Between two ends that can be counted, whatever the caller calls “for ever”.
        var seconds = seconds - min(max(wholeSeconds, -1 << 61), 1 << 61)
        var nanoseconds = Int64(nanoseconds) - attoseconds / 1_000_000_000
        if nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
        if nanoseconds >= 1_000_000_000 { (seconds, nanoseconds) = (seconds + 1, nanoseconds - 1_000_000_000) }
        return Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds))
    }
}
