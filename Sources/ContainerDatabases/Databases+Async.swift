public import AppContainer
public import Foundation
public import GRDB

// Async versions of the blocking calls of the same names. A call begins when a thread is available. If the task is
// cancelled before that, it does not begin; otherwise it runs to its end.
extension Container {
    /// Opens a database. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func database(
        named name: String, synced: Bool = false, excluded: Bool? = nil, migrator: DatabaseMigrator? = nil,
        configuration: Configuration = Configuration()
    ) async throws(ContainerDatabaseError) -> ContainerDatabase {
        try await Background.run(orThrow: .cancelled(name)) { () throws(ContainerDatabaseError) in
            try database(
                named: name, synced: synced, excluded: excluded, migrator: migrator, configuration: configuration)
        }
    }

    /// Deletes a database. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func deleteDatabase(named name: String) async throws(ContainerDatabaseError) {
        try await Background.run(orThrow: .cancelled(name)) { () throws(ContainerDatabaseError) in
            try deleteDatabase(named: name)
        }
    }

    /// Reads any SQLite database. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func inspectDatabase(
        _ item: ContainerPath, limit: UInt64 = 1 << 30
    ) async throws(ContainerDatabaseError) -> InspectedDatabase {
        try await Background.run(orThrow: .cancelled(item.description)) { () throws(ContainerDatabaseError) in
            try inspectDatabase(item, limit: limit)
        }
    }
}

extension ContainerDatabase {
    /// Reads in a transaction. See the blocking call of the same name.
    ///
    /// - Throws: `CancellationError`, and the errors of the blocking call.
    public func read<Value: Sendable>(_ value: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.read(value) } catch {
            throw stating(error, action: "read", onDisk: "It is unchanged.")
        }
    }

    /// Writes in a transaction. See the blocking call of the same name. If the task is cancelled, the transaction is
    /// rolled back.
    ///
    /// - Throws: `CancellationError`, and the errors of the blocking call.
    public func write<Value: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do { return try await pool.write(updates) } catch {
            throw stating(error, action: "write to", onDisk: "Nothing of the transaction is in it.")
        }
    }

    /// Returns the problems of an integrity check. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func problems(complete: Bool = false) async throws(ContainerDatabaseError) -> [String] {
        try await Background.run(orThrow: .cancelled(path)) { () throws(ContainerDatabaseError) in
            try self.problems(complete: complete)
        }
    }

    /// Closes the database. See the blocking call of the same name.
    ///
    /// - Throws: The errors of the blocking call.
    public func close() async throws(ContainerDatabaseError) {
        let outcome = await Background.always { () -> Result<Void, ContainerDatabaseError> in
            do throws(ContainerDatabaseError) { return .success(try self.close()) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    /// Copies the database to a file of the container. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func backup(
        to target: ContainerPath, waiting time: Duration = .seconds(30),
        progress: @escaping @Sendable (DatabaseBackupProgress) -> Bool = { _ in true }
    ) async throws(ContainerDatabaseError) {
        try await Background.run(orThrow: .cancelled(path)) { () throws(ContainerDatabaseError) in
            try self.backup(to: target, waiting: time, progress: progress)
        }
    }

    /// Copies the database to a file outside of the container. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func backup(
        to file: URL, waiting time: Duration = .seconds(30),
        progress: @escaping @Sendable (DatabaseBackupProgress) -> Bool = { _ in true }
    ) async throws(ContainerDatabaseError) {
        try await Background.run(orThrow: .cancelled(path)) { () throws(ContainerDatabaseError) in
            try self.backup(to: file, waiting: time, progress: progress)
        }
    }
}

extension InspectedDatabase {
    /// Returns the number of rows. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func rowCount(of table: String) async throws(ContainerDatabaseError) -> Int {
        try await Background.run(orThrow: .cancelled(item.description)) { () throws(ContainerDatabaseError) in
            try self.rowCount(of: table)
        }
    }

    /// Returns rows. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func rows(
        of table: String, limit: Int = 100, offset: Int = 0
    ) async throws(ContainerDatabaseError) -> Rows {
        try await Background.run(orThrow: .cancelled(item.description)) { () throws(ContainerDatabaseError) in
            try self.rows(of: table, limit: limit, offset: offset)
        }
    }

    /// Returns the problems of an integrity check. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func problems(complete: Bool = false) async throws(ContainerDatabaseError) -> [String] {
        try await Background.run(orThrow: .cancelled(item.description)) { () throws(ContainerDatabaseError) in
            try self.problems(complete: complete)
        }
    }
}

extension ContainerDatabaseError {
    /// Returns the error of a call whose task was cancelled before it began.
    fileprivate static func cancelled(_ path: String) -> ContainerDatabaseError {
        ContainerDatabaseError(
            .cancelled, path, "The task was cancelled before the work on “\(path)” began. Nothing on disk has changed.")
    }
}
