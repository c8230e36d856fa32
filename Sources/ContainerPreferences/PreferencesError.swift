internal import Foundation
public import AppContainer
internal import FileSystem
package import SystemPackage

/// An error of reading or changing preferences.
public struct PreferencesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. The set is closed; new codes require a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case invalidName = 1, noIdentifier, notFound, damaged, tooLarge, unsupported, locked
            case leavesContainer, notAFile, permissionDenied, noSpace, noAttributes, durabilityUnknown, failed
            case cancelled, wrongType
        }
        private let kind: Kind
        /// The name of the code.
        public var description: String { "\(kind)" }
        /// The code of the `NSError`. New codes get new numbers.
        var number: Int { kind.rawValue }

        /// The name of a suite is not valid, or a name in a settings bundle leads out of it.
        public static let invalidName = Code(kind: .invalidName)
        /// The identifier of the container is unknown.
        public static let noIdentifier = Code(kind: .noIdentifier)
        /// The file or directory does not exist.
        public static let notFound = Code(kind: .notFound)
        /// The file is not a property list of preferences, a settings pane or a table of strings.
        public static let damaged = Code(kind: .damaged)
        /// The values or the file exceed the limits.
        public static let tooLarge = Code(kind: .tooLarge)
        /// The value cannot be stored in a property list.
        public static let unsupported = Code(kind: .unsupported)
        /// A value has another type than its key.
        public static let wrongType = Code(kind: .wrongType)
        /// The task was cancelled before the work was begun.
        public static let cancelled = Code(kind: .cancelled)
        /// Another process holds a lock on the preferences.
        public static let locked = Code(kind: .locked)
        /// A symbolic link on the path leads out of the container.
        public static let leavesContainer = Code(kind: .leavesContainer)
        /// The item is a directory, a symbolic link or a special file where a file is required, or the reverse.
        public static let notAFile = Code(kind: .notAFile)
        /// The process does not have the permission.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The disk or the quota is full.
        public static let noSpace = Code(kind: .noSpace)
        /// The file system cannot store extended attributes, or not one of this size.
        public static let noAttributes = Code(kind: .noAttributes)
        /// The change is visible but may not survive a power loss.
        public static let durabilityUnknown = Code(kind: .durabilityUnknown)
        /// Another error of the file system. See `errno`.
        public static let failed = Code(kind: .failed)
    }

    /// The kind of the error.
    public let code: Code
    /// The path of the file, relative to the container, or in the settings bundle as it was passed.
    public let path: String
    /// The error number of the failed system call.
    public let errno: Int32?
    /// One or two sentences that describe the failure, the state on disk and a solution.
    public let description: String

    init(_ code: Code, _ path: FilePath, errno: Errno? = nil, _ description: String) {
        self.code = code
        self.path = path.string
        self.errno = errno?.rawValue
        // A name in it may contain control characters.
        self.description = description.printable
    }

    /// Creates an error from an error of the container.
    init(_ error: ContainerError) {
        code = Self.codes[error.code] ?? .failed
        (path, errno, description) = (error.path, error.errno, error.description)
    }

    private static let codes: [ContainerError.Code: Code] = [
        .noIdentifier: .noIdentifier, .notFound: .notFound, .damaged: .damaged, .tooLarge: .tooLarge, .locked: .locked,
        .leavesContainer: .leavesContainer, .notAFile: .notAFile, .permissionDenied: .permissionDenied,
        .noSpace: .noSpace, .noAttributes: .noAttributes, .durabilityUnknown: .durabilityUnknown,
        .cancelled: .cancelled,
    ]

    init(_ error: FileSystemError) { self.init(ContainerError(error)) }
    init(_ error: AtomicWriteError) { self.init(ContainerError(error)) }

    /// Creates an error for a file that cannot be read as preferences.
    static func damaged(_ path: FilePath, reason: String) -> PreferencesError {
        PreferencesError(
            .damaged, path,
            "“\(path)” cannot be read as preferences: \(reason). The file is unchanged. "
                + "Restore a good copy, or move it away to start with an empty one.")
    }
}

extension PreferencesError: CancellableError {
    package init(cancelledAt path: FilePath) { self.init(ContainerError(cancelledAt: path)) }
}

extension PreferencesError: _StorageError, StatedError {
    package var number: Int { code.number }
    package var item: String? { path }
    package var underlying: (any Error)? { posixError(errno) }
}
