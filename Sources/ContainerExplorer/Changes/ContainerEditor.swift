package import AppContainer
internal import ChangeHistory
internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// The one place where the file manager changes a container: by commands and on the screen.
///
/// A change is an entry in the undo history beside the container (`UndoHistory`), written before its first step. It is made
/// under the container's lock; long copying comes before that. After an interruption at any point, the next change or undo
/// reverts the unfinished change.
package struct ContainerEditor {
    /// The progress of a change.
    package struct Progress: Sendable, Hashable {
        /// The items and bytes that have been copied.
        package fileprivate(set) var items = 0
        package fileprivate(set) var bytes: UInt64 = 0
        /// All items and bytes that will be copied.
        package let totalItems: Int
        package let totalBytes: UInt64
    }

    package let container: Container
    /// Receives the progress of long copying, on the thread of the change.
    package var onProgress: (Progress) -> Void = { _ in }
    /// Returns true if the user has cancelled the change. Asked during long copying and long removals.
    package var isCancelled: () -> Bool = { false }

    package init(_ container: Container) { self.container = container }

    var history: UndoHistory { UndoHistory(of: container) }

    /// Returns the reason why a deletion of items, whose paths are relative to the container, cannot be reverted; nil if it can
    /// be. May create and remove the undo folder.
    package func undoObstacle(to paths: [[UInt8]]) -> String? {
        history.obstacle(to: paths.map { FilePath(bytes: $0) })
    }

    // MARK: - Changes

    /// Makes changes as one entry of the history. A failed change is reverted and does not prevent the others.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - action: The action of the entry.
    ///   - target: The new path of the items, or its directory, for the list of the history.
    ///   - losesContent: True if the user has confirmed that a removal cannot be reverted.
    /// - Returns: The changes.
    /// - Throws: `cancelled`, `failed` if a removal cannot be kept for an undo; `ContainerError` of the lock. Then nothing has
    ///   changed.
    func perform(
        _ changes: [ItemChange], as action: ChangeReport.Action, to target: FilePath? = nil, losesContent: Bool = false
    ) throws -> ChangeReport {
        guard !changes.isEmpty else { return ChangeReport(isPlan: false) }
        try recover(within: .seconds(10))
        let open: UndoHistory.OpenEntry
        do { open = try history.begin() } catch {
            let reason = UndoHistory.reason(error)
            guard losesContent || !changes.contains(where: \.removesContent) else { throw Self.notKept(reason) }
            return try container.withLock { performDirectly(changes, because: reason) }
        }
        var run = ChangeRun(self, changes, in: open)
        do {
            try run.stage(check)
            return try run.apply(as: action, to: target, losesContent: losesContent)
        } catch {
            run.end()
            if let error = error as? FileSystemError { throw ContainerError(error) }
            throw error
        }
    }

    /// Makes changes that cannot be reverted. The container must be locked.
    func performDirectly(_ changes: [ItemChange], because reason: String) -> ChangeReport {
        var report = ChangeReport(isPlan: false)
        for item in changes {
            report.make(item.change) {
                try check()
                try item.perform(in: container)
                return try item.remark?()
            }
        }
        report.undo = .impossible(reason)
        return report
    }

    /// Throws an error if the change has been cancelled.
    func check() throws(ExplorerError) {
        guard isCancelled() || Invocation.current.interruption.isRequested else { return }
        throw ExplorerError(.cancelled, description: "cancelled. Nothing on disk has changed.")
    }

    static func notKept(_ reason: String) -> ExplorerError {
        ExplorerError(
            .failed,
            description: "the removed items cannot be kept for an undo: \(reason). Nothing on disk has changed. "
                + "`sandboxfm rm --for-good` deletes without an undo.")
    }
}

/// One run of changes in an entry of the history.
private struct ChangeRun {
    private let editor: ContainerEditor
    private let changes: [ItemChange]
    private let open: UndoHistory.OpenEntry
    private var planner: ChangePlanner?
    /// The reasons of the changes that have failed, by their positions.
    private var failures: [Int: String] = [:]
    /// The positions of the changes that are made without an undo.
    private var direct: Set<Int> = []
    private var isRecorded = false

    init(_ editor: ContainerEditor, _ changes: [ItemChange], in open: UndoHistory.OpenEntry) {
        (self.editor, self.changes, self.open) = (editor, changes, open)
    }

    private var container: Container { editor.container }

    /// Makes the copies that the changes need. A signal ends the process when they have been removed.
    mutating func stage(_ check: () throws(ExplorerError) -> Void) throws {
        let interruption = Invocation.current.interruption
        try interruption.during {
            do { try makeCopies(check) } catch {
                end()
                throw error
            }
        }
    }

    private mutating func makeCopies(_ check: () throws(ExplorerError) -> Void) throws {
        let aside = try open.entry.aside()
        let device = try aside.status("").identity.device
        for (number, item) in changes.enumerated()
        where item.renamedPaths.contains(where: { isElsewhere($0, than: device) }) {
            direct.insert(number)
        }
        let planner = ChangePlanner(container, aside: aside)
        self.planner = planner
        var total = (items: 0, bytes: UInt64(0))
        for (number, item) in changes.enumerated() {
            guard case .copy = item.work, !direct.contains(number) else { continue }
            total = (total.items + item.change.items, total.bytes &+ item.change.bytes)
        }
        var progress = ContainerEditor.Progress(totalItems: total.items, totalBytes: total.bytes)
        let editor = editor
        for (number, item) in changes.enumerated() where !direct.contains(number) {
            try check()
            var isCancelled = false
            do throws(ContainerError) {
                try planner.stage(item, as: number) { items, bytes throws(FileSystemError) in
                    progress.items += items
                    progress.bytes += UInt64(bytes)
                    editor.onProgress(progress)
                    do throws(ExplorerError) { try editor.check() } catch {
                        isCancelled = true
                        throw FileSystemError("copy", path: item.path, errno: .canceled)
                    }
                }
            } catch {
                if isCancelled { try check() }
                failures[number] = "\(error)"
            }
        }
    }

    /// Returns true if the nearest existing directory above a path is on another volume.
    private func isElsewhere(_ path: FilePath, than device: UInt64) -> Bool {
        var parent = path.split?.parent ?? FilePath()
        while true {
            if let folder = parent.isEmpty ? container.folder : try? container.folder.openFolder(parent) {
                return (try? folder.status("").identity.device).map { $0 != device } ?? false
            }
            if parent.isEmpty { return false }
            parent = parent.split?.parent ?? FilePath()
        }
    }

    /// Makes the changes under the container's lock.
    mutating func apply(
        as action: ChangeReport.Action, to target: FilePath?, losesContent: Bool
    ) throws -> ChangeReport {
        let history = editor.history
        let lock = try container.lock()
        defer { lock.release() }
        try history.recover()
        if !losesContent, let first = direct.first(where: { changes[$0].removesContent }) {
            throw ContainerEditor.notKept(
                history.obstacle(to: changes[first].renamedPaths) ?? "it is on another volume than the undo folder")
        }
        let locks = try lockDirectories()
        defer { for lock in locks { lock.release() } }
        var groups: [(number: Int, steps: [ChangeStep])] = []
        for number in changes.indices where failures[number] == nil && !direct.contains(number) {
            do { groups.append((number, try planner?.steps(of: changes[number], number: number) ?? [])) } catch {
                failures[number] = "\(error)"
            }
        }
        let steps = groups.flatMap(\.steps)
        if !steps.isEmpty {
            let summary = summary(of: groups.filter { !$0.steps.isEmpty }.map(\.number), action, to: target)
            let journal = try ChangeJournal(steps, summary, in: container.folder)
            // A signal ends the process after the change. The steps are few renames; nothing in them waits.
            try Invocation.current.interruption.during {
                try editor.check()
                do throws(FileSystemError) { try open.entry.write(journal) } catch {
                    guard error.errno == .noSpace || error.errno == .diskQuotaExceeded else { throw error }
                    throw ContainerEditor.notKept("the journal cannot be written: \(error.errno)")
                }
                try make(groups, journal, action, to: target)
            }
        }
        var report = finalReport()
        // Without an undo folder on their volume.
        if !direct.isEmpty, !isRecorded {
            report.undo = .impossible("the items are on another volume than the undo folder beside the container")
        }
        if isRecorded {
            report.undo = .kept(number: open.number)
            history.end(open)
            _ = try? history.empty(.automatic) {
                guard editor.isCancelled() || Invocation.current.interruption.isRequested else { return }
                throw FileSystemError("remove", path: "", errno: .canceled)
            }
        } else {
            history.discard(open)
        }
        return report
    }

    /// Locks the directories of files that are rewritten, as the library does.
    private func lockDirectories() throws -> [Lock] {
        var locks: [Lock] = []
        for item in changes {
            guard case .rewrite(let path, _) = item.work, let parent = path.split?.parent,
                let folder = try? container.folder.openFolder(parent)
            else { continue }
            locks.append(try Lock(folder, within: .seconds(10)))
        }
        return locks
    }

    /// Applies the steps of the changes. The steps of a change that fails are reverted.
    private mutating func make(
        _ groups: [(number: Int, steps: [ChangeStep])], _ journal: ChangeJournal, _ action: ChangeReport.Action,
        to target: FilePath?
    ) throws {
        let aside = try open.entry.aside()
        var made: [(number: Int, steps: [ChangeStep])] = []
        var hasReverted = false
        for (number, steps) in groups where !steps.isEmpty {
            if let failure = apply(steps, aside: aside) {
                failures[number] = failure.reason
                if failure.isReverted { hasReverted = true } else { made.append((number, steps)) }
            } else {
                made.append((number, steps))
            }
        }
        do throws(FileSystemError) { try journal.finish(in: container.folder, aside: aside) } catch {
            // A failure to flush; the next change reverts it.
            throw ContainerError(error, onDisk: "The change was begun, and the next change or undo reverts it.")
        }
        guard !made.isEmpty else { return try open.entry.close() }
        if hasReverted {
            let summary = summary(of: made.map(\.number), action, to: target)
            try open.entry.write(journal.with(made.flatMap(\.steps), summary))
        }
        do throws(FileSystemError) { try open.entry.turn(from: .begun, to: .done) } catch {
            throw ContainerError(
                error, onDisk: "All changes are made, but the next change or undo may revert them first.")
        }
        isRecorded = true
    }

    /// Applies the steps of one change. After a failure, reverts those that were made.
    ///
    /// - Returns: The failure, with true if all steps are reverted; nil if all steps were made.
    private func apply(_ steps: [ChangeStep], aside: Folder) -> (reason: String, isReverted: Bool)? {
        for (count, step) in steps.enumerated() {
            do throws(FileSystemError) { try apply(step, aside: aside) } catch {
                var isReverted = true
                // Also the failed step, of which a part may have been made.
                for step in steps[...count].reversed() {
                    do throws(FileSystemError) {
                        if try step.revert(in: container.folder, aside: aside) != nil { isReverted = false }
                    } catch { isReverted = false }
                }
                return (Self.describe(error), isReverted)
            }
        }
        return nil
    }

    private func apply(_ step: ChangeStep, aside: Folder) throws(FileSystemError) {
        let paths = step.paths.map { FilePath(bytes: $0) }
        try container.withPathLock(at: paths) { () throws(FileSystemError) in
            try step.apply(to: container.folder, aside: aside)
        }
    }

    private static func describe(_ error: FileSystemError) -> String {
        guard error.errno == .improperLink, error.operation == "move" else { return "\(ContainerError(error))" }
        return
            "“\(error.path.string.printable)” is on another volume than the undo folder beside the container. Nothing on "
            + "disk has changed. `sandboxfm rm --for-good` deletes without an undo."
    }

    private func summary(of numbers: [Int], _ action: ChangeReport.Action, to target: FilePath?) -> ChangeSummary {
        let items = numbers.map { changes[$0] }
        let bytes = items.reduce(UInt64(0)) { $0 &+ $1.change.bytes }
        let kept = items.reduce(UInt64(0)) { sum, item in
            switch item.work {
            case .delete: sum &+ item.change.bytes
            case .copy(_, let target, true), .move(_, let target, true), .rewrite(let target, _):
                sum &+ ((try? container.folder.status(target).size) ?? 0)
            default: sum
            }
        }
        return ChangeSummary(
            action.rawValue, paths: items.map(\.path.bytes), target: target?.bytes,
            items: items.reduce(0) { $0 + $1.change.items }, bytes: bytes, kept: kept)
    }

    /// The result of each change.
    private func finalReport() -> ChangeReport {
        var report = ChangeReport(isPlan: false)
        for (number, item) in changes.enumerated() {
            var change = item.change
            change.failure = failures[number]
            if change.failure == nil, direct.contains(number) {
                do { try item.perform(in: container) } catch { change.failure = "\(error)" }
                change.note = change.note ?? "cannot be undone, because it is on another volume"
            }
            if change.failure == nil, let remark = item.remark {
                do { change.note = try remark() ?? change.note } catch { change.failure = "\(error)" }
            }
            report.add(change)
        }
        return report
    }

    /// Ends a run that has failed. An entry that has begun is reverted by the next change.
    func end() {
        do {
            if try open.entry.state() == nil { return editor.history.discard(open) }
        } catch {}
        editor.history.end(open)
    }
}
