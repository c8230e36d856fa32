internal import FileSystem
public import Observation
internal import SystemPackage

/// One value in a file: settings, a document, the state of an editor.
///
///     let notes = try FileValue(.applicationSupport / "notes.json", in: container, default: Notes())
///     notes.value.lines.append("milk")
///     try notes.flush()
///
/// The value is in memory, so that reads do not use the disk. A change is saved a moment later (`autosave`), with
/// others that follow it, when the app enters the background, and by `flush`. A save is atomic and durable, and keeps
/// the backup exclusion and the attributes of the file.
///
/// A change by another process or by other code of the app is read within a moment. If the value has unsaved changes,
/// `merge` decides; without it the value of this object replaces the other one. A file that cannot be decoded is an
/// error and is not replaced: the value remains, and the saves fail until the file is moved away or restored.
///
/// Use one object for each file in a process. Deallocation saves unsaved changes and ignores errors.
public final class FileValue<Value: Codable & Sendable & Equatable>: Sendable {
    /// Joins two changes of a value: `base` is the last value that both sides had.
    public typealias Merge = @Sendable (_ base: Value, _ own: Value, _ other: Value) -> Value

    /// The path of the file.
    public let item: ContainerPath
    let file: ValueFile<Value>
    private let core: FileValueCore<Value>

    /// Reads the value.
    ///
    /// - Parameters:
    ///   - item: The path of the file: JSON, or a property list if its name ends in `.plist`.
    ///   - container: The container.
    ///   - value: The value if the file does not exist. It is not saved before it changes.
    ///   - autosave: The time from the last change to a save. Changes that go on are saved after ten times as long. Nil
    ///     saves only on `flush`, in the background and at the end.
    ///   - limits: The limits for the file.
    ///   - options: The options of the saves. The policy for an existing file is `replace`.
    ///   - merge: Joins a change by another process with an unsaved one. It runs on a thread of this object.
    /// - Throws: The errors of loading a value, except for `notFound`.
    public init(
        _ item: ContainerPath, in container: Container, default value: @autoclosure () -> Value,
        autosave: Duration? = .milliseconds(500), limits: ValueLimits = ValueLimits(),
        options: SaveOptions = SaveOptions(), merge: Merge? = nil
    ) throws(ContainerError) {
        let initial = value()
        self.item = item
        file = try ValueFile(item, in: container, limits: limits, options: options)
        core = FileValueCore(
            file, default: initial, autosave: autosave, merge: merge, read: try file.read(unless: nil))
        core.begin()
    }

    deinit { core.end() }

    /// The value. Setting an equal value changes nothing.
    public var value: Value {
        get {
            access()
            return core.value
        }
        set { update { $0 = newValue } }
    }

    /// Changes the value. Other threads wait.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`. Then nothing changes.
    public func update<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (result, isChanged) = try core.update(body)
        if isChanged { notifyObservers() }
        return result
    }

    /// True if a change has not been saved.
    public var hasUnsavedChanges: Bool { core.isChanged }

    /// The error of the last save or read in the background. Nil after one that succeeded.
    public var lastError: ContainerError? { core.lastError }

    /// Saves unsaved changes now. When it returns, they are on disk as the durability states.
    ///
    /// - Throws: `damaged` if the file has been replaced by one that cannot be decoded; `locked`; the errors of saving
    ///   a value.
    public func flush() throws(ContainerError) { try core.flush() }

    /// Reads a change by another process now.
    ///
    /// - Throws: The errors of loading a value, except for `notFound`.
    public func refresh() throws(ContainerError) { try core.refresh() }

    /// The values after each change from now on, by this object or by another process. Only the last one waits to be
    /// read.
    public var changes: AsyncStream<Value> { core.changes }

    // MARK: - Observation

    private let registrar: (any Sendable)? = {
        if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *) { return ObservationRegistrar() }
        return nil
    }()

    private func access() {
        if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *) {
            (registrar as? ObservationRegistrar)?.access(self, keyPath: \.value)
            core.setObserver { [weak self] in self?.notifyObservers() }
        }
    }

    private func notifyObservers() {
        if #available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *) {
            (registrar as? ObservationRegistrar)?.withMutation(of: self, keyPath: \.value) {}
        }
    }
}

/// Code that tracks accesses, such as the body of a SwiftUI view, is notified of a change of a value that it has read.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension FileValue: Observable {}
