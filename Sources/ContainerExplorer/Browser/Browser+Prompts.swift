internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import TextOutput

extension Browser {
    private static let notRead = Message(text: "The container has not been read yet.", isError: false)

    /// Asks for the text that a command needs. Questions that need no item are asked while the container is still read, so that
    /// the letters of an early answer are not taken for commands.
    mutating func ask(_ command: BrowserCommand) {
        let terms = "a name, *.jpg, class:user-data, size>1M, age>30d, backup:no, finding"
        switch command {
        case .filter: mode = .prompt(BrowserPrompt(.filter, label: "Filter: ", text: pane.filter.text))
        case .find: prompt(.find, "Find (\(terms)): ")
        case .search: prompt(.search, "Search for the text or key: ")
        case .markMatches: prompt(.mark, "Mark (\(terms)): ")
        case .unmarkMatches: prompt(.unmark, "Remove marks (\(terms)): ")
        case .openPane: prompt(.openPane, "Open a container, archive, backup or repository: ")
        default: askAboutItems(command)
        }
    }

    private mutating func askAboutItems(_ command: BrowserCommand) {
        guard let index = pane.index else {
            message = Self.notRead
            return
        }
        switch command {
        case .makeDirectory where isReadyToChange(): prompt(.makeDirectory, "Name of the new directory: ")
        case .rename where isReadyToChange():
            let targets = pane.targets
            guard let item = targets.first, item != ContainerIndex.root else { return }
            if targets.count == 1 {
                prompt(.rename, "New name: ", text: ByteText.escaped(Array(index.name(of: item))))
            } else {
                prompt(.rename, "New names of \(targetText) (OLD/NEW replaces a text; * old name, # number): ")
            }
        case .copy: copy()
        case .move where isReadyToChange():
            guard !pane.targets.isEmpty else { return }
            prompt(.move, "Move \(targetText) into the directory: ", text: directoryForTransfer)
        default: break
        }
    }

    private mutating func prompt(_ purpose: BrowserPrompt.Purpose, _ label: String, text: String = "") {
        mode = .prompt(BrowserPrompt(purpose, label: label, text: text))
    }

    private mutating func copy() {
        guard !pane.targets.isEmpty else { return }
        if let other, !other.showsSameContainer(as: pane) {
            guard !other.isReadOnly else {
                message = Message(text: "The container of the other pane cannot be changed.", isError: true)
                return
            }
            let place = ByteText.escaped(other.directoryPath)
            mode = .question(
                BrowserQuestion(
                    text: "Copy \(targetText) into \(other.title)\(place.isEmpty ? "" : "/\(place)")?", verb: "copy",
                    change: .put(pane.targetPaths, into: other.directoryPath)))
        } else if isReadyToChange() {
            prompt(.copy, "Copy \(targetText) into the directory: ", text: directoryForTransfer)
        }
    }

    /// The directory of the other pane, if it shows the same container, else the shown one.
    private var directoryForTransfer: String {
        let shown = other.flatMap { $0.showsSameContainer(as: pane) ? $0.directoryPath : nil } ?? pane.directoryPath
        return shown.isEmpty ? "" : ByteText.escaped(shown) + "/"
    }

    /// The targets in words.
    var targetText: String {
        let targets = pane.targets
        guard targets.count == 1, let index = pane.index else { return Quantity.count(targets.count, "marked item") }
        return quoted(Array(index.name(of: targets[0])))
    }

    // MARK: - Keys

    mutating func edit(_ prompt: BrowserPrompt, _ key: BrowserKey) -> BrowserRequest? {
        var prompt = prompt
        switch key {
        case .escape:
            mode = .items
            if prompt.purpose == .filter { apply(filter: "") }
        case .enter:
            mode = .items
            return use(prompt)
        case .tab where prompt.isPath:
            complete(&prompt)
            mode = .prompt(prompt)
        case .up where prompt.purpose == .filter, .down where prompt.purpose == .filter,
            .pageUp where prompt.purpose == .filter, .pageDown where prompt.purpose == .filter:
            mode = .items
            return press(key)
        default:
            guard prompt.edit(key) else { return nil }
            mode = .prompt(prompt)
            if prompt.purpose == .filter { apply(filter: prompt.string) }
        }
        return nil
    }

    private mutating func apply(filter: String) {
        pane.filter = BrowserFilter(filter)
        pane.list(selecting: pane.selected)
    }

    private mutating func use(_ prompt: BrowserPrompt) -> BrowserRequest? {
        let text = prompt.string
        let bytes = ByteText.unescaped(text)
        switch prompt.purpose {
        case .filter: return nil
        case .find, .search:
            guard !text.isEmpty, isReady(for: prompt) else { return nil }
            pane.begin(
                BrowserList(title: (prompt.purpose == .find ? "found: " : "contain: ") + ByteText.printable(text)))
            pane.work = "searching"
            return prompt.purpose == .find ? .find(text) : .search(text)
        case .mark, .unmark:
            guard isReady(for: prompt) else { return nil }
            select(text, isMarked: prompt.purpose == .mark)
            return nil
        case .rename:
            let paths = pane.targetPaths
            guard let path = paths.first, !text.isEmpty else { return nil }
            guard paths.count > 1 else { return begin(.rename(path, to: bytes)) }
            do throws(ExplorerError) { return begin(.renameAll(paths, by: try RenamePattern(text))) } catch {
                message = Message(text: "\(error)", isError: true)
                return nil
            }
        case .makeDirectory: return text.isEmpty ? nil : begin(.makeDirectory(bytes, in: pane.directoryPath))
        case .copy: return begin(.copy(pane.targetPaths, into: Self.trimmed(bytes)))
        case .move: return begin(.move(pane.targetPaths, into: Self.trimmed(bytes), allowsUserData: false))
        case .openPane: return text.isEmpty ? nil : .openPane(text)
        }
    }

    /// Returns true if the container has been read. Keeps the question open if not.
    private mutating func isReady(for prompt: BrowserPrompt) -> Bool {
        guard pane.index == nil else { return true }
        mode = .prompt(prompt)
        message = Self.notRead
        return false
    }

    private static func trimmed(_ path: [UInt8]) -> [UInt8] {
        var path = path
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }

    /// Marks the shown items that match conditions, or removes their marks.
    private mutating func select(_ text: String, isMarked: Bool) {
        guard let index = pane.index, !text.isEmpty else { return }
        let matches: [Int]
        do throws(ExplorerError) {
            let query = try ItemQuery(text)
            matches = pane.rows.filter {
                query.matches(
                    $0, in: index, now: Timestamp.now.seconds, classes: pane.findings?.classes,
                    findings: { pane.findings?.findings(of: $0) ?? [] })
            }
        } catch {
            message = Message(text: "\(error)", isError: true)
            return
        }
        if isMarked { pane.marks.formUnion(matches) } else { pane.marks.subtract(matches) }
        message = Message(
            text: "\(Quantity.count(matches.count, "item")) \(isMarked ? "marked" : "no longer marked").",
            isError: false)
    }

    /// Completes the last component of a path by the directories of the container.
    private mutating func complete(_ prompt: inout BrowserPrompt) {
        guard let index = pane.index else { return }
        let bytes = ByteText.unescaped(prompt.string)
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        guard let parent = index.number(at: Self.trimmed(Array(bytes[..<start]))) else { return }
        let names = index.children(of: parent).filter { index.kind(of: $0) == .directory }
            .map { Array(index.name(of: $0)) }.filter { $0.starts(with: bytes[start...]) }
        guard var common = names.first else {
            message = Message(text: "No directory begins with this text; it would be made.", isError: false)
            return
        }
        for name in names { common = Array(zip(common, name).prefix { $0 == $1 }.map(\.0)) }
        prompt.set(ByteText.escaped(Array(bytes[..<start]) + common) + (names.count == 1 ? "/" : ""))
        if names.count > 1 {
            let shown = names.prefix(8).map { ByteText.escaped($0) }.joined(separator: "  ")
            message = Message(text: shown + (names.count > 8 ? "  …" : ""), isError: false)
        }
    }
}

extension BrowserPane {
    /// True if both panes show the container at one path.
    func showsSameContainer(as other: BrowserPane) -> Bool { title == other.title }
}
