internal import CFileSystem

/// A Boolean that threads share. `Synchronization.Atomic` needs macOS 15 and iOS 18. All accesses are atomic, so the
/// type is safe to share.
package struct AtomicFlag: ~Copyable, @unchecked Sendable {
    private let flag: UnsafeMutablePointer<Bool>

    package init(_ value: Bool) {
        flag = .allocate(capacity: 1)
        flag.initialize(to: value)
    }

    deinit { flag.deallocate() }

    /// The value. Sees the changes that another thread made before it set the flag.
    package var value: Bool { cfs_load(flag) }

    /// Sets the value.
    package func set(_ value: Bool) { _ = cfs_swap(flag, value) }

    /// Sets the value and returns the old one.
    package func exchange(_ value: Bool) -> Bool { cfs_swap(flag, value) }
}
