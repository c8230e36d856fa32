import FileSystem
import Foundation
import GRDB
import TestSupport
import Testing

@testable import DatabaseInspection

@Suite("Logs of other databases", .timeLimit(.minutes(60))) struct DatabaseLogTests {
    /// A database that a program has open, with its files as a crash at this moment leaves them.
    private final class OpenDatabase {
        private var random: SeededNumbers
        private let path: String
        private var queue: DatabaseQueue

        init(in folder: URL, seed: UInt64, pageSize: Int = 4096, vacuum: Int = 0) throws {
            random = SeededNumbers(seed: seed)
            path = folder.appending(path: "open.sqlite").path
            for file in DatabaseFile.allCases { try? FileManager.default.removeItem(atPath: path + file.rawValue) }
            queue = try Self.opened(path)
            try run("PRAGMA page_size = \(pageSize)", "PRAGMA auto_vacuum = \(vacuum)", "PRAGMA journal_mode = WAL")
            try run("PRAGMA wal_autocheckpoint = \([0, 20, 1000][number(3)])", "PRAGMA cache_size = \(5 + number(20))")
        }

        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

        func run(_ statements: String...) throws {
            try queue.writeWithoutTransaction { database in
                for sql in statements { try database.execute(sql: sql) }
            }
        }

        func reopen() throws {
            try queue.close()
            queue = try Self.opened(path)
        }

        private static func opened(_ path: String) throws -> DatabaseQueue {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            return try DatabaseQueue(path: path, configuration: configuration)
        }

        func files() throws -> [DatabaseFile: [UInt8]] {
            var files: [DatabaseFile: [UInt8]] = [:]
            for file in [DatabaseFile.main, .log] {
                files[file] = (try? Data(contentsOf: URL(fileURLWithPath: path + file.rawValue))).map(Array.init)
            }
            return files
        }

        /// Does what apps do, also what they rarely do. A statement may fail, such as one about a table that is gone.
        func work() {
            let (table, other) = ("t\(number(4))", "t\(number(4))")
            let insert =
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(1 + number(150))) "
                + "INSERT INTO \(table)(a, b) SELECT i * 31 % 101, randomblob(\(number(number(2) == 0 ? 50 : 2_000))) FROM n"
            let statements: [[String]] = [
                ["CREATE TABLE IF NOT EXISTS \(table)(id INTEGER PRIMARY KEY, a, b)"],
                ["CREATE TABLE IF NOT EXISTS \(other)(id INTEGER PRIMARY KEY, a, b)"], [insert], [insert], [insert],
                ["UPDATE \(table) SET a = a + 1 WHERE id % \(1 + number(5)) = 0"],
                ["UPDATE \(table) SET b = randomblob(\(number(2_000))) WHERE id % \(1 + number(9)) = 0"],
                ["DELETE FROM \(table) WHERE id % \(1 + number(4)) = 0"], ["DROP TABLE IF EXISTS \(table)"],
                ["CREATE INDEX IF NOT EXISTS i\(table) ON \(table)(a)"], ["VACUUM"], ["ANALYZE"],
                ["PRAGMA wal_checkpoint(\(["PASSIVE", "FULL", "RESTART", "TRUNCATE"][number(4)]))"],
                ["PRAGMA wal_checkpoint(TRUNCATE)"], ["PRAGMA user_version = \(number(9))"],
                ["PRAGMA schema_version = \(number(9))"], ["PRAGMA incremental_vacuum(\(number(20)))"],
                ["BEGIN", insert, "DROP TABLE IF EXISTS \(other)", "COMMIT"], ["BEGIN", insert, insert, "ROLLBACK"],
                ["ALTER TABLE \(table) ADD COLUMN c\(number(1_000))"],
                ["PRAGMA journal_mode = DELETE", insert, "PRAGMA journal_mode = WAL"],
                [
                    "PRAGMA journal_mode = DELETE", "PRAGMA page_size = \(1024 << number(3))",
                    "PRAGMA auto_vacuum = \(number(3))", "VACUUM", "PRAGMA journal_mode = WAL",
                ],
                [
                    "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = sql || ' ' WHERE name = '\(table)'",
                    "PRAGMA writable_schema = OFF",
                ],
            ]
            for sql in statements[number(statements.count)] {
                guard (try? run(sql)) != nil else { break }
            }
            try? run("ROLLBACK")
            if number(20) == 0 { try? queue.erase() }
            if number(12) == 0 { try? reopen() }
        }
    }

    private func foreignLog(_ files: [DatabaseFile: [UInt8]], in folder: URL) throws -> String? {
        let place = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let source = try write(files, in: place)
        let copy: DatabaseCopy
        do throws(DatabaseReadError) { copy = try DatabaseCopy(of: source) } catch {
            guard error.code == .damaged else { throw error }
            return try DatabaseCopy.foreignLog(of: source, causing: error.detail)
        }
        guard copy.foreignLog == nil, let problem = try copy.problems().first else { return copy.foreignLog }
        return try DatabaseCopy.foreignLog(of: source, causing: problem)
    }

    @Test(
        "A database is never told that its own log is another's, whatever an app does",
        arguments: 0..<8 as Range<UInt64>)
    func own(seed: UInt64) throws {
        try withScratch { folder throws in
            var logs = 0
            for round in 0..<10 {
                let vacuum = round % 4 == 3 ? 2 : 0
                let database = try OpenDatabase(in: folder, seed: seed * 100 + UInt64(round), vacuum: vacuum)
                for step in 0..<40 {
                    database.work()
                    guard step % 2 == 0 else { continue }
                    let files = try database.files()
                    guard files[.main]?.isEmpty == false, files[.log]?.count ?? 0 > DatabaseLog.headerSize else {
                        continue
                    }
                    logs += 1
                    #expect(try foreignLog(files, in: folder) == nil, "seed \(seed), round \(round), step \(step)")
                }
            }
            #expect(logs > 50)
        }
    }

    @Test("A crash within a transaction whose pages are already in the log is no proof")
    func unfinished() throws {
        try withScratch { folder throws in
            let database = try OpenDatabase(in: folder, seed: 1)
            try database.run("PRAGMA cache_size = 1", "CREATE TABLE t(a)", "PRAGMA wal_checkpoint(TRUNCATE)", "BEGIN")
            for _ in 0..<50 { try database.run("INSERT INTO t VALUES(randomblob(3000))") }
            let files = try database.files()
            #expect(files[.log]?.count ?? 0 > 40 * 4096)
            #expect(try foreignLog(files, in: folder) == nil)
            #expect(
                try DatabaseCopy(of: write(files, in: folder)).read {
                    try Int.fetchOne($0, sql: "SELECT count(*) FROM t")
                } == 0)
        }
    }

    /// A database and the log of another one or of another state, with the proof.
    private enum Foreign: CaseIterable {
        case pageSize, migrated, shrunk, incremental, beyond, added, damaged

        var proof: String {
            switch self {
            case .pageSize: "its pages have 4096 bytes, and those of the database 1024"
            case .migrated: "it begins with change"
            case .shrunk, .incremental: "it shrinks the database"
            case .beyond: "it has page"
            case .added: "it adds"
            case .damaged: "the database is intact without it, and damaged with it"
            }
        }
    }

    @Test("The log of another database, or of another state, is not applied", arguments: Foreign.allCases)
    private func foreign(kind: Foreign) throws {
        try withScratch { folder throws in
            let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
            let vacuum = kind == .incremental ? 2 : 0
            let old = try OpenDatabase(in: folder, seed: 2, vacuum: vacuum)
            try old.run("PRAGMA wal_autocheckpoint = 0", "CREATE TABLE film(a)", "INSERT INTO film VALUES('old')")
            if kind == .migrated {
                for _ in 0..<5 {
                    try old.reopen(); try old.run("PRAGMA user_version = 7", "CREATE TABLE x(a)", "DROP TABLE x")
                }
            }
            if [.added, .beyond, .damaged, .migrated].contains(kind) {
                try old.run("\(rows) INSERT INTO film SELECT zeroblob(900) FROM n", "PRAGMA wal_checkpoint(TRUNCATE)")
                let change = "UPDATE film SET a = zeroblob(800) WHERE rowid > 150"
                try old.run(
                    kind == .added || kind == .migrated
                        ? "\(rows) INSERT INTO film SELECT zeroblob(900) FROM n" : change)
            }
            let log = try old.files()[.log]
            let new = try OpenDatabase(
                in: folder, seed: 3, pageSize: kind == .pageSize ? 1024 : 4096, vacuum: vacuum)
            try new.run("CREATE TABLE film(a, b)", "CREATE TABLE review(a)", "INSERT INTO review VALUES('the best')")
            if kind != .beyond, kind != .added {
                try new.run("\(rows) INSERT INTO review SELECT zeroblob(\(kind == .damaged ? 1400 : 900)) FROM n")
            }
            try new.run("PRAGMA wal_checkpoint(TRUNCATE)")
            let main = try new.files()[.main]
            let files = [DatabaseFile.main: main ?? [], .log: log ?? []]
            let proof = try foreignLog(files, in: folder)
            #expect(proof?.hasPrefix(kind.proof) == true, "\(proof ?? "none")")
            guard kind != .damaged else { return }
            let copy = try DatabaseCopy(of: write(files, in: folder))
            let texts = try copy.texts()
            #expect(texts == ["review.a=the best"])
            // Without the check, SQLite applies the log. It has page 1 in these cases, and the table is gone.
            guard kind != .pageSize, kind != .beyond else { return }
            for (file, bytes) in files { try Data(bytes).write(to: folder.appending(path: "raw" + file.rawValue)) }
            let raw = try? executeSQL("SELECT count(*) FROM review", in: folder.appending(path: "raw").path)
            #expect(raw == nil)
        }
    }
}
