public import AppContainer
internal import Foundation

/// An error of a simulated device.
public struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. The set is closed; new codes require a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case illegalTransition = 1, appIsRunning, appIsOffloaded, appIsInstalled, busy, ended, invalidDestination
            case unknownState, moved, failed
        }
        private let kind: Kind
        /// The name of the code.
        public var description: String { "\(kind)" }
        /// The code of the `NSError`.
        var number: Int { kind.rawValue }

        /// The state may not be followed directly by the other state.
        public static let illegalTransition = Code(kind: .illegalTransition)
        /// The app is running, and the event happens only to apps that are not.
        public static let appIsRunning = Code(kind: .appIsRunning)
        /// The app was offloaded and is not installed again.
        public static let appIsOffloaded = Code(kind: .appIsOffloaded)
        /// The app is installed, and only an offloaded app can be installed again.
        public static let appIsInstalled = Code(kind: .appIsInstalled)
        /// Another event or transition is in progress.
        public static let busy = Code(kind: .busy)
        /// The device has ended.
        public static let ended = Code(kind: .ended)
        /// The destination exists and is not empty, or it is in the container.
        public static let invalidDestination = Code(kind: .invalidDestination)
        /// The state that is recorded on the container is not known.
        public static let unknownState = Code(kind: .unknownState)
        /// The container is no longer at its path.
        public static let moved = Code(kind: .moved)
        /// An operation on the container failed. See `cause`.
        public static let failed = Code(kind: .failed)
    }

    /// The kind of the error.
    public let code: Code
    /// The description of the failure, the state on disk and a solution.
    public let description: String
    /// The error of the container.
    public let cause: ContainerError?

    init(_ code: Code, description: String) { (self.code, self.description, cause) = (code, description, nil) }

    init(_ cause: ContainerError, onDisk: String? = nil) {
        code = .failed
        description = [cause.description, onDisk].compactMap(\.self).joined(separator: " ")
        self.cause = cause
    }
}

extension DeviceError: _StorageError, StatedError {
    package var number: Int { code.number }
    package var item: String? { nil }
    package var underlying: (any Error)? { cause }
}
