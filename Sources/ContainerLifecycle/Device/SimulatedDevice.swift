public import AppContainer
internal import FileSystem

/// A simulated device around the container of one app: the states of the app, and the events of a device that change the
/// container.
///
///     let device = try SimulatedDevice(container)
///     let settings = try device.register("settings", Settings()) { settings, container in
///         try container.save(settings, to: .documents / "settings.json")
///     }
///     try device.launch()
///     settings.value.volume = 3
///     try device.enterBackground()   // saves the settings
///     try device.terminate()
///     let purged = try device.purge()
///
/// The state is recorded on the container in an extended attribute, so that the next device of the same container
/// continues with it. Backups and restores leave the attribute out. Calls may come from any thread; one that comes during
/// an event or a transition throws `busy`.
public final class SimulatedDevice: Sendable {
    struct Status {
        var container: Container
        var state: AppState
        var isInstalled: Bool
        var registered: [any Registered] = []
        var isBusy = false
        var hasEnded = false
    }
    let status: LockedValue<Status>
    private let observers = DeviceObservers()

    /// Creates a device with an installed app in the recorded state. Without a recorded state the app is not running.
    ///
    /// - Throws: `unknownState` if the recorded state is not known; `failed`.
    public init(_ container: Container) throws(DeviceError) {
        let (state, isInstalled) = try Self.recordedState(of: container)
        status = LockedValue(Status(container: container, state: state, isInstalled: isInstalled))
    }

    deinit { observers.finish() }

    /// The container. After an update, or when an offloaded app was installed again, it has another path.
    public var container: Container { status.withLock { $0.container } }
    /// The state of the app.
    public var state: AppState { status.withLock { $0.state } }
    /// False while the app is offloaded.
    public var isInstalled: Bool { status.withLock { $0.isInstalled } }
    /// The names of the registered values that are unsaved, in the order of their registration.
    public var unsavedNames: [String] { status.withLock { $0.registered.filter(\.isUnsaved).map(\.name) } }

    /// Returns the events of the device from now on. Every observer gets all events.
    public func events() -> DeviceEvents { observers.observe() }

    /// Ends the device: its sequences of events end, and every later call throws `ended`. The container does not change.
    public func end() {
        status.withLock { $0.hasEnded = true }
        observers.finish()
    }

    /// Registers a value with the life cycle of the running process. Termination discards all registrations.
    ///
    /// - Parameters:
    ///   - name: The name in results and events.
    ///   - value: The value, as it is saved or as it is by default.
    ///   - save: Saves the value. Called when the app enters the background and the value is unsaved, in the order of
    ///     registration.
    /// - Returns: The registered value.
    /// - Throws: `ended`.
    public func register<Value: Sendable>(
        _ name: String, _ value: Value, save: @escaping @Sendable (Value, Container) throws -> Void
    ) throws(DeviceError) -> RegisteredValue<Value> {
        let registered = RegisteredValue(name, value: value, save)
        try status.withLock { status throws(DeviceError) in
            try status.requireNoEnd()
            status.registered.append(registered)
        }
        return registered
    }

    func send(_ kinds: [DeviceEvent.Kind]) { observers.send(kinds) }

    /// Runs an operation while no other operation runs.
    func withOperation<Result>(
        _ requirement: (Status) throws(DeviceError) -> Void, _ body: (Status) throws(DeviceError) -> Result
    ) throws(DeviceError) -> Result {
        let snapshot = try status.withLock { status throws(DeviceError) -> Status in
            try status.requireNoEnd()
            guard !status.isBusy else {
                throw DeviceError(
                    .busy,
                    description:
                        "Another event or transition is in progress. Nothing has changed. Wait until it is complete."
                )
            }
            try requirement(status)
            status.isBusy = true
            return status
        }
        defer { status.withLock { $0.isBusy = false } }
        return try body(snapshot)
    }
}

extension SimulatedDevice.Status {
    func requireNoEnd() throws(DeviceError) {
        if hasEnded {
            throw DeviceError(.ended, description: "The device has ended. Nothing has changed. Create another device.")
        }
    }

    /// Throws if the app is offloaded.
    func requireInstallation() throws(DeviceError) {
        guard !isInstalled else { return }
        throw DeviceError(
            .appIsOffloaded, description: "The app is offloaded. Nothing on disk has changed. Install it again first.")
    }

    /// Throws if the app is running.
    func requireNoProcess(for event: String) throws(DeviceError) {
        guard state != .notRunning else { return }
        throw DeviceError(
            .appIsRunning,
            description: "The app is \(state), and \(event) happens only to an app that is not running. "
                + "Nothing on disk has changed. Terminate the app first.")
    }
}
