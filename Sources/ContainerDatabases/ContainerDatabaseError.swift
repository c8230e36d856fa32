public import AppContainer
internal import Foundation
internal import DatabaseInspection
internal import FileSystem
internal import GRDB
package import SystemPackage

/// An error of opening, reading, copying or deleting a database of a container.
public struct ContainerDatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. The set is closed; new codes require a new major version.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Int {
            case invalidName = 1, notADatabase, encrypted, damaged, newer, locked, noSpace, permissionDenied, notFound
            case migrationFailed, excludedByParent, tooLarge, tooSlow, cancelled, file, failed
            case openWithOtherPolicy
        }
        private let kind: Kind
        /// The name of the code.
        public var description: String { "\(kind)" }
        /// The code of the `NSError`. New codes get new numbers.
        var number: Int { kind.rawValue }

        /// The name of a database is not a plain name.
        public static let invalidName = Code(kind: .invalidName)
        /// The file is not an SQLite database.
        public static let notADatabase = Code(kind: .notADatabase)
        /// The file has no structure that can be read, as a database that another SQLite has encrypted.
        public static let encrypted = Code(kind: .encrypted)
        /// SQLite reports that the database is damaged.
        public static let damaged = Code(kind: .damaged)
        /// A newer version of the app has migrated the database.
        public static let newer = Code(kind: .newer)
        /// Another connection or process uses the database.
        public static let locked = Code(kind: .locked)
        /// The disk or the quota is full.
        public static let noSpace = Code(kind: .noSpace)
        /// The process does not have the permission, or the database is read-only.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The database does not exist.
        public static let notFound = Code(kind: .notFound)
        /// A migration of the app failed. See `cause`.
        public static let migrationFailed = Code(kind: .migrationFailed)
        /// A parent directory excludes the database from backup, although it must be included.
        public static let excludedByParent = Code(kind: .excludedByParent)
        /// The database is open in this process with another policy of backups.
        public static let openWithOtherPolicy = Code(kind: .openWithOtherPolicy)
        /// The database is larger than the limit for an inspection.
        package static let tooLarge = Code(kind: .tooLarge)
        /// A query exceeds the limits for time or memory.
        package static let tooSlow = Code(kind: .tooSlow)
        /// The task was cancelled, or the receiver of the progress stopped a backup.
        public static let cancelled = Code(kind: .cancelled)
        /// An operation on a file or directory failed. See `cause`.
        public static let file = Code(kind: .file)
        /// Another error of SQLite. See `resultCode`.
        public static let failed = Code(kind: .failed)
    }

    /// The kind of the error.
    public let code: Code
    /// The path of the database, relative to the container.
    public let path: String
    /// The extended result code of SQLite. Source: sqlite.org/rescode.html.
    public let resultCode: Int32?
    /// The error of a file, with code `file`, or the error of a migration, as text.
    public let cause: String?
    /// One or two sentences that describe the failure, the state on disk and a solution.
    public let description: String

    init(_ code: Code, _ path: String, resultCode: Int32? = nil, cause: String? = nil, _ description: String) {
        self.code = code
        self.path = path
        self.resultCode = resultCode
        self.cause = cause
        // A name in it may contain control characters.
        self.description = description.printable
    }

    /// Creates an error from an error of the container.
    init(_ error: ContainerError) {
        let code: Code =
            switch error.code {
            case .noSpace: .noSpace
            case .permissionDenied: .permissionDenied
            case .notFound: .notFound
            case .cancelled: .cancelled
            default: .file
            }
        self.init(code, error.path, cause: error.description, error.description)
    }

    /// Creates an error from an error of SQLite.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - path: The path of the database.
    ///   - action: What failed, as in “open”.
    ///   - onDisk: The state on disk.
    init(_ error: DatabaseError, path: String, action: String, onDisk: String) {
        let (code, hint) = Self.judge(error)
        // SQLite's message of a connection on which no call has failed.
        let message = error.message.flatMap { $0 == "not an error" ? nil : $0 } ?? "\(error.extendedResultCode)"
        self.init(
            code, path, resultCode: error.extendedResultCode.rawValue,
            "Cannot \(action) the database “\(path)”: \(message). \(onDisk) \(hint)")
    }

    private static func judge(_ error: DatabaseError) -> (Code, hint: String) {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            (.locked, "Another connection or process uses it. Close it there, or try again later.")
        case .SQLITE_FULL: (.noSpace, "Free some space and try again.")
        case .SQLITE_NOTADB: (.notADatabase, "Move the file away, or restore a good copy.")
        case .SQLITE_CORRUPT: (.damaged, "Restore a good copy, or recover it with “.recover” of sqlite3.")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            (.permissionDenied, "Check the owner of the files and the mount options of the disk.")
        case .SQLITE_CANTOPEN: (.failed, "Check that its directory exists and can be written.")
        default: (.failed, "See SQLite's result code.")
        }
    }

    /// Creates an error from an error of an inspection.
    init(_ error: DatabaseReadError, path: String) {
        let (code, hint): (Code, String) =
            switch error.code {
            case .damaged: (.damaged, "Restore a good copy, or recover it with “.recover” of sqlite3.")
            case .tooLarge: (.tooLarge, "Inspect a smaller database, or raise the limit.")
            case .changing: (.locked, "Inspect it when no one writes to it.")
            case .noCopy: (.noSpace, "Free some space in the temporary directory and try again.")
            case .tooSlow: (.tooSlow, "Read fewer rows, or the tables behind a view.")
            case .unreadable: (.file, "Check that it exists and is a file that this process may read.")
            case .undecided, .notUnderstood, .refused: (.failed, "Open it with the app that wrote it.")
            }
        self.init(code, path, "“\(path)”: \(error). The database is unchanged. \(hint)")
    }
}

extension ContainerDatabaseError: CancellableError {
    package init(cancelledAt path: FilePath) { self.init(ContainerError(cancelledAt: path)) }
}

extension ContainerDatabaseError: _StorageError, StatedError {
    package var number: Int { code.number }
    package var item: String? { path }
    package var underlying: (any Error)? { nil }
}
