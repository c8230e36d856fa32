@testable import DatabaseInspection
import Foundation
import Testing

@Suite("Headers of stores") struct StoreHeaderTests {
    @Test("A header tells pages, free pages and how room is given back, without SQLite")
    func real() throws {
        let files = try StoreRecipe([
            "PRAGMA page_size = 1024", "CREATE TABLE t(a)",
            "INSERT INTO t VALUES(zeroblob(100000))", "DELETE FROM t",
        ]).files()
        let header = try #require(StoreHeader(files[.main] ?? []))
        #expect(header.pageSize == 1_024 && header.pages > 90 && header.freePages > 90)
        #expect(header.vacuum == .none && !header.writesAhead)
    }

    @Test(
        "How pages are given back",
        arguments: [("NONE", StoreHeader.Vacuum.none), ("FULL", .full), ("INCREMENTAL", .incremental)])
    func vacuum(word: String, expected: StoreHeader.Vacuum) throws {
        let files = try StoreRecipe(
            ["PRAGMA auto_vacuum = \(word)", "CREATE TABLE t(a)"], logged: ["INSERT INTO t VALUES(1)"]
        ).files()
        let header = try #require(StoreHeader(files[.main] ?? []))
        #expect(header.vacuum == expected && header.writesAhead)
    }

    @Test("What cannot be a header is none")
    func hostile() throws {
        let good = try #require(try StoreRecipe(["CREATE TABLE t(a)"]).files()[.main])
        #expect(StoreHeader(good) != nil)
        #expect(StoreHeader(Array(good.prefix(99))) == nil)
        for (offset, byte) in [(0, 0x54), (17, 0x01), (16, 0x00), (36, 0xff)] {
            var bad = good
            bad[offset] = UInt8(byte)
            #expect(StoreHeader(bad) == nil, "\(offset)")
        }
    }
}
