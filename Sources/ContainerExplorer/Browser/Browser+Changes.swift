internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// A question before a change of the container.
struct BrowserQuestion: Sendable, Hashable {
    let text: String
    /// The effect of `y`, as an imperative.
    let verb: String
    let request: BrowserRequest

    /// The keys, as text.
    var keys: String { "y: \(verb)  n: no" }
}

extension Browser {
    /// Asks before the marked items, or the selected one, are deleted.
    mutating func delete() {
        guard let index, isReadyToChange() else { return }
        let targets = targets
        guard let first = targets.first else { return }
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
        mode = .question(
            BrowserQuestion(
                text: text + " This cannot be undone.", verb: "delete",
                request: .delete(targets.map { index.path(of: $0) })))
    }

    /// Returns the request to include items again if all have a backup exclusion of their own, else to exclude the
    /// others. Asks before user data may be excluded.
    mutating func exclude() -> BrowserRequest? {
        guard let index, isReadyToChange() else { return nil }
        let targets = targets
        let included = targets.filter { index.ownMark(of: $0) == nil }
        guard !included.isEmpty else {
            return targets.isEmpty ? nil : begin(.include(targets.map { index.path(of: $0) }))
        }
        let request = BrowserRequest.exclude(included.map { index.path(of: $0) })
        let userData = included.filter { mayBeUserData($0) }
        guard let first = userData.first else { return begin(request) }
        let noun =
            userData.count == 1
            ? "\(quoted(index.path(of: first))) may be user data"
            : "\(userData.count) of \(Quantity.count(included.count, "item")) may be user data"
        mode = .question(
            BrowserQuestion(
                text: "\(noun), and backups omit excluded items. Exclude from backup?", verb: "exclude",
                request: request))
        return nil
    }

    /// Runs the request of a question, or cancels it. Only `y` and `n`, Escape and `q` are answers.
    mutating func answer(_ question: BrowserQuestion, key: BrowserKey) -> BrowserRequest? {
        switch key {
        case .character("y"), .character("Y"):
            mode = .items
            return begin(question.request)
        case .character("n"), .character("N"), .character("q"), .escape:
            mode = .items
            message = Message(text: "Cancelled; nothing was changed.", isError: false)
            return nil
        default: return nil
        }
    }

    private mutating func begin(_ request: BrowserRequest) -> BrowserRequest {
        marks = []
        switch request {
        case .delete(let paths): change = "deleting \(Quantity.count(paths.count, "item"))"
        case .exclude(let paths): change = "excluding \(Quantity.count(paths.count, "item"))"
        case .include(let paths): change = "including \(Quantity.count(paths.count, "item"))"
        case .quit, .refresh, .redraw: break
        }
        return request
    }

    private mutating func isReadyToChange() -> Bool {
        guard !isReadOnly else {
            message = Message(
                text: "Only a directory can be changed. Extract the container, and specify its directory.",
                isError: true)
            return false
        }
        if let change {
            message = Message(text: "Wait until the running change has ended: \(change).", isError: true)
        }
        return change == nil
    }

    /// Returns true unless provenance or a finding proves for every file of the item that it is re-downloadable or
    /// regenerable, or the file is not backed up anyway.
    private func mayBeUserData(_ item: Int) -> Bool {
        guard let index else { return true }
        return index.subtree(of: item).contains {
            index.mayBeUserData($0) && !(findings?.provesRegenerable($0) ?? false)
        }
    }

    func quoted(_ path: [UInt8]) -> String { "“\(ByteText.escaped(path))”" }
}
