@testable import DatabaseInspection
import Foundation
import Testing

@Suite("Headers of databases") struct DatabaseHeaderTests {
    @Test("The header contains the numbers of pages and unused pages and the vacuum mode, without SQLite")
    func real() throws {
        let files = try DatabaseRecipe([
            "PRAGMA page_size = 1024", "CREATE TABLE t(a)",
            "INSERT INTO t VALUES(zeroblob(100000))", "DELETE FROM t",
        ]).files()
        let header = try #require(DatabaseHeader(files[.main] ?? []))
        #expect(header.pageSize == 1_024 && header.pages > 90 && header.freePages > 90)
        #expect(header.vacuum == .none && !header.writesAhead)
    }

    @Test(
        "The vacuum mode",
        arguments: [("NONE", DatabaseHeader.Vacuum.none), ("FULL", .full), ("INCREMENTAL", .incremental)])
    func vacuum(word: String, expected: DatabaseHeader.Vacuum) throws {
        let files = try DatabaseRecipe(
            ["PRAGMA auto_vacuum = \(word)", "CREATE TABLE t(a)"], logged: ["INSERT INTO t VALUES(1)"]
        ).files()
        let header = try #require(DatabaseHeader(files[.main] ?? []))
        #expect(header.vacuum == expected && header.writesAhead)
    }

    @Test("Bytes that are not a header return nil")
    func hostile() throws {
        let good = try #require(try DatabaseRecipe(["CREATE TABLE t(a)"]).files()[.main])
        #expect(DatabaseHeader(good) != nil)
        #expect(DatabaseHeader(Array(good.prefix(99))) == nil)
        for (offset, byte) in [(0, 0x54), (17, 0x01), (16, 0x00), (36, 0xff)] {
            var bad = good
            bad[offset] = UInt8(byte)
            #expect(DatabaseHeader(bad) == nil, "\(offset)")
        }
    }
}
