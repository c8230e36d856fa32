internal import CFileSystem
package import SystemPackage

/// A watch on one file at a path beneath a folder, also while the file or the directories on its path do not exist.
///
/// The directories on the path are watched for the next name on the path, so a directory that is moved away, removed or
/// created again is noticed. Events of one file may be coalesced, and an event may be reported without a change: read
/// the file again. A change before `init` returns is not reported, and each later one is.
package final class FileWatch: Sendable {
    private let id: Int

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - folder: The folder.
    ///   - onChange: Runs on a thread that all watches share. It must return at once.
    /// - Throws: A failure to watch a directory; `noSpace` (ENOSPC) if the system allows no further watches.
    package init(
        _ path: FilePath, in folder: Folder, onChange: @escaping @Sendable () -> Void
    ) throws(FileSystemError) {
        id = try WatchedFiles.shared.add(path, folder: folder, onChange)
    }

    deinit { WatchedFiles.shared.remove(id) }

    /// False if a directory that was created again could not be watched: later changes may not be reported.
    package var isComplete: Bool { WatchedFiles.shared.isComplete(id) }
}

/// All watched files of this process, with one queue of the kernel and one thread, since a user may have few of them
/// (128 on Linux, `fs.inotify.max_user_instances`).
private final class WatchedFiles: Sendable {
    static let shared = WatchedFiles()

    private struct Entry {
        let folder: Folder
        let path: FilePath
        let onChange: @Sendable () -> Void
        /// The watches of the directories on the path that exist, with the name to watch for in each.
        var watches: [(number: Int32, name: [UInt8])] = []
        var isComplete = true
    }

    private struct State {
        var watch: DirectoryWatch?
        var entries: [Int: Entry] = [:]
        var nextID = 0
        /// The number of entries that use a watch.
        var uses: [Int32: Int] = [:]
    }

    private let state = LockedValue(State())

    func add(
        _ path: FilePath, folder: Folder, _ onChange: @escaping @Sendable () -> Void
    ) throws(FileSystemError) -> Int {
        try state.withLock { (state) throws(FileSystemError) in
            let watch = try self.watch(&state, path: path)
            var entry = Entry(folder: folder, path: path, onChange: onChange)
            do throws(FileSystemError) { try arm(&entry, watch: watch, state: &state) } catch {
                disarm(&entry, watch: watch, state: &state)
                throw error
            }
            state.nextID += 1
            state.entries[state.nextID] = entry
            return state.nextID
        }
    }

    func isComplete(_ id: Int) -> Bool { state.withLock { $0.entries[id]?.isComplete == true } }

    func remove(_ id: Int) {
        // Released outside the lock, because what the closure holds may end another watch.
        _ = state.withLock { state -> Entry? in
            guard var entry = state.entries.removeValue(forKey: id), let watch = state.watch else { return nil }
            disarm(&entry, watch: watch, state: &state)
            return entry
        }
    }

    private func watch(_ state: inout State, path: FilePath) throws(FileSystemError) -> DirectoryWatch {
        if let watch = state.watch { return watch }
        let watch = try DirectoryWatch()
        try succeed(
            cfs_start_thread({ _ in WatchedFiles.shared.run() }, nil), operation: "start a thread to watch", path)
        state.watch = watch
        return watch
    }

    /// Watches each directory on the path down to the first that does not exist.
    private func arm(_ entry: inout Entry, watch: DirectoryWatch, state: inout State) throws(FileSystemError) {
        var directory = entry.folder
        for (index, component) in entry.path.components.enumerated() {
            let number = try watch.add(directory)
            state.uses[number, default: 0] += 1
            entry.watches.append((number, FilePath(root: nil, components: component).bytes))
            guard index < entry.path.components.count - 1 else { return }
            guard let next = try? directory.openFolder(FilePath(root: nil, components: component)) else { return }
            directory = next
        }
    }

    private func disarm(_ entry: inout Entry, watch: DirectoryWatch, state: inout State) {
        for (number, _) in entry.watches {
            state.uses[number, default: 1] -= 1
            guard state.uses[number] == 0 else { continue }
            state.uses[number] = nil
            watch.remove(number)
        }
        entry.watches = []
    }

    /// Reports events as long as the process runs.
    private func run() {
        guard let watch = state.withLock(\.watch) else { return }
        while let event = try? watch.next() {
            let notified = state.withLock { state in report(event, watch: watch, state: &state) }
            for onChange in notified { onChange() }
        }
    }

    private func report(
        _ event: DirectoryWatch.Event, watch: DirectoryWatch, state: inout State
    ) -> [@Sendable () -> Void] {
        let (number, name) = (event.directory, event.name.bytes)
        let hasEnded = event.kind == .ended || event.kind == .selfRemoved
        var notified: [@Sendable () -> Void] = []
        for id in state.entries.keys {
            guard var entry = state.entries[id] else { continue }
            let positions = entry.watches.indices.filter { entry.watches[$0].number == number }
            let concerned = positions.filter { hasEnded || name.isEmpty || entry.watches[$0].name == name }
            guard number < 0 || !concerned.isEmpty else { continue }
            notified.append(entry.onChange)
            // A directory on the path is another one now, or none.
            let isPathChanged = number < 0 || hasEnded || concerned.contains { $0 < entry.path.components.count - 1 }
            guard isPathChanged else { continue }
            disarm(&entry, watch: watch, state: &state)
            do throws(FileSystemError) { try arm(&entry, watch: watch, state: &state) } catch {
                entry.isComplete = false
            }
            state.entries[id] = entry
        }
        return notified
    }
}
