internal import AppContainer
internal import FileSystem
internal import Foundation
internal import StoragePolicy
internal import SystemPackage

/// The folder beside a container, `<container>.sandboxlint-undo`, with the journal and the removed items of a fix.
///
/// It is on the container's disk, so that removed items can be renamed into it. Inside the container it would be
/// linted, backed up and found by the app. The journal file is the state of the fix:
///
/// - no journal: the container is unchanged;
/// - `begun.json`: a fix or its undo has begun and must be reverted;
/// - `done.json`: a fix was applied, and its undo data is kept;
/// - `forgotten.json`: the undo data is being removed.
struct UndoFolder {
    static let suffix = ".sandboxlint-undo"

    enum State: String, CaseIterable { case begun, done, forgotten }

    private let parent: Folder
    /// The name beside the container.
    let name: FilePath

    init(of container: Folder) throws(FileSystemError) {
        let path = try container.absolutePath()
        guard let last = path.lastComponent else {
            throw FileSystemError("store removed items beside", path: path, errno: .notSupported)
        }
        parent = try Folder(opening: path.removingLastComponent(), calls: container.calls)
        name = FilePath(bytes: FilePath(root: nil, [last]).bytes + Array(Self.suffix.utf8))
    }

    /// Opens the folder, if it exists.
    ///
    /// - Throws: `UntrustedUndoFolder` for one that another user owns, or that is open to others.
    func open() throws -> Folder? {
        guard let status = try parent.statusIfPresent(name) else { return nil }
        guard status.kind == .directory else {
            throw FileSystemError("store removed items in", path: name, errno: .fileExists)
        }
        let folder = try parent.openFolder(noFollow: name)
        // Of the directory that is open: the name may be another's by now.
        let opened = try folder.status("")
        guard opened.owner.user == Host.user, opened.permissions & 0o077 == 0 else {
            throw UntrustedUndoFolder(name: name, status: opened)
        }
        return folder
    }

    /// Opens or creates the folder and its directory for removed items.
    func make() throws -> Folder {
        if let folder = try open() { return folder }
        try parent.createDirectory(name, permissions: 0o700)
        try parent.sync()
        return try parent.openFolder(noFollow: name)
    }

    /// Opens the folder for removed items.
    static func aside(in folder: Folder) throws(FileSystemError) -> Folder {
        if try folder.statusIfPresent("aside") == nil {
            try folder.createDirectory("aside", permissions: 0o700)
            try folder.sync()
        }
        return try folder.openFolder(noFollow: "aside")
    }

    /// Returns the state of the last fix; nil without one.
    static func state(of folder: Folder) throws(FileSystemError) -> State? {
        for state in State.allCases where try folder.statusIfPresent(file(state)) != nil { return state }
        return nil
    }

    static func write(_ journal: FixJournal, in folder: Folder) throws(FileSystemError) {
        let bytes: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            bytes = try encoder.encode(journal)
        } catch { throw FileSystemError("write the journal of a fix in", path: folder.path, errno: .invalidArgument) }
        do throws(AtomicWriteError) {
            try AtomicWrite(durability: .full).write(to: file(.begun), in: folder) { file throws(FileSystemError) in
                try file.write(Array(bytes))
            }
        } catch { throw error.cause }
    }

    static func journal(in folder: Folder, _ state: State) throws(FileSystemError) -> FixJournal {
        let bytes = try folder.open(file(state), followingLinks: false).contents(limit: 1 << 30)
        guard let journal = try? JSONDecoder().decode(FixJournal.self, from: Data(bytes)),
            journal.form == FixJournal.form
        else { throw FileSystemError("read the journal of a fix in", path: folder.path, errno: .invalidArgument) }
        return journal
    }

    /// Records a new state of the fix durably.
    static func turn(_ folder: Folder, from old: State, to new: State) throws(FileSystemError) {
        try folder.rename(file(old), to: file(new), in: folder)
        try folder.sync()
    }

    /// Removes the undo data and the journal, in an order that is safe if interrupted.
    static func forget(_ folder: Folder) throws(FileSystemError) {
        if let state = try state(of: folder), state != .forgotten { try turn(folder, from: state, to: .forgotten) }
        if try folder.statusIfPresent("aside") != nil { try folder.remove("aside") }
        if try folder.statusIfPresent(file(.forgotten)) != nil { try folder.remove(file(.forgotten)) }
    }

    /// Removes the journal of a completely reverted fix.
    static func close(_ folder: Folder) throws(FileSystemError) { try folder.remove(file(.begun)) }

    /// Removes the leftovers of a trial, and the folder if no fix needs it.
    func tidy() throws {
        guard let folder = try open() else { return }
        for name in ["trial", "trial-aside"] as [FilePath] where try folder.statusIfPresent(name) != nil {
            try folder.remove(name)
        }
        guard try Self.state(of: folder) == nil else { return }
        for name in try folder.names() where name.string.hasPrefix(AtomicWrite.stagingPrefix) {
            try folder.remove(name)
        }
        do throws(FileSystemError) {
            if try folder.statusIfPresent("aside") != nil { try folder.removeEmptyDirectory("aside") }
            try parent.removeEmptyDirectory(name)
            try parent.sync()
        } catch {
            // What is in it is not a fix's, and stays.
            guard error.errno == .directoryNotEmpty else { throw error }
        }
    }

    private static func file(_ state: State) -> FilePath { FilePath("\(state.rawValue).json") }
}

/// An undo folder that another user owns or can change. It is not used and not changed.
package struct UntrustedUndoFolder: Error, CustomStringConvertible {
    private let name: FilePath
    private let status: FileStatus

    init(name: FilePath, status: FileStatus) { (self.name, self.status) = (name, status) }

    package var description: String {
        let reason =
            status.owner.user == Host.user
            ? "is open to other users (mode 0\(String(status.permissions, radix: 8)))"
            : "belongs to another user (uid \(status.owner.user))"
        return
            "“\(name.string.printable)” beside the container \(reason), so its content cannot be trusted. Nothing "
            + "was changed. Inspect and remove it, or run the command as its owner with mode 0700."
    }
}
