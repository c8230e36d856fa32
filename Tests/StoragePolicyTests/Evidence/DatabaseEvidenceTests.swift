import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("DatabaseEvidence") struct DatabaseEvidenceTests {
    @Test(
        "Columns of server responses are evidence for, and columns of user input are evidence against",
        arguments: [
            ("etag TEXT, body", ["server-columns"]), ("fetchedAt, body", ["server-columns"]),
            ("is_dirty, body", ["user-columns"]),
            ("draftText, expiry", ["server-columns", "user-columns"]), ("title, body", []),
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
            let evidence = DatabaseEvidence(limit: 10)
            for number in order { evidence.add(["t": ["etag"]], at: Array("\(number)".utf8)) }
            let (pieces, isFull) = evidence.take()
            return (pieces.keys.sorted { $0.lexicographicallyPrecedes($1) }, isFull)
        }
        let numbers = Array(100..<150)
        let (expected, isFull) = kept(numbers)
        #expect(isFull && expected == (100..<110).map { Array("\($0)".utf8) })
        #expect(kept(numbers.shuffled()).0 == expected)
        #expect(!kept(Array(100..<110)).1)
    }
}
