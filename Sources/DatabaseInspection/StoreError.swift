internal import GRDB

/// Why a store cannot be looked at. Nothing of the store has been changed.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    package enum Code: String, Sendable, CaseIterable {
        /// A file of the store is missing, is no file or cannot be read.
        case unreadable
        /// Its files are larger than is copied.
        case tooLarge = "larger-than-256-mebibytes"
        /// It was written to while it was copied, twice.
        case changing = "changed-while-read"
        /// The copy cannot be made or kept.
        case noCopy = "no-room-for-a-copy"
        /// Its journal belongs to a transaction over several databases, so it alone does not say what is stored.
        case undecided = "part-of-a-larger-transaction"
        /// SQLite took longer than it may.
        case tooSlow = "too-slow"
        /// SQLite says that it is no database, or a damaged one.
        case damaged
        /// It needs something of SQLite that is not here.
        case notUnderstood = "not-understood-by-sqlite"
        /// A recipe's statement would reach beyond its store.
        case refused = "statement-refused"
    }

    package let code: Code
    /// What SQLite or the file system says; it may name tables, and holds no value of them.
    package let detail: String

    package init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    package var description: String {
        let reason =
            switch code {
            case .unreadable: "a file of the store cannot be read"
            case .tooLarge: "the store is larger than 256 MiB"
            case .changing: "the store is being written to"
            case .noCopy: "no private copy of the store can be made"
            case .undecided: "the store's journal belongs to a transaction over several databases"
            case .tooSlow: "looking at the store takes too long"
            case .damaged: "the store is damaged"
            case .notUnderstood: "the store needs something that SQLite lacks here"
            case .refused: "a statement may change nothing but its own store (no ATTACH, VACUUM or extension)"
            }
        return detail.isEmpty ? reason : "\(reason): \(detail)"
    }

    /// What SQLite answered; a statement is not repeated, nor what was bound to it.
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self = error as? StoreError ?? StoreError(.notUnderstood)
            return
        }
        let detail = error.message ?? ""
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self.init(.damaged, detail)
        case .SQLITE_INTERRUPT: self.init(.tooSlow)
        case .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_NOMEM: self.init(.noCopy, detail)
        default: self.init(.notUnderstood, detail)
        }
    }
}
