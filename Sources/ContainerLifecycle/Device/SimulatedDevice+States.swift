internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// The result of a transition between two states of an app.
public struct Transition: Sendable {
    /// The state before.
    public let from: AppState
    /// The state after.
    public let to: AppState
    /// The registered values that their handlers saved, in the order of registration.
    public internal(set) var saved: [String] = []
    /// The registered values whose handlers failed, with the errors. They are still unsaved.
    public internal(set) var failures: [(name: String, error: any Error)] = []
    /// The registered values whose changes were lost, because the app was terminated before a handler saved them.
    public internal(set) var lost: [String] = []
}

extension SimulatedDevice {
    /// Changes the state of the app to one that may follow directly.
    ///
    /// On entering the background, each `FileValue` saves its changes, and the handlers of unsaved registered values
    /// save them. Termination runs no handler and discards the registered values, as the system does with a suspended
    /// app.
    ///
    /// - Throws: `illegalTransition` with the states that may follow, `appIsOffloaded`, `busy`, `ended`; `failed` if
    ///   the state could not be recorded, and is unchanged.
    @discardableResult
    public func transition(to state: AppState) throws(DeviceError) -> Transition {
        try withOperation { status throws(DeviceError) in
            try status.requireInstallation()
            guard status.state.canBecome(state) else { throw Self.illegal(from: status.state, to: state) }
        } _: { status throws(DeviceError) in
            try Self.record(state.recordedWord, on: status.container)
            self.status.withLock { $0.state = state }
            send([.transition(from: status.state, to: state)])
            var transition = Transition(from: status.state, to: state)
            switch state {
            case .background:
                // As the notification of UIKit does.
                LifecycleFlushes.shared.flush()
                save(status, transition: &transition)
            case .notRunning:
                transition.lost = status.registered.filter(\.isUnsaved).map(\.name)
                self.status.withLock { $0.registered = [] }
                send(transition.lost.map { .lost(name: $0) })
            case .inactive, .active, .suspended: break
            }
            return transition
        }
    }

    /// Launches the app into the foreground, or returns it to the foreground: it becomes active.
    ///
    /// - Throws: The errors of `transition(to:)`. The app may then be in a state on the way.
    public func launch() throws(DeviceError) {
        if state == .suspended { try transition(to: .background) }
        if state == .notRunning || state == .background { try transition(to: .inactive) }
        try transition(to: .active)
    }

    /// Moves the app from the foreground to the background, where the handlers save registered values.
    ///
    /// - Throws: The errors of `transition(to:)`. The app may then be in a state on the way.
    @discardableResult
    public func enterBackground() throws(DeviceError) -> Transition {
        if state == .active { try transition(to: .inactive) }
        return try transition(to: .background)
    }

    /// Terminates the app in any running state, as the system does without notice.
    ///
    /// - Returns: The transition, with the registered values that were unsaved and are lost.
    /// - Throws: The errors of `transition(to:)`.
    @discardableResult
    public func terminate() throws(DeviceError) -> Transition { try transition(to: .notRunning) }

    private func save(_ status: Status, transition: inout Transition) {
        for registered in status.registered {
            do {
                guard try registered.save(in: status.container) else { continue }
                transition.saved.append(registered.name)
                send([.saved(name: registered.name)])
            } catch {
                transition.failures.append((registered.name, error))
                send([.saveFailed(name: registered.name)])
            }
        }
    }

    private static func illegal(from state: AppState, to other: AppState) -> DeviceError {
        let legal = state.successors.map { "“\($0.description)”" }.joined(separator: ", ")
        return DeviceError(
            .illegalTransition,
            description: "An app that is \(state) cannot become \(other). Nothing has changed. It can become: \(legal)."
        )
    }
}

/// The record of the state on the container.
extension SimulatedDevice {
    private static let offloaded = "offloaded"

    static func recordedState(of container: Container) throws(DeviceError) -> (AppState, isInstalled: Bool) {
        let value: [UInt8]?
        do throws(FileSystemError) {
            value = try container.folder.open(".").attribute(Container.deviceStateAttribute)
        } catch {
            guard error.errno == .notSupported || error.errno == .notSupportedOnSocket else {
                throw DeviceError(ContainerError(reading: error))
            }
            value = nil
        }
        guard let value else { return (.notRunning, true) }
        let word = String(decoding: value, as: UTF8.self)
        if word == offloaded { return (.notRunning, false) }
        guard let state = AppState(rawValue: word) else {
            throw DeviceError(
                .unknownState,
                description:
                    "The recorded state of the app is not known. Nothing on disk has changed. Remove the extended attribute "
                    + "\(Container.deviceStateAttribute) from the container; the app then counts as not running.")
        }
        return (state, true)
    }

    /// Records that the app is offloaded, or installed and not running.
    static func recordInstallation(_ isInstalled: Bool, on container: Container) throws(DeviceError) {
        try record(isInstalled ? nil : offloaded, on: container)
    }

    /// Records a state, or none. A file system without attributes stores none; the state is then that of this device
    /// only.
    private static func record(_ word: String?, on container: Container) throws(DeviceError) {
        do throws(FileSystemError) {
            let root = try container.folder.open(".")
            if let word {
                try root.setAttribute(Container.deviceStateAttribute, value: Array(word.utf8))
            } else {
                try root.removeAttribute(Container.deviceStateAttribute)
            }
        } catch {
            guard error.errno == .notSupported || error.errno == .notSupportedOnSocket else {
                throw DeviceError(ContainerError(error, onDisk: "The recorded state is unchanged."))
            }
        }
    }
}

extension AppState {
    /// The recorded word; nil for an app that is not running.
    fileprivate var recordedWord: String? { self == .notRunning ? nil : rawValue }
}
