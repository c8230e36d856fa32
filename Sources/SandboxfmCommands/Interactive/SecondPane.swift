import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import ContainerTree
import FileSystem
import Foundation

/// An input in the second pane, which the user names while the interactive mode runs. A private copy of it exists as long as
/// the value.
final class OpenPane: Sendable {
    enum State: Sendable {
        case opening
        case open(OpenedInput)
        case failed(String)
    }

    private let current = LockedValue(State.opening)

    /// Opens an input on a thread of its own.
    init(_ path: String, _ openInput: @escaping @Sendable (String) throws -> OpenedInput) {
        let invocation = Invocation.current
        let thread = Thread { [weak self] in
            invocation.perform {
                let state: State
                do { state = .open(try openInput(path)) } catch { state = .failed("\(error)") }
                self?.current.withLock { $0 = state }
            }
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    var state: State { current.withLock { $0 } }
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
