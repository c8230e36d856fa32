internal import AppContainer
internal import Foundation
public import Observation
internal import FileSystem

/// A preference that views and `withObservationTracking` observe.
///
///     let volume = ObservablePreference(.volume, in: preferences)
///     withObservationTracking {
///         print(volume.value)
///     } onChange: {
///         print("the volume changes")
///     }
///
/// Code that tracks accesses, such as the body of a SwiftUI view, is notified once of a change of a value that it has
/// read: by this object, by other code of the process, or by another process. At that time, `value` is the new value.
/// Setting an equal value is not reported.
///
/// A value that was read on the main queue, as views do, is reported there, so that no view misses a change while it is
/// evaluated. All other changes are reported on the thread that makes them, before the call returns, and those of other
/// processes on a background thread. A change by another process is detected within 100 milliseconds.
///
/// The value is never copied: each access reads or changes the preferences. As with `Preference`, an error is reported to
/// `Preferences.observeErrors`, a read returns the default of the key, and a failed change is not made. Code that has read
/// the default because the file could not be read is notified when the file can be read again.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public final class ObservablePreference<Value: Sendable>: Observable, Sendable {
    /// The key.
    public let key: Preferences.Key<Value>
    /// The preferences.
    public let preferences: Preferences
    private let registrar = ObservationRegistrar()
    private let state = LockedValue(State())

    private struct State {
        /// The number of the observer. Nil until it is added.
        var number: Int?
        /// True if the value was read on the main queue since the last notification there.
        var isReadOnMain = false
        /// True if a notification on the main queue is due.
        var isScheduled = false
    }

    /// Creates an observable preference. The observation ends when the object is deallocated.
    public init(_ key: Preferences.Key<Value>, in preferences: Preferences) {
        self.key = key
        self.preferences = preferences
        let added = preferences.addObserver(of: key.name) { [weak self] _ in self?.notify() }
        state.withLock { $0.number = added }
    }

    deinit {
        if let number = state.withLock(\.number) { preferences.removeObserver(number) }
    }

    /// The value of the preference. A change is on disk when the assignment returns.
    public var value: Value {
        get {
            // Before the read, so that a change in between is reported.
            registrar.access(self, keyPath: \.value)
            if MainQueue.isCurrent { state.withLock { $0.isReadOnMain = true } }
            do throws(PreferencesError) { return try preferences.value(for: key) } catch {
                preferences.report(error)
                if error.code != .wrongType, let number = state.withLock(\.number) { preferences.awaitReading(number) }
                return key.defaultValue
            }
        }
        set {
            do throws(PreferencesError) { try preferences.set(newValue, for: key) } catch { preferences.report(error) }
        }
    }

    /// Notifies code that has read the value. Code on the main queue that has read it is notified there, because on
    /// another thread the notification could precede the registration of that code, which follows its reads.
    private func notify() {
        let isFirst = state.withLock { state -> Bool? in
            guard state.isReadOnMain, !MainQueue.isCurrent else { return nil }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard let isFirst else { return mutate() }
        guard isFirst else { return }
        DispatchQueue.main.async { [weak self] in
            guard let self else { return }
            self.state.withLock { state in
                state.isReadOnMain = false
                state.isScheduled = false
            }
            self.mutate()
        }
    }

    private func mutate() { registrar.withMutation(of: self, keyPath: \.value) {} }
}

/// The main queue, which on Linux may run on another thread than the main one.
private enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
