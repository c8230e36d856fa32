public import AppContainer
internal import DatabaseInspection
internal import FileSystem
public import GRDB
internal import SystemPackage

extension ContainerPath {
    /// Returns the path of the database with a name. The directory that contains it belongs to the database.
    public static func database(named name: String) -> ContainerPath {
        .applicationSupport / "Databases" / name / "\(name).sqlite"
    }
}

extension Container {
    /// Opens a database in the app's directory, and creates it if it is missing.
    ///
    ///     var migrator = DatabaseMigrator()
    ///     migrator.registerMigration("1") { database in
    ///         try database.create(table: "letter") { table in
    ///             table.autoIncrementedPrimaryKey("id")
    ///             table.column("text", .text).notNull()
    ///         }
    ///     }
    ///     let database = try container.database(named: "letters", migrator: migrator)
    ///
    /// The database has a write-ahead log, enforces foreign keys, waits 5 seconds for other processes, and a committed
    /// transaction survives a power loss. Its directory is excluded from backup before the first byte of the database
    /// is written, or included. Exclusions of single files in it are removed.
    ///
    /// | `synced` | `excluded` | meaning |
    /// |---|---|---|
    /// | false | false | The data exists only here. It is backed up. The default. |
    /// | true | true | A server has the data, and the app downloads it again. The default if `synced` is true. |
    /// | true | false | A server has most of the data, but some exists only here. It is backed up. |
    /// | false | true | The app generates the content again, as a search index. Otherwise it is lost with the device. |
    ///
    /// The linter applies the same criteria, because the origin (the user, a server, or other files) is recorded on the
    /// file.
    ///
    /// - Parameters:
    ///   - name: The name, without an extension: a file name that does not begin with a dot.
    ///   - synced: True if a server has the content.
    ///   - excluded: True to exclude the database from backup. Nil excludes it if it is synced.
    ///   - migrator: The migrations of the app, which run before the call returns.
    ///   - configuration: Further settings of GRDB.
    /// - Returns: The open database. If this process has opened it before, that one, after its migrations.
    /// - Throws: `openWithOtherPolicy` if this process has opened it with other values of `synced` and `excluded`, `newer`
    ///   if a newer version of the app has migrated it, `notADatabase`, `encrypted`, `damaged`, `locked`, `noSpace`,
    ///   `permissionDenied`, `migrationFailed`, `invalidName`, `excludedByParent`, `file`, `failed`.
    public func database(
        named name: String, synced: Bool = false, excluded: Bool? = nil, migrator: DatabaseMigrator? = nil,
        configuration: Configuration = Configuration()
    ) throws(ContainerDatabaseError) -> ContainerDatabase {
        let location = try DatabaseLocation(name, in: self)
        return try location.withLock { () throws(ContainerDatabaseError) in
            try open(
                location, synced: synced, excluded: excluded ?? synced, migrator: migrator, configuration: configuration
            )
        }
    }

    private func open(
        _ location: DatabaseLocation, synced: Bool, excluded: Bool, migrator: DatabaseMigrator?,
        configuration: Configuration
    ) throws(ContainerDatabaseError) -> ContainerDatabase {
        let text = location.path.string
        let maker = Self.maker(synced: synced, excluded: excluded)
        if let status = try location.status(), let database = ContainerDatabase.opened(status) {
            guard database.provenance.maker == maker else {
                throw ContainerDatabaseError(
                    .openWithOtherPolicy, text,
                    "The database “\(text)” is open in this process with another policy. Nothing on disk has changed. Close "
                        + "it first, or pass the values of synced and excluded with which it was opened.")
            }
            // Its files must not be opened: closing them would release the locks of SQLite.
            try applyPolicy(excluded, to: location.directory, path: text)
            try migrate(database.pool, migrator: migrator, path: text)
            return database
        }
        let before = try location.presence()
        var pool: DatabasePool?
        do {
            try location.checkFiles()
            try createDirectory(location.directory)
            try applyPolicy(excluded, to: location.directory, path: text)
            for file in try location.presentFiles() where try !ownMarks(of: file).filter(\.isApple).isEmpty {
                try includeInBackup(file)
            }
            let provenance = Provenance(maker)
            try location.record(provenance)
            let opened = try DatabasePool(
                path: try location.absolutePath(), configuration: Self.complete(configuration))
            pool = opened
            // Read once, so that a file that only begins like a database is refused.
            try opened.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            // GRDB selects NORMAL, with which a power loss may undo committed transactions.
            try opened.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try migrate(opened, migrator: migrator, path: text)
            guard let status = try location.status() else {
                throw ContainerDatabaseError(.notFound, text, "The database “\(text)” has been removed meanwhile.")
            }
            return ContainerDatabase(opened, location: location, status: status, provenance: provenance)
        } catch {
            try? pool?.close()
            location.removeWhatIsNew(since: before)
            throw ContainerDatabaseError(
                anyError: error, text, action: "open",
                onDisk: before.database ? "Its content is unchanged." : "It has not been created.")
        }
    }

    /// The origin that a policy records on the files of a database.
    private static func maker(synced: Bool, excluded: Bool) -> Provenance.Maker {
        switch (synced, excluded) {
        case (true, true): .downloaded
        case (false, true): .derived
        default: .user
        }
    }

    /// Excludes the directory of a database from backup, or includes it.
    private func applyPolicy(
        _ excluded: Bool, to directory: ContainerPath, path: String
    ) throws(ContainerDatabaseError) {
        do throws(ContainerError) {
            let state = try exclusion(of: directory)
            switch (excluded, state.state) {
            case (true, .included): try excludeFromBackup(directory)
            case (true, .unknown):
                // Without attributes this is an error.
                try excludeFromBackup(directory)
            case (false, .excluded): try includeInBackup(directory)
            default: return
            }
            guard !excluded, try exclusion(of: directory).state == .excluded else { return }
        } catch { throw ContainerDatabaseError(error) }
        throw ContainerDatabaseError(
            .excludedByParent, path,
            "The database “\(path)” must be backed up, but a directory above it is excluded from backup. The database "
                + "has not been opened. Include that directory, or pass excluded: true.")
    }

    /// Returns a configuration with the settings of each database of a container.
    private static func complete(_ configuration: Configuration) -> Configuration {
        var configuration = configuration
        if case .immediateError = configuration.busyMode { configuration.busyMode = .timeout(5) }
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            // On Apple's systems, fsync leaves data in the cache of the drive.
            try database.execute(sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
        }
        return configuration
    }

    private func migrate(
        _ pool: DatabasePool, migrator: DatabaseMigrator?, path: String
    ) throws(ContainerDatabaseError) {
        guard let migrator else { return }
        let isNewer: Bool
        do { isNewer = try pool.read(migrator.hasBeenSuperseded) } catch {
            throw ContainerDatabaseError(anyError: error, path, action: "read", onDisk: "Its content is unchanged.")
        }
        guard !isNewer else {
            throw ContainerDatabaseError(
                .newer, path,
                "The database “\(path)” was migrated by a newer version of the app. Its content is unchanged. "
                    + "Update the app.")
        }
        do { try migrator.migrate(pool) } catch {
            let onDisk = "The migrations before the one that failed are in it; nothing of that one is."
            let stated = ContainerDatabaseError(anyError: error, path, action: "migrate", onDisk: onDisk)
            guard stated.code == .failed else { throw stated }
            throw ContainerDatabaseError(
                .migrationFailed, path, resultCode: stated.resultCode, cause: "\(error)",
                "A migration of the database “\(path)” failed: \(error). \(onDisk) Correct the migration and open it again."
            )
        }
    }

    /// Deletes a database with its directory: the log, the journal and everything else in it.
    ///
    /// The directory gets a temporary name first, so that after a crash no part of the database is left under its name;
    /// `sweepLeftovers` removes the rest.
    ///
    /// - Parameter name: The name of the database.
    /// - Throws: `locked` if it is open in this process or another one, `notFound`, `invalidName`, `permissionDenied`,
    ///   `file`.
    public func deleteDatabase(named name: String) throws(ContainerDatabaseError) {
        let location = try DatabaseLocation(name, in: self)
        let text = location.path.string
        do {
            try location.withLock {
                guard try location.presence().directory else {
                    throw ContainerDatabaseError(
                        .notFound, text, "The database “\(text)” does not exist. Check the name.")
                }
                if let status = try location.status(), ContainerDatabase.opened(status) != nil {
                    throw ContainerDatabaseError(
                        .locked, text,
                        "The database “\(text)” is open in this process. Nothing on disk has changed. Close it first.")
                }
                try location.requireUnused()
                let leftover = try location.moveAway()
                try remove(leftover)
            }
        } catch {
            throw ContainerDatabaseError(
                anyError: error, text, action: "delete", onDisk: "A part of it may remain under a temporary name.")
        }
    }
}
