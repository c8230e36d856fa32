import AppContainer
import ContainerDatabases
import FileSystem
import Foundation
import GRDB
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("Databases of a container", .timeLimit(.minutes(60))) struct OpeningTests {
    private func insert(_ text: String, into database: ContainerDatabase) throws {
        try database.write { try $0.execute(sql: "INSERT INTO note(text) VALUES(?)", arguments: [text]) }
    }

    @Test(
        "Rows that were written are read by sqlite3 in another process, from a database with a write-ahead log",
        .needs(.externalProgram))
    func rows() throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", migrator: notes)
            try insert("first", into: database)
            #expect(database.item == .database(named: "notes"))
            let file = try container.file(database.item)
            #expect(file.path.hasSuffix("Library/Application Support/com.example.app/Databases/notes/notes.sqlite"))
            #expect(try sqlite(file, "PRAGMA journal_mode; SELECT text FROM note") == "wal\nfirst")
            let settings = try database.read { connection in
                try ["synchronous", "foreign_keys"].map { try Int.fetchOne(connection, sql: "PRAGMA \($0)") }
            }
            #expect(settings.last == 1)
            #expect(try database.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
            #expect(try database.problems().isEmpty && database.problems(complete: true).isEmpty)
        }
    }

    @Test(
        "The linter has nothing to report about an open or a closed database, and its directory has the policy",
        arguments: [(false, false), (true, true), (true, false), (false, true)])
    func compliant(synced: Bool, excluded: Bool) throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", synced: synced, excluded: excluded, migrator: notes)
            try insert("a text", into: database)
            let open = try sandboxlint(["lint", "--strict", try container.path(.root).string])
            #expect(open.code == 0 && open.text.contains("No findings"), "\(open.text)")
            try database.close()
            #expect(try container.files(of: "notes") == ["notes.sqlite"], "the log is merged")
            expectCompliant(container, failOn: .note)
            let directory = try #require(database.item.parent)
            #expect(try container.ownMarks(of: directory).contains(where: \.isApple) == excluded)
            #expect(try container.ownMarks(of: database.item).isEmpty)
            #expect(try container.isBackedUp(database.item) == !excluded)
        }
    }

    @Test("A synced database is excluded by default, and a changed policy applies to the directory at the next opening")
    func policy() throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", synced: true, migrator: notes)
            #expect(try container.isBackedUp(database.item) == false)
            try database.close()
            // A version of the app that excluded the file itself.
            try container.excludeFromBackup(database.item)
            let again = try container.database(named: "notes", migrator: notes)
            try again.close()
            #expect(try container.isBackedUp(again.item) == true)
            #expect(try container.ownMarks(of: again.item).isEmpty)
            #expect(try container.provenance(of: again.item)?.maker == .user)
            expectCompliant(container, failOn: .note)
        }
    }

    @Test(
        "An open database is not opened with another policy, and keeps its own",
        arguments: [(true, true), (false, true)])
    func otherPolicy(synced: Bool, excluded: Bool) throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", migrator: notes)
            let error = #expect(throws: ContainerDatabaseError.self) {
                try container.database(named: "notes", synced: synced, excluded: excluded)
            }
            #expect(error?.code == .openWithOtherPolicy)
            #expect(try container.isBackedUp(database.item) == true)
            #expect(try container.provenance(of: database.item)?.maker == .user)
            #expect(try container.database(named: "notes", synced: true, excluded: false) === database)
            expectCompliant(container, failOn: .note)
            try database.close()
            let again = try container.database(named: "notes", synced: synced, excluded: excluded)
            #expect(try container.isBackedUp(again.item) == false)
        }
    }

    @Test("A database that must be backed up is not opened in a directory that is excluded")
    func excludedByParent() throws {
        try withContainer { container throws in
            try container.createDirectory(.applicationSupport / "Databases")
            try container.excludeFromBackup(.applicationSupport / "Databases")
            let error = #expect(throws: ContainerDatabaseError.self) { try container.database(named: "notes") }
            #expect(error?.code == .excludedByParent)
            #expect(try container.exists(.database(named: "notes")) == false)
            _ = try container.database(named: "other", synced: true)
        }
    }

    @Test("A database that is opened twice in a process is opened once, and migrated further")
    func twice() throws {
        try withContainer { container throws in
            let first = try container.database(named: "notes", migrator: notes)
            var migrator = notes
            migrator.registerMigration("2") { try $0.execute(sql: "ALTER TABLE note ADD COLUMN date TEXT") }
            let second = try container.database(named: "notes", migrator: migrator)
            #expect(first === second)
            #expect(try first.read { try $0.columns(in: "note").map(\.name) } == ["id", "text", "date"])
            try first.close()
            #expect(try container.database(named: "notes", migrator: migrator) !== first)
        }
    }

    @Test("Threads that open a new database at the same time get the same one")
    func concurrentOpening() throws {
        for _ in 0..<10 {
            try withContainer { container throws in
                let databases = LockedValue<[ObjectIdentifier: ContainerDatabase]>([:])
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    guard let database = try? container.database(named: "notes", migrator: notes) else { return }
                    databases.withLock { $0[ObjectIdentifier(database)] = database }
                }
                #expect(databases.withLock { $0.count } == 1)
            }
        }
    }

    @Test("A log without its database is refused and kept, and so is what else is in the directory")
    func logWithoutDatabase() throws {
        try withContainer { container throws in
            let directory = ContainerPath.applicationSupport / "Databases/notes"
            try container.save("the newest rows", to: directory / "notes.sqlite-wal")
            let error = #expect(throws: ContainerDatabaseError.self) { try container.database(named: "notes") }
            #expect(error?.code == .damaged)
            #expect(try container.files(of: "notes") == ["notes.sqlite-wal"])
            try container.deleteDatabase(named: "notes")

            try container.save("a picture", to: directory / "picture.jpg")
            var failing = DatabaseMigrator()
            failing.registerMigration("1") { try $0.execute(sql: "SELECT missing FROM missing") }
            #expect(throws: ContainerDatabaseError.self) {
                try container.database(named: "notes", migrator: failing)
            }
            #expect(try container.files(of: "notes") == ["picture.jpg"])
        }
    }

    @Test("A database of a newer version of the app is refused, and its content is unchanged", .needs(.externalProgram))
    func newer() throws {
        try withContainer { container throws in
            var migrator = notes
            migrator.registerMigration("2") { try $0.execute(sql: "CREATE TABLE later(a)") }
            let database = try container.database(named: "notes", migrator: migrator)
            try database.close()
            let before = try sqlite(try container.file(database.item), ".dump")
            let error = #expect(throws: ContainerDatabaseError.self) {
                try container.database(named: "notes", migrator: notes)
            }
            #expect(error?.code == .newer)
            #expect(error?.description.hasSuffix("Its content is unchanged. Update the app.") == true)
            #expect(try sqlite(try container.file(database.item), ".dump") == before)
        }
    }

    @Test("A migration that fails leaves those before it, and says so", .needs(.externalProgram))
    func migrationFailed() throws {
        try withContainer { container throws in
            var migrator = notes
            migrator.registerMigration("2") { try $0.execute(sql: "CREATE TABLE half(a); SELECT missing FROM note") }
            _ = try container.database(named: "notes", migrator: notes).close()
            let error = #expect(throws: ContainerDatabaseError.self) {
                try container.database(named: "notes", migrator: migrator)
            }
            #expect(error?.code == .migrationFailed && error?.cause?.contains("no such column: missing") == true)
            let tables = try sqlite(try container.file(.database(named: "notes")), ".tables")
            #expect(tables.contains("note") && !tables.contains("half"))
        }
    }

    @Test(
        "A file that is not a database is refused and unchanged, and one that looks encrypted is called so",
        arguments: [("a letter to the reader", "notADatabase"), ("random", "encrypted")])
    func notADatabase(content: String, code: String) throws {
        try withContainer { container throws in
            var noise = SystemRandomNumberGenerator()
            let bytes =
                content == "random"
                ? (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &noise) } : Array(content.utf8)
            try container.save(bytes, to: .database(named: "notes"))
            let error = #expect(throws: ContainerDatabaseError.self) { try container.database(named: "notes") }
            #expect(error?.code.description == code)
            #expect(try container.load(.database(named: "notes")) == Data(bytes))
            #expect(try container.files(of: "notes") == ["notes.sqlite"])
        }
    }

    @Test("A damaged database is refused")
    func damaged() throws {
        try withContainer { container throws in
            let bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 8_000)
            try container.save(bytes, to: .database(named: "notes"))
            let error = #expect(throws: ContainerDatabaseError.self) { try container.database(named: "notes") }
            #expect(error?.code == .notADatabase || error?.code == .damaged)
        }
    }

    @Test(
        "A database that another process has locked is refused after the waiting time, and opened when it is free",
        .needs(.externalProgram))
    func locked() throws {
        try withContainer { container throws in
            try container.database(named: "notes", migrator: notes).close()
            let file = try container.file(.database(named: "notes"))
            let session = try Session(
                file, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO note(text) VALUES('x');")
            var configuration = Configuration()
            configuration.busyMode = .timeout(0.1)
            let error = #expect(throws: ContainerDatabaseError.self) {
                try container.database(named: "notes", migrator: notes, configuration: configuration)
            }
            #expect(error?.code == .locked)
            #expect(
                error?.description.contains("Its content is unchanged. Another connection or process uses it.") == true)
            try session.run("COMMIT;")
            session.end()
            let database = try container.database(named: "notes", migrator: notes)
            #expect(try database.read { try String.fetchAll($0, sql: "SELECT text FROM note") } == ["x"])
        }
    }

    @Test("A name that is a path or hidden is refused", arguments: ["", "a/b", "..", ".hidden", "a\0b", "/etc/a"])
    func names(name: String) throws {
        try withContainer { container throws in
            let error = #expect(throws: ContainerDatabaseError.self) { try container.database(named: name) }
            #expect(error?.code == .invalidName)
        }
    }

    @Test(
        "A link out of the container in place of the database, its log or its directory is refused",
        arguments: [
            "Databases/notes/notes.sqlite", "Databases/notes/notes.sqlite-wal", "Databases/notes", "Databases",
        ])
    func links(place: String) throws {
        try withScratch { outside throws in
            try withContainer { container throws in
                let link = try container.file(.applicationSupport / place)
                try FileManager.default.createDirectory(
                    at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
                #expect(throws: ContainerDatabaseError.self) { try container.database(named: "notes") }
                #expect(try TestSupport.names(in: outside).isEmpty)
            }
        }
    }

    @Test("A violated constraint is GRDB's error, and nothing of its transaction is written")
    func constraint() throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", migrator: notes)
            let error = #expect(throws: DatabaseError.self) {
                try database.write { connection in
                    for _ in 0..<2 { try connection.execute(sql: "INSERT INTO note(text) VALUES('same')") }
                }
            }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
            #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 0)
        }
    }

    @Test("A task opens, writes, reads, copies, closes and deletes in the background")
    func background() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let database = try await container.background { try $0.database(named: "notes", migrator: notes) }
        let texts = try await database.background { database in
            try database.write { try $0.execute(sql: "INSERT INTO note(text) VALUES('a')") }
            return try database.read { try String.fetchAll($0, sql: "SELECT text FROM note") }
        }
        #expect(texts == ["a"])
        let problems = try await database.background { database throws(ContainerDatabaseError) in
            try database.backup(to: .documents / "copy.sqlite")
            return try database.problems()
        }
        #expect(problems.isEmpty)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let error = await #expect(throws: ContainerDatabaseError.self) {
                try await database.background { database throws(ContainerDatabaseError) in try database.close() }
            }
            #expect(error?.code == .cancelled)
        }
        task.cancel()
        await task.value
        let inspected = try container.inspectDatabase(.documents / "copy.sqlite")
        #expect(try inspected.rows(of: "note").values == [[.integer(1), .text("a")]])
        #expect(try inspected.rowCount(of: "note") == 1)
        #expect(try inspected.problems().isEmpty)
        try database.close()
        try container.deleteDatabase(named: "notes")
        #expect(try container.exists(.database(named: "notes")) == false)
    }
}
