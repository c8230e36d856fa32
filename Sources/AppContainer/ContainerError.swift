package import FileSystem
public import Foundation
package import SystemPackage

/// An error of an operation on a container.
public struct ContainerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. The set is closed; new codes require a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case notAContainer = 1, alreadyExists, notFound, invalidPath, leavesContainer, notAFile, notText,
                noIdentifier
            case hasOtherNames, systemDirectory, permissionDenied, noSpace, noAttributes, durabilityUnknown
            case notEncodable, damaged, locked, cancelled, failed, tooLarge
        }
        private let kind: Kind
        /// The name of the code.
        public var description: String { "\(kind)" }
        /// The code of the `NSError`. New codes get new numbers.
        var number: Int { kind.rawValue }

        /// The directory is not a container.
        public static let notAContainer = Code(kind: .notAContainer)
        /// The name is taken.
        public static let alreadyExists = Code(kind: .alreadyExists)
        /// The file or directory does not exist.
        public static let notFound = Code(kind: .notFound)
        /// The path or identifier is not valid.
        public static let invalidPath = Code(kind: .invalidPath)
        /// The path, or a symbolic link on it, leads out of the container.
        public static let leavesContainer = Code(kind: .leavesContainer)
        /// The item is a directory, a symbolic link or a special file where a file is required, or the reverse.
        public static let notAFile = Code(kind: .notAFile)
        /// The text or the bytes are not valid in the encoding.
        public static let notText = Code(kind: .notText)
        /// The file has other hard links, and the save must not replace such a file.
        public static let hasOtherNames = Code(kind: .hasOtherNames)
        /// The value cannot be encoded.
        public static let notEncodable = Code(kind: .notEncodable)
        /// The content of the file does not have the expected format.
        public static let damaged = Code(kind: .damaged)
        /// The file of a value exceeds the limits for bytes, values or depth.
        public static let tooLarge = Code(kind: .tooLarge)
        /// Another part of the app or another process holds a lock on the container.
        public static let locked = Code(kind: .locked)
        /// The task was cancelled before the work began.
        public static let cancelled = Code(kind: .cancelled)
        /// The path contains the app's identifier, which is unknown for this container.
        public static let noIdentifier = Code(kind: .noIdentifier)
        /// A system-defined directory must not be excluded from backup.
        public static let systemDirectory = Code(kind: .systemDirectory)
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
    /// The path of the item, relative to the container, or the path of the container as it was passed.
    public let path: String
    /// The error number of the failed system call.
    public let errno: Int32?
    /// One or two sentences that describe the failure, the state on disk and a solution.
    public let description: String

    init(_ code: Code, _ path: FilePath, errno: Errno? = nil, _ description: String) {
        self.code = code
        self.path = path.string
        self.errno = errno?.rawValue
        // A file name in it may contain control characters.
        self.description = description.printable
    }

    /// Creates an error from a failed system call and the state on disk.
    package init(_ error: FileSystemError, onDisk: String = "Nothing on disk has changed.") {
        let (code, hint) = Self.judge(error.errno)
        self.init(code, error.path, errno: error.errno, "\(error). \(onDisk)\(hint.map { " " + $0 } ?? "")")
    }

    /// Creates an error from a failed system call of an operation that only reads.
    package init(reading error: FileSystemError) {
        let (code, hint) = Self.judge(error.errno)
        self.init(code, error.path, errno: error.errno, "\(error).\(hint.map { " " + $0 } ?? "")")
    }

    /// Creates an error from an interrupted write. `createdDirectories` is true if parent directories were created.
    package init(_ error: AtomicWriteError, createdDirectories: Bool = false) {
        switch error.stage {
        case .untouched:
            let onDisk = createdDirectories ? "Parent directories were created; nothing else on disk has changed." : nil
            self.init(error.cause, onDisk: onDisk ?? "Nothing on disk has changed.")
        case .leftover(let name):
            self.init(error.cause, onDisk: "The old file is unchanged; the temporary file “\(name)” remains.")
        case .visible:
            self.init(
                .durabilityUnknown, error.cause.path, errno: error.cause.errno,
                "\(error.cause). The new file is in place but may not survive a power loss. Save it again.")
        case .besideOld(let name):
            self.init(
                error.cause, onDisk: "The new item is in place, and “\(name)” remains, perhaps in part. Remove it.")
        }
    }

    private static func judge(_ errno: Errno) -> (Code, hint: String?) {
        switch errno {
        case .noSuchFileOrDirectory: (.notFound, "Check the path.")
        case .fileNameTooLong: (.invalidPath, "Use names of at most 255 bytes.")
        case .fileExists: (.alreadyExists, "Choose another name, or remove the existing item.")
        case .improperLink: (.leavesContainer, "Use a path inside the container.")
        case .tooManySymbolicLinkLevels:
            (.notAFile, "Remove the symbolic link, or choose an overwrite policy for links.")
        case .tooManyLinks: (.hasOtherNames, "Use overwrite: .replace to replace a file with other hard links.")
        // The last is the error for opening a socket.
        case .notDirectory: (.notAFile, "Name a directory.")
        case .isDirectory: (.notAFile, "Name a file.")
        case .invalidArgument, .noSuchAddressOrDevice: (.notAFile, nil)
        case .permissionDenied, .notPermitted, .readOnlyFileSystem:
            (.permissionDenied, "Check the owner of the file and the mount options of the disk.")
        case .noSpace: (.noSpace, "Free some space and try again.")
        case .diskQuotaExceeded: (.noSpace, "Free some of your quota and try again.")
        case .notSupported, .notSupportedOnSocket:
            (.noAttributes, "Use a file system that stores extended attributes.")
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            (.failed, "Close files that are no longer needed, or raise the limit (ulimit -n).")
        default: (.failed, nil)
        }
    }
}

extension ContainerError: CancellableError {
    package init(cancelledAt path: FilePath) {
        self.init(
            .cancelled, path, "The task was cancelled before the work on “\(path)” began. Nothing on disk has changed.")
    }
}

/// An error of these libraries as Foundation presents it: `localizedDescription` is the error's `description`. As an
/// `NSError`, each type has a domain, each code a number, and the failed system call is the `NSUnderlyingErrorKey`.
public protocol _StorageError: LocalizedError, CustomNSError {}

extension _StorageError {
    /// `AppContainer.` and the name of the type.
    public static var errorDomain: String { "AppContainer.\(Self.self)" }
    /// The number of the code. It does not change in later versions.
    public var errorCode: Int { (self as? any StatedError)?.number ?? 0 }
    /// The description, the path and the underlying error.
    public var errorUserInfo: [String: Any] {
        guard let stated = self as? any StatedError else { return [:] }
        var info: [String: Any] = [NSLocalizedDescriptionKey: stated.description]
        if let path = stated.item { info[NSFilePathErrorKey] = path }
        if let underlying = stated.underlying { info[NSUnderlyingErrorKey] = underlying as NSError }
        return info
    }
    /// The description.
    public var errorDescription: String? { (self as? any StatedError)?.description }
}

/// The properties that an error of these libraries states for `NSError`.
package protocol StatedError: _StorageError, CustomStringConvertible {
    /// The number of the code.
    var number: Int { get }
    /// The path of the item.
    var item: String? { get }
    /// The error that is the cause.
    var underlying: (any Error)? { get }
}

extension ContainerError: _StorageError, StatedError {
    package var number: Int { code.number }
    package var item: String? { path }
    package var underlying: (any Error)? { posixError(errno) }
}

extension BatchError: _StorageError, StatedError {
    package var number: Int { cause.number }
    package var item: String? { cause.path }
    package var underlying: (any Error)? { cause }
}

package func posixError(_ errno: Int32?) -> (any Error)? {
    errno.map { NSError(domain: NSPOSIXErrorDomain, code: Int($0)) }
}

/// An error of this library with a code for a cancelled task.
package protocol CancellableError: Error {
    /// Creates the error of a task that was cancelled before its work on `path` began.
    init(cancelledAt path: FilePath)
}
