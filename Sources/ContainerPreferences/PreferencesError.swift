public import Foundation
internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// Something that could not be done with preferences.
public struct PreferencesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. The set is closed; new codes come only with a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case invalidName = 1, noIdentifier, notFound, damaged, tooLarge, unsupported, locked
            case leavesContainer, notAFile, permissionDenied, noSpace, noAttributes, durabilityUnknown, failed
            case cancelled
        }
        private let kind: Kind
        /// The code's name.
        public var description: String { "\(kind)" }
        /// The number by which Foundation knows it. New codes get new numbers.
        var number: Int { kind.rawValue }

        /// A suite's name that is no identifier, or a name in a settings bundle that leads elsewhere.
        public static let invalidName = Code(kind: .invalidName)
        /// The container does not say whose it is.
        public static let noIdentifier = Code(kind: .noIdentifier)
        /// There is no such file or directory.
        public static let notFound = Code(kind: .notFound)
        /// What is on disk is no property list of preferences, no settings pane or no table of strings.
        public static let damaged = Code(kind: .damaged)
        /// More than preferences may hold, or more than is read.
        public static let tooLarge = Code(kind: .tooLarge)
        /// A value that a property list cannot hold.
        public static let unsupported = Code(kind: .unsupported)
        /// The task was cancelled before the work was begun.
        public static let cancelled = Code(kind: .cancelled)
        /// Others kept the preferences locked.
        public static let locked = Code(kind: .locked)
        /// A link on the path leads out.
        public static let leavesContainer = Code(kind: .leavesContainer)
        /// A directory, a symbolic link or a special file stands where a file is needed, or the other way round.
        public static let notAFile = Code(kind: .notAFile)
        /// This process may not do that.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The disk or the quota is full.
        public static let noSpace = Code(kind: .noSpace)
        /// The file system cannot carry extended attributes, or not one so large.
        public static let noAttributes = Code(kind: .noAttributes)
        /// The change is visible, but may not survive a power cut.
        public static let durabilityUnknown = Code(kind: .durabilityUnknown)
        /// Another failure of the file system; see `errno`.
        public static let failed = Code(kind: .failed)
    }

    /// What went wrong.
    public let code: Code
    /// The file: relative to the container, or beneath the settings bundle as it was given.
    public let path: String
    /// The kernel's number for it, where a call failed.
    public let errno: Int32?
    /// What is wrong, what is on disk now, and what to do about it, in one or two sentences.
    public let description: String

    init(_ code: Code, _ path: FilePath, errno: Errno? = nil, _ description: String) {
        self.code = code
        self.path = path.string
        self.errno = errno?.rawValue
        // A name in it may contain control characters.
        self.description = description.printable
    }

    /// A container's failure: the codes of the same names.
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
    init(_ error: ReplaceError) { self.init(ContainerError(error)) }

    /// A file that cannot be read as preferences.
    static func damaged(_ path: FilePath, _ reason: String) -> PreferencesError {
        PreferencesError(
            .damaged, path,
            "“\(path)” cannot be read as preferences: \(reason). It is left as it is. "
                + "Bring back a good copy, or move it away to start anew.")
    }
}

extension PreferencesError: LocalizedError, CustomNSError {
    /// `AppContainer.PreferencesError`.
    public static var errorDomain: String { "AppContainer.PreferencesError" }
    /// The number of the code; it stays the same in later versions.
    public var errorCode: Int { code.number }
    /// The sentence, the file and the kernel's number.
    public var errorUserInfo: [String: Any] { userInfo(description, path: path, underlying: posixError(errno)) }
    /// The sentence of `description`.
    public var errorDescription: String? { description }
}
