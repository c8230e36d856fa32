internal import GRDB

/// The reason why a database cannot be inspected. The database is unchanged.
package struct DatabaseReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    package enum Code: String, Sendable, CaseIterable {
        /// A file of the database is missing, is not a regular file, or cannot be read.
        case unreadable
        /// The files exceed the size limit for a copy.
        case tooLarge = "larger-than-256-mebibytes"
        /// The database was changed during the copy, twice.
        case changing = "changed-while-read"
        /// The copy cannot be created or stored.
        case noCopy = "no-room-for-a-copy"
        /// The journal belongs to a transaction over several databases, so the content of this database alone is
        /// undecided.
        case undecided = "part-of-a-larger-transaction"
        /// SQLite exceeded the limit for time or memory.
        case tooSlow = "too-slow"
        /// SQLite reports that the file is not a database or is damaged.
        case damaged
        /// The database needs a feature that this SQLite does not have.
        case notUnderstood = "not-understood-by-sqlite"
        /// A statement of a recipe would access files other than the database.
        case refused = "statement-refused"
    }

    package let code: Code
    /// The message of SQLite or the file system. It may contain names of tables, but no values.
    package let detail: String

    package init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    package var description: String {
        let reason =
            switch code {
            case .unreadable: "a file of the database cannot be read"
            case .tooLarge: "the database is larger than 256 MiB"
            case .changing: "the database is being written to"
            case .noCopy: "a private copy of the database cannot be created"
            case .undecided: "the journal of the database belongs to a transaction over several databases"
            case .tooSlow: "inspecting the database takes too much time or memory"
            case .damaged: "the database is damaged"
            case .notUnderstood: "the database needs a feature that this SQLite does not have"
            case .refused: "a statement may only change its own database (no ATTACH, VACUUM or extension)"
            }
        return detail.isEmpty ? reason : "\(reason): \(detail)"
    }

    /// Creates an error from an error of SQLite. Omits the statement and its arguments.
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self = error as? DatabaseReadError ?? DatabaseReadError(.notUnderstood)
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

/// The limits for inspecting a database.
package struct DatabaseLimits: Sendable {
    /// The maximum size of all files together in bytes.
    package var bytes: UInt64 = 256 << 20
    /// The maximum time for SQLite in seconds, from opening to the last query.
    package var seconds = 20.0
    /// The maximum time of a query on a view, or for the rows of one table, in seconds.
    package var querySeconds = 5.0
    /// The maximum memory that SQLite may allocate for a query on a view, in bytes.
    package var queryMemory: Int64 = 256 << 20
    package var tables = 1_000
    package var columns = 64
    /// The maximum number of rows that are read from a table.
    package var rows = 1_000
    /// The maximum size of a text or BLOB in bytes.
    package var valueBytes = 65_536
    /// The maximum size of all values together in bytes.
    package var allBytes = 64 << 20

    package init() {}
}
