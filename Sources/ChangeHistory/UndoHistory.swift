package import AppContainer
internal import FileSystem
package import SystemPackage

/// The changes of the file manager to a container that can be reverted: numbered entries in `<container>.sandboxlint-undo`,
/// `sandboxfm/000001` and so on.
///
/// A change and its undo hold the container's lock. The copies for a change are made before that, in an entry without a journal;
/// a lock on the entry shows that its process is alive.
package struct UndoHistory {
    /// An entry of a change that has not ended.
    package struct OpenEntry {
        package let number: Int
        package let entry: ChangeEntry
        let lock: Lock
    }

    /// A change that the history keeps.
    package struct Change: Sendable {
        /// The number, from 1. Later changes have greater numbers.
        package let number: Int
        package let state: ChangeEntry.State
        package let summary: ChangeSummary
        /// The bytes in the undo folder.
        package var kept: UInt64 { state == .forgotten ? 0 : state == .undone ? summary.bytes : summary.kept }
    }

    let container: Container
    private static let directory: FilePath = "sandboxfm"

    package init(of container: Container) { self.container = container }

    /// The name of the undo folder beside the container; nil if there can be no such folder.
    package var name: String? { try? UndoFolder(of: container.folder).name.string }

    // MARK: - Entries

    /// Opens the directory with the entries, if it exists.
    func open() throws -> Folder? {
        guard let folder = try UndoFolder(of: container.folder).open(),
            try folder.statusIfPresent(Self.directory) != nil
        else { return nil }
        return try folder.openFolder(noFollow: Self.directory)
    }

    private func make() throws -> Folder {
        let folder = try UndoFolder(of: container.folder).make()
        do throws(FileSystemError) {
            try folder.createDirectory(Self.directory, permissions: 0o700)
            try folder.sync()
        } catch {
            guard error.errno == .fileExists else { throw error }
        }
        return try folder.openFolder(noFollow: Self.directory)
    }

    /// Returns the numbers of the entries, in ascending order.
    func numbers(in folder: Folder) throws(FileSystemError) -> [Int] {
        try folder.names().compactMap { Int($0.string) }.filter { $0 > 0 }.sorted()
    }

    func name(of number: Int) -> FilePath {
        let digits = "\(number)"
        return FilePath(String(repeating: "0", count: max(0, 6 - digits.count)) + digits)
    }

    /// Creates an entry for a change.
    ///
    /// - Throws: `FileSystemError`, `UntrustedUndoFolder`.
    package func begin() throws -> OpenEntry {
        var attempts = 0
        while true {
            attempts += 1
            do {
                let folder = try make()
                // Until the entry is locked, another process would take it for the leftover of a process that has ended.
                let lock = try Lock(folder, within: .seconds(10))
                defer { lock.release() }
                let number = (try numbers(in: folder).last ?? 0) + 1
                try folder.createDirectory(name(of: number), permissions: 0o700)
                try folder.sync()
                let entry = try folder.openFolder(noFollow: name(of: number))
                return OpenEntry(number: number, entry: ChangeEntry(entry), lock: try Lock(entry, within: .zero))
            } catch let error as FileSystemError where error.errno == .noSuchFileOrDirectory && attempts < 20 {
                // Another process has removed the empty folder.
            }
        }
    }

    /// Returns the reason why the removal of the items at these paths cannot be kept for an undo; nil if it can be.
    package func obstacle(to paths: [FilePath]) -> String? {
        do {
            let beside = try UndoFolder(of: container.folder)
            let folder = try beside.make()
            defer { try? beside.removeIfEmpty() }
            let device = try folder.status("").identity.device
            let other = try paths.first { path throws(FileSystemError) in
                guard let parent = try? container.folder.locate(path).0 else { return false }
                return try parent.status("").identity.device != device
            }
            guard let other else { return nil }
            return "“\(other.string.printable)” is on another volume than the undo folder beside the container"
        } catch { return Self.reason(error) }
    }

    /// Returns the reason why there is no undo folder.
    package static func reason(_ error: any Error) -> String {
        guard let error = error as? FileSystemError else { return "\(error)" }
        return "the undo folder beside the container cannot be used: \(error.errno)"
    }

    /// Removes an entry whose change has not begun, with the copies for it.
    package func discard(_ open: OpenEntry) {
        try? remove(open.number, open.entry)
        open.lock.release()
    }

    /// Ends the work on an entry, which stays as it is.
    package func end(_ open: OpenEntry) { open.lock.release() }

    /// Removes an entry without content that is needed, and the folders above if nothing else is in them.
    func remove(_ number: Int, _ entry: ChangeEntry) throws {
        guard let folder = try self.open() else { return }
        try entry.removeAside()
        try entry.removeTemporaryFiles()
        try folder.removeEmptyDirectory(name(of: number))
        try folder.sync()
        try tidy()
    }

    /// Removes the folders if nothing is in them.
    func tidy() throws {
        let beside = try UndoFolder(of: container.folder)
        guard let folder = try beside.open() else { return }
        do throws(FileSystemError) { try folder.removeEmptyDirectory(Self.directory) } catch {
            guard [.directoryNotEmpty, .fileExists, .noSuchFileOrDirectory].contains(error.errno) else { throw error }
        }
        try beside.removeIfEmpty()
    }

    /// Calls `body` with each entry that no other process uses, the newest first.
    func forEachEntry(_ body: (Int, ChangeEntry, ChangeEntry.State?) throws -> Void) throws {
        guard let folder = try open() else { return }
        for number in try numbers(in: folder).reversed() {
            let entry: Folder
            do throws(FileSystemError) { entry = try folder.openFolder(noFollow: name(of: number)) } catch {
                guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else { throw error }
                continue
            }
            let outer = try Lock(folder, within: .seconds(10))
            guard let lock = try? Lock(entry, within: .zero) else { continue }
            outer.release()
            defer { lock.release() }
            let opened = ChangeEntry(entry)
            try body(number, opened, try opened.state())
        }
    }

    /// Returns the changes, the newest first. A change that has begun and not ended is in the list too.
    package func changes() throws -> [Change] {
        var changes: [Change] = []
        guard let folder = try open() else { return [] }
        for number in try numbers(in: folder).reversed() {
            guard let entry = (try? folder.openFolder(noFollow: name(of: number))).map({ ChangeEntry($0) }),
                let state = try entry.state(), state != .forgotten
            else { continue }
            guard let summary = entry.summary() else { continue }
            changes.append(Change(number: number, state: state, summary: summary))
        }
        return changes
    }
}
