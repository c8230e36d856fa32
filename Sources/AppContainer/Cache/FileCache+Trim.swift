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

    /// Removes all expired entries, the least recently used ones down to 15/16 of the limits, and leftovers of interrupted
    /// saves. It takes as long as that many removals take; call it in the background, for instance when the app enters
    /// it.
    ///
    /// - Throws: `permissionDenied`, `failed`.
    public func trim() throws(ContainerError) {
        // Another thread is at it.
        guard beginTrim() else { return }
        defer { endTrim() }
        let stored = state.withLock(\.stored)
        setTotal(try trimmed(), with: [], stored: stored)
    }

    /// Returns false if another thread removes entries.
    private func beginTrim() -> Bool {
        state.withLock { state in
            defer { state.isTrimming = true }
            return !state.isTrimming
        }
    }

    private func endTrim() {
        let removed = state.withLock { state in
            defer { (state.isTrimming, state.removed) = (false, (0, 0)) }
            return state.removed
        }
        if removed.entries > 0 {
            folder.container.report(.evicted, directory, files: removed.entries, bytes: removed.bytes)
        }
    }

    /// Records the result of a look at all entries that began when this process had stored some.
    private func setTotal(
        _ total: (bytes: UInt64, entries: Int), with victims: [Victim], stored: (bytes: UInt64, entries: Int)
    ) {
        state.withLock { state in
            // Entries that other threads have stored meanwhile may or may not have been counted.
            state.stored = (
                state.stored.bytes - min(state.stored.bytes, stored.bytes),
                max(0, state.stored.entries - stored.entries)
            )
            state.total = (total.bytes.addingSaturated(state.stored.bytes), total.entries + state.stored.entries)
            state.victims = victims
        }
    }

    private func isExceeded(by total: (bytes: UInt64, entries: Int)) -> Bool {
        total.bytes > limits.bytes || total.entries > limits.entries ?? .max
    }

    /// The size and number of entries at which removal ends.
    private var aim: (bytes: UInt64, entries: Int) {
        (
            limits.bytes - Self.step(of: limits.bytes),
            limits.entries.map { max(0, $0 - Self.step(of: $0)) } ?? .max
        )
    }

    private func isAboveAim(_ total: (bytes: UInt64, entries: Int)) -> Bool {
        total.bytes > aim.bytes || total.entries > aim.entries
    }

    /// Counts a new entry, and removes others if necessary.
    func count(_ bytes: UInt64, replacing replaced: UInt64?) {
        enum Need { case nothing, count, room, both }
        let need = state.withLock { state -> Need in
            state.stored.bytes = state.stored.bytes.addingSaturated(bytes)
            state.stored.entries += 1
            state.owed.bytes = state.owed.bytes.addingSaturated(bytes)
            state.owed.entries += 1
            guard let total = state.total else { return .both }
            let old = min(replaced ?? 0, total.bytes)
            let new = ((total.bytes - old).addingSaturated(bytes), total.entries + (replaced == nil ? 1 : 0))
            state.total = new
            if isExceeded(by: new) { return .room }
            // Another process may have stored entries.
            let isDue =
                state.stored.bytes > Self.step(of: limits.bytes) && state.stored.entries > Self.fewestBetweenLooks
                || limits.entries.map { state.stored.entries > Self.step(of: $0) + Self.fewestBetweenLooks } ?? false
            return isDue ? .count : .nothing
        }
        guard need != .nothing, beginTrim() else { return }
        defer { endTrim() }
        // The entry is stored, also if the others cannot be counted.
        do throws(ContainerError) {
            if need != .room { try look(removingExpired: need == .both) }
            try makeRoom(hasLooked: need != .room)
        } catch { return }
    }

    /// The number of entries that are stored before the cache looks for those of other processes, unless a limit is
    /// exceeded.
    private static let fewestBetweenLooks = 64

    /// The part of a limit that is freed at once.
    private static func step<Number: BinaryInteger>(of limit: Number) -> Number { limit / 16 }

    /// The number of entries that a store removes beyond the size and number of those that were stored.
    private static let batch = 64
    /// The number of entries that a store opens to find expired ones.
    private static let mostChecked = 1_024

    /// An entry that is to be removed next.
    struct Victim {
        /// The time of the last use, in nanoseconds.
        let used: Int64
        let size: UInt64
        /// The name and a NUL.
        let name: [UInt8]
    }

    /// Removes the least recently used entries: if a limit is exceeded, as much as was stored since the last removal, and
    /// a few more, so that a store takes a bounded time. Others follow with later stores.
    private func makeRoom(hasLooked: Bool) throws(ContainerError) {
        var (owed, total) = state.withLock { state in
            defer { state.owed = (0, 0) }
            return (state.owed, state.total)
        }
        guard let known = total, isExceeded(by: known) else { return }
        var (hasLooked, extra) = (hasLooked, 0)
        while let known = total, isAboveAim(known) {
            let isOwed = isExceeded(by: known) && (owed.bytes > 0 || owed.entries > 0)
            guard isOwed || extra < Self.batch else { return }
            guard let victim = state.withLock({ $0.victims.popLast() }) else {
                if hasLooked { return }
                hasLooked = true
                try look(removingExpired: true)
                total = state.withLock(\.total)
                continue
            }
            switch try remove(victim) {
            case .removed:
                owed = (owed.bytes - min(owed.bytes, victim.size), max(0, owed.entries - 1))
                if !isOwed { extra += 1 }
                state.withLock { state in
                    guard let total = state.total else { return }
                    state.total = (total.bytes - min(total.bytes, victim.size), max(0, total.entries - 1))
                }
            case .used: continue
            case .missing:
                // The system or another process has removed entries, maybe many.
                if !hasLooked { state.withLock { $0.victims = [] } }
            }
            total = state.withLock(\.total)
        }
    }

    private enum Removal { case removed, used, missing }

    private func remove(_ victim: Victim) throws(ContainerError) -> Removal {
        try folder.existing { folder throws(FileSystemError) -> Removal? in
            try victim.name.withUnsafeBufferPointer { buffer throws(FileSystemError) -> Removal in
                let name = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer).dropLast())
                guard let status = try folder.statusIfPresent(FilePath(bytes: name)) else { return .missing }
                guard status.isFile, status.modified.wholeNanoseconds == victim.used else { return .used }
                return try remove(name, status, in: folder, reason: .limit) ? .removed : .missing
            }
        } ?? .missing
    }

    /// Counts all entries without opening them, and finds the least recently used ones if they have to be removed.
    ///
    /// - Parameter removingExpired: True to open some of the entries, others each time, and to remove expired ones.
    /// - Throws: `permissionDenied`, `failed`.
    private func look(removingExpired: Bool) throws(ContainerError) {
        let (stored, start, known) = state.withLock { ($0.stored, $0.checked, $0.total?.entries ?? 0) }
        let room = min(65_536, max(1_024, Self.step(of: limits.entries ?? known)))
        var victims: [Victim] = []
        var (bytes, entries, position, latest) = (UInt64(0), 0, 0, Timestamp(seconds: 0))
        // An entry that was used at this time or later is none of the least recently used ones.
        var end = Int64.max
        _ = try folder.existing { folder throws(FileSystemError) -> Bool? in
            (victims, bytes, entries, position, end) = ([], 0, 0, 0, .max)
            try folder.forEachFile { name, status throws(FileSystemError) in
                let isChecked = removingExpired && position >= start && position < start + Self.mostChecked
                position += 1
                guard !AtomicWrite.isStagingName(name) else {
                    if isChecked { try sweep(name, in: folder) }
                    return
                }
                if isChecked, try removeExpired(name, status, in: folder) { return }
                (bytes, entries) = (bytes.addingSaturated(status.size), entries + 1)
                latest = max(latest, status.modified)
                let used = status.modified.wholeNanoseconds
                guard used < end else { return }
                victims.append(Victim(used: used, size: status.size, name: Array(name) + [0]))
                guard victims.count >= 2 * room else { return }
                victims.sort { $0.used < $1.used }
                victims.removeLast(victims.count - room)
                end = victims.last?.used ?? end
            }
            return position == 0 ? nil : true
        }
        state.withLock { state in
            state.latest = max(state.latest, latest)
            if removingExpired { state.checked = start + Self.mostChecked < position ? start + Self.mostChecked : 0 }
        }
        // The next one to remove is the last.
        victims.sort { $0.used > $1.used }
        if victims.count > room { victims.removeFirst(victims.count - room) }
        setTotal((bytes, entries), with: isAboveAim((bytes, entries)) ? victims : [], stored: stored)
    }

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
        var last = Int64.min
        for candidate in candidates where isAboveAim((bytes, entries)) {
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
        state.withLock { state in
            state.removed = (state.removed.entries + 1, state.removed.bytes.addingSaturated(status.size))
        }
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
    func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
