import AppContainer
import ContainerDatabases
import Foundation
import GRDB
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@Suite("Guide: databases") struct DatabasesGuideTests {
    private struct Letter: Codable, FetchableRecord, PersistableRecord { var text: String }

    @Test("A database is opened, written, copied and deleted as the guide shows")
    func guide() throws {
        try withContainer { container throws in
            var shown: [Any] = []
            func show(_ value: Any) { shown.append(value) }

            // shown in ContainerDatabases.md
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { database in
                try database.create(table: "letter") { table in
                    table.autoIncrementedPrimaryKey("id")
                    table.column("text", .text).notNull()
                }
            }
            let database = try container.database(named: "letters", migrator: migrator)
            try database.write { try $0.execute(sql: "INSERT INTO letter(text) VALUES('Dear reader')") }
            let texts = try database.read { try String.fetchAll($0, sql: "SELECT text FROM letter") }
            // end
            #expect(texts == ["Dear reader"])

            // shown in ContainerDatabases.md
            try database.backup(to: .documents / "Letters.sqlite") { progress in
                show(progress.completedPageCount)
                return true
            }
            // end
            #expect(try container.exists(.documents / "Letters.sqlite") && !shown.isEmpty)

            // shown in ContainerDatabases.md
            try database.close()
            try container.deleteDatabase(named: "letters")
            // end
            #expect(try container.exists(.database(named: "letters")) == false)
            try container.remove(.documents / "Letters.sqlite")
            expectCompliant(container)
        }
    }

    @Test("The code of the documentation comments works")
    func comments() throws {
        try withContainer { container throws in
            var shown = 0
            func show(_ count: Int, of total: Int) { shown = count }
            // shown in Container+Database.swift
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { database in
                try database.create(table: "letter") { table in
                    table.autoIncrementedPrimaryKey("id")
                    table.column("text", .text).notNull()
                }
            }
            let database = try container.database(named: "letters", migrator: migrator)
            // end
            // shown in ContainerDatabase.swift
            try database.write { try Letter(text: "Dear reader").insert($0) }
            // end
            // shown in ContainerDatabase.swift
            let letters = try database.read { try Letter.fetchAll($0) }
            // end
            #expect(letters.map(\.text) == ["Dear reader"])
            // shown in ContainerDatabase+Backup.swift
            try database.backup(to: .documents / "Letters.sqlite") { progress in
                show(progress.completedPageCount, of: progress.totalPageCount)
                return true
            }
            // end
            #expect(shown > 0)

            let place = try container.storeDirectory(named: "Library", isBackedUp: true)
            let open = try DatabaseQueue(path: place.url.path(percentEncoded: false))
            try open.write { try $0.execute(sql: "CREATE TABLE book(title TEXT)") }
            // shown in ContainerDatabase+Backup.swift
            try place.backup(to: .documents / "Library.sqlite")
            // end
            #expect(try container.exists(.documents / "Library.sqlite"))
            try open.close()
        }
    }

    @Test("Databases are read in the background")
    func background() async throws {
        try await withContainer { container async throws in
            let database = try container.database(named: "letters")
            try database.write { database in
                try database.create(table: "letter") { $0.column("text", .text) }
                try Letter(text: "Dear reader").insert(database)
            }
            // shown in ContainerDatabase.swift
            let letters = try await database.background { try $0.read { try Letter.fetchAll($0) } }
            // end
            #expect(letters.map(\.text) == ["Dear reader"])
        }
    }
}
