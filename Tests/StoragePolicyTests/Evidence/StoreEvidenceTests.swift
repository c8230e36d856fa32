import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("StoreEvidence") struct StoreEvidenceTests {
    @Test(
        "Columns of server responses are evidence for, and columns of user input are evidence against",
        arguments: [
            ("etag TEXT, body", ["server-columns"]), ("fetchedAt, body", ["server-columns"]),
            ("url, lastChecked REAL, statusCode INTEGER", ["server-columns"]),
            ("zoom_level, tile_column, tile_row, tile_data", ["server-columns"]),
            ("is_dirty, body", ["user-columns"]), ("ZISFAVORITE, ZTITLE", ["user-columns"]),
            ("draftText, expiry", ["user-columns"]), ("title, body", []),
        ])
    func columns(columns: String, expected: [String]) throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/x.txt")
            let path = fixture.folder.appending(path: "Documents/store.sqlite").path
            try executeSQL("CREATE TABLE t(\(columns))", in: path)
            let pieces = try #require(try fixture.evidence()["Documents/store.sqlite"])
            #expect(pieces.keys.filter { $0.hasSuffix("-columns") }.sorted() == expected)
        }
    }

    @Test(
        "A table of the user outweighs mirrors of server data, which must be half of the tables",
        arguments: [
            (["cached_pals": ["cached_at"], "messages": ["author", "text"]], "user-columns", "messages"),
            (["feed": ["etag"], "icons": ["url", "expires"]], "server-columns", "etag"),
            (
                ["feed": ["etag"], "grdb_migrations": ["identifier"], "Z_METADATA": ["Z_UUID"]], "server-columns",
                "etag"
            ),
            (["feed": ["etag"], "a": ["x"], "b": ["y"]], nil, nil),
            (["errors": ["date", "functionName", "lineNumber", "errorMessage"]], "log-columns", "functionName"),
            (["lines": ["level", "message", "timestamp", "file"]], "log-columns", "level"),
            // Levels of a game, and messages of people.
            (["turns": ["level", "message", "timestamp"]], nil, nil),
            (["messages": ["level", "text", "date", "file"]], "user-columns", "messages"),
            (
                ["t_segdir": ["level", "idx"], "t_segments": ["blockid", "block"], "t_docsize": ["docid", "size"]],
                "text-index", "t"
            ),
            (["t_segdir": ["level"], "t_segments": ["block"], "t_content": ["docid", "c0text"]], nil, nil),
            (
                ["n_data": ["id", "block"], "n_idx": ["segid", "term", "pgno"], "n_config": ["k", "v"]], "text-index",
                "n"
            ),
        ] as [([String: [String]], String?, String?)])
    func tables(tables: [String: [String]], kind: String?, detail: String?) {
        let evidence = StoreEvidence()
        evidence.add(SchemaEvidence(tables).pieces, at: [1])
        let pieces = evidence.removeAll().pieces[[1]] ?? []
        #expect(pieces.map(\.id) == [kind].compactMap(\.self) && pieces.first?.detail == detail, "\(pieces)")
    }

    @Test(
        "JSON in the tables of a database says whose it is, also where it is long",
        arguments: [
            (["a(key, value)"], 1, #"[{"repliesCount": 3, "favouritesCount": 12}]"#, "server-entries"),
            (["a(key, value)"], 100_000, #"[{"repliesCount": 3, "favouritesCount": 12}]"#, "server-entries"),
            (["a(id, reply)", "b(id, reply)"], 1, #"{"etag": "x"}"#, "server-entries"),
            (["a(id, reply)", "b(id, n)"], 1, #"{"etag": "x"}"#, nil),
            (["a(id, reply)", "b(id, reply)"], 1, #"{"draft": "not sent"}"#, "user-fields"),
            (["a(url, title)"], 1, "Bread", nil),
        ] as [([String], Int, String, String?)])
    func json(tables: [String], length: Int, json: String, expected: String?) throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/x.txt")
            let path = fixture.folder.appending(path: "Documents/store.sqlite").path
            for table in tables {
                let value = table.hasSuffix("n)") ? "7" : "'\(json)' || printf('%.*c', \(length), ' ')"
                let name = table.prefix { $0 != "(" }
                try executeSQL("CREATE TABLE \(table); INSERT INTO \(name) VALUES (1, \(value))", in: path)
            }
            let pieces = try #require(try fixture.evidence()["Documents/store.sqlite"])
            let kinds = ["server-entries", "server-fields", "user-fields", "public-records"]
            #expect(pieces.keys.filter(kinds.contains) == [expected].compactMap(\.self))
        }
    }

    @Test("A log beside a database does not hide the evidence on it, and has the verdict of the database")
    func log() throws {
        try withEvidence { fixture throws in
            let path = fixture.folder.appending(path: "Library/Application Support/app/feed.sqlite").path
            try fixture.write("Library/Application Support/app/feed.sqlite-wal", text: "")
            try executeSQL("CREATE TABLE t(etag TEXT, fetchedAt TEXT, body)", in: path)
            let evidence = try fixture.evidence()
            let own = try #require(evidence["Library/Application Support/app/feed.sqlite"])
            #expect(own.keys.contains("server-columns"))
            let classes = try Linter(catalogue: .embedded()).classes(in: fixture.container)
            let verdicts = ["feed.sqlite", "feed.sqlite-wal"].map {
                classes[Array("Library/Application Support/app/\($0)".utf8)]
            }
            #expect(verdicts[0]?.itemClass == verdicts[1]?.itemClass)
            #expect(verdicts[1]?.reason.contains("feed.sqlite") == true)
        }
    }

    @Test(
        "A part is found by its path, and a part of a part is none",
        arguments: [
            ("a/x.db-wal", ["a/x.db"]), ("a/x.db-wal-wal", []), ("-wal", []), ("x.realm.lock", ["x.realm"]),
            ("x.lock", []), ("x.realm.management/mx", ["x.realm"]), ("a/._SUPPORT/_EXTERNAL_DATA/1", []),
        ])
    func part(path: String, databases: [String]) {
        #expect(OwningDatabase.paths(ofPart: Array(path.utf8)) == databases.map { Array($0.utf8) })
    }

    @Test("External data of a database has its class, and is undecided where the database is")
    func external() throws {
        try withEvidence { fixture throws in
            let folder = "Library/Application Support/app"
            let file = "\(folder)/.model_SUPPORT/_EXTERNAL_DATA/7C9E6679-7425-40DE-944B-E07FC1F90AE7"
            try fixture.write(file, text: "1234567890")
            try executeSQL("CREATE TABLE t(a)", in: fixture.folder.appending(path: "\(folder)/model.store").path)
            func report(_ configuration: String) throws -> (verdict: ItemVerdict?, undecided: UInt64) {
                let linter = try Linter(
                    catalogue: .embedded(), configuration: Configuration(file: ".sandboxlint.yml", text: configuration))
                return (
                    try linter.classes(in: fixture.container)[Array(file.utf8)],
                    try linter.lintReportingEach(fixture.container) { _ in }.undecidedBackedUpBytes
                )
            }
            let plain = try report("")
            #expect(plain.verdict?.itemClass == .undecided && plain.undecided >= 10)
            let declared = try report("user-data: [\"**/model.store\"]")
            #expect(declared.verdict?.itemClass == .userData && declared.undecided == 0)
        }
    }

    @Test("Above the limit, the first databases by path are kept, in any order of arrival")
    func bounded() {
        func kept(_ order: [Int]) -> ([[UInt8]], Bool) {
            let evidence = StoreEvidence(limit: 10)
            for number in order { evidence.add(SchemaEvidence(["t": ["etag"]]).pieces, at: Array("\(number)".utf8)) }
            let (pieces, isFull) = evidence.removeAll()
            return (pieces.keys.sorted { $0.lexicographicallyPrecedes($1) }, isFull)
        }
        let numbers = Array(100..<150)
        let (expected, isFull) = kept(numbers)
        #expect(isFull && expected == (100..<110).map { Array("\($0)".utf8) })
        #expect(kept(numbers.shuffled()).0 == expected)
        #expect(!kept(Array(100..<110)).1)
    }
}
