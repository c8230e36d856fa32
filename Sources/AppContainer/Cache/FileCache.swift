internal import FileSystem
public import Foundation
internal import SystemPackage

/// Files by key that the app can download or generate again: pictures, thumbnails, rendered pages.
///
///     let images = try container.cache(named: "images", limits: .init(bytes: 200_000_000, memory: 20_000_000))
///     let image = try await images.value(forKey: url.absoluteString) { try await download(url) }
///
/// An entry is a file with the value as its content, which players and views can read through `url(forKey:)`. A save is
/// atomic: a reader, in this or another process, finds the old value, the new one, or none. After a kill each value is
/// whole. After a power loss a value may be missing. The system may delete entries of a purgeable cache at any time;
/// the cache then has no value.
///
/// The time of the last use of an entry is the modification time of its file, so there is no index that could be lost
/// or be wrong. The least recently used entries are removed when a store exceeds a limit, down to 15/16 of it, so that
/// not every store reads the directory. One store removes as much as was stored before, and at most 64 entries more, so
/// that it does not wait for thousands of removals. A cache that exceeds its limit by more, because the limit was higher
/// before or another process has stored entries, returns to it with the next stores, or by `trim()`. A store finds
/// expired entries among 1,024 at a time.
///
/// Several processes, such as an app and its extension, may use one cache at once. Each knows of the entries of another
/// after it has stored a sixteenth of the limit, so the cache may exceed it for that long.
///
/// A clock that is set back makes no entry older, and does not change the order of use in a process that has seen a
/// later one.
public final class FileCache: Sendable {
    /// The location of a cache.
    public enum Storage: Sendable, Hashable {
        /// `Library/Caches/<id>`: the system may delete entries at any time. No backup contains them.
        case purgeable
        /// `Library/Application Support/<id>/Caches`, which is excluded from backup: the system deletes nothing. For
        /// data that the app needs without a network.
        case kept
    }

    /// The limits of a cache. The least recently used entries are removed first.
    public struct Limits: Sendable, Hashable {
        /// The maximum size of all entries in bytes.
        public var bytes: UInt64
        /// The maximum number of entries. Nil for no limit.
        public var entries: Int?
        /// The time after which an entry is removed, since it was stored. Nil for no limit.
        public var age: Duration?
        /// The maximum size in bytes of the entries that are kept in memory, too. 0 for none.
        public var memory: Int

        /// Creates limits. The default is 256 MiB on disk.
        public init(bytes: UInt64 = 256 << 20, entries: Int? = nil, age: Duration? = nil, memory: Int = 0) {
            (self.bytes, self.entries, self.age, self.memory) = (bytes, entries, age, memory)
        }
    }

    /// An entry that the cache has removed.
    public struct Eviction: Sendable, Hashable {
        /// The reason for a removal.
        public enum Reason: Sendable, Hashable {
            /// A limit for bytes or entries.
            case limit
            /// The maximum age.
            case age
            /// The expiry date of the entry.
            case expired
        }
        /// The key.
        public let key: String
        /// The size in bytes.
        public let bytes: UInt64
        /// The reason.
        public let reason: Reason
    }

    /// The directory of the cache.
    public let directory: ContainerPath
    /// The limits.
    public let limits: Limits
    let folder: CacheFolder
    let memory: MemoryCache
    let listeners = LockedValue<[Int: AsyncStream<Eviction>.Continuation]>([:])
    let flights = LockedValue<[String: Flight]>([:])
    let state = LockedValue(State())

    struct State {
        /// The time of the last use that was recorded or found.
        var latest = Timestamp(seconds: 0)
        /// The size and number of all entries when they were counted last, with what this process has stored and removed
        /// since. Nil before the first time.
        var total: (bytes: UInt64, entries: Int)?
        /// The sum of what this process has stored since the entries were counted last.
        var stored: (bytes: UInt64, entries: Int) = (0, 0)
        /// The sum of what this process has stored since entries were removed last.
        var owed: (bytes: UInt64, entries: Int) = (0, 0)
        /// The sum of what the present trim or store has removed.
        var removed: (entries: Int, bytes: UInt64) = (0, 0)
        /// Some of the least recently used entries when they were counted last, the oldest at the end.
        var victims: [Victim] = []
        /// The position in the directory at which the next search for expired entries begins.
        var checked = 0
        var isTrimming = false
        var nextListener = 0
    }

    init(_ container: Container, directory: ContainerPath, path: FilePath, limits: Limits, storage: Storage) {
        (self.directory, self.limits) = (directory, limits)
        folder = CacheFolder(container, path, isExcluded: storage == .kept)
        memory = MemoryCache(limit: limits.memory)
    }

    deinit { for listener in listeners.withLock(\.values) { listener.finish() } }

    // MARK: - Reads

    /// Returns the value of a key, or nil if it has no value, has expired, or was deleted by the system.
    ///
    /// - Throws: `invalidPath` for a key of more than 3,000 bytes; `permissionDenied`, `failed`.
    public func value(forKey key: String) throws(ContainerError) -> Data? {
        let name = try self.name(of: key)
        if let known = memory.value(name.text) {
            if try isCurrent(name, known.identity, known.record) { return known.data }
            memory.remove(name.text)
        }
        guard let entry = try folder.open(name, key: key), isValid(entry) else { return nil }
        let data: Data
        do throws(FileSystemError) { data = try entry.file.data(size: entry.status.size) } catch {
            throw ContainerError(
                reading: FileSystemError(
                    error.operation, path: folder.path.joined(FilePath(name.text)), errno: error.errno))
        }
        // Another process cannot have changed it: each save is a new file.
        guard data.count == entry.status.size else { return nil }
        use(entry)
        memory.insert(name.text, data, MemoryCache.Identity(entry.status), entry.record)
        return data
    }

    /// Returns the URL of the file of a key, for a player or a view, or nil if there is no value.
    ///
    /// The file may be removed at any time. A program that has opened it can read all of it.
    ///
    /// - Throws: The errors of `value(forKey:)`.
    public func url(forKey key: String) throws(ContainerError) -> URL? {
        let name = try self.name(of: key)
        guard let entry = try folder.open(name, key: key), isValid(entry) else { return nil }
        use(entry)
        return try folder.container.url(for: directory.appending(entry: FilePath(name.text)))
    }

    /// Returns true if there is a value that has not expired. Does not count as a use.
    ///
    /// - Throws: The errors of `value(forKey:)`.
    public func contains(_ key: String) throws(ContainerError) -> Bool {
        try folder.open(try name(of: key), key: key).map(isValid) ?? false
    }

    // MARK: - Changes

    /// Stores a value. It replaces that of the same key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key: any text of at most 3,000 bytes, such as an address.
    ///   - expiry: The date from which there is no value.
    /// - Throws: `invalidPath` for a longer key; `noAttributes` for an entry with an expiry date, or a key of more than
    ///   255 bytes as a name, on a file system without attributes; `permissionDenied`, `noSpace`, `failed`.
    public func store(
        _ value: some ContiguousBytes, forKey key: String, expires expiry: Date? = nil
    ) throws(ContainerError) {
        let name = try self.name(of: key)
        memory.remove(name.text)
        let size = value.withUnsafeBytes { UInt64($0.count) }
        let record = CacheRecord(
            size: size, stored: Timestamp.now.milliseconds, expiry: expiry.map { Self.milliseconds($0) },
            key: name.isWhole ? nil : key)
        var write = AtomicWrite(durability: .none, attributes: [record.change], permissions: 0o600)
        write.conflicts.symbolicLink = .replace
        write.conflicts.special = .replace
        let used = stamp()
        let path = FilePath(name.text)
        var replaced: UInt64?
        try folder.made { folder throws(AtomicWriteError) in
            replaced = (try? folder.statusIfPresent(path))?.flatMap { $0.isFile ? $0.size : nil }
            try write.write(to: path, in: folder) { file throws(FileSystemError) in
                try file.write(value)
                try file.setTimes(accessed: used, modified: used)
            }
        }
        if limits.memory > 0, let data = value as? Data, let entry = try folder.open(name, key: key) {
            memory.insert(name.text, data, MemoryCache.Identity(entry.status), entry.record)
        }
        count(size, replacing: replaced)
    }

    /// Removes the value of a key. Does nothing if it has no value.
    ///
    /// - Throws: `permissionDenied`, `failed`.
    public func remove(_ key: String) throws(ContainerError) {
        let name = try self.name(of: key)
        memory.remove(name.text)
        guard let entry = try folder.open(name, key: key) else { return }
        if try folder.existing({ folder throws(FileSystemError) in try folder.removeIfPresent(FilePath(name.text)) })
            != nil
        {
            state.withLock { state in
                let used = entry.status.modified.wholeNanoseconds
                state.victims.removeAll { $0.used == used && $0.name.dropLast().elementsEqual(name.text.utf8) }
                guard let total = state.total else { return }
                state.total = (total.bytes - min(total.bytes, entry.status.size), max(0, total.entries - 1))
            }
        }
    }

    /// Removes all values.
    ///
    /// - Throws: The errors of `Container.removeAll(in:)`.
    public func removeAll() throws(ContainerError) {
        memory.removeAll()
        do throws(ContainerError) { try folder.container.removeAll(in: directory) } catch {
            guard error.code == .notFound else { throw error }
        }
        state.withLock { ($0.total, $0.stored, $0.owed, $0.victims) = ((0, 0), (0, 0), (0, 0), []) }
    }

    /// The entries that this object removes because of a limit or an expiry date, from now on. At most 1,024 wait to be
    /// read; older ones are dropped.
    public var evictions: AsyncStream<Eviction> {
        let (stream, continuation) = AsyncStream.makeStream(of: Eviction.self, bufferingPolicy: .bufferingNewest(1_024))
        let number = state.withLock { state in
            state.nextListener += 1
            return state.nextListener
        }
        listeners.withLock { $0[number] = continuation }
        continuation.onTermination = { [weak self] _ in _ = self?.listeners.withLock { $0.removeValue(forKey: number) }
        }
        return stream
    }

    // MARK: - Entries

    /// The maximum size of a key in bytes. On ext4, all attributes of a file share one block of 4 KiB.
    private static let longestKey = 3_000

    private func name(of key: String) throws(ContainerError) -> EscapedName {
        guard key.utf8.count <= Self.longestKey else {
            throw ContainerError(
                .invalidPath, folder.path,
                "A key of “\(directory)” has \(key.utf8.count) bytes. Nothing on disk has changed. Use keys of at most "
                    + "\(Self.longestKey) bytes.")
        }
        return EscapedName(key)
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded()) ?? (date > Date() ? .max : .min)
    }

    var maximumAge: Int64? {
        limits.age.map { age in
            let (seconds, attoseconds) = age.components
            return Int64(
                exactly: (Double(seconds) * 1_000 + Double(attoseconds) / 1e15).rounded()) ?? .max
        }
    }

    private func isValid(_ entry: CacheFolder.Entry) -> Bool {
        guard let record = entry.record else { return true }
        // After a power loss, a file may be shorter than its attribute says.
        return record.size == entry.status.size
            && record.reasonToRemove(at: Timestamp.now.milliseconds, maximumAge: maximumAge) == nil
    }

    /// Returns true if the file of an entry in memory is still there and valid, and records the use.
    private func isCurrent(
        _ name: EscapedName, _ identity: MemoryCache.Identity, _ record: CacheRecord?
    ) throws(ContainerError) -> Bool {
        guard record?.reasonToRemove(at: Timestamp.now.milliseconds, maximumAge: maximumAge) == nil else {
            return false
        }
        let path = FilePath(name.text)
        let found = try folder.existing { folder throws(FileSystemError) -> FileStatus? in
            guard let status = try folder.statusIfPresent(path) else { return nil }
            guard MemoryCache.Identity(status) == identity else { return nil }
            let used = stamp(after: status.modified)
            try? folder.setTimes(path, accessed: used, modified: used)
            return status
        }
        return found != nil
    }

    /// Records the use of an entry. A failure, as on a read-only disk, only affects the order of removal.
    private func use(_ entry: CacheFolder.Entry) {
        let used = stamp(after: entry.status.modified)
        try? entry.file.setTimes(accessed: used, modified: used)
    }

    /// Returns the time of a use: now, or a nanosecond after the last one if the clock has been set back.
    private func stamp(after known: Timestamp = Timestamp(seconds: 0)) -> Timestamp {
        let now = Timestamp.now
        // Other entries may have been used even later before the clock was set back.
        if known > now, state.withLock({ $0.latest < known }) { findLatestUse() }
        return state.withLock { state in
            let latest = max(state.latest, known)
            state.latest = latest < now ? now : Timestamp(wholeNanoseconds: latest.wholeNanoseconds &+ 1)
            return state.latest
        }
    }
}

extension Container {
    /// Opens a cache of files by key. Its directory is made with the first entry.
    ///
    /// Use one object for each cache in a process.
    ///
    /// - Parameters:
    ///   - name: The name of the directory.
    ///   - storage: The location.
    ///   - limits: The limits.
    /// - Returns: The cache.
    /// - Throws: `invalidPath` for a name that is empty, begins with a dot or contains a slash; `noIdentifier`.
    public func cache(
        named name: String, storage: FileCache.Storage = .purgeable, limits: FileCache.Limits = FileCache.Limits()
    ) throws(ContainerError) -> FileCache {
        guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0) else {
            throw ContainerError(
                .invalidPath, FilePath(name.printable),
                "“\(name)” is not the name of a cache. Nothing on disk has changed. Use a name without slashes that does not "
                    + "begin with a dot.")
        }
        let directory: ContainerPath =
            switch storage {
            case .purgeable: .caches / name
            case .kept: .applicationSupport / "Caches" / name
            }
        return FileCache(self, directory: directory, path: try relative(directory), limits: limits, storage: storage)
    }
}
