package import TextOutput

/// The changes of a command, item by item: planned, done or failed.
package struct ChangeReport: ExplorerOutput, Sendable {
    /// The kind of a change. New kinds may be added.
    package enum Action: String, Sendable {
        case create, copy, move, replace, delete, exclude, include, set

        /// The word for a completed change.
        var past: String {
            switch self {
            case .create: "created"
            case .copy: "copied"
            case .move: "moved"
            case .replace: "replaced"
            case .delete: "deleted"
            case .exclude: "excluded from backup"
            case .include: "included in backup"
            case .set: "set"
            }
        }

        /// The phrase for a change that would be made.
        var conditional: String {
            switch self {
            case .exclude: "would exclude from backup"
            case .include: "would include in backup"
            default: "would \(rawValue)"
            }
        }
    }

    /// A change.
    package struct Change: Sendable, Hashable {
        package let action: Action
        /// The item, as it is shown.
        package let path: String
        /// The new path of a copied or moved item, as it is shown.
        package var target: String?
        /// The number of items, including those below a directory.
        package var items: Int
        /// The bytes of content.
        package var bytes: UInt64
        /// A remark on the result.
        package var note: String?
        /// The reason why the change failed. The description states the state on disk.
        package var failure: String?

        package init(
            _ action: Action, path: String, to target: String? = nil, items: Int = 1, bytes: UInt64 = 0,
            note: String? = nil
        ) {
            self.action = action
            self.path = path
            self.target = target
            self.items = items
            self.bytes = bytes
            self.note = note
        }
    }

    /// True if nothing was changed because only the plan was requested.
    package let isPlan: Bool
    package private(set) var changes: [Change] = []
    /// The undo of the changes that were made; nil if there were none.
    package internal(set) var undo: Undo?

    /// The undo of changes.
    package enum Undo: Sendable, Hashable {
        /// The changes have this number in the history.
        case kept(number: Int)
        /// The changes cannot be reverted, for this reason.
        case impossible(String)
    }

    package init(isPlan: Bool) { self.isPlan = isPlan }

    /// True if every change was made or planned.
    package var isComplete: Bool { changes.allSatisfy { $0.failure == nil } }

    /// Makes a change, unless only the plan was requested. An error becomes the failure of the change.
    package mutating func make(_ change: Change, _ body: () throws -> String?) {
        var change = change
        if !isPlan {
            do { change.note = try body() ?? change.note } catch { change.failure = "\(error)" }
        }
        changes.append(change)
    }

    /// A remark on the undo of the changes, if the user has to know it.
    package var undoNote: String? {
        switch undo {
        case .kept(let number)? where changes.contains { $0.action == .delete && $0.failure == nil && $0.items > 0 }:
            "the deleted items are kept beside the container as change \(number), and take space until they are emptied; "
                + "`sandboxfm undo` restores them"
        case .impossible(let reason)? where reason != Self.asRequested: "this cannot be undone because \(reason)"
        case .kept?, .impossible?, nil: nil
        }
    }

    /// The result as one line.
    package var message: String {
        let failed = changes.filter { $0.failure != nil }
        let done = changes.filter { $0.failure == nil }
        func phrase(_ changes: [Change]) -> String {
            guard let first = changes.first else { return "" }
            if changes.count > 1 { return "\(first.action.past) \(Quantity.count(changes.count, "item"))" }
            return "\(first.action.past) “\(first.path)”" + (first.target.map { " to “\($0)”" } ?? "")
        }
        guard let first = failed.first else {
            return phrase(done) + (done.count == 1 ? done.first?.note.map { ": \($0)" } ?? "" : "")
        }
        let text = "not \(first.action.past) “\(first.path)”: \(first.failure ?? "")"
        if failed.count == 1, done.isEmpty { return text }
        let others = failed.count > 1 ? " and \(Quantity.count(failed.count - 1, "other item")) not" : ""
        return text + others + (done.isEmpty ? "" : "; \(phrase(done))")
    }

    /// The reason of a deletion without an undo.
    static let asRequested = "it was requested for good"

    /// Adds a change with its result.
    mutating func add(_ change: Change) { changes.append(change) }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for change in changes {
            var line = isPlan ? change.action.conditional : change.action.past
            if change.failure != nil { line = "not \(change.action.past)" }
            line += " \(change.path)"
            if let target = change.target { line += " -> \(target)" }
            if change.items > 1 {
                line += " (\(Quantity.count(change.items, "item")), \(Quantity.bytes(change.bytes)))"
            }
            if let note = change.note { line += ": \(note)" }
            if let failure = change.failure { line += ": \(failure)" }
            output(line + "\n")
        }
    }

    package func write(_ json: inout JSONWriter) {
        json.field("dryRun", isPlan)
        switch undo {
        case .kept(let number)?: json.field("undo", number)
        case .impossible(let reason)?: json.field("noUndo", reason)
        case nil: break
        }
        json.array("changes") { json in
            for change in changes {
                json.object { json in
                    json.field("action", change.action.rawValue)
                    json.field("path", change.path)
                    if let target = change.target { json.field("to", target) }
                    json.field("items", change.items)
                    json.field("bytes", change.bytes)
                    json.field("state", change.failure != nil ? "failed" : isPlan ? "planned" : "done")
                    if let note = change.note { json.field("note", note) }
                    if let failure = change.failure { json.field("error", failure) }
                }
            }
        }
    }
}
