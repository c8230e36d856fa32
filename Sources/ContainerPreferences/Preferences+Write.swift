public import AppContainer
internal import FileSystem
public import Foundation
internal import Synchronization
internal import SystemPackage

extension Preferences {
    /// How long a change waits for others' to end.
    public static let patience = Duration.seconds(10)

    /// The threads that are about to change preferences, by the directory in which they do.
    private static let changing = Mutex<[PathQueue.Key: ObjectIdentifier]>([:])

    /// Makes several changes in one save: after a crash the file holds all of them or none.
    ///
    ///     try preferences.change { edit in
    ///         edit.set("Menlo", forKey: "font")
    ///         edit.removeValue(forKey: "fontSize")
    ///     }
    ///
    /// The file keeps its do-not-back-up flag, mode and every other attribute; a new one has mode 0600. It is written
    /// as a binary property list, whatever it was. Those who observe hear of the change when it is on disk.
    ///
    /// - Parameters:
    ///   - durability: What is done before the call returns for the change to last.
    ///   - timeout: How long other changes in this container's preferences are waited for.
    ///   - body: Reads and makes the changes. It must not ask for another change of the container's preferences.
    /// - Returns: What `body` does.
    /// - Throws: `damaged` where the file cannot be read, which is then left as it is; `tooLarge` for 4,194,304 bytes
    ///   or more, `unsupported`, `locked`, `notAFile`, `leavesContainer`, `permissionDenied`, `noSpace`,
    ///   `noAttributes`, `durabilityUnknown`, `failed`; and what `body` throws. But for `durabilityUnknown` nothing on
    ///   disk has changed.
    public func change<Result>(
        durability: Durability = .full, waiting timeout: Duration = Preferences.patience,
        _ body: (inout PreferencesEdit) throws(PreferencesError) -> Result
    ) throws(PreferencesError) -> Result {
        let key = container.queueKey(Self.directory)
        let thread = ObjectIdentifier(Thread.current)
        guard Self.changing.withLock({ $0[key] }) != thread else {
            throw PreferencesError(
                .locked, path,
                "“\(path)” is being changed by the very call that asks for another change. Nothing on disk has "
                    + "changed by this one. Make both with the edit that the closure is given.")
        }
        var news: [News] = []
        defer { for news in news { news.deliver() } }
        return try container.withTurn(at: Self.directory, path) { () throws(PreferencesError) in
            Self.changing.withLock { $0[key] = thread }
            defer { Self.changing.withLock { $0[key] = nil } }
            let lock = try lock(within: timeout)
            defer { lock.release() }
            let loaded = try load()
            news.append(loaded.news)
            var edit = PreferencesEdit(loaded.values, container: container, path: path)
            let result = try body(&edit)
            guard edit.isChanged else { return result }
            try file.write(edit.values, durability: durability)
            // Still under the lock, so that no one else's later change is taken for an earlier one.
            news.append(
                state.withLock { state in
                    state.reading = nil
                    return state.adopt(edit.values)
                })
            return result
        }
    }

    /// Sets a value.
    ///
    /// - Throws: As `change`.
    public func set(
        _ value: some PreferenceConvertible, forKey key: String, durability: Durability = .full
    ) throws(PreferencesError) {
        try change(durability: durability) { $0.set(value, forKey: key) }
    }

    /// Sets a URL. One of a file in the container is kept relative to it, as `~/Documents/a.txt`, and is found again
    /// wherever the container then lies; one of another file as its path; any other as an archive, as `UserDefaults`
    /// keeps it.
    ///
    /// - Throws: As `change`; `unsupported` for a file whose path is no text.
    public func set(_ url: URL, forKey key: String, durability: Durability = .full) throws(PreferencesError) {
        try change(durability: durability) { (edit) throws(PreferencesError) in try edit.set(url, forKey: key) }
    }

    /// Takes a value away, so that the registered default shows again.
    ///
    /// - Throws: As `change`.
    public func removeValue(forKey key: String, durability: Durability = .full) throws(PreferencesError) {
        try change(durability: durability) { $0.removeValue(forKey: key) }
    }

    private func lock(within timeout: Duration) throws(PreferencesError) -> Lock {
        do throws(ContainerError) { try container.makeParent(of: path) } catch { throw PreferencesError(error) }
        var directory: Folder?
        do throws(FileSystemError) {
            let folder = try container.folder.folder(Self.directory)
            directory = folder
            return try Lock(folder, within: timeout)
        } catch {
            if error.errno == .notSupported {
                throw PreferencesError(
                    .failed, path, errno: error.errno,
                    "\(error). Nothing on disk has changed. Keep the container on a file system that has locks.")
            }
            guard error.errno == .resourceTemporarilyUnavailable else { throw PreferencesError(error) }
            let holder = directory.flatMap { Lock.holder(of: $0) }.map { " (process \($0))" } ?? ""
            throw PreferencesError(
                .locked, path, errno: error.errno,
                "“\(Self.directory)” was kept locked by others\(holder) for \(timeout). Nothing on disk has changed. "
                    + "Try again, or let them end first.")
        }
    }
}
