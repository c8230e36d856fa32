#if canImport(SwiftUI)
public import SwiftUI

/// A property of a view whose value is that of a file.
///
/// A view declares `@FileState var notes: Notes`, sets `_notes = FileState(file)` in its initializer, and passes
/// bindings such as `$notes.text` to controls. The view is evaluated again after a change by the view, by other code of
/// the app, or by another process.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
@MainActor
@propertyWrapper
public struct FileState<Value: Codable & Sendable & Equatable>: DynamicProperty {
    @State private var file: FileValue<Value>

    /// Creates a property for the value of a file.
    public init(_ file: FileValue<Value>) { _file = State(initialValue: file) }

    /// The value.
    public var wrappedValue: Value {
        get { file.value }
        nonmutating set { file.value = newValue }
    }

    /// A binding to the value, for controls.
    public var projectedValue: Binding<Value> {
        let file = file
        return Binding(get: { file.value }, set: { file.value = $0 })
    }
}
#endif
