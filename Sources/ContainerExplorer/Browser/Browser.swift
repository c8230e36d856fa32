internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import TextOutput

/// The state of the interactive mode, without a terminal: keys and events change it, and it draws a picture.
///
/// It has one pane, or two beside each other; keys go to the active one.
package struct Browser: Sendable {
    /// The part of the screen that receives the keys.
    enum Mode: Sendable, Hashable {
        case items
        case prompt(BrowserPrompt)
        case menu(BrowserMenu)
        /// The details of the selected item, the help or another text, from a line on.
        case details(from: Int)
        case help(from: Int)
        case text(title: String, lines: [String], from: Int)
        case question(BrowserQuestion)
        /// A question below a text.
        case decision(BrowserQuestion, lines: [String], from: Int)
    }

    /// A text below the items until the next key.
    struct Message: Sendable, Hashable {
        let text: String
        let isError: Bool
    }

    /// The size of the terminal.
    private(set) var (columns, lines) = (80, 24)
    var panes: [BrowserPane]
    /// The position of the active pane.
    var active = 0
    var mode = Mode.items
    var message: Message?
    /// True if the content of the selected item is shown.
    var showsPreview = false
    /// The last preview, with the path of its item.
    var preview: (path: [UInt8], content: ItemPreview)?
    /// The facts of an item, with its path.
    var facts: (path: [UInt8], lines: [String])?
    /// True if the panes are compared.
    var isComparing = false
    /// The last click: position and item.
    var lastClick: [UInt8]?
    /// True if the browser ends when the running change has ended.
    package var isQuitting = false

    /// Creates the browser of a container.
    ///
    /// - Parameters:
    ///   - title: The path of the container, as given.
    ///   - isReadOnly: True if the container cannot be changed.
    package init(title: String, isReadOnly: Bool = false) {
        panes = [BrowserPane(title: title, isReadOnly: isReadOnly)]
        fit()
    }

    /// The active pane.
    var pane: BrowserPane {
        get { panes[active] }
        _modify { yield &panes[active] }
    }

    /// The pane that is not active, if there are two.
    var other: BrowserPane? { panes.count == 2 ? panes[1 - active] : nil }

    /// The position of the active pane, from 0.
    package var activePane: Int { active }

    /// Sets the size of the terminal.
    package mutating func resize(columns: Int, lines: Int) {
        (self.columns, self.lines) = (max(1, columns), max(1, lines))
        fit()
    }

    /// Gives the panes the height of the layout.
    mutating func fit() {
        let height = max(1, layout.rows.count)
        for position in panes.indices {
            panes[position].height = height
            panes[position].scroll()
        }
    }

    var layout: BrowserLayout { BrowserLayout(columns: columns, lines: lines, hasPreview: showsPreview) }

    // MARK: - Panes

    /// Adds the second pane, and makes it active.
    package mutating func addPane(title: String, isReadOnly: Bool) {
        panes = [panes[0], BrowserPane(title: title, isReadOnly: isReadOnly)]
        active = 1
        fit()
    }

    /// Removes the second pane.
    package mutating func removePane() {
        panes = [panes[0]]
        panes[0].differences = nil
        (active, isComparing) = (0, false)
        fit()
    }

    // MARK: - Background work

    /// True if the differences of the panes are shown.
    package var comparesPanes: Bool { isComparing }

    /// The columns of the preview.
    package var previewColumns: Int { columns - (layout.previewColumn ?? 0) }

    /// The item whose preview is missing, and the pane that has it. Nil if none is needed.
    package var wantedPreview: (pane: Int, path: [UInt8])? {
        guard showsPreview, let path = pane.selectedPath, preview?.path != path else { return nil }
        return (active, path)
    }

    /// The item of the details of which no facts are known. Nil if none are needed.
    package var wantedFacts: (pane: Int, path: [UInt8])? {
        guard case .details = mode, let path = pane.selectedPath, facts?.path != path else { return nil }
        return (active, path)
    }

    /// Receives an event of the session of a pane.
    package mutating func receive(_ event: BrowserSession.Event, pane number: Int = 0) {
        guard panes.indices.contains(number) else { return }
        switch event {
        case .firstItems(let items): panes[number].firstItems = items
        case .reading(let items): panes[number].itemsRead = items
        case .read(let content):
            let current = panes[number].selectedPath
            panes[number].itemsRead = nil
            panes[number].install(content)
            (preview, facts) = (nil, nil)
            if number == active, case .details = mode, current != pane.selectedPath { mode = .items }
        // The numbers of a question belong to the old index, but its request has paths, so that it stays valid.
        case .linted(let findings, let generation): panes[number].receive(findings, generation: generation)
        case .notLinted(let reason): panes[number].lintFailure = reason
        case .notRead(let reason):
            panes[number].itemsRead = nil
            message = Message(text: reason, isError: true)
        case .working(let text): panes[number].work = text
        case .changed(let text, let isError):
            panes[number].work = nil
            message = Message(text: text, isError: isError)
        case .undoObstacle(let paths, let reason): warn(of: reason, to: paths)
        case .refused(let text, let change):
            panes[number].work = nil
            mode = .question(BrowserQuestion(text: text, verb: "do it nevertheless", change: change))
        case .hits(let hits): panes[number].add(hits)
        case .searched(let text, let isError):
            panes[number].work = nil
            panes[number].found?.isComplete = true
            message = text.map { Message(text: $0, isError: isError) } ?? message
        case .history(let changes): show(changes)
        case .fixPlan(let plan): show(plan)
        case .preview(let path, let content): preview = (path, content)
        case .facts(let path, let lines): facts = (path, lines)
        }
    }

    /// Receives the differences of the panes.
    package mutating func receive(_ differences: [BrowserDifferences]) {
        guard isComparing, differences.count == panes.count else { return }
        for position in panes.indices { panes[position].differences = differences[position] }
    }

    /// Shows a failure that belongs to no pane.
    package mutating func report(_ text: String) { message = Message(text: text, isError: true) }
}
