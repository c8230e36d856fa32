public import AppContainer
internal import DatabaseInspection
internal import FileSystem
public import GRDB
internal import SystemPackage

/// An open database of a container, in a directory of its own.
///
/// The database is `Library/Application Support/<bundle-id>/Databases/<name>/<name>.sqlite`. SQLite keeps its log, and
/// the app may keep external files, in the same directory, so that all of them share one backup policy.
///
/// A process opens a database once: `Container.database(named:)` returns the open one. Do not open or read its files in
/// the same process by other means while it is open: closing any of them releases SQLite's locks.
/// Source: sqlite.org/howtocorrupt.html, section 2.2.
public final class ContainerDatabase: Sendable {
    /// The connections, for everything that GRDB offers. Errors of its calls are GRDB's. Keep the database as long as
    /// you use them.
    public let pool: DatabasePool
    /// The path of the database.
    public let item: ContainerPath
    /// The container.
    public let container: Container
    let path: String
    /// The origin that is recorded on the database and on its backups.
    let provenance: Provenance
    private let identity: Identity

    /// The identity of a file, independent of its path.
    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: FileStatus) { (device, inode) = status.identity }
    }

    init(
        _ pool: DatabasePool, location: DatabaseLocation, status: FileStatus, provenance: Provenance
    ) {
        self.pool = pool
        item = location.item
        path = location.path.string
        container = location.container
        self.provenance = provenance
        identity = Identity(status)
        let (identity, reference) = (identity, Reference(database: self))
        Self.open.withLock { $0[identity] = reference }
    }

    deinit {
        pool.invalidateReadOnlyConnections()
        unregister()
    }

    private func unregister() {
        let identity = identity
        Self.open.withLock { open in
            // In deinit the weak reference is nil already.
            let database = open[identity]?.database
            if database == nil || database === self { open[identity] = nil }
        }
    }

    private struct Reference: Sendable { weak let database: ContainerDatabase? }

    /// The databases that are open in this process.
    private static let open = LockedValue<[Identity: Reference]>([:])

    /// Returns the open database whose file has this status.
    static func opened(_ status: FileStatus) -> ContainerDatabase? {
        open.withLock { $0[Identity(status)]?.database }
    }

    /// Reads in a transaction, at the same time as other readers and a writer.
    ///
    ///     let letters = try database.read { try Letter.fetchAll($0) }
    ///
    /// - Parameter value: Receives the connection. Its errors are passed on, except for those of the file.
    /// - Returns: The result of `value`.
    /// - Throws: A `ContainerDatabaseError` if the file is the cause: `locked`, `damaged`, `notADatabase`,
    ///   `permissionDenied`, `failed` for an I/O error. Any other error of `value`.
    public func read<Value>(_ value: (Database) throws -> Value) throws -> Value {
        do { return try pool.read(value) } catch { throw stating(error, action: "read", onDisk: "It is unchanged.") }
    }

    /// Writes in a transaction, which is rolled back if `updates` throws an error.
    ///
    ///     try database.write { try Letter(text: "Dear reader").insert($0) }
    ///
    /// - Parameter updates: Receives the connection. Its errors are passed on, except for those of the file.
    /// - Returns: The result of `updates`, whose changes survive a power loss.
    /// - Throws: A `ContainerDatabaseError` if the file is the cause: `noSpace`, `locked`, `damaged`, `notADatabase`,
    ///   `permissionDenied`, `failed` for an I/O error. Any other error of `updates`, such as a violated constraint.
    public func write<Value>(_ updates: (Database) throws -> Value) throws -> Value {
        do { return try pool.write(updates) } catch {
            throw stating(error, action: "write to", onDisk: "Nothing of the transaction is in it.")
        }
    }

    /// Runs calls on the database in the background, as `Container.background` runs those on a container.
    ///
    ///     let letters = try await database.background { try $0.read { try Letter.fetchAll($0) } }
    ///
    /// - Throws: Any error of `body`. For a task that is cancelled before `body` begins, `CancellationError`, or
    ///   `cancelled` if the error type of `body` is one of this library.
    public func background<Result, Failure: Error>(
        _ body: @escaping @Sendable (ContainerDatabase) throws(Failure) -> sending Result
    ) async throws(Failure) -> sending Result {
        try await Background.run(at: FilePath(path)) { () throws(Failure) -> sending Result in try body(self) }
    }

    /// Returns the error of the file that caused an error of SQLite, or the error itself.
    func stating(_ error: any Error, action: String, onDisk: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CORRUPT,
            .SQLITE_NOTADB, .SQLITE_READONLY, .SQLITE_CANTOPEN:
            return ContainerDatabaseError(error, path: path, action: action, onDisk: onDisk)
        default: return error
        }
    }

    /// Returns the problems that SQLite's integrity check reports; empty for an intact database.
    ///
    /// - Parameter complete: True to compare each index with its table too, which reads everything several times.
    /// - Returns: At most 100 lines of SQLite.
    /// - Throws: `locked`, `permissionDenied`, `failed`. A database that SQLite cannot read is a line, not an error.
    public func problems(complete: Bool = false) throws(ContainerDatabaseError) -> [String] {
        do {
            let check = complete ? "integrity_check" : "quick_check"
            return try pool.read { try String.fetchAll($0, sql: "PRAGMA \(check)(100)") }.filter { $0 != "ok" }
        } catch {
            let error = ContainerDatabaseError(anyError: error, path, action: "check", onDisk: "It is unchanged.")
            guard error.code == .damaged || error.code == .notADatabase else { throw error }
            return [error.description]
        }
    }

    /// Closes the database. SQLite merges the log into it. Deallocation does the same, without the error.
    ///
    /// - Throws: `locked` if a statement or cursor is still in use; `noSpace`, `failed`.
    public func close() throws(ContainerDatabaseError) {
        // GRDB closes the writer first. The connections for reading, which then remain, cannot merge the log.
        pool.invalidateReadOnlyConnections()
        do { try pool.close() } catch {
            throw ContainerDatabaseError(anyError: error, path, action: "close", onDisk: "It is still open.")
        }
        unregister()
    }
}

extension ContainerDatabaseError {
    /// Creates an error from an error of GRDB or this library.
    init(anyError error: any Error, _ path: String, action: String, onDisk: String) {
        switch error {
        case let error as ContainerDatabaseError: self = error
        case let error as ContainerError: self.init(error)
        case let error as FileSystemError: self.init(ContainerError(error, onDisk: onDisk))
        case let error as AtomicWriteError: self.init(ContainerError(error))
        case let error as DatabaseError: self.init(error, path: path, action: action, onDisk: onDisk)
        case let error as DatabaseReadError: self.init(error, path: path)
        default:
            self.init(
                .failed, path, cause: "\(error)", "Cannot \(action) the database “\(path)”: \(error). \(onDisk)")
        }
    }
}
