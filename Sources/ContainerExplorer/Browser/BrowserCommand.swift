/// A key of a terminal.
package enum BrowserKey: Sendable, Hashable {
    case character(Unicode.Scalar)
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
    /// A key without a command.
    case other

    /// The name of the key in texts.
    package var name: String {
        switch self {
        case .character(" "): "Space"
        case .character("\u{c}"): "Ctrl-L"
        case .character(let character): String(character)
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .pageUp: "Page Up"
        case .pageDown: "Page Down"
        case .home: "Home"
        case .end: "End"
        case .enter: "Enter"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .other: "other"
        }
    }
}

/// A command of the interactive mode. This is the table of keys for the browser, its help and the documentation.
package enum BrowserCommand: String, CaseIterable, Sendable {
    case previous, next, pageUp, pageDown, first, last, open, leave
    case sortByName, sortBySize, sortByItems, sortByDate, filter, clear
    case mark, delete, exclude, details, refresh, redraw, help, quit

    /// The keys that run the command.
    package var keys: [BrowserKey] {
        switch self {
        case .previous: [.up, .character("k")]
        case .next: [.down, .character("j")]
        case .pageUp: [.pageUp]
        case .pageDown: [.pageDown]
        case .first: [.home, .character("g")]
        case .last: [.end, .character("G")]
        case .open: [.enter, .right, .character("l")]
        case .leave: [.left, .backspace, .character("h")]
        case .sortByName: [.character("n")]
        case .sortBySize: [.character("s")]
        case .sortByItems: [.character("c")]
        case .sortByDate: [.character("t")]
        case .filter: [.character("/")]
        case .clear: [.escape]
        case .mark: [.character(" ")]
        case .delete: [.character("d")]
        case .exclude: [.character("x")]
        case .details: [.character("i")]
        case .refresh: [.character("r")]
        case .redraw: [.character("\u{c}")]
        case .help: [.character("?")]
        case .quit: [.character("q")]
        }
    }

    /// The effect of the command, as a sentence.
    package var purpose: String {
        switch self {
        case .previous: "Select the item above."
        case .next: "Select the item below."
        case .pageUp: "Select the item one page above."
        case .pageDown: "Select the item one page below."
        case .first: "Select the first item."
        case .last: "Select the last item."
        case .open: "Open the directory, or show the details of another item."
        case .leave: "Go to the parent directory."
        case .sortByName: "Sort by name; again: in reverse."
        case .sortBySize: "Sort by size; again: in reverse."
        case .sortByItems: "Sort by number of items; again: in reverse."
        case .sortByDate: "Sort by modification date; again: in reverse."
        case .filter: "Show only names with a text, or that match a pattern with * or ?."
        case .clear: "Remove the filter, then the marks."
        case .mark: "Mark the item, or remove its mark."
        case .delete: "Delete the marked items, or the selected one. Asks first."
        case .exclude: "Exclude from backup, or include again. Asks first if user data may be excluded."
        case .details: "Show the details and the findings of the item."
        case .refresh: "Read the container again."
        case .redraw: "Draw the screen again."
        case .help: "Show the keys."
        case .quit: "Quit."
        }
    }

    /// The names of the keys, such as `Up, k`.
    package var keyNames: String { keys.map(\.name).joined(separator: ", ") }

    private static let commands = Dictionary(
        allCases.flatMap { command in command.keys.map { ($0, command) } }, uniquingKeysWith: { first, _ in first })

    /// The command of a key, or nil.
    package init?(_ key: BrowserKey) {
        guard let command = Self.commands[key] else { return nil }
        self = command
    }
}

/// Work that the browser requests. Paths are relative to the container.
package enum BrowserRequest: Sendable, Hashable {
    case quit, refresh, redraw
    case delete([[UInt8]])
    case exclude([[UInt8]])
    case include([[UInt8]])
}
