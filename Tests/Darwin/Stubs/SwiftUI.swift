// The declarations of SwiftUI that the package uses.

@available(macOS 10.15, iOS 13.0, *)
public protocol DynamicProperty {
    mutating func update()
}

@available(macOS 10.15, iOS 13.0, *)
extension DynamicProperty {
    public mutating func update() {}
}

@available(macOS 10.15, iOS 13.0, *)
@propertyWrapper
public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) { stub() }
    public init(initialValue value: Value) { stub() }
    public var wrappedValue: Value {
        get { stub() }
        nonmutating set { stub() }
    }
    public var projectedValue: Binding<Value> { stub() }
}

@available(macOS 10.15, iOS 13.0, *)
@propertyWrapper
public struct Binding<Value>: DynamicProperty {
    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {
        stub()
    }
    public var wrappedValue: Value {
        get { stub() }
        nonmutating set { stub() }
    }
    public var projectedValue: Binding<Value> { stub() }
}

private func stub() -> Never { fatalError("a declaration without an implementation was called") }
