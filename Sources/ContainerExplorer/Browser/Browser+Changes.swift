internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import TextOutput

extension Browser {
    /// Asks before the marked items, or the selected one, are deleted.
    mutating func delete(forGood: Bool) -> BrowserRequest? {
        guard let index = pane.index, isReadyToChange() else { return nil }
        let targets = pane.targets
        guard let first = targets.first else { return nil }
        var size = ItemSize.zero
        var items = 0
        for target in targets {
            size += index[target].total
            items += 1 + index[target].items
        }
        let bytes = Quantity.bytes(size.logical)
        let text: String
        if targets.count > 1 {
            let names = targets.prefix(3).map { quoted(index.path(of: $0)) } + (targets.count > 3 ? ["…"] : [])
            text =
                "Delete \(Quantity.count(targets.count, "marked item")): \(names.joined(separator: ", "))? "
                + "\(Quantity.count(items, "item")) in all, \(bytes)."
        } else if index[first].kind == .directory {
            text =
                "Delete the directory \(quoted(index.path(of: first))) and the "
                + "\(Quantity.count(items - 1, "item")) in it, \(bytes)?"
        } else {
            text = "Delete the \(ItemText.word(for: index[first].kind)) \(quoted(index.path(of: first))), \(bytes)?"
        }
        let paths = pane.targetPaths
        mode = .question(
            BrowserQuestion(
                text: text + (forGood ? " Nothing is kept for an undo." : Self.restorable),
                verb: forGood ? "delete for good" : "delete",
                change: .delete(paths, forGood: forGood, losesContent: false)))
        return forGood ? nil : .checkUndo(paths)
    }

    private static let restorable = " u undoes it."

    /// Says in the question about a deletion that it cannot be undone.
    mutating func warn(of obstacle: String, to paths: [[UInt8]]) {
        let change = BrowserChange.delete(paths, forGood: false, losesContent: false)
        guard case .question(let question) = mode, question.change == change else { return }
        mode = .question(
            BrowserQuestion(
                text: question.text.replacing(Self.restorable, with: " This cannot be undone because \(obstacle)."),
                verb: question.verb, change: .delete(paths, forGood: false, losesContent: true)))
    }

    /// Returns the request to include items again if all have a backup exclusion of their own, else to exclude the
    /// others. Asks before user data may be excluded.
    mutating func exclude() -> BrowserRequest? {
        guard let index = pane.index, isReadyToChange() else { return nil }
        let targets = pane.targets
        let included = targets.filter { index.ownMark(of: $0) == nil }
        guard !included.isEmpty else {
            return targets.isEmpty ? nil : begin(.include(targets.map { index.path(of: $0) }))
        }
        let change = BrowserChange.exclude(included.map { index.path(of: $0) })
        let userData = included.filter { mayBeUserData($0) }
        guard let first = userData.first else { return begin(change) }
        let noun =
            userData.count == 1
            ? "\(quoted(index.path(of: first))) may be user data"
            : "\(userData.count) of \(Quantity.count(included.count, "item")) may be user data"
        mode = .question(
            BrowserQuestion(
                text: "\(noun), and backups omit excluded items. Exclude from backup?", verb: "exclude", change: change)
        )
        return nil
    }

    /// Returns the request to plan the fixes of the findings of the targets.
    mutating func planFix() -> BrowserRequest? {
        guard let index = pane.index, isReadyToChange() else { return nil }
        guard let findings = pane.findings else {
            message = Message(text: pane.lintFailure.map { "Not linted: \($0)" } ?? "Linting…", isError: false)
            return nil
        }
        let ranges = pane.targets.map { index.subtree(of: $0) }
        let items = findings.items.filter { item in ranges.contains { $0.contains(item) } }
        guard !items.isEmpty else {
            message = Message(text: "The linter has no findings on \(targetText).", isError: false)
            return nil
        }
        pane.work = "planning the fix"
        return .planFix(items.map { index.path(of: $0) })
    }

    /// Shows a plan of fixes, and asks before it is applied.
    mutating func show(_ plan: BrowserFixPlan) {
        pane.work = nil
        guard plan.fix.changes > 0 || plan.fix.unsafeChanges > 0 else {
            var lines = plan.fix.lines
            if lines.isEmpty { lines = ["No finding of these items has an automatic fix. i shows what to do by hand."] }
            mode = .text(title: "Fix", lines: lines, from: 0)
            return
        }
        let isUnsafe = plan.fix.changes == 0
        let count = Quantity.count(isUnsafe ? plan.fix.unsafeChanges : plan.fix.changes, "change")
        let text =
            isUnsafe
            ? "Apply \(count) that may delete user data or remove it from backups? u reverts them."
            : "Apply \(count)? u reverts them."
        mode = .decision(
            BrowserQuestion(text: text, verb: "apply", change: .fix(plan.paths, allowsUnsafe: isUnsafe)),
            lines: plan.fix.lines, from: 0)
    }

    /// Shows the history of changes, from which one can be reverted.
    mutating func show(_ changes: [HistoryChange]) {
        guard !changes.isEmpty else {
            message = Message(text: "The history has no change that can be reverted.", isError: false)
            return
        }
        mode = .menu(
            BrowserMenu(
                title: "Revert",
                entries: changes.map { change in
                    BrowserMenu.Entry(
                        text: change.line, key: "\(change.number)  \(Self.date(change.date))",
                        action: .change(.undo(change.number)))
                }))
    }

    /// Runs the change of a question, or cancels it. Only `y` and `n`, Escape and `q` are answers.
    mutating func answer(_ question: BrowserQuestion, key: BrowserKey) -> BrowserRequest? {
        switch key {
        case .character("y"), .character("Y"):
            mode = .items
            return begin(question.change)
        case .character("n"), .character("N"), .character("q"), .escape:
            mode = .items
            message = Message(text: "Cancelled; nothing was changed.", isError: false)
            return nil
        default: return nil
        }
    }

    mutating func begin(_ change: BrowserChange) -> BrowserRequest {
        pane.marks = []
        pane.work = change.activity
        return .change(change)
    }

    mutating func isReadyToChange() -> Bool {
        guard !pane.isReadOnly else {
            message = Message(
                text:
                    "Only a directory can be changed. Extract the container, and specify its directory; or copy items "
                    + "into one with y, in a second pane.",
                isError: true)
            return false
        }
        if let work = pane.work {
            message = Message(
                text: "Wait until the running work has ended, or cancel it with Esc: \(work).", isError: true)
        }
        return pane.work == nil
    }

    /// Returns true unless provenance or a finding proves for every file of the item that it is re-downloadable or
    /// regenerable, or the file is not backed up anyway.
    private func mayBeUserData(_ item: Int) -> Bool {
        guard let index = pane.index else { return true }
        return index.subtree(of: item).contains {
            index.mayBeUserData($0) && !(pane.findings?.provesRegenerable($0) ?? false)
        }
    }

    func quoted(_ path: [UInt8]) -> String { "“\(ByteText.escaped(path))”" }
}
