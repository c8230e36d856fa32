package import FileSystem
internal import Foundation
internal import GRDB
package import SystemPackage

/// A consistent copy of a database's files in a private directory, for a backup.
///
/// A database that is not in use is copied byte by byte, with its log and journal. A database in use is copied by
/// SQLite (the online backup API), which results in one file without a log.
package final class DatabaseFiles: Sendable {
    /// The method of the copy.
    package enum Origin: Sendable { case copy, onlineBackup }

    package let origin: Origin
    /// The status of the original files at the time of the copy, also of a log or journal whose content is in the main
    /// file of the copy. For a database in use, the status before the copy, so that writes during the copy are detected
    /// as changes.
    package let statuses: [DatabaseFile: FileStatus]
    /// The proof that the copied log does not belong to the database, as in `DatabaseCopy`.
    package let foreignLog: String?
    private let scratch: DatabaseScratch

    /// Copies a database that is not in use.
    ///
    /// - Parameters:
    ///   - source: The database.
    ///   - directory: The parent directory of the copy.
    /// - Throws: `changing` if it is in use, `unreadable`, `noCopy`, `undecided`.
    package init(copying source: some DatabaseSource, in directory: FilePath) throws(DatabaseReadError) {
        origin = .copy
        scratch = try DatabaseScratch(in: directory)
        do throws(DatabaseReadError) { statuses = try scratch.copy(source, limit: .max) } catch {
            scratch.remove()
            throw error
        }
        foreignLog = scratch.foreignLog()
    }

    /// Merges a copy with its log or journal into a single file.
    ///
    /// - Throws: `noCopy`, `damaged`, `notUnderstood`.
    package init(folding set: DatabaseFiles, in directory: FilePath) throws(DatabaseReadError) {
        origin = .onlineBackup
        (statuses, foreignLog) = (set.statuses, nil)
        scratch = try DatabaseScratch(in: directory)
        do { try Self.backUp(set.path, readOnly: false, to: scratch.path(of: .main)) } catch {
            scratch.remove()
            throw DatabaseReadError(error)
        }
    }

    /// Copies a database in use with SQLite. The database is opened for reading only, and no file is created beside it.
    /// Writers may wait while the copy begins.
    ///
    /// - Parameters:
    ///   - source: The database.
    ///   - path: The path of the database for SQLite.
    ///   - directory: The parent directory of the copy.
    /// - Throws: `unreadable`, `changing` if writers keep it busy, `noCopy`, `damaged`, `notUnderstood`.
    package init(backingUp source: some DatabaseSource, at path: String, in directory: FilePath)
        throws(DatabaseReadError)
    {
        origin = .onlineBackup
        var statuses: [DatabaseFile: FileStatus] = [:]
        for file in DatabaseFile.allCases { statuses[file] = source.status(of: file) }
        guard statuses[.main] != nil else { throw DatabaseReadError(.unreadable) }
        statuses.values.map(\.changed).max()?.waitUntilPast()
        (self.statuses, foreignLog) = (statuses, nil)
        scratch = try DatabaseScratch(in: directory)
        for attempt in 1... {
            do {
                // A process that has a log open has created its index; without one, SQLite would create it.
                guard
                    Self.header(of: source)?.writesAhead != true
                        || FileManager.default.fileExists(atPath: path + "-shm")
                else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
                try Self.backUp(path, readOnly: true, to: scratch.path(of: .main))
                return
            } catch {
                scratch.removeFiles()
                let code = (error as? DatabaseError)?.resultCode
                // Writers keep it busy, or a journal or log is being created or deleted.
                let isPassing = code.map {
                    [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_CANTOPEN].contains($0)
                }
                guard isPassing == true, attempt < 10 else {
                    scratch.remove()
                    throw isPassing == true ? DatabaseReadError(.changing) : DatabaseReadError(error)
                }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    /// The maximum time to wait for the end of a transaction that another program is writing.
    package static let timeToWait = Duration.seconds(5)

    /// Copies one consistent state of a database: its files if no one writes to them, or the result of SQLite's online
    /// backup. Writers of a database with a rollback journal wait until its files are copied.
    ///
    /// - Parameters:
    ///   - path: The main file, beneath `root`.
    ///   - root: The directory of the container.
    ///   - files: The files that the copy may have. A database with others is written as one file, because without its
    ///     journal or log the main file may be inconsistent.
    ///   - directory: The parent directory of the copy.
    ///   - timeout: The maximum time to wait for the lock of a reader.
    /// - Returns: Nil if no state can be read that is known to be consistent. The files as they are if the log is
    ///   foreign.
    package static func consistentCopy(
        of path: [UInt8], in root: Folder, having files: Set<DatabaseFile> = Set(DatabaseFile.allCases),
        copyingTo directory: FilePath, within timeout: Duration = timeToWait
    ) -> DatabaseFiles? {
        guard let source = FolderDatabase(at: path, in: root) else { return nil }
        // The files of a database in WAL mode that do not change are consistent; a lock would exclude no one.
        let lock = header(of: source)?.writesAhead == true ? nil : DatabaseLock.acquire(on: source, within: timeout)
        do throws(DatabaseReadError) {
            let copied = try DatabaseFiles(copying: source, in: directory)
            var isConsistent = copied.isConsistentWithoutLock
            if case .held(let lock) = lock {
                lock.release()
                isConsistent = true
            }
            // SQLite would merge such a log, and the database would be lost.
            if copied.foreignLog != nil { return copied }
            if isConsistent {
                return files.isSuperset(of: copied.statuses.keys)
                    ? copied : try DatabaseFiles(folding: copied, in: directory)
            }
        } catch { guard error.code == .changing else { return nil } }
        switch lock {
        case .busy: return nil
        // SQLite waits for a writer while readers hold the lock.
        case .held(let lock): lock.release()
        case .unavailable, nil: break
        }
        guard let original = try? source.folder.absolutePath() else { return nil }
        return try? DatabaseFiles(
            backingUp: source, at: original.appending(String(decoding: source.name, as: UTF8.self)).string,
            in: directory)
    }

    /// True if the files alone show that no transaction is unfinished: in WAL mode, transactions are in the log, and a
    /// valid journal undoes the changes in the main file. Without either, a program in the journal mode MEMORY or OFF may
    /// have written a part of a transaction.
    private var isConsistentWithoutLock: Bool {
        let header = (try? scratch.open(.main).read(upTo: DatabaseHeader.size)).flatMap(DatabaseHeader.init)
        if header?.writesAhead == true { return true }
        return (try? scratch.open(.journal).read(upTo: 8)) == DatabaseScratch.journalMagic
    }

    private static func header(of source: some DatabaseSource) -> DatabaseHeader? {
        source.bytes(DatabaseHeader.size, at: 0, of: .main).flatMap(DatabaseHeader.init)
    }

    private static func backUp(_ path: String, readOnly: Bool, to copyPath: String) throws {
        var reading = Configuration()
        reading.readonly = readOnly
        reading.busyMode = .timeout(30)
        let source = try DatabaseQueue(path: path, configuration: reading)
        let copy = try DatabaseQueue(path: copyPath)
        try source.backup(to: copy)
        try copy.close()
        try source.close()
    }

    deinit { scratch.remove() }

    /// Opens one of the files, or returns nil if it does not exist.
    package func open(_ file: DatabaseFile) -> OpenFile? { try? scratch.open(file) }

    /// Returns the problems that `quick_check` reports, at most eight lines; empty if the database is intact. A foreign
    /// log is not applied. A database that SQLite cannot read is a line, not an error. SQLite unlinks the files, so they
    /// cannot be used after that.
    package func problems() throws(DatabaseReadError) -> [String] {
        if foreignLog != nil { scratch.remove(.log) }
        var limits = DatabaseLimits()
        limits.seconds = 600
        do throws(DatabaseReadError) { return try DatabaseCopy(of: self, limits: limits).problems() } catch {
            guard error.code == .damaged else { throw error }
            return [error.detail]
        }
    }

    fileprivate var path: String { scratch.path(of: .main) }
}

extension DatabaseCopy {
    /// Opens files that have been copied.
    convenience init(of set: DatabaseFiles, limits: DatabaseLimits) throws(DatabaseReadError) {
        try self.init(opening: set.path, limits: limits)
    }
}
