internal import AppContainer
internal import ChangeHistory
internal import FileSystem
internal import Foundation
internal import SystemPackage
package import TextOutput

/// A change that can be reverted, or could not be reverted completely.
package struct HistoryChange: Sendable, Hashable {
    /// The state of a change.
    package enum State: String, Sendable {
        /// It was made.
        case done
        /// It has begun, or was interrupted.
        case begun
        /// A part of it could not be reverted.
        case conflict
        /// It was reverted, and the copies that it had made are kept.
        case undone
    }

    /// The number, from 1. Later changes have greater numbers.
    package let number: Int
    package let state: State
    /// The date in seconds since 1970.
    package let date: Int64
    /// The change in words.
    package let text: String
    /// The number of items, with those below directories, and their bytes.
    package let items: Int
    package let bytes: UInt64
    /// The bytes in the undo folder.
    package let kept: UInt64

    init(_ change: UndoHistory.Change) {
        number = change.number
        state =
            switch change.state {
            case .done: .done
            case .begun, .undoing: .begun
            case .conflict: .conflict
            case .undone, .forgotten: .undone
            }
        date = change.summary.date
        text = Self.text(change.summary)
        (items, bytes, kept) = (change.summary.items, change.summary.bytes, change.kept)
    }

    /// The change in words, with its size and its state.
    var line: String {
        var line = text
        if items > 1 { line += ", \(Quantity.count(items, "item"))" }
        if kept > 0 { line += ", keeps \(Quantity.bytes(kept))" }
        switch state {
        case .done: break
        case .begun: line += " (running or interrupted)"
        case .conflict: line += " (not reverted completely)"
        case .undone: line += " (reverted; copies are kept)"
        }
        return line
    }

    /// Returns a change in words: “deleted 3 items: “a”, “b”, “c””.
    static func text(_ summary: ChangeSummary) -> String {
        let action = ChangeReport.Action(rawValue: summary.action)?.past ?? summary.action
        let names = summary.paths.map { "“\(ByteText.escaped(Array($0)))”" }
        var text = action
        if summary.count > 1 { text += " \(summary.count) items:" }
        text += " " + names.joined(separator: ", ") + (summary.count > names.count ? ", …" : "")
        if let target = summary.target { text += " to “\(target.isEmpty ? "." : ByteText.escaped(Array(target)))”" }
        return text
    }
}

/// The outcome of an undo.
package struct UndoReport: ExplorerOutput, Sendable {
    /// A part of a change that was not reverted. Its content is in the container and in the undo folder.
    package struct Conflict: Sendable, Hashable {
        /// The path, as it is shown.
        package let path: String
        package let reason: String
    }

    /// The number of the change; nil if no change can be reverted.
    package let number: Int?
    /// The change in words.
    package let text: String
    /// True if nothing was changed because only the plan was requested.
    package let isPlan: Bool
    /// True if the change had been interrupted.
    package let wasInterrupted: Bool
    package let conflicts: [Conflict]
    /// The name of the undo folder beside the container.
    package let folder: String

    /// The outcome in one sentence.
    package var message: String {
        guard let number else { return "There is no change to revert." }
        let name = "change \(number) (\(text))"
        if isPlan { return "would revert \(name)" }
        let subject = wasInterrupted ? "reverted the interrupted \(name)" : "reverted \(name)"
        guard !conflicts.isEmpty else { return subject }
        return "\(subject) except for \(Quantity.count(conflicts.count, "item")); the removed items are kept in "
            + "“\(ByteText.escaped(Array(folder.utf8)))” beside the container. Move the new items away and revert change "
            + "\(number) again."
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for conflict in conflicts { output("not reverted \(conflict.path): \(conflict.reason)\n") }
        output(message + "\n")
    }

    package func write(_ json: inout JSONWriter) {
        json.field("dryRun", isPlan)
        if let number { json.field("number", number) }
        json.field("change", text)
        json.field("interrupted", wasInterrupted)
        json.array("conflicts") { json in
            for conflict in conflicts {
                json.object { json in
                    json.field("path", conflict.path)
                    json.field("reason", conflict.reason)
                }
            }
        }
    }
}

/// The changes of a history.
package struct HistoryListing: ExplorerOutput, Sendable {
    package let changes: [HistoryChange]
    /// True for changes whose undo data was removed, or would be.
    private let action: String?

    init(_ changes: [HistoryChange], action: String? = nil) { (self.changes, self.action) = (changes, action) }

    package func writeText(in style: Style, to output: (String) -> Void) {
        if changes.isEmpty {
            output(action == nil ? "There is no change to revert.\n" : "There is nothing to remove.\n")
        }
        for change in changes {
            var line = action.map { "\($0) " } ?? ""
            line +=
                "\(change.number)  \(Date(timeIntervalSince1970: Double(change.date)).ISO8601Format())  \(change.line)"
            output(line + "\n")
        }
    }

    package func write(_ json: inout JSONWriter) {
        if let action { json.field("dryRun", action.hasPrefix("would")) }
        json.array("changes") { json in
            for change in changes {
                json.object { json in
                    json.field("number", change.number)
                    json.field("date", change.date)
                    json.field("change", change.text)
                    json.field("items", change.items)
                    json.field("bytes", change.bytes)
                    json.field("keptBytes", change.kept)
                    json.field("state", change.state.rawValue)
                }
            }
        }
    }
}

extension ContainerEditor {
    /// Returns the changes that the history keeps, the newest first.
    package func changes() throws -> [HistoryChange] {
        try Self.converting { try history.changes().map { HistoryChange($0) } }
    }

    /// Returns the changes of the history as a list.
    package func list() throws -> HistoryListing { HistoryListing(try changes()) }

    /// Reverts the changes that were interrupted.
    ///
    /// - Parameter timeout: The maximum time to wait for another change.
    /// - Returns: The reverted changes.
    /// - Throws: `ContainerError` if the container is locked or cannot be changed.
    @discardableResult
    package func recover(within timeout: Duration = .zero) throws -> [UndoReport] {
        try Self.converting {
            // Without an undo folder that can be read, there is nothing to revert.
            guard (try? history.needsRecovery()) == true else { return [] }
            return try container.withLock(within: timeout) { try history.recover().map { report($0) } }
        }
    }

    /// Reverts a change: that with a number, else an interrupted one, else the last one. Nothing is replaced: what cannot be
    /// reverted without a loss is a conflict of the report, and both contents stay.
    ///
    /// - Throws: `notFound` for a number without a change; `ContainerError`.
    package func undo(_ number: Int? = nil, isPlan: Bool = false) throws -> UndoReport {
        try Self.converting {
            if isPlan {
                let all = try history.changes()
                let chosen =
                    number.map { number in all.first { $0.number == number && $0.state != .undone } }
                    ?? all.first { $0.state.isUnfinished } ?? all.first { $0.state == .done }
                    ?? all.first { $0.state == .conflict }
                if chosen == nil, let number { throw Self.noChange(number) }
                return UndoReport(
                    number: chosen?.number, text: chosen.map { HistoryChange.text($0.summary) } ?? "", isPlan: true,
                    wasInterrupted: chosen?.state.isUnfinished ?? false, conflicts: [], folder: history.name ?? "")
            }
            let outcome = try Invocation.current.interruption.during {
                try container.withLock { try history.undo(number) }
            }
            if let outcome { return report(outcome) }
            if let number { throw Self.noChange(number) }
            return UndoReport(
                number: nil, text: "", isPlan: false, wasInterrupted: false, conflicts: [], folder: history.name ?? "")
        }
    }

    /// Removes the undo data of changes, which can then no longer be reverted.
    ///
    /// - Parameters:
    ///   - age: The minimum age in seconds of the removed changes; nil for all.
    ///   - bytes: The bytes that the newest changes may keep together; nil for no limit.
    ///   - isPlan: True to change nothing.
    /// - Returns: The removed changes.
    /// - Throws: `cancelled`; `ContainerError`.
    package func empty(olderThan age: Int64?, keepingBytes bytes: UInt64? = nil, isPlan: Bool = false) throws
        -> HistoryListing
    {
        let limits =
            age == nil && bytes == nil
            ? UndoHistory.Limits.none : UndoHistory.Limits(age: age, bytes: bytes, keepsNewest: false)
        return try Self.converting {
            if isPlan {
                return HistoryListing(try history.excess(of: limits).map { HistoryChange($0) }, action: "would remove")
            }
            let removed = try Invocation.current.interruption.during {
                try container.withLock {
                    try history.recover()
                    return try history.empty(limits) {
                        do throws(ExplorerError) { try check() } catch {
                            throw FileSystemError("remove undo data of", path: container.location, errno: .canceled)
                        }
                    }
                }
            }
            return HistoryListing(removed.map { HistoryChange($0) }, action: "removed")
        }
    }

    private static func noChange(_ number: Int) -> ExplorerError {
        ExplorerError(
            .notFound,
            description: "the history has no change \(number) to revert. Nothing on disk has changed. "
                + "`sandboxfm undo CONTAINER --list` shows the changes.")
    }

    private func report(_ outcome: UndoHistory.Outcome) -> UndoReport {
        UndoReport(
            number: outcome.number, text: outcome.summary.map { HistoryChange.text($0) } ?? "", isPlan: false,
            wasInterrupted: outcome.wasInterrupted,
            conflicts: outcome.conflicts.map {
                UndoReport.Conflict(path: $0.path.isEmpty ? "." : ByteText.escaped($0.path), reason: $0.reason)
            }, folder: history.name ?? "")
    }

    private static func converting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FileSystemError {
            guard error.errno != .canceled else {
                throw ExplorerError(.cancelled, description: "cancelled. The next change or undo removes the rest.")
            }
            throw ContainerError(error, onDisk: "A part of the change may have been reverted; run undo again.")
        }
    }
}
