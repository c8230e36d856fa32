import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import ContainerTree
import Dispatch
import FileSystem
import Foundation

/// Opens the inputs that a user names while the interactive mode runs.
struct PaneOpener: Sendable {
    /// The container of the first pane.
    let container: InputContainer
    /// Its path for the user.
    let path: String
    /// Opens an input by its path, and passes its container to a closure. The input is removed when the closure returns.
    let openInput: @Sendable (String, (InputContainer) throws -> Void) throws -> Void

    /// Opens an input on a thread of its own.
    func open(_ path: String) -> OpenPane { OpenPane(path, openInput) }

    /// Returns the path of a container for the user: that of an archive or a backup for a container in it.
    func title(of input: InputContainer, _ path: String?) -> String {
        guard let path else { return self.path }
        return input.isCopy || input.relativePath.isEmpty ? path : input.container.location.string
    }
}

/// An input in the second pane. It is open until `close`.
final class OpenPane: Sendable {
    enum State: Sendable {
        case opening
        case open(InputContainer)
        case failed(String)
    }

    /// The path as the user typed it.
    let path: String
    private let current = LockedValue(State.opening)
    private let closed = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ path: String, _ openInput: @escaping @Sendable (String, (InputContainer) throws -> Void) throws -> Void) {
        self.path = path
        let invocation = Invocation.current
        let thread = Thread { [self] in
            Invocation.$current.withValue(invocation) {
                do {
                    try openInput(path) { input in
                        current.withLock { $0 = .open(input) }
                        closed.wait()
                    }
                } catch { current.withLock { $0 = .failed("\(error)") } }
            }
            ended.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    var state: State { current.withLock { $0 } }

    /// Closes the input, and waits until its private copy is removed, at most two seconds.
    func close() {
        closed.signal()
        _ = ended.wait(timeout: .now() + 2)
    }
}

/// The comparison of two readings on a thread of its own.
final class PaneComparison: Sendable {
    /// The numbers of the readings.
    let generations: [Int]
    private let result = LockedValue<[BrowserDifferences]?>(nil)
    private let isCancelled = AtomicFlag(false)

    init(_ left: ContainerIndex, _ right: ContainerIndex, generations: [Int]) {
        self.generations = generations
        let thread = Thread { [self] in
            let differences = BrowserDifferences.compare(left, right) { self.isCancelled.value }
            result.withLock { $0 = differences }
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    func cancel() { isCancelled.set(true) }

    /// Returns the result once.
    func takeResult() -> [BrowserDifferences]? {
        result.withLock { result in
            defer { result = nil }
            return result
        }
    }
}
