// The availability of Synchronization, which is newer than the minimum systems of this package.

@available(macOS 15.0, iOS 18.0, *)
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    public init(_ initialValue: consuming sending Value) { stub() }
    public borrowing func withLock<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result { stub() }
}

@available(macOS 15.0, iOS 18.0, *)
public struct Atomic<Value>: ~Copyable, @unchecked Sendable {
    public init(_ initialValue: consuming Value) { stub() }
}

private func stub() -> Never { fatalError() }
