import Foundation
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
