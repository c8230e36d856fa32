public import AppContainer
internal import FileSystem
public import Foundation
internal import SystemPackage

extension Preferences {
    /// The threads that are changing preferences, by directory.
    private static let changing = LockedValue<[PathLocks.Key: ObjectIdentifier]>([:])

    /// Makes several changes in one save: after a crash the file contains all of them or none.
    ///
    ///     try preferences.change { edit in
    ///         edit.set("Menlo", forKey: "font")
    ///         edit.removeValue(forKey: "fontSize")
    ///     }
    ///
    /// If no value differs from those of the file, nothing is written. The file keeps its backup exclusion, mode and
    /// other attributes; a new file has mode 0600. The format is always a binary property list. Observers are notified
    /// when the change is on disk.
    ///
    /// - Parameters:
    ///   - durability: The durability when the call returns.
    ///   - timeout: The maximum time to wait for other changes in this container's preferences.
    ///   - body: Reads and makes the changes. It must not start another change of the container's preferences.
    /// - Returns: The result of `body`.
    /// - Throws: `damaged` if the file cannot be read, which is then unchanged; `tooLarge` for 4,194,304 bytes or more,
    ///   `unsupported`, `locked`, `notAFile`, `leavesContainer`, `permissionDenied`, `noSpace`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`; and the errors of `body`. Except for `durabilityUnknown`, nothing on disk has
    ///   changed.
    public func change<Result>(
        durability: Durability = .full, waiting timeout: Duration = .seconds(10),
        _ body: (inout PreferencesEdit) throws(PreferencesError) -> Result
    ) throws(PreferencesError) -> Result {
        let key = container.directoryLockKey(Self.directory)
        let thread = ObjectIdentifier(Thread.current)
        guard Self.changing.withLock({ $0[key] }) != thread else {
            throw PreferencesError(
                .locked, path,
                "“\(path)” is already being changed by the call that makes this change. Nothing on disk has been "
                    + "changed by it. Make both changes with the edit that is passed to the closure.")
        }
        var news: [News] = []
        defer { for news in news { news.deliver() } }
        return try container.withPathLock(at: Self.directory, path) { () throws(PreferencesError) in
            Self.changing.withLock { $0[key] = thread }
            defer { Self.changing.withLock { $0[key] = nil } }
            let lock = storage.isLocked ? try lock(within: timeout) : nil
            defer { lock?.release() }
            let loaded = try load()
            news.append(loaded.news)
            var edit = PreferencesEdit(loaded.values, container: container, path: path)
            let result = try body(&edit)
            // An equal value is not written.
            guard edit.isChanged, !PreferenceValue.areIdentical(edit.values, loaded.values) else { return result }
            state.withLock { $0.isWriting = true }
            do throws(PreferencesError) {
                try storage.write(edit.values, replacing: loaded.values, durability: durability)
            } catch {
                if endWriting() { queueRead() }
                throw error
            }
            // Within the lock, so that the order of changes is preserved.
            news.append(
                state.withLock { state in
                    state.reading = nil
                    return state.adopt(edit.values)
                })
            if endWriting() { queueRead() }
            return result
        }
    }

    /// Makes several changes in one save. `body` may throw any error. Then nothing is written.
    ///
    /// - Throws: The errors of the call of the same name, and those of `body`.
    @_disfavoredOverload
    public func change<Result>(
        durability: Durability = .full, waiting timeout: Duration = .seconds(10),
        _ body: (inout PreferencesEdit) throws -> Result
    ) throws -> Result {
        let outcome = try change(durability: durability, waiting: timeout) {
            (edit) throws(PreferencesError) -> Swift.Result<Result, any Error> in
            do { return .success(try body(&edit)) } catch {
                edit.discard()
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Sets a value.
    ///
    /// - Throws: The errors of `change`.
    public func set(
        _ value: some PreferenceConvertible, forKey key: String, durability: Durability = .full
    ) throws(PreferencesError) {
        try change(durability: durability) { $0.set(value, forKey: key) }
    }

    /// Sets a URL. A file in the container is stored relative to it, as `~/Documents/a.txt`, and remains valid if the
    /// container moves. Another file is stored as its path, and any other URL as an archive, as `UserDefaults` does.
    ///
    /// - Throws: The errors of `change`; `unsupported` for a file whose path is not valid text.
    public func set(_ url: URL, forKey key: String, durability: Durability = .full) throws(PreferencesError) {
        try change(durability: durability) { (edit) throws(PreferencesError) in try edit.set(url, forKey: key) }
    }

    /// Removes a value, so that the registered default is returned.
    ///
    /// - Throws: The errors of `change`.
    public func removeValue(forKey key: String, durability: Durability = .full) throws(PreferencesError) {
        try change(durability: durability) { $0.removeValue(forKey: key) }
    }

    /// Returns true if a read was skipped.
    private func endWriting() -> Bool {
        state.withLock { state in
            defer { state.hasSkippedRead = false }
            state.isWriting = false
            return state.hasSkippedRead
        }
    }

    private func lock(within timeout: Duration) throws(PreferencesError) -> Lock {
        do throws(ContainerError) { try container.createParent(of: path) } catch { throw PreferencesError(error) }
        var directory: Folder?
        do throws(FileSystemError) {
            let folder = try container.folder.openFolder(Self.directory)
            directory = folder
            return try Lock(folder, within: timeout)
        } catch {
            if error.errno == .notSupported || error.errno == .notSupportedOnSocket {
                throw PreferencesError(
                    .failed, path, errno: error.errno,
                    "\(error). Nothing on disk has changed. Keep the container on a file system that supports locks.")
            }
            guard error.errno == .resourceTemporarilyUnavailable else { throw PreferencesError(error) }
            let holder = directory.flatMap { Lock.holder(of: $0) }.map { " (process \($0))" } ?? ""
            throw PreferencesError(
                .locked, path, errno: error.errno,
                "“\(Self.directory)” was locked by others\(holder) for \(timeout). Nothing on disk has changed. "
                    + "Try again later.")
        }
    }
}

/// Changes of preferences that are saved together.
public struct PreferencesEdit: ~Copyable {
    private let container: Container
    private let path: FilePath
    private(set) var values: [String: PreferenceValue]
    private(set) var isChanged = false

    init(_ values: [String: PreferenceValue], container: Container, path: FilePath) {
        self.values = values
        self.container = container
        self.path = path
    }

    /// Discards the changes.
    mutating func discard() { isChanged = false }

    /// Returns the stored value of a key with the changes made so far. Does not include registered defaults.
    public func value(forKey key: String) -> PreferenceValue? { values[key] }

    /// Sets a value.
    public mutating func set(_ value: some PreferenceConvertible, forKey key: String) {
        values[key] = value._preferenceValue
        isChanged = true
    }

    /// Sets a URL. A file in the container is stored relative to it.
    ///
    /// - Throws: `unsupported` for a file whose path is not valid text.
    public mutating func set(_ url: URL, forKey key: String) throws(PreferencesError) {
        set(try container.preference(for: url, path: path), forKey: key)
    }

    /// Removes a value, so that the registered default is returned.
    public mutating func removeValue(forKey key: String) {
        if values.removeValue(forKey: key) != nil { isChanged = true }
    }

    /// Removes all values, so that the registered defaults are returned.
    public mutating func removeAll() {
        isChanged = isChanged || !values.isEmpty
        values = [:]
    }
}

/// Typed changes.
extension PreferencesEdit {
    /// Returns the stored value of a key with the changes made so far, or the default of the key. Does not include
    /// launch arguments and registered defaults.
    ///
    /// - Throws: `wrongType` for a value of another type.
    public func value<Value>(for key: Preferences.Key<Value>) throws(PreferencesError) -> Value {
        guard let value = values[key.name] else { return key.defaultValue }
        let context = PreferenceContext(container: container, path: path)
        return try key.decode(Preferences.Found(value: value, source: .file), in: context)
    }

    /// Sets a value. Nil removes the key.
    ///
    /// - Throws: `unsupported` for a value that cannot be encoded.
    public mutating func set<Value>(_ value: Value, for key: Preferences.Key<Value>) throws(PreferencesError) {
        let context = PreferenceContext(container: container, path: path)
        if let stored = try key.encode(value, in: context) {
            set(stored, forKey: key.name)
        } else {
            removeValue(forKey: key.name)
        }
    }

    /// Returns true if the key has a stored value.
    public func isSet<Value>(_ key: Preferences.Key<Value>) -> Bool { values[key.name] != nil }

    /// Removes a value, so that the registered default or the default of the key is returned.
    public mutating func remove<Value>(_ key: Preferences.Key<Value>) { removeValue(forKey: key.name) }
}
