import AppContainer
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import Dispatch
import FileSystem
import Foundation
import SystemPackage

/// The loop of the interactive mode: keys in, pictures out.
struct InteractiveRun {
    /// The sessions of the panes.
    private var sessions: [BrowserSession]
    private var browser: Browser
    private var shown: BrowserScreen?
    private let termination = Termination()
    private let makeSession: @Sendable (InputContainer, String) -> BrowserSession
    private let openInput: @Sendable (String) throws -> OpenedInput
    /// The container of the first pane, and its path for the user.
    private let first: (input: InputContainer, title: String)
    /// The input of the second pane, while it is open.
    private var second: OpenPane?
    /// The comparison of the panes that is shown or running.
    private var comparison: PaneComparison?

    /// The times between two looks at the events of the sessions, in milliseconds. After an event or a key the shortest one, since
    /// more may follow; then each a quarter longer, so that a screen at rest takes no processor time.
    private static let pauses: ClosedRange<Int32> = 4...50
    private var pause = pauses.lowerBound

    /// Creates the run.
    ///
    /// - Parameters:
    ///   - input: The container.
    ///   - title: Its path for the user.
    ///   - openInput: Opens an input of the second pane by its path, on another thread.
    ///   - makeSession: Returns the work on a container, of which the second argument is the path for the user.
    init(
        _ input: InputContainer, titled title: String, openInput: @escaping @Sendable (String) throws -> OpenedInput,
        makeSession: @escaping @Sendable (InputContainer, String) -> BrowserSession
    ) {
        (self.makeSession, self.openInput, first) = (makeSession, openInput, (input, title))
        sessions = [makeSession(input, title)]
        browser = Browser(title: title, isReadOnly: input.isCopy)
    }

    /// Throws an error if standard input or output is not a terminal with a cursor.
    static func checkTerminal() throws(ExplorerError) {
        let invocation = Invocation.current
        let type = invocation.environment["TERM"] ?? ""
        guard invocation.standardInput.isTerminal, invocation.output.isTerminal, type != "dumb", !type.isEmpty else {
            throw .noTerminal
        }
    }

    /// Runs until the user quits, the terminal is closed, or a signal ends the process.
    ///
    /// - Parameters:
    ///   - isColored: True to use colors.
    ///   - hasMouse: True to react to the mouse.
    ///   - beside: The path of an input for the second pane.
    /// - Throws: `unknownTerminal`.
    mutating func run(isColored: Bool, hasMouse: Bool, beside: String?) throws(ExplorerError) {
        defer { termination.screenHasEnded() }
        Invocation.current.interruption.addHandler(termination.request)
        let screen = try Screen(isColored: isColored, hasMouse: hasMouse)
        resize(screen)
        sessions[0].refresh()
        if let beside { open(beside) }
        while !termination.isRequested, !(browser.isQuitting && !sessions.contains(where: \.isChanging)) {
            pause = receiveEvents() ? Self.pauses.lowerBound : min(pause * 5 / 4, Self.pauses.upperBound)
            let picture = browser.screen
            if picture != shown {
                screen.show(picture)
                shown = picture
            }
            guard handle(screen.input(within: pause), screen: screen) else { break }
            // Keys that have arrived in the meantime, such as pasted ones, are drawn once.
            var count = 0
            while count < 256, !browser.isQuitting, case let input = screen.input(within: 0) {
                if case .nothing = input { break }
                guard handle(input, screen: screen) else { return }
                count += 1
            }
        }
    }

    // MARK: - Events

    /// Receives the events of the sessions. Returns true if there are others than the progress of a reading.
    private mutating func receiveEvents() -> Bool {
        var hasEvents = false
        for (number, session) in sessions.enumerated() {
            for event in session.events() {
                switch event {
                // There are some in each look while a container is read.
                case .reading, .firstItems: break
                default: hasEvents = true
                }
                browser.receive(event, pane: number)
                // Two panes may show one container.
                if case .changed = event, sessions.count == 2 { sessions[1 - number].refresh() }
            }
        }
        if let second, sessions.count == 1 {
            switch second.state {
            case .opening: break
            case .open(let input): addPane(input.container, titled: Self.title(of: input))
            case .failed(let text):
                browser.report(text)
                self.second = nil
            }
        }
        if let wanted = browser.wantedPreview {
            sessions[wanted.pane].preview(wanted.path, columns: browser.previewColumns)
        }
        if let wanted = browser.wantedFacts { sessions[wanted.pane].describe(wanted.path) }
        compare()
        return hasEvents
    }

    /// Compares the panes again after each reading, while the user wants it.
    private mutating func compare() {
        guard browser.comparesPanes, sessions.count == 2, let left = sessions[0].reading,
            let right = sessions[1].reading
        else {
            comparison?.cancel()
            comparison = nil
            return
        }
        let generations = [left.generation, right.generation]
        if comparison?.generations != generations {
            comparison?.cancel()
            comparison = PaneComparison(left.index, right.index, generations: generations)
        }
        if let differences = comparison?.takeResult() { browser.receive(differences) }
    }

    /// Takes an input. Returns false if the terminal no longer exists.
    private mutating func handle(_ input: Screen.Input, screen: borrowing Screen) -> Bool {
        switch input {
        case .nothing: break
        case .closed: return false
        case .resized: resize(screen)
        case .key(let key):
            pause = Self.pauses.lowerBound
            guard !browser.isQuitting else { break }
            let pane = browser.activePane
            guard let request = browser.press(key) else { break }
            perform(request, in: pane, screen: screen)
        }
        return true
    }

    private mutating func perform(_ request: BrowserRequest, in pane: Int, screen: borrowing Screen) {
        let session = sessions[pane]
        switch request {
        case .quit: browser.isQuitting = true
        case .refresh: session.refresh()
        case .redraw:
            screen.redraw()
            shown = nil
        case .cancel: session.cancel()
        case .change(.put(let paths, let directory)):
            guard sessions.count == 2 else { break }
            sessions[1 - pane].perform(.put(paths, into: directory), from: session)
        case .change(let change): session.perform(change)
        case .checkUndo(let paths): session.checkUndo(of: paths)
        case .find(let text): session.find(text)
        case .search(let text): session.search(text)
        case .history: session.listHistory()
        case .planFix(let paths): session.planFix(of: paths)
        case .openPane(let path?): open(path)
        case .openPane(nil): addPane(first.input, titled: first.title)
        case .closePane: closePane()
        case .compare: break
        }
    }

    // MARK: - Panes

    private mutating func open(_ path: String) {
        closePane()
        guard sessions.count == 1 else { return }
        second = OpenPane(path, openInput)
    }

    private mutating func addPane(_ input: InputContainer, titled title: String) {
        let session = makeSession(input, title)
        sessions.append(session)
        browser.addPane(title: title, isReadOnly: input.isCopy)
        session.refresh()
    }

    private mutating func closePane() {
        guard sessions.count == 2 else { return }
        guard !sessions[1].isChanging else { return browser.report("Wait until the running change has ended.") }
        sessions.removeLast()
        browser.removePane()
        second = nil
    }

    /// Returns the path of a container for the user: that of an archive or a backup for a container in it.
    private static func title(of input: OpenedInput) -> String {
        let container = input.container
        return container.isCopy || container.relativePath.isEmpty ? input.path : container.container.location.string
    }

    private mutating func resize(_ screen: borrowing Screen) {
        let size = screen.size
        browser.resize(columns: size.columns, lines: size.lines)
        shown = nil
    }
}

/// The end of the screen before a signal ends the process. The thread of the signal waits for the thread of the screen.
private final class Termination: Sendable {
    private let requested = AtomicFlag(false)
    private let ended = DispatchSemaphore(value: 0)

    var isRequested: Bool { requested.value }

    /// Requests the end, and waits for it at most two seconds. Returns immediately after the end of the screen.
    func request() {
        requested.set(true)
        _ = ended.wait(timeout: .now() + 2)
    }

    func screenHasEnded() { ended.signal() }
}
