import AppContainer
import FileSystem
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite struct StagedDatabasesTests {
    @Test("Without attributes in the temporary directory, a database is staged without them and reported")
    func bareDisk() throws {
        try withContainer { container, place throws in
            try executeSQL("CREATE TABLE a(b)", in: place.path + "/Documents/a.sqlite")
            try place.write(to: "Documents/a.sqlite-journal")
            var calls = Syscalls.live
            calls.copyAttributes = { _, _, _ in -Errno.notSupported.rawValue }
            let bare = try Container.open(container.location, bundleIdentifier: nil, calls: calls)
            let plan = try Plan(of: bare)
            let staged = try StagedDatabases(plan.databasesInUse(in: bare), of: bare, plan: plan)
            defer { staged.remove() }
            #expect(staged.incidents.isEmpty && staged.holds(Array("Documents/a.sqlite".utf8)))
            let paths = Set(staged.withoutAttributes.map { String(decoding: $0, as: UTF8.self) })
            #expect(paths.isSuperset(of: ["", "Documents", "Documents/a.sqlite"]), "\(paths)")
            let copy = URL(fileURLWithPath: staged.location.appending("Documents/a.sqlite").string)
            #expect(try copy.resourceValues(forKeys: [.fileSizeKey]).fileSize == 8192)
        }
    }

    @Test("The log of another database is staged as it is, and reported")
    func foreignLog() throws {
        try withContainer { container, place throws in
            let old = try DatabaseQueue(path: place.path + "/old.sqlite")
            try old.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE film(a)") }
            try executeSQL(
                "CREATE TABLE film(a, b); CREATE TABLE review(a); PRAGMA journal_mode = WAL",
                in: place.path + "/Documents/a.sqlite")
            let log = try Data(contentsOf: place.appending(path: "old.sqlite-wal"))
            try place.write(log, to: "Documents/a.sqlite-wal")
            let plan = try Plan(of: container)
            let staged = try StagedDatabases(plan.databasesInUse(in: container), of: container, plan: plan)
            defer { staged.remove() }
            #expect(staged.incidents.map { String(decoding: $0.path, as: UTF8.self) } == ["Documents/a.sqlite"])
            #expect(staged.incidents.map(\.reason) == ["foreign-log"])
            for name in ["Documents/a.sqlite", "Documents/a.sqlite-wal"] {
                let copy = URL(fileURLWithPath: staged.location.appending(name).string)
                #expect(try Data(contentsOf: copy) == Data(contentsOf: place.appending(path: name)), "\(name)")
            }
        }
    }
}
