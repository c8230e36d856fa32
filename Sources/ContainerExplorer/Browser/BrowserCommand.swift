/// A command of the interactive mode. This is the table of keys for the browser, its help, its palette and the documentation.
package enum BrowserCommand: String, CaseIterable, Sendable {
    case previous, next, pageUp, pageDown, first, last, open, leave, nextFinding, previousFinding, reveal
    case sortByName, sortBySize, sortByItems, sortByDate, sortByFindings, filter, find, search, clear
    case mark, markMatches, unmarkMatches, invertMarks
    case copy, move, rename, makeDirectory, delete, deleteForGood, exclude, fix, undo, history
    case details, preview, openPane, mirrorPane, switchPane, compare
    case refresh, redraw, palette, help, quit

    /// A group of commands, as a heading of the help.
    package enum Topic: String, CaseIterable, Sendable {
        case move = "Move"
        case find = "Sort and find"
        case mark = "Mark"
        case change = "Change"
        case show = "Show"
        case program = "Program"
    }

    package var topic: Topic {
        switch self {
        case .previous, .next, .pageUp, .pageDown, .first, .last, .open, .leave, .nextFinding, .previousFinding,
            .reveal:
            .move
        case .sortByName, .sortBySize, .sortByItems, .sortByDate, .sortByFindings, .filter, .find, .search, .clear:
            .find
        case .mark, .markMatches, .unmarkMatches, .invertMarks: .mark
        case .copy, .move, .rename, .makeDirectory, .delete, .deleteForGood, .exclude, .fix, .undo, .history: .change
        case .details, .preview, .openPane, .mirrorPane, .switchPane, .compare: .show
        case .refresh, .redraw, .palette, .help, .quit: .program
        }
    }

    /// The keys that run the command.
    package var keys: [BrowserKey] {
        switch self {
        case .previous: [.up, .character("k")]
        case .next: [.down, .character("j")]
        case .pageUp: [.pageUp, .character("\u{2}")]
        case .pageDown: [.pageDown, .character("\u{6}")]
        case .first: [.home, .character("g")]
        case .last: [.end, .character("G")]
        case .open: [.enter, .right, .character("l")]
        case .leave: [.left, .backspace, .character("h")]
        case .nextFinding: [.character("]")]
        case .previousFinding: [.character("[")]
        case .reveal: [.character(".")]
        case .sortByName: [.character("n")]
        case .sortBySize: [.character("s")]
        case .sortByItems: [.character("c")]
        case .sortByDate: [.character("t")]
        case .sortByFindings: [.character("o")]
        case .filter: [.character("/")]
        case .find: [.character("f")]
        case .search: [.character("F")]
        case .clear: [.escape]
        case .mark: [.character(" ")]
        case .markMatches: [.character("+")]
        case .unmarkMatches: [.character("-")]
        case .invertMarks: [.character("*")]
        case .copy: [.character("y"), .function(5)]
        case .move: [.character("m"), .function(6)]
        case .rename: [.character("R"), .function(2)]
        case .makeDirectory: [.character("N"), .function(7)]
        case .delete: [.character("d"), .delete, .function(8)]
        case .deleteForGood: [.character("D")]
        case .exclude: [.character("x")]
        case .fix: [.character("!")]
        case .undo: [.character("u")]
        case .history: [.character("U")]
        case .details: [.character("i")]
        case .preview: [.character("v"), .function(3)]
        case .openPane: [.character("O")]
        case .mirrorPane: [.character("w")]
        case .switchPane: [.tab]
        case .compare: [.character("=")]
        case .refresh: [.character("r")]
        case .redraw: [.character("\u{c}")]
        case .palette: [.character(":")]
        case .help: [.character("?"), .function(1)]
        case .quit: [.character("q"), .function(10)]
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
        case .leave: "Close the list of found items, or go to the parent directory."
        case .nextFinding: "Go to the next item with a finding, in any directory."
        case .previousFinding: "Go to the previous item with a finding."
        case .reveal: "Show a found item in its directory."
        case .sortByName: "Sort by name; again: in reverse."
        case .sortBySize: "Sort by size; again: in reverse."
        case .sortByItems: "Sort by number of items; again: in reverse."
        case .sortByDate: "Sort by modification date; again: in reverse."
        case .sortByFindings: "Sort by findings, the worst first; again: in reverse."
        case .filter: "Show only names with a text, or that match a pattern with * or ?."
        case .find: "List items of the whole container by name, class, size, age, backup or finding."
        case .search: "List files that contain a text or a key, also in property lists, archives, JSON and databases."
        case .clear: "Cancel the running work; else remove the filter, then the marks."
        case .mark: "Mark the item, or remove its mark."
        case .markMatches: "Mark the shown items that a pattern or another condition matches."
        case .unmarkMatches: "Remove the marks of the shown items that a condition matches."
        case .invertMarks: "Mark the shown items without a mark, and remove the marks of the others."
        case .copy: "Copy the marked items, or the selected one, to a path or into the other pane."
        case .move: "Move the marked items, or the selected one, to another path."
        case .rename: "Rename the marked items, or the selected one."
        case .makeDirectory: "Make a directory."
        case .delete: "Delete the marked items, or the selected one; they are kept for undo. Asks first."
        case .deleteForGood: "Delete without keeping anything for undo. Asks first."
        case .exclude: "Exclude from backup, or include again. Asks first if user data may be excluded."
        case .fix: "Show what fixes the findings of the items, and apply it after a question."
        case .undo: "Revert the last change."
        case .history: "List the changes that can be reverted, and revert one."
        case .details: "Show the details, the references and the findings of the item."
        case .preview: "Show the content of the selected item beside the list, or hide it."
        case .openPane: "Open another container, archive or backup beside this one."
        case .mirrorPane: "Open this container in a second pane, or close the second pane."
        case .switchPane: "Go to the other pane."
        case .compare: "Compare the two panes, or stop comparing."
        case .refresh: "Read the container again."
        case .redraw: "Draw the screen again."
        case .palette: "List all commands, and run one."
        case .help: "Show the keys by topic."
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
