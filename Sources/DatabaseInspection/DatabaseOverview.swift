internal import FileSystem
internal import GRDB
internal import SystemPackage

/// The general properties of a database.
package struct DatabaseOverview: Sendable, Hashable {
    /// The method by which the database undoes an interrupted transaction.
    package enum Journal: String, Sendable {
        /// Changes are written to a log (`-wal`) before they reach the database.
        case wal
        /// The old content of changed pages is in a journal (`-journal`).
        case rollback
    }

    package let journal: Journal
    /// The page size in bytes.
    package let pageSize: Int
    /// The number of pages, with the changes in the log.
    package let pages: Int
    /// The number of unused pages.
    package let freePages: Int
    /// The encoding of texts: `UTF-8`, `UTF-16le` or `UTF-16be`.
    package let encoding: String
    /// The number that the app stores as the version of its schema (`PRAGMA user_version`).
    package let userVersion: Int
    /// The number that identifies the file format of an app (`PRAGMA application_id`).
    package let applicationID: Int
}

extension DatabaseCopy {
    /// Returns the general properties of the database.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func overview() throws(DatabaseReadError) -> DatabaseOverview {
        let mode = try read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        return try read { database in
            func number(_ pragma: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0 }
            return DatabaseOverview(
                journal: mode == "wal" ? .wal : .rollback, pageSize: try number("page_size"),
                pages: try number("page_count"), freePages: try number("freelist_count"),
                encoding: try String.fetchOne(database, sql: "PRAGMA encoding") ?? "",
                userVersion: try number("user_version"), applicationID: try number("application_id"))
        }
    }
}

/// A file or directory that belongs to a database and has the database's name in its own.
package struct DatabaseCompanion: Sendable, Hashable {
    /// The kind of a companion.
    package enum Kind: String, Sendable, CaseIterable {
        /// The write-ahead log, `NAME-wal`.
        case log
        /// The index of the log, `NAME-shm`. SQLite creates it again.
        case sharedMemory = "shared-memory"
        /// The rollback journal, `NAME-journal`.
        case journal
        /// The directory with Core Data's external files, `.STEM_SUPPORT`.
        case support
    }

    package let kind: Kind
    package let name: [UInt8]
    /// The size in bytes; for the support directory, of the files in `_EXTERNAL_DATA`.
    package let size: UInt64
    /// The names of the files in `_EXTERNAL_DATA`, sorted; empty for the other kinds.
    package let externalFiles: [String]

    /// Returns the name of a companion of a database.
    package static func name(_ kind: Kind, of database: [UInt8]) -> [UInt8] {
        switch kind {
        case .log: return database + Array("-wal".utf8)
        case .sharedMemory: return database + Array("-shm".utf8)
        case .journal: return database + Array("-journal".utf8)
        case .support:
            // Core Data names the directory after the database without its extension.
            let stem = database.lastIndex(of: UInt8(ascii: ".")).map { Array(database[..<$0]) } ?? database
            return Array(".".utf8) + stem + Array("_SUPPORT".utf8)
        }
    }

    /// The directory with the external files, in the support directory.
    package static let externalData = "_EXTERNAL_DATA"
}

extension FolderDatabase {
    /// Returns the files and directories beside the database that belong to it. Reads at most `limit` names of external
    /// files.
    package func companions(limit: Int = 100_000) -> [DatabaseCompanion] {
        DatabaseCompanion.Kind.allCases.compactMap { (kind) -> DatabaseCompanion? in
            let name = DatabaseCompanion.name(kind, of: name)
            guard let status = try? folder.statusIfPresent(FilePath(bytes: name)) else { return nil }
            guard kind == .support else {
                guard status.kind == .file else { return nil }
                return DatabaseCompanion(kind: kind, name: name, size: status.size, externalFiles: [])
            }
            guard status.kind == .directory else { return nil }
            let external = FilePath(bytes: name).appending(DatabaseCompanion.externalData)
            var (files, size): ([String], UInt64) = ([], 0)
            if let directory = try? folder.openFolder(external) {
                var count = 0
                let names = try? directory.names { _ in
                    count += 1
                    return count <= limit
                }
                for file in names ?? [] {
                    guard let status = try? directory.statusIfPresent(file), status.kind == .file else { continue }
                    files.append(file.string)
                    size = size.addingReportingOverflow(status.size).partialValue
                }
            }
            return DatabaseCompanion(kind: kind, name: name, size: size, externalFiles: files.sorted())
        }
    }
}
