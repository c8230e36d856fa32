internal import FileSystem

/// A number that threads share.
package final class Counter: Sendable {
    private let count: LockedValue<Int>

    package init(_ value: Int = 0) { count = LockedValue(value) }

    /// The current number.
    package var value: Int { count.withLock { $0 } }

    /// Adds a number and returns the sum.
    @discardableResult
    package func add(_ number: Int) -> Int {
        count.withLock { count in
            count += number
            return count
        }
    }
}
