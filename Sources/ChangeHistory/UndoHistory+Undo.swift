internal import AppContainer
internal import FileSystem
internal import SystemPackage

extension UndoHistory {
    /// A step that cannot be reverted without a loss.
    package struct Conflict: Sendable, Hashable {
        /// The path relative to the container.
        package let path: [UInt8]
        package let reason: String
    }

    /// The outcome of an undo.
    package struct Outcome: Sendable {
        package let number: Int
        package let summary: ChangeSummary?
        /// True if the change was interrupted.
        package let wasInterrupted: Bool
        /// The steps that were not reverted. Their items are in the container or in the undo folder.
        package let conflicts: [Conflict]
    }

    /// Returns true if a change or a removal of undo data was interrupted, or is running.
    package func needsRecovery() throws -> Bool {
        guard let folder = try open() else { return false }
        return try numbers(in: folder).contains { number in
            guard let entry = try? folder.openFolder(noFollow: name(of: number)) else { return false }
            return [nil, .begun, .undoing, .forgotten].contains(try ChangeEntry(entry).state())
        }
    }

    /// Reverts the changes that were interrupted, and completes interrupted removals of undo data. The container must be
    /// locked. A change with a conflict is kept with the state `conflict` and does not prevent later ones.
    ///
    /// - Returns: The reverted changes.
    @discardableResult
    package func recover() throws -> [Outcome] {
        var outcomes: [Outcome] = []
        try forEachEntry { number, entry, state in
            switch state {
            case .begun?, .undoing?: outcomes.append(try revert(number, entry, state ?? .begun, wasInterrupted: true))
            case .forgotten?:
                try entry.forget()
                try remove(number, entry)
            case nil: try remove(number, entry)
            case .done?, .conflict?, .undone?: break
            }
        }
        return outcomes
    }

    /// Reverts a change: the last one without a number, or an interrupted one instead. The container must be locked.
    ///
    /// - Returns: The outcome; nil if there is no such change.
    package func undo(_ number: Int?) throws -> Outcome? {
        let recovered = try recover()
        if number == nil, let last = recovered.first { return last }
        if let number, let found = recovered.first(where: { $0.number == number }) { return found }
        let changes = try changes()
        let chosen =
            number.map { number in changes.first { $0.number == number && $0.state != .undone } }
            ?? changes.first { $0.state == .done } ?? changes.first { $0.state == .conflict }
        guard let chosen, let folder = try open() else { return nil }
        let entry = ChangeEntry(try folder.openFolder(noFollow: name(of: chosen.number)))
        let lock = try Lock(entry.folder, within: .seconds(10))
        defer { lock.release() }
        try entry.turn(from: chosen.state, to: .undoing)
        return try revert(chosen.number, entry, .undoing, wasInterrupted: false)
    }

    /// Reverts an entry whose change or undo has begun.
    private func revert(
        _ number: Int, _ entry: ChangeEntry, _ state: ChangeEntry.State, wasInterrupted: Bool
    ) throws -> Outcome {
        let journal = try entry.journal(state)
        let aside = try entry.aside()
        var conflicts: [Conflict] = []
        for step in journal.steps.reversed() {
            let path = step.paths[0]
            do throws(FileSystemError) {
                if let reason = try step.revert(in: container.folder, aside: aside) {
                    conflicts.append(Conflict(path: path, reason: reason))
                }
            } catch { conflicts.append(Conflict(path: path, reason: "\(error.errno)")) }
        }
        try journal.restoreTimes(in: container.folder)
        try journal.finish(in: container.folder, aside: aside)
        if !conflicts.isEmpty {
            try entry.turn(from: state, to: .conflict)
        } else if state == .undoing, try !aside.names().isEmpty {
            // The copies that the change had made. They are the only ones if the originals no longer exist.
            try entry.turn(from: .undoing, to: .undone)
        } else {
            // Nothing is in the undo folder but copies for a change that was not made.
            try entry.close(state)
            try remove(number, entry)
        }
        return Outcome(
            number: number, summary: journal.summary, wasInterrupted: wasInterrupted, conflicts: conflicts)
    }
}
