import AppContainer
import ContainerDatabases
import Foundation
import StoragePolicy
import StoragePolicyTesting
import TestSupport
import Testing

@Suite("Deletion of databases", .timeLimit(.minutes(60))) struct DeletionTests {
    @Test("The directory with the log, the journal and external files is removed, and nothing is left over")
    func all() throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", migrator: notes)
            try database.close()
            let directory = try #require(database.item.parent)
            for name in ["notes.sqlite-wal", "notes.sqlite-journal", ".notes_SUPPORT/_EXTERNAL_DATA/a"] {
                try container.save("x", to: directory / name)
            }
            try container.deleteDatabase(named: "notes")
            #expect(try names(in: container.file(.applicationSupport / "Databases")).isEmpty)
            let error = #expect(throws: ContainerDatabaseError.self) { try container.deleteDatabase(named: "notes") }
            #expect(error?.code == .notFound)
            expectCompliant(container, failOn: .note)
        }
    }

    @Test("A database that is open here or in another process is not deleted", .needs(.externalProgram))
    func open() throws {
        try withContainer { container throws in
            let database = try container.database(named: "notes", migrator: notes)
            let here = #expect(throws: ContainerDatabaseError.self) { try container.deleteDatabase(named: "notes") }
            #expect(here?.code == .locked)
            try database.close()
            let session = try Session(try container.file(database.item), "SELECT * FROM note;")
            let there = #expect(throws: ContainerDatabaseError.self) { try container.deleteDatabase(named: "notes") }
            #expect(there?.code == .locked)
            session.end()
            #expect(try sqlite(try container.file(database.item), "PRAGMA integrity_check") == "ok")
            try container.deleteDatabase(named: "notes")
        }
    }

    @Test("A file that is not a database can be deleted, too")
    func notADatabase() throws {
        try withContainer { container throws in
            try container.save("a letter", to: .database(named: "notes"))
            try container.deleteDatabase(named: "notes")
            #expect(try container.exists(.database(named: "notes")) == false)
        }
    }
}
