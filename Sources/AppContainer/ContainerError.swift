package import FileSystem
package import SystemPackage

/// Something that could not be done in a container.
public struct ContainerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. The set is closed; new codes come only with a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case notAContainer = 1, alreadyExists, notFound, invalidPath, leavesContainer, notAFile, notText,
                noIdentifier
            case hasOtherNames, systemDirectory, permissionDenied, noSpace, noAttributes, durabilityUnknown
            case notEncodable, damaged, locked, cancelled, failed, tooLarge
        }
        private let kind: Kind
        /// The code's name.
        public var description: String { "\(kind)" }
        /// The number by which Foundation knows it. New codes get new numbers.
        var number: Int { kind.rawValue }

        /// The directory holds no directory of a container.
        public static let notAContainer = Code(kind: .notAContainer)
        /// The name is taken.
        public static let alreadyExists = Code(kind: .alreadyExists)
        /// There is no such file or directory.
        public static let notFound = Code(kind: .notFound)
        /// The path or identifier is not of the form asked for.
        public static let invalidPath = Code(kind: .invalidPath)
        /// The path, or a link on it, leads out of the container.
        public static let leavesContainer = Code(kind: .leavesContainer)
        /// A directory, a symbolic link or a special file stands where a file is needed, or the other way round.
        public static let notAFile = Code(kind: .notAFile)
        /// The text cannot be written, or the bytes cannot be read, in that encoding.
        public static let notText = Code(kind: .notText)
        /// The file has other names (hard links), and the save was to leave such a file alone.
        public static let hasOtherNames = Code(kind: .hasOtherNames)
        /// The value cannot be encoded.
        public static let notEncodable = Code(kind: .notEncodable)
        /// The file's content is not what it was asked to be read as.
        public static let damaged = Code(kind: .damaged)
        /// A value whose file has more bytes, values or levels than the limits allow.
        public static let tooLarge = Code(kind: .tooLarge)
        /// Another part of the app, or another process, keeps the container locked.
        public static let locked = Code(kind: .locked)
        /// The task was cancelled before the work was begun.
        public static let cancelled = Code(kind: .cancelled)
        /// The container does not say whose it is, and the path needs to know.
        public static let noIdentifier = Code(kind: .noIdentifier)
        /// A system-defined directory is not to be flagged.
        public static let systemDirectory = Code(kind: .systemDirectory)
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
    /// Where, relative to the container (or as given, for the container itself).
    public let path: String
    /// The kernel's number for it, where a call failed.
    public let errno: Int32?
    /// What was being done, what is on disk now, and what to do about it, in one or two sentences.
    public let description: String

    init(_ code: Code, _ path: FilePath, errno: Errno? = nil, _ description: String) {
        self.code = code
        self.path = path.string
        self.errno = errno?.rawValue
        // A name in it may hold anything.
        self.description = description.printable
    }

    /// A failed call, with what it leaves on disk.
    package init(_ error: FileSystemError, onDisk: String = "Nothing on disk has changed.") {
        let (code, hint) = Self.judge(error.errno)
        self.init(code, error.path, errno: error.errno, "\(error). \(onDisk)\(hint.map { " " + $0 } ?? "")")
    }

    /// A failed call of an operation that only reads, where nothing on disk was to change.
    package init(reading error: FileSystemError) {
        let (code, hint) = Self.judge(error.errno)
        self.init(code, error.path, errno: error.errno, "\(error).\(hint.map { " " + $0 } ?? "")")
    }

    /// A replace that stopped; `madeDirectories` where those above its file are new.
    package init(_ error: ReplaceError, madeDirectories: Bool = false) {
        switch error.stage {
        case .untouched:
            let onDisk = madeDirectories ? "Directories were made for it, and nothing else on disk has changed." : nil
            self.init(error.cause, onDisk: onDisk ?? "Nothing on disk has changed.")
        case .leftover(let name):
            self.init(error.cause, onDisk: "The old file is untouched; an unfinished one is left as “\(name)”.")
        case .visible:
            self.init(
                .durabilityUnknown, error.cause.path, errno: error.cause.errno,
                "\(error.cause). The new file is in place, but a power cut may still undo it. Save it once more.")
        case .besideOld(let name):
            self.init(
                error.cause, onDisk: "The new one is in place; “\(name)” is left, perhaps in part. Remove it.")
        }
    }

    package init(cancelledAt path: FilePath) {
        self.init(
            .cancelled, path, "The task was cancelled before its work in “\(path)” was begun. Nothing has changed.")
    }

    private static func judge(_ errno: Errno) -> (Code, hint: String?) {
        switch errno {
        case .noSuchFileOrDirectory: (.notFound, "Check the path.")
        case .fileExists: (.alreadyExists, "Choose another name, or take away what has it.")
        case .improperLink: (.leavesContainer, "Use a path that stays in the container.")
        case .tooManySymbolicLinkLevels:
            (.notAFile, "Remove the symbolic link if it is not meant to be there, or say what is to become of links.")
        case .tooManyLinks: (.hasOtherNames, "Save with overwrite: .replace to part it from its other names.")
        // The last is what opening a socket gives.
        case .notDirectory: (.notAFile, "Name a directory.")
        case .isDirectory: (.notAFile, "Name a file.")
        case .invalidArgument, .noSuchAddressOrDevice: (.notAFile, nil)
        case .permissionDenied, .notPermitted, .readOnlyFileSystem:
            (.permissionDenied, "Check who owns the file and how the disk is mounted.")
        case .noSpace: (.noSpace, "Free some space and try again.")
        case .diskQuotaExceeded: (.noSpace, "Free some of your quota and try again.")
        case .notSupported, .notSupportedOnSocket:
            (.noAttributes, "Use a file system that carries extended attributes.")
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            (.failed, "Close what is open and no longer needed, or raise the limit (ulimit -n).")
        default: (.failed, nil)
        }
    }
}
