#if !canImport(Darwin)
package import Synchronization

/// A value that one thread at a time can access. `Synchronization.Mutex` needs macOS 15 and iOS 18; on Apple's systems
/// this is an unfair lock.
package struct LockedValue<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with exclusive access to the value. It must not be called again by `body`.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
#endif
