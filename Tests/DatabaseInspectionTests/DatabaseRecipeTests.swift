@testable import DatabaseInspection
import Foundation
import TestSupport
import Testing

@Suite("Databases that statements create", .timeLimit(.minutes(60))) struct DatabaseRecipeTests {
    @Test(
        "A statement that accesses another file is refused",
        arguments: [
            "ATTACH ':memory:' AS a", "ATTACH '' || '/tmp/x' AS a", "VACUUM", "VACUUM INTO '/tmp/x'", "DETACH main",
            "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple', x'00')",
            "PRAGMA temp_store_directory = '/tmp'",
            "PRAGMA writable_schema = ON", "PRAGMA mmap_size = 1", "CREATE VIRTUAL TABLE t USING dbstat",
        ])
    func refused(statement: String) throws {
        for recipe in [
            DatabaseRecipe([statement]), DatabaseRecipe(["CREATE TABLE t(a)"], logged: [statement]),
            DatabaseRecipe(["CREATE TABLE t(a)"], unfinished: [statement]),
        ] {
            let error = #expect(throws: DatabaseReadError.self) { try recipe.files() }
            #expect([.refused, .notUnderstood].contains(error?.code), "\(String(describing: error))")
        }
    }

    @Test("Statements are stopped when their total time is over", .timeLimit(.minutes(60)))
    func endless() {
        let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
        let started = ContinuousClock.now
        let error = #expect(throws: DatabaseReadError.self) {
            try DatabaseRecipe([endless, endless]).files(seconds: 0.5)
        }
        #expect(error?.code == .tooSlow)
        #expect(ContinuousClock.now - started < .seconds(20))
    }

    @Test("The features that an app's database needs are available: search, R-trees, a log, and settings of the file")
    func ordinary() throws {
        let files = try DatabaseRecipe(
            [
                "PRAGMA page_size = 1024", "PRAGMA user_version = 7", "CREATE VIRTUAL TABLE notes USING fts5(body)",
                "INSERT INTO notes VALUES('a draft')", "CREATE VIRTUAL TABLE places USING rtree(id, x0, x1)",
                "CREATE VIRTUAL TABLE old USING fts4(body)", "CREATE TABLE t(a)",
            ], logged: ["INSERT INTO t VALUES(1)"]
        ).files()
        #expect(files[.main]?.isEmpty == false && files[.log]?.isEmpty == false)
    }
}
