internal import TextOutput

/// A question before a change of a container.
struct BrowserQuestion: Sendable, Hashable {
    let text: String
    /// The effect of `y`, as an imperative.
    let verb: String
    let change: BrowserChange

    /// The keys, as text.
    var keys: String { "y: \(verb)  n: no" }
}

/// A line of text that the user types.
struct BrowserPrompt: Sendable, Hashable {
    /// The use of the text.
    enum Purpose: Sendable, Hashable {
        case filter, find, search, mark, unmark, copy, move, rename, makeDirectory, openPane
    }

    let purpose: Purpose
    /// The text before the field.
    let label: String
    private(set) var text: [Unicode.Scalar]
    /// The position of the cursor in `text`.
    private(set) var cursor: Int

    /// The maximum length of a text, which may be a path.
    private static let limit = 4096

    init(_ purpose: Purpose, label: String, text: String = "") {
        (self.purpose, self.label) = (purpose, label)
        self.text = Array(text.unicodeScalars)
        cursor = self.text.count
    }

    var string: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: text)
        return String(view)
    }

    /// True if the text is a path in the container, which can be completed.
    var isPath: Bool { purpose == .copy || purpose == .move }

    /// Edits the text by a key. Returns false for a key without an effect on it.
    mutating func edit(_ key: BrowserKey) -> Bool {
        switch key {
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            text.remove(at: cursor)
        case .delete:
            if cursor < text.count { text.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home, .character("\u{1}"): cursor = 0
        case .end, .character("\u{5}"): cursor = text.count
        case .character("\u{15}"): (text, cursor) = ([], 0)
        case .character(let character) where character.value >= 0x20 && character.value != 0x7f:
            guard text.count < Self.limit else { return true }
            text.insert(character, at: cursor)
            cursor += 1
        default: return false
        }
        return true
    }

    /// Replaces the text, with the cursor at its end.
    mutating func set(_ string: String) {
        text = Array(string.unicodeScalars.prefix(Self.limit))
        cursor = text.count
    }

    /// The label and the end of the text before the cursor and what follows, with `_` at the cursor, in a number of columns.
    func line(columns: Int) -> String {
        func shown(_ part: ArraySlice<Unicode.Scalar>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: part)
            return ByteText.printable(String(view))
        }
        let rest = shown(text[cursor...])
        let end = rest.isEmpty ? "_" : "|" + rest
        var head = shown(text[..<cursor])
        let room = max(1, columns - Columns.width(label) - min(Columns.width(end), 8))
        while Columns.width(head) > room, !head.isEmpty { head.removeFirst() }
        return Columns.start(of: label + head + end, columns)
    }
}

/// A list of texts to choose from, which typing narrows.
struct BrowserMenu: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        case command(BrowserCommand)
        case change(BrowserChange)
    }

    struct Entry: Sendable, Hashable {
        let text: String
        /// The text before it, such as keys.
        let key: String
        let action: Action
    }

    let title: String
    let entries: [Entry]
    private(set) var text = ""
    private(set) var selection = 0

    init(title: String, entries: [Entry]) { (self.title, self.entries) = (title, entries) }

    /// All commands.
    static let palette = BrowserMenu(
        title: "Command",
        entries: BrowserCommand.allCases.map { command in
            Entry(text: command.purpose, key: command.keyNames, action: .command(command))
        })

    /// The entries that contain each word of the text, in their order.
    var shown: [Entry] {
        let words = text.lowercased().split(separator: " ")
        guard !words.isEmpty else { return entries }
        return entries.filter { entry in
            let all = (entry.text + " " + entry.key + " " + entry.name).lowercased()
            return words.allSatisfy { all.contains($0) }
        }
    }

    var selected: Entry? {
        let shown = shown
        return shown.indices.contains(selection) ? shown[selection] : nil
    }

    mutating func move(by count: Int) { selection = max(0, min(shown.count - 1, selection + count)) }

    mutating func type(_ character: Unicode.Scalar) {
        guard character.value >= 0x20, text.utf8.count < 255 else { return }
        text.unicodeScalars.append(character)
        selection = 0
    }

    mutating func erase() {
        _ = text.popLast()
        selection = 0
    }
}

extension BrowserMenu.Entry {
    /// The name of a command, in words: “mark matches”.
    fileprivate var name: String {
        guard case .command(let command) = action else { return "" }
        return command.rawValue.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }
}
