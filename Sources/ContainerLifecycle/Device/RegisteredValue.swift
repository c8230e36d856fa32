internal import AppContainer
internal import FileSystem

/// A value that is registered with the life cycle of an app.
///
/// A change makes the value unsaved. When the app enters the background, its handler saves it. If the app is terminated
/// before that, the change is lost.
public final class RegisteredValue<Value: Sendable>: Sendable {
    /// The name in results and events.
    public let name: String
    private let state: LockedValue<State>
    private let save: @Sendable (Value, Container) throws -> Void

    private struct State {
        var value: Value
        /// The number of changes.
        var changes: UInt64 = 0
        /// The number of changes that were saved.
        var saved: UInt64 = 0
    }

    init(_ name: String, value: Value, _ save: @escaping @Sendable (Value, Container) throws -> Void) {
        self.name = name
        state = LockedValue(State(value: value))
        self.save = save
    }

    /// The value. Setting it makes it unsaved.
    public var value: Value {
        get { state.withLock { $0.value } }
        set { change { $0 = newValue } }
    }

    /// True if the value was changed since it was registered or saved.
    public var isUnsaved: Bool { state.withLock { $0.changes != $0.saved } }

    /// Changes the value in place and makes it unsaved. No other thread changes it at the same time.
    public func change<Result: Sendable, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in
            state.changes += 1
            return try body(&state.value)
        }
    }

    /// Saves the value if it is unsaved. Returns false if there is nothing to save.
    func save(in container: Container) throws -> Bool {
        let (value, change, isUnsaved) = state.withLock { ($0.value, $0.changes, $0.changes != $0.saved) }
        guard isUnsaved else { return false }
        try save(value, container)
        // A change during the save remains unsaved.
        state.withLock { $0.saved = change }
        return true
    }
}

/// A registered value, independent of its type.
protocol Registered: Sendable {
    var name: String { get }
    var isUnsaved: Bool { get }
    func save(in container: Container) throws -> Bool
}

extension RegisteredValue: Registered {}
