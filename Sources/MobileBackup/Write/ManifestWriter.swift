internal import Foundation
internal import GRDB
internal import PropertyLists

/// A writer for `Manifest.db`. It uses no journal on disk, because an unfinished manifest is discarded.
///
/// Schema and settings are those of a device (iOS 14.3): pages of 4,096 bytes, incremental vacuum, version 2, and a
/// header with WAL mode but without a log, which pyiosbackup 0.2.4 would ignore.
///
/// Rows are collected in an unnamed private database and written in the order of domain and path: dissect.target 3.25.1
/// loses the content of a directory whose row comes later.
final class ManifestWriter {
    private let queue: DatabaseQueue

    /// Creates the tables in an empty file.
    init(path: String) throws(MobileBackupError) {
        do {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            configuration.foreignKeysEnabled = false
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { database in
                for pragma in [
                    "page_size = 4096", "auto_vacuum = 2", "journal_mode = OFF", "synchronous = OFF",
                    "user_version = 2",
                ] { try database.execute(sql: "PRAGMA \(pragma)") }
                try database.execute(
                    sql: """
                        ATTACH '' AS gathered;
                        PRAGMA gathered.journal_mode = OFF;
                        CREATE TABLE gathered.Rows (fileID TEXT PRIMARY KEY, domain, relativePath, flags, file);
                        CREATE TABLE Files (
                            fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);
                        CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB);
                        BEGIN
                        """)
            }
        } catch { throw Self.failure(error) }
    }

    /// Adds a row; returns false if another entry has its identifier.
    func add(_ entry: BackupEntry, identifier: FileIdentifier, record: [UInt8]) throws(MobileBackupError) -> Bool {
        do {
            return try queue.inDatabase { database in
                try database.cachedStatement(sql: "INSERT OR IGNORE INTO Rows VALUES(?, ?, ?, ?, ?)").execute(
                    arguments: [
                        identifier.text, entry.domain.name, entry.path.text, entry.flags, Data(record),
                    ])
                return database.changesCount > 0
            }
        } catch { throw Self.failure(error) }
    }

    /// Calls `body` with the parent of each entry, including entries that `body` adds, and with the row of that parent.
    func eachParent(
        _ body: (BackupDomain, BackupPath, ParentRow) throws(MobileBackupError) -> Void
    ) throws(MobileBackupError) {
        var last: (row: Int64, domain: String, parent: BackupPath?) = (0, "", nil)
        while true {
            let rows: [(Int64, String, String)]
            do {
                rows = try queue.inDatabase { database in
                    try Row.fetchAll(
                        database,
                        sql: "SELECT rowid, domain, relativePath FROM Rows WHERE rowid > ? ORDER BY rowid LIMIT 1000",
                        arguments: [last.row]
                    ).map { ($0[0], $0[1], $0[2]) }
                }
            } catch { throw Self.failure(error) }
            guard !rows.isEmpty else { return }
            for (row, name, path) in rows {
                last.row = row
                guard let domain = BackupDomain(name: name), let path = try? BackupPath(bytes: path.utf8),
                    let parent = path.parent
                else { continue }
                if name == last.domain, parent == last.parent { continue }
                (last.domain, last.parent) = (name, parent)
                try body(domain, parent, try self.row(of: domain, parent))
            }
        }
    }

    /// The row with the identifier of a parent directory.
    enum ParentRow { case none, directory, other }

    private func row(of domain: BackupDomain, _ path: BackupPath) throws(MobileBackupError) -> ParentRow {
        do {
            return try queue.inDatabase { database in
                let isDirectory = try Bool.fetchOne(
                    database,
                    sql: "SELECT flags = 2 AND domain = ? AND relativePath = ? FROM Rows WHERE fileID = ?",
                    arguments: [domain.name, path.text, FileIdentifier(of: domain, path).text])
                return isDirectory.map { $0 ? .directory : .other } ?? .none
            }
        } catch { throw Self.failure(error) }
    }

    /// Returns the domains, sorted.
    func domains() throws(MobileBackupError) -> [BackupDomain] {
        do {
            return try queue.inDatabase { database in
                try String.fetchAll(database, sql: "SELECT DISTINCT domain FROM Rows ORDER BY domain")
            }.compactMap { BackupDomain(name: $0) }
        } catch { throw Self.failure(error) }
    }

    /// Writes the sorted rows to the file and closes it. No other file remains.
    func finish() throws(MobileBackupError) {
        do {
            try queue.inDatabase { database in
                try database.execute(
                    sql: """
                        INSERT INTO Files SELECT * FROM Rows ORDER BY domain, relativePath;
                        CREATE INDEX FilesDomainIdx ON Files(domain);
                        CREATE INDEX FilesRelativePathIdx ON Files(relativePath);
                        CREATE INDEX FilesFlagsIdx ON Files(flags);
                        COMMIT;
                        DETACH gathered;
                        PRAGMA journal_mode = WAL;
                        PRAGMA wal_checkpoint(TRUNCATE)
                        """)
            }
            try queue.close()
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> MobileBackupError {
        let reason = (error as? DatabaseError)?.message ?? "no reason given"
        return MobileBackupError(
            .failed,
            description:
                "Manifest.db cannot be written: \(reason). No backup was made; free disk space or choose another directory, and "
                + "start again.")
    }
}
