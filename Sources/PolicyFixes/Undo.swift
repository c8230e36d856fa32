package import AppContainer
internal import ChangeHistory
internal import FileSystem
internal import StoragePolicy
internal import SystemPackage

/// The revert of a fix.
package enum Undo {
    /// The outcome of an undo.
    package struct Outcome: Sendable {
        /// True if there was a fix to revert.
        package let hadFix: Bool
        /// True if the fix was interrupted.
        package let wasInterrupted: Bool
        /// The number of steps of the fix.
        package let steps: Int
        /// The steps that cannot be reverted without a loss. Their old items stay in the undo folder.
        package let conflicts: [Conflict]
        /// The name of the undo folder.
        package let undoName: String
    }

    /// A step that cannot be reverted.
    package struct Conflict: Sendable, Hashable {
        /// The path relative to the container.
        package let path: [UInt8]
        /// The reason.
        package let reason: String
    }

    /// Reverts the last fix of a container, under its lock: restores every name, byte, attribute, mode and time.
    package static func undo(_ container: Container) throws -> Outcome {
        try locked(container) { beside throws in
            guard let entry = try beside.open().map({ ChangeEntry($0) }), let state = try entry.state(),
                state != .forgotten
            else {
                _ = try recover(container, beside: beside)
                return Outcome(
                    hadFix: false, wasInterrupted: false, steps: 0, conflicts: [], undoName: beside.name.string)
            }
            if state == .done { try entry.turn(from: .done, to: .begun) }
            let steps = try entry.journal(.begun).steps.count
            let conflicts = try takeBack(container, entry)
            try beside.tidy()
            return Outcome(
                hadFix: true, wasInterrupted: state == .begun, steps: steps, conflicts: conflicts,
                undoName: beside.name.string)
        }
    }

    /// Removes the undo data of the last fix, which can then no longer be reverted. Reverts an interrupted fix first.
    ///
    /// - Returns: True if there was undo data.
    package static func forget(_ container: Container) throws -> Bool {
        try locked(container) { beside throws in
            guard let entry = try beside.open().map({ ChangeEntry($0) }), let state = try entry.state() else {
                try beside.tidy()
                return false
            }
            if state == .begun { _ = try takeBack(container, entry) }
            try entry.forget()
            try beside.tidy()
            return true
        }
    }

    /// Reverts an interrupted fix, and completes the removal of unneeded undo data.
    ///
    /// - Returns: True if there was one.
    static func recover(_ container: Container, beside: UndoFolder) throws -> Bool {
        guard let entry = try beside.open().map({ ChangeEntry($0) }) else { return false }
        let state = try entry.state()
        switch state {
        case .begun?:
            guard try takeBack(container, entry).isEmpty else { throw UnfinishedFix(container.location) }
        case .forgotten?: try entry.forget()
        case .done?, .undoing?, .conflict?, .undone?, nil: break
        }
        try beside.tidy()
        return state == .begun
    }

    /// Reverts all steps of a journal. Removes the journal if all were reverted.
    static func takeBack(_ container: Container, _ entry: ChangeEntry) throws(FileSystemError) -> [Conflict] {
        let journal = try entry.journal(.begun)
        let aside = try entry.aside()
        let conflicts = try journal.revert(in: container.folder, aside: aside)
        try journal.finish(in: container.folder, aside: aside)
        if conflicts.isEmpty { try entry.close() }
        return conflicts.map { Conflict(path: $0.path, reason: $0.reason) }
    }

    private static func locked<Result>(
        _ container: Container, _ body: (UndoFolder) throws -> Result
    ) throws -> Result {
        try container.withLock { () throws in
            do { return try body(try UndoFolder(of: container.folder)) } catch let error as FileSystemError {
                throw ContainerError(error, onDisk: "A part of the fix may have been reverted; run undo again.")
            }
        }
    }
}

/// An interrupted fix of which a step cannot be reverted without a loss.
package struct UnfinishedFix: Error, CustomStringConvertible {
    private let container: FilePath

    init(_ container: FilePath) { self.container = container }

    package var description: String {
        "a fix of “\(container.string.printable)” was interrupted and cannot be reverted completely: new items exist "
            + "at the paths of removed ones. `sandboxlint undo` lists them; `sandboxlint fix --forget` deletes the undo data."
    }
}
