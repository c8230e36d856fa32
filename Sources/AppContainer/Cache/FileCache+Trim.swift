internal import FileSystem
internal import Foundation
internal import SystemPackage

extension FileCache {
    /// The size and number of the entries of a cache.
    public struct Usage: Sendable, Hashable {
        /// The size of all entries in bytes.
        public let bytes: UInt64
        /// The number of entries.
        public let entries: Int
    }

    /// Returns the size and number of the entries, also of expired ones.
    ///
    /// - Throws: `permissionDenied`, `failed`.
    public func usage() throws(ContainerError) -> Usage {
        let (bytes, entries) = try count()
        return Usage(bytes: bytes, entries: entries)
    }

    /// Returns the size and number of the entries, without opening them.
    private func count() throws(ContainerError) -> (bytes: UInt64, entries: Int) {
        var (bytes, entries, latest) = (UInt64(0), 0, Timestamp(seconds: 0))
        _ = try folder.existing { folder throws(FileSystemError) -> Bool? in
            (bytes, entries) = (0, 0)
            try folder.forEachFile { name, status in
                guard !AtomicWrite.isStagingName(name) else { return }
                bytes = bytes.addingSaturated(status.size)
                entries += 1
                latest = max(latest, status.modified)
            }
            return entries == 0 ? nil : true
        }
        state.withLock { $0.latest = max($0.latest, latest) }
        return (bytes, entries)
    }

    /// Finds the time of the last use of any entry.
    func findLatestUse() { _ = try? count() }

    /// Removes expired entries, the least recently used ones beyond the limits, and leftovers of interrupted saves. A
    /// store that exceeds a limit does this, too.
    ///
    /// - Throws: `permissionDenied`, `failed`.
    public func trim() throws(ContainerError) { try trim(ifExceeded: false) }

    /// Removes entries, or only counts them if they are within the limits.
    private func trim(ifExceeded: Bool) throws(ContainerError) {
        let isFirst = state.withLock { state in
            defer { state.isTrimming = true }
            return !state.isTrimming
        }
        // Another thread is at it.
        guard isFirst else { return }
        let stored = state.withLock(\.stored)
        defer { state.withLock { $0.isTrimming = false } }
        var remaining: (bytes: UInt64, entries: Int)
        if ifExceeded {
            remaining = try count()
            if isExceeded(by: remaining) { remaining = try trimmed() }
        } else {
            remaining = try trimmed()
        }
        state.withLock { state in
            // What other threads have stored meanwhile may or may not have been counted.
            state.stored = (
                state.stored.bytes - min(state.stored.bytes, stored.bytes),
                max(0, state.stored.entries - stored.entries)
            )
            state.total = (
                remaining.bytes.addingSaturated(state.stored.bytes), remaining.entries + state.stored.entries
            )
        }
    }

    private func isExceeded(by total: (bytes: UInt64, entries: Int)) -> Bool {
        total.bytes > limits.bytes || total.entries > limits.entries ?? .max
    }

    /// Counts a new entry, and trims the cache if necessary.
    func count(_ bytes: UInt64, replacing replaced: UInt64?) {
        // True to remove entries, false to count those that another process may have stored, nil for neither.
        let isTrim = state.withLock { state -> Bool? in
            state.stored.bytes = state.stored.bytes.addingSaturated(bytes)
            state.stored.entries += 1
            guard let total = state.total else { return true }
            let old = min(replaced ?? 0, total.bytes)
            let new = ((total.bytes - old).addingSaturated(bytes), total.entries + (replaced == nil ? 1 : 0))
            state.total = new
            if isExceeded(by: new) { return true }
            let isDue =
                state.stored.bytes > Self.step(of: limits.bytes) && state.stored.entries > Self.fewestBetweenTrims
                || limits.entries.map { state.stored.entries > Self.step(of: $0) + Self.fewestBetweenTrims } ?? false
            return isDue ? false : nil
        }
        // The entry is stored, also if the others cannot be counted.
        if let isTrim { try? trim(ifExceeded: !isTrim) }
    }

    /// The number of entries that are stored before the cache looks for those of other processes, unless a limit is
    /// exceeded.
    private static let fewestBetweenTrims = 64

    /// The part of a limit that is freed at once.
    private static func step<Number: BinaryInteger>(of limit: Number) -> Number { limit / 16 }

    /// The time of the last use and the size of an entry.
    private struct Candidate {
        let used: Int64
        let size: UInt64
    }

    /// Removes entries, and returns the size and number of those that remain.
    private func trimmed() throws(ContainerError) -> (bytes: UInt64, entries: Int) {
        var candidates: [Candidate] = []
        var (bytes, latest) = (UInt64(0), Timestamp(seconds: 0))
        _ = try folder.existing { folder throws(FileSystemError) -> Bool? in
            (candidates, bytes) = ([], 0)
            try folder.forEachFile { name, status throws(FileSystemError) in
                guard !AtomicWrite.isStagingName(name) else { return try sweep(name, in: folder) }
                guard try !removeExpired(name, status, in: folder) else { return }
                candidates.append(Candidate(used: status.modified.wholeNanoseconds, size: status.size))
                bytes = bytes.addingSaturated(status.size)
                latest = max(latest, status.modified)
            }
            return candidates.isEmpty ? nil : true
        }
        state.withLock { $0.latest = max($0.latest, latest) }
        var entries = candidates.count
        guard bytes > limits.bytes || entries > limits.entries ?? .max else { return (bytes, entries) }
        let last = lastUse(toRemoveOf: &candidates, bytes: bytes)
        _ = try folder.existing { folder throws(FileSystemError) -> Bool? in
            try folder.forEachFile { name, status throws(FileSystemError) in
                // An entry that was used since then has a later time.
                guard !AtomicWrite.isStagingName(name), status.modified.wholeNanoseconds <= last,
                    try remove(name, status, in: folder, reason: .limit)
                else { return }
                bytes -= min(bytes, status.size)
                entries -= 1
            }
            return true
        }
        return (bytes, max(0, entries))
    }

    /// Returns the time of the last use of the most recently used entry that has to be removed.
    private func lastUse(toRemoveOf candidates: inout [Candidate], bytes: UInt64) -> Int64 {
        candidates.sort { $0.used < $1.used }
        var (bytes, entries) = (bytes, candidates.count)
        let aim = limits.bytes - Self.step(of: limits.bytes)
        let aimedEntries = limits.entries.map { max(0, $0 - Self.step(of: $0)) } ?? .max
        var last = Int64.min
        for candidate in candidates where bytes > aim || entries > aimedEntries {
            bytes -= min(bytes, candidate.size)
            entries -= 1
            last = candidate.used
        }
        return last
    }

    /// Removes an entry that has expired, is too old, or was not completely written before a power loss. Returns true
    /// if it did.
    private func removeExpired(
        _ name: UnsafeRawBufferPointer, _ status: FileStatus, in folder: Folder
    ) throws(FileSystemError) -> Bool {
        guard let (file, _) = try Self.openFile(name, in: folder), let record = try CacheFolder.record(of: file) else {
            return false
        }
        let reason = record.reasonToRemove(at: Timestamp.now.milliseconds, maximumAge: maximumAge)
        guard reason != nil || record.size != status.size else { return false }
        return try remove(name, status, in: folder, reason: reason ?? .limit)
    }

    private static func openFile(
        _ name: UnsafeRawBufferPointer, in folder: Folder
    ) throws(FileSystemError) -> (OpenFile, FileStatus)? {
        guard let start = name.baseAddress else { return nil }
        return try folder.openFile(named: start.assumingMemoryBound(to: CChar.self))
    }

    /// Removes an entry and reports it. Returns false if it does not exist.
    private func remove(
        _ name: UnsafeRawBufferPointer, _ status: FileStatus, in folder: Folder, reason: Eviction.Reason
    ) throws(FileSystemError) -> Bool {
        let key = EscapedName.key(of: name)
        var recorded: String?
        if key == nil, let (file, _) = try Self.openFile(name, in: folder) {
            recorded = try CacheFolder.record(of: file)?.key
        }
        guard try folder.removeIfPresent(FilePath(bytes: name)) != nil else { return false }
        memory.remove(String(decoding: name, as: UTF8.self))
        // A file that this cache did not make has no key.
        guard let key = key ?? recorded else { return true }
        let eviction = Eviction(key: key, bytes: status.size, reason: reason)
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield(eviction) }
        return true
    }

    /// Removes the temporary file of a save whose process has ended.
    private func sweep(_ name: UnsafeRawBufferPointer, in folder: Folder) throws(FileSystemError) {
        guard AtomicWrite.isProcessGone(of: Array(name)) else { return }
        _ = try folder.removeIfPresent(FilePath(bytes: name))
    }
}

extension UInt64 {
    fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
