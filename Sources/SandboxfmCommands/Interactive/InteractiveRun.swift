import CommandLineSupport
import ContainerExplorer
import Dispatch
import FileSystem
import Foundation

/// The loop of the interactive mode: keys in, pictures out.
struct InteractiveRun {
    private let session: BrowserSession
    private var browser: Browser
    private var shown: BrowserScreen?
    private let termination = Termination()

    /// The time between two looks at the events of the session, in milliseconds.
    private static let pause: Int32 = 50

    /// Creates the run.
    ///
    /// - Parameters:
    ///   - session: The work on the container.
    ///   - title: The path of the container, as given.
    ///   - isReadOnly: True if the container cannot be changed.
    init(_ session: BrowserSession, title: String, isReadOnly: Bool) {
        self.session = session
        browser = Browser(title: title, isReadOnly: isReadOnly)
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
    mutating func run(isColored: Bool) throws(ExplorerError) {
        defer { termination.screenHasEnded() }
        Invocation.current.interruption.addHandler(termination.request)
        let screen = try Screen(isColored: isColored)
        resize(screen)
        session.refresh()
        while !termination.isRequested, !(browser.isQuitting && !session.isChanging) {
            for event in session.events() { browser.receive(event) }
            let picture = browser.screen
            if picture != shown {
                screen.show(picture)
                shown = picture
            }
            guard handle(screen.input(within: Self.pause), screen: screen) else { break }
            // Keys that have arrived in the meantime, such as pasted ones, are drawn once.
            var count = 0
            while count < 256, !browser.isQuitting, case let input = screen.input(within: 0) {
                if case .nothing = input { break }
                guard handle(input, screen: screen) else { return }
                count += 1
            }
        }
    }

    /// Takes an input. Returns false if the terminal no longer exists.
    private mutating func handle(_ input: Screen.Input, screen: borrowing Screen) -> Bool {
        switch input {
        case .nothing: break
        case .closed: return false
        case .resized: resize(screen)
        case .key(let key):
            guard !browser.isQuitting, let request = browser.press(key) else { break }
            switch request {
            case .quit: browser.isQuitting = true
            case .refresh: session.refresh()
            case .redraw:
                screen.redraw()
                shown = nil
            case .delete, .exclude, .include: session.perform(request)
            }
        }
        return true
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
