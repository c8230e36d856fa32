#if canImport(Darwin)
package import Darwin

/// A value that one thread at a time can access. `Synchronization.Mutex` needs macOS 15 and iOS 18. The lock guards the
/// memory of the value, so the type is safe to share.
package struct LockedValue<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: consuming sending Value) {
        // The address of a lock must not change.
        lock = .allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    @inlinable
    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        lock.deallocate()
    }

    /// Runs `body` with exclusive access to the value. It must not be called again by `body`.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        os_unfair_lock_lock(lock)
        defer { os_unfair_lock_unlock(lock) }
        return try body(&value.pointee)
    }
}
#endif
