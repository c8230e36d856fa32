package import FileSystem
internal import GRDB
internal import SystemPackage
internal import TextOutput

/// Why a backup's work stopped, and what is on disk now.
package struct BackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong; it decides how the tool exits.
    package enum Code: Sendable, Hashable {
        /// There is no store, or what is there is none.
        case noRepository
        /// A later version of this tool made the store.
        case newerRepository
        /// Someone else is at work on the store.
        case locked
        /// The store's catalogue cannot be read as one.
        case damaged
        /// The store, or the disk it is on, takes no changes.
        case readOnly
        /// The disk is full. What the store held, it still holds.
        case full
        case noMemory
        /// What was asked for is not in the store.
        case notFound
        /// What was asked for may be one of several.
        case ambiguous
        /// A directory that was named cannot be used for what it was named for.
        case misplaced
        /// A person ended it.
        case interrupted
        /// A file or directory could not be read, made or changed.
        case failed
    }

    package let code: Code
    /// What happened, and where, in a sentence without its full stop.
    package let what: String
    /// What to do about it.
    package let hint: String

    package init(_ code: Code, _ what: String, hint: String = "") {
        self.code = code
        self.what = what
        self.hint = hint
    }

    package var description: String { hint.isEmpty ? what : "\(what); \(hint)" }
}

extension BackupError {
    /// What the file system said of the store. A name in it is escaped, so that it cannot begin a line of its own.
    package init(_ error: FileSystemError) {
        let what = "cannot \(error.operation) “\(ByteText.escaped(error.path.bytes))”: \(error.errno)"
        switch error.errno {
        case .noSpace, .fileTooLarge:
            self.init(.full, what, hint: "make room and run it again, which goes on from what is there")
        case .readOnlyFileSystem, .permissionDenied, .notPermitted:
            self.init(.readOnly, what, hint: "look who may write there")
        default: self.init(.failed, what)
        }
    }

    /// What the disk does not give again.
    private static let unreadable: [ResultCode] = [
        .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS,
    ]

    /// What SQLite said of the catalogue.
    package init(_ error: any Error) {
        if let error = error as? BackupError {
            self = error
        } else if let error = error as? FileSystemError {
            self.init(error)
        } else if let error = error as? DatabaseError {
            let text = error.message ?? "SQLite gives no reason"
            switch error.resultCode {
            case .SQLITE_FULL:
                self.init(
                    .full, "the disk is full: \(text)",
                    hint: "make room and run it again, which goes on from what is there"
                )
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
                self.init(.readOnly, "the catalogue takes no changes: \(text)", hint: "look who may write there")
            case _ where Self.unreadable.contains(error.extendedResultCode): fallthrough
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                self.init(
                    .damaged, "the catalogue is damaged: \(text)",
                    hint: "take the store from a copy of it; `sandboxbackup verify` names what is left whole")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                self.init(.locked, "the catalogue is in use: \(text)", hint: "wait for whoever uses it")
            default: self.init(.failed, "the catalogue cannot be used: \(text)")
            }
        } else {
            self.init(.failed, "\(error)")
        }
    }
}
