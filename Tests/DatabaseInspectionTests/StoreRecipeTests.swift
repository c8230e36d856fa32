@testable import DatabaseInspection
import Foundation
import TestSupport
import Testing

@Suite("Stores that are made from statements") struct StoreRecipeTests {
    @Test(
        "A statement that reaches beyond its own store is refused",
        arguments: [
            "ATTACH ':memory:' AS a", "ATTACH '' || '/tmp/x' AS a", "VACUUM", "VACUUM INTO '/tmp/x'", "DETACH main",
            "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple', x'00')",
            "PRAGMA temp_store_directory = '/tmp'",
            "PRAGMA writable_schema = ON", "PRAGMA mmap_size = 1", "CREATE VIRTUAL TABLE t USING dbstat",
        ])
    func refused(statement: String) throws {
        for recipe in [
            StoreRecipe([statement]), StoreRecipe(["CREATE TABLE t(a)"], logged: [statement]),
            StoreRecipe(["CREATE TABLE t(a)"], unfinished: [statement]),
        ] {
            let error = #expect(throws: StoreError.self) { try recipe.files() }
            #expect([.refused, .notUnderstood].contains(error?.code), "\(String(describing: error))")
        }
    }

    @Test("Statements end when their time is over, together", .timeLimit(.minutes(1)))
    func endless() {
        let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
        let started = ContinuousClock.now
        let error = #expect(throws: StoreError.self) { try StoreRecipe([endless, endless]).files(seconds: 0.5) }
        #expect(error?.code == .tooSlow)
        #expect(ContinuousClock.now - started < .seconds(20))
    }

    @Test("What an app's store needs is there: search, trees, a log, and settings of the file")
    func ordinary() throws {
        let files = try StoreRecipe(
            [
                "PRAGMA page_size = 1024", "PRAGMA user_version = 7", "CREATE VIRTUAL TABLE notes USING fts5(body)",
                "INSERT INTO notes VALUES('a draft')", "CREATE VIRTUAL TABLE places USING rtree(id, x0, x1)",
                "CREATE VIRTUAL TABLE old USING fts4(body)", "CREATE TABLE t(a)",
            ], logged: ["INSERT INTO t VALUES(1)"]
        ).files()
        #expect(files[.main]?.isEmpty == false && files[.log]?.isEmpty == false)
    }
}
