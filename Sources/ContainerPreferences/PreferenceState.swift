#if canImport(SwiftUI)
public import SwiftUI

/// A property of a view whose value is a preference.
///
/// A view declares `@PreferenceState var volume: Int`, sets `_volume = PreferenceState(.volume, in: preferences)` in
/// its initializer, and passes the binding `$volume` to a control. The view is evaluated again after a change by the
/// view, by other code of the app, or by another process. Errors are reported as by `ObservablePreference`.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
@MainActor
@propertyWrapper
public struct PreferenceState<Value: Sendable>: DynamicProperty {
    @State private var preference: ObservablePreference<Value>

    /// Creates a property for a key.
    public init(_ key: Preferences.Key<Value>, in preferences: Preferences) {
        _preference = State(initialValue: ObservablePreference(key, in: preferences))
    }

    /// The value. A change is on disk when the assignment returns.
    public var wrappedValue: Value {
        get { preference.value }
        nonmutating set { preference.value = newValue }
    }

    /// A binding to the value, for controls.
    public var projectedValue: Binding<Value> {
        let preference = preference
        return Binding(get: { preference.value }, set: { preference.value = $0 })
    }
}
#endif
