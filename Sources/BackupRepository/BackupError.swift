package import FileSystem
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// An error of a backup operation, with the state on disk.
package struct BackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error, which determines the exit code of the tool.
    package enum Code: Sendable, Hashable {
        /// The directory does not exist or contains no repository.
        case noRepository
        /// The repository has another version of the format.
        case otherFormat
        /// Another process uses the repository.
        case locked
        /// The catalogue or an object is damaged.
        case damaged
        /// The repository or its disk is read-only.
        case readOnly
        /// The disk is full. The content of the repository is unchanged.
        case full
        case noMemory
        /// The repository does not contain the requested item.
        case notFound
        /// Several items match the request.
        case ambiguous
        /// A directory cannot be used for its purpose.
        case misplaced
        /// The user interrupted the run.
        case interrupted
        /// A file or directory could not be read, created or changed.
        case failed
    }

    package let code: Code
    /// The problem and its location, as a sentence without a full stop.
    package let what: String
    /// The solution; may be empty.
    package let hint: String

    package init(_ code: Code, what: String, hint: String = "") {
        self.code = code
        self.what = what
        self.hint = hint
    }

    package var description: String { hint.isEmpty ? what : "\(what); \(hint)" }
}

extension BackupError {
    /// An error of the file system. Names are escaped, so that they cannot start a line of their own.
    package init(_ error: FileSystemError) {
        let what = "cannot \(error.operation) “\(ByteText.escaped(error.path.bytes))”: \(error.errno)"
        switch error.errno {
        case .noSpace, .fileTooLarge:
            self.init(
                .full, what: what,
                hint: "free disk space and run the command again; it continues from the stored content")
        case .readOnlyFileSystem, .permissionDenied, .notPermitted:
            self.init(.readOnly, what: what, hint: "check the permissions")
        default: self.init(.failed, what: what)
        }
    }

    /// Read errors that another attempt would not change.
    private static let unreadable: [ResultCode] = [
        .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS,
    ]

    /// An error of SQLite or of another component.
    package init(_ error: any Error) {
        if let error = error as? BackupError {
            self = error
        } else if let error = error as? FileSystemError {
            self.init(error)
        } else if let error = error as? DatabaseError {
            let text = error.message ?? "no reason given"
            switch error.resultCode {
            // The index of SQLite's log has no space.
            case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: fallthrough
            case .SQLITE_FULL:
                self.init(
                    .full, what: "the disk is full: \(text)",
                    hint: "free disk space and run the command again; it continues from the stored content"
                )
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
                self.init(.readOnly, what: "the catalogue is read-only: \(text)", hint: "check the permissions")
            case _ where Self.unreadable.contains(error.extendedResultCode): fallthrough
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                self.init(
                    .damaged, what: "the catalogue is damaged: \(text)",
                    hint: "`sandboxbackup verify` reports the damage; \(Repository.rebuildHint)")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                self.init(.locked, what: "the catalogue is in use: \(text)", hint: "wait until the other process ends")
            default: self.init(.failed, what: "the catalogue cannot be used: \(text)")
            }
        } else {
            self.init(.failed, what: "\(error)")
        }
    }
}
