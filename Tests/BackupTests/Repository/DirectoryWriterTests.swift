import AppContainer
import BackupPlan
import FileSystem
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupRepository

@Suite struct DirectoryWriterTests {
    @Test(
        "A directory of any size is stored once with a copy, and its damaged rows are repaired",
        arguments: [0, 3, 4_096, 4_097, 9_000])
    func once(count: Int) throws {
        try withScratch { folder throws in
            let store = try Repository(creatingAt: FilePath(folder.path + "/store"), command: "test")
            let entries = (0..<count).map { number in
                SnapshotEntry(name: Array("\(100_000 + number)".utf8), kind: .symbolicLink)
            }
            func insert() throws -> Int64 {
                let writer = try ObjectWriter(store)
                let directory = try store.insertDirectory(entries)
                try writer.finish()
                return directory
            }
            let directory = try insert()
            #expect(try insert() == directory)
            #expect(try Verifier(store).verify().damage == [])
            for change in ["UPDATE entry SET mode = mode + 1", "DELETE FROM entry"] {
                try store.withCatalogue { try $0.execute(sql: change + " WHERE name >= x'313030303032'") }
                #expect(try insert() == directory)
                #expect(try Verifier(store).verify().damage == [])
            }
            let rows = try store.withCatalogue { database in
                try ["directory", "entry"].map { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") }
            }
            #expect(rows == [1, count])
        }
    }

    @Test("The files of a damaged directory of the last snapshot are read again, also those before the damage")
    func damaged() throws {
        try withContainer { container, folder throws in
            let count = 600
            for number in 0..<count { try folder.write("\(number)", to: "Documents/many/\(number)") }
            let store = try Repository(
                creatingAt: FilePath(folder.deletingLastPathComponent().path + "/store"), command: "test")
            func filesRead() throws -> Int {
                let plan = try Plan(of: container)
                return try SnapshotBuilder(container: container, plan: plan, repository: store, taken: .now).build()
                    .filesRead
            }
            #expect(try filesRead() >= count)
            #expect(try filesRead() == 0)
            try store.withCatalogue {
                try $0.execute(sql: "UPDATE entry SET links = 2 WHERE name = x'353939'")
            }
            #expect(try filesRead() == count)
            #expect(try filesRead() == 0)
            #expect(try Verifier(store).verify().damage == [])
        }
    }
}
