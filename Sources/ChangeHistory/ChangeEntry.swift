package import FileSystem
internal import Foundation
internal import SystemPackage

/// A directory with the journal of a change, and in `aside` the items that it removed. The name of the journal file is the
/// state of the change:
///
/// - no journal: the container is unchanged, and `aside` has nothing but copies for a change that has not begun;
/// - `begun.json`: a change, or an undo of the linter, has begun and must be reverted;
/// - `undoing.json`: an undo of the file manager has begun;
/// - `done.json`: the change was made, and its undo data is kept;
/// - `conflict.json`: a part of the change could not be reverted without a loss;
/// - `undone.json`: the change was reverted, and the copies that it had made are kept;
/// - `forgotten.json`: the undo data is being removed.
package struct ChangeEntry {
    package enum State: String, CaseIterable, Sendable {
        case begun, undoing, done, conflict, undone, forgotten

        /// True if the change is neither made nor reverted.
        package var isUnfinished: Bool { self == .begun || self == .undoing }
    }

    package let folder: Folder

    package init(_ folder: Folder) { self.folder = folder }

    /// Opens or creates the folder for removed items.
    package func aside() throws(FileSystemError) -> Folder {
        if try folder.statusIfPresent("aside") == nil {
            try folder.createDirectory("aside", permissions: 0o700)
            try folder.sync()
        }
        return try folder.openFolder(noFollow: "aside")
    }

    /// Returns the state of the change; nil without a journal.
    package func state() throws(FileSystemError) -> State? {
        for state in State.allCases where try folder.statusIfPresent(Self.file(state)) != nil { return state }
        return nil
    }

    /// Writes the journal of a change that is about to begin, durably.
    package func write(_ journal: ChangeJournal) throws(FileSystemError) {
        // The journal of many steps takes long to read.
        if let summary = journal.summary { try write(summary, to: Self.summaryName) }
        try write(journal, to: Self.file(.begun))
    }

    private func write(_ value: some Encodable, to name: FilePath) throws(FileSystemError) {
        let bytes: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            bytes = try encoder.encode(value)
        } catch {
            throw FileSystemError("write the journal of a change in", path: folder.path, errno: .invalidArgument)
        }
        // Not an `AtomicWrite`, which waits forever when a signal ends the process: the end waits for this change.
        let temporary = AtomicWrite.stagingName()
        do throws(FileSystemError) {
            let file = try folder.createFile(temporary, permissions: 0o600)
            try file.write(Array(bytes))
            try file.sync()
            try file.close()
            try folder.rename(temporary, over: name, in: folder)
            try folder.sync()
        } catch {
            try? folder.removeFile(temporary)
            throw error
        }
    }

    /// Returns the summary of the change; nil without a readable one.
    func summary() -> ChangeSummary? {
        guard let bytes = try? folder.open(Self.summaryName, followingLinks: false).contents(limit: 1 << 20) else {
            return nil
        }
        return try? JSONDecoder().decode(ChangeSummary.self, from: Data(bytes))
    }

    package func journal(_ state: State) throws(FileSystemError) -> ChangeJournal {
        let bytes = try folder.open(Self.file(state), followingLinks: false).contents(limit: 1 << 30)
        guard let journal = try? JSONDecoder().decode(ChangeJournal.self, from: Data(bytes)),
            journal.form == ChangeJournal.form
        else { throw FileSystemError("read the journal of a change in", path: folder.path, errno: .invalidArgument) }
        return journal
    }

    /// Records a new state of the change durably.
    package func turn(from old: State, to new: State) throws(FileSystemError) {
        try folder.rename(Self.file(old), to: Self.file(new), in: folder)
        try folder.sync()
    }

    /// Removes the undo data and the journal, in an order that is safe if interrupted.
    ///
    /// - Parameter check: Called between items and during the removal of a large one. An error ends the removal, which the
    ///   next call continues.
    /// - Throws: `FileSystemError`, and the error of `check`.
    package func forget(check: () throws -> Void = {}) throws {
        if let state = try state(), state != .forgotten { try turn(from: state, to: .forgotten) }
        try removeAside(check: check)
        if try folder.statusIfPresent(Self.file(.forgotten)) != nil { try folder.remove(Self.file(.forgotten)) }
    }

    /// Removes the folder for removed items with its content.
    func removeAside(check: () throws -> Void = {}) throws {
        guard try folder.statusIfPresent("aside") != nil else { return }
        let aside = try folder.openFolder(noFollow: "aside")
        for name in try aside.names() {
            guard try aside.status(name).kind == .directory else {
                try aside.removeFile(name)
                continue
            }
            repeat { try check() } while try !aside.removeTree(name, until: Host.uptime &+ 100_000_000)
        }
        try folder.removeEmptyDirectory("aside")
        try folder.sync()
    }

    /// Removes the journal of a completely reverted change.
    package func close(_ state: State = .begun) throws(FileSystemError) { try folder.remove(Self.file(state)) }

    private static let summaryName: FilePath = "summary.json"

    /// Removes the summary and the leftovers of interrupted writes.
    func removeTemporaryFiles() throws(FileSystemError) {
        for name in try folder.names()
        where name.string.hasPrefix(AtomicWrite.stagingPrefix) || name == Self.summaryName {
            try folder.remove(name)
        }
    }

    private static func file(_ state: State) -> FilePath { FilePath("\(state.rawValue).json") }
}
