@testable import DatabaseInspection
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Returns the output of the program `sqlite3` for a query, which opens and may change the database.
func sqlite(_ database: URL, _ query: String, mode: String = "-list") throws -> String {
    let run = try Command("sqlite3", ["-batch", mode, database.path, query])
    try #require(run.code == 0, "sqlite3 \(query): \(run.errors)")
    return run.text
}

@Suite("Content of databases", .timeLimit(.minutes(60))) struct DatabaseContentTests {
    private static let recipe = DatabaseRecipe(
        [
            "PRAGMA user_version = 7", "PRAGMA application_id = 99",
            """
            CREATE TABLE user(
                id INTEGER PRIMARY KEY, name VARCHAR(30) NOT NULL DEFAULT 'nobody',
                upper TEXT AS (upper(name)), picture BLOB, score REAL)
            """,
            "CREATE UNIQUE INDEX user_name ON user(name)", "CREATE TABLE \"odd \"\" name\"(a UNIQUE, b)",
            "CREATE VIEW best AS SELECT name, score FROM user WHERE score > 0.5",
            "CREATE TRIGGER t AFTER DELETE ON user BEGIN SELECT 1; END",
            "CREATE VIRTUAL TABLE search USING fts5(body)",
            "INSERT INTO user(name, picture, score) VALUES('ana', x'00ff', 0.25), ('zoë', NULL, 2)",
        ], logged: ["INSERT INTO user(name, picture, score) VALUES('log', x'', -1)"])

    @Test(
        "Schema, columns, counts and rows equal those that sqlite3 prints for a copy, and the source is unchanged",
        .needs(.externalProgram))
    func likeSQLite() throws {
        try withScratch { folder throws in
            let store = try write(Self.recipe.files(), in: folder)
            let before = try fingerprint(of: folder)
            let copy = try DatabaseCopy(of: store)
            let schema = try copy.schema()
            let page = try copy.rows(of: "user")
            let count = try copy.rowCount(of: "user")
            let overview = try copy.overview()
            #expect(try copy.problems(comparingIndexes: true).isEmpty)
            #expect(try fingerprint(of: folder) == before)

            // Now sqlite3 may open it.
            let path = folder.appending(path: "a.sqlite")
            let names = try sqlite(
                path,
                """
                SELECT type || ' ' || name FROM sqlite_master
                ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'view' THEN 2 WHEN 'index' THEN 3 ELSE 4 END, name
                """)
            let kinds = schema.map { "\($0.kind == .virtualTable ? "table" : $0.kind.rawValue) \($0.name)" }
            #expect(kinds.joined(separator: "\n") + "\n" == names)
            for object in schema {
                let sql = try sqlite(path, "SELECT sql FROM sqlite_master WHERE name = '\(object.name)'")
                #expect((object.sql ?? "") + "\n" == sql)
            }
            let rows = try sqlite(path, "SELECT id, name, hex(picture), score FROM user")
            #expect(page.columns == ["id", "name", "picture", "score"] && !page.hasMore)
            #expect(page.rows.map(line).joined(separator: "\n") + "\n" == rows)
            #expect(count == RowCount(count: 3, isExact: true))
            #expect(
                overview
                    == DatabaseOverview(
                        journal: .wal, pageSize: 4_096,
                        pages: Int(try sqlite(path, "PRAGMA page_count").dropLast()) ?? 0,
                        freePages: 0, encoding: "UTF-8", userVersion: 7, applicationID: 99))
        }
    }

    /// Returns a row as `sqlite3` prints it with BLOBs in hexadecimal digits.
    private func line(_ row: [StoredValue]) -> String {
        row.map { value in
            switch value {
            case .null: ""
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .text(let text, _): text
            case .blob(let bytes, _): bytes.map { String(format: "%02X", $0) }.joined()
            }
        }.joined(separator: "|")
    }

    /// Returns the names, times, identities and bytes of the files in a folder.
    private func fingerprint(of folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            let path = folder.appending(path: name).path
            let status = try FileManager.default.attributesOfItem(atPath: path)
            return "\(name) \(status[.modificationDate] ?? "") \(status[.systemFileNumber] ?? "")"
                + " \(try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString())"
        }
    }

    @Test("Columns have their declared type, default, key position and origin")
    func columns() throws {
        try withScratch { folder throws in
            let copy = try DatabaseCopy(of: try write(Self.recipe.files(), in: folder))
            let columns = try copy.columns(of: "user")
            #expect(columns.map(\.name) == ["id", "name", "upper", "picture", "score"])
            #expect(columns.map(\.type) == ["INTEGER", "VARCHAR(30)", "TEXT", "BLOB", "REAL"])
            #expect(columns.map(\.isGenerated) == [false, false, true, false, false])
            #expect(columns[0].keyPosition == 1 && columns[1].isRequired && columns[1].defaultValue == "'nobody'")
            #expect(try copy.columns(of: "best").map(\.name) == ["name", "score"])
            #expect(try copy.columns(of: "missing").isEmpty)
            #expect(try copy.rows(of: "best").rows == [[.text("zoë", size: 4), .real(2)]])
        }
    }

    @Test("Rows come in pages, and a page ends at the limits for rows and bytes")
    func pages() throws {
        try withScratch { folder throws in
            let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)"
            let recipe = DatabaseRecipe([
                "CREATE TABLE t(i INTEGER PRIMARY KEY, a TEXT)", "\(rows) INSERT INTO t SELECT i, 'row ' || i FROM n",
                "CREATE TABLE wide(a)", "\(rows) INSERT INTO wide SELECT zeroblob(1000) FROM n",
            ])
            var limits = DatabaseLimits()
            limits.rows = 100
            let store = try write(recipe.files(), in: folder)
            let copy = try DatabaseCopy(of: store, limits: limits)
            let last = try copy.rows(of: "t", limit: 100, offset: 200)
            #expect(!last.hasMore && last.rows.count == 50)
            #expect(last.rows.last == [.integer(250), .text("row 250", size: 7)])
            #expect(try copy.rows(of: "t", limit: 20, offset: 230).hasMore == false)
            #expect(try copy.rows(of: "t", limit: 19, offset: 230).hasMore)
            #expect(try copy.rows(of: "t", offset: 1_000).rows.isEmpty)
            #expect(try copy.rows(of: "t", limit: -1, offset: -1).rows.isEmpty)
            (limits.valueBytes, limits.allBytes) = (50, 500)
            let wide = try DatabaseCopy(of: store, limits: limits).rows(of: "wide")
            #expect(wide.rows.count == 10 && wide.hasMore)
            #expect(wide.rows.first == [.blob([UInt8](repeating: 0, count: 50), size: 1_000)])
            #expect(try copy.rowCount(of: "t", limit: 250) == RowCount(count: 250, isExact: false))
            #expect(try copy.rowCount(of: "t") == RowCount(count: 250, isExact: true))
        }
    }

    @Test("A long text is truncated after a complete character, and keeps its size")
    func truncated() throws {
        try withScratch { folder throws in
            let recipe = DatabaseRecipe([
                "CREATE TABLE t(a)", "INSERT INTO t VALUES('aaaaaaa\u{e9}\u{e9}\u{e9}'), (CAST(x'61ff' AS TEXT))",
            ])
            var limits = DatabaseLimits()
            limits.valueBytes = 8
            let copy = try DatabaseCopy(of: try write(recipe.files(), in: folder), limits: limits)
            #expect(
                try copy.rows(of: "t").rows == [[.text("aaaaaaa", size: 13)], [.text("a\u{fffd}", size: 2)]])
        }
    }

    @Test(
        "A table of a module, an index, a trigger and an unknown name have no rows",
        arguments: [
            "search", "user_name", "t", "missing", "", "user; DROP TABLE user",
        ])
    func noRows(name: String) throws {
        try withScratch { folder throws in
            let copy = try DatabaseCopy(of: try write(Self.recipe.files(), in: folder))
            let error = #expect(throws: DatabaseReadError.self) { try copy.rows(of: name) }
            #expect(error?.code == .notUnderstood)
            #expect(try copy.rows(of: "odd \" name").columns == ["a", "b"])
        }
    }

    @Test(
        "A view that never ends, needs much memory or compares long texts is stopped; tables remain readable",
        arguments: [
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n WHERE i = 2",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT zeroblob(100000) || i AS b FROM n ORDER BY b",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT instr(hex(zeroblob(120000)), hex(zeroblob(60000)) || i) AS b FROM n WHERE b > 0
            """,
        ])
    func endlessViews(query: String) throws {
        try withScratch { folder throws in
            let recipe = DatabaseRecipe([
                "CREATE TABLE t(a)", "INSERT INTO t VALUES(1)", "CREATE VIEW v AS \(query)",
            ])
            var limits = DatabaseLimits()
            (limits.querySeconds, limits.queryMemory) = (1, 64 << 20)
            let copy = try DatabaseCopy(of: try write(recipe.files(), in: folder), limits: limits)
            let start = ContinuousClock.now
            #expect(throws: DatabaseReadError(.tooSlow)) { try copy.rows(of: "v") }
            #expect(throws: DatabaseReadError(.tooSlow)) { try copy.rowCount(of: "v") }
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(try copy.rows(of: "t").rows == [[.integer(1)]])
        }
    }

    @Test("A schema with values of wrong types is damage", .needs(.externalProgram))
    func wrongTypes() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "a.sqlite")
            _ = try sqlite(
                path,
                """
                CREATE TABLE t(a); INSERT INTO t VALUES(1); CREATE VIEW v AS SELECT * FROM t;
                PRAGMA writable_schema = ON; UPDATE sqlite_master SET tbl_name = x'ff00' WHERE name = 'v';
                """)
            let store = try write([:], in: folder)
            let error = #expect(throws: DatabaseReadError.self) { try DatabaseCopy(of: store).schema() }
            #expect(error?.code == .damaged)
        }
    }
}
