@testable import DatabaseInspection
import Foundation
import TestSupport
import Testing

@Suite("Copies of databases in memory") struct DatabaseImageTests {
    private static let statements = [
        "CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT)", "CREATE INDEX bodies ON note(body)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
            + "INSERT INTO note SELECT i, 'text ' || i FROM n",
    ]

    /// Returns what can be read of a database, or the kind of the error.
    private func content(_ open: () throws -> DatabaseCopy) -> String {
        do {
            let copy = try open()
            let problems = (try? copy.problems()).map { "\($0)" } ?? "unchecked"
            return "\((try? copy.texts()) ?? ["unreadable"]) \(problems)"
        } catch { return (error as? DatabaseReadError)?.code.rawValue ?? "\(error)" }
    }

    private func expectEqualContent(_ bytes: [UInt8], _ comment: String) throws {
        try withScratch { folder throws in
            let source = try write([.main: bytes], in: folder)
            let inMemory = content { try DatabaseCopy(of: source) }
            let inFile = content {
                try DatabaseCopy { path in try Data(bytes).write(to: URL(fileURLWithPath: path)) }
            }
            #expect(inMemory == inFile, "\(comment)")
        }
    }

    @Test(
        "A copy in memory has the content and the problems of a copy in a file, of sound and of damaged databases",
        arguments: ["delete", "wal"])
    func equal(mode: String) throws {
        var bytes = try #require(try DatabaseRecipe(Self.statements).files()[.main])
        if mode == "wal" { bytes.replaceSubrange(18...19, with: [2, 2]) }
        try expectEqualContent(bytes, "sound")
        for part in 0..<24 { try expectEqualContent(Array(bytes.prefix(bytes.count * part / 24)), "part \(part)") }
        var generator = SeededNumbers(seed: 7)
        for _ in 0..<60 {
            var damaged = bytes
            let position = Int.random(in: 0..<bytes.count, using: &generator)
            damaged[position] = UInt8.random(in: 0...255, using: &generator)
            try expectEqualContent(damaged, "byte \(position) is \(damaged[position])")
        }
    }

    @Test("A small database without a log is read in memory, and another one is not")
    func memory() throws {
        #if os(Linux)
        func image(_ database: FolderDatabase, limit: UInt64 = .max) -> DatabaseImage? {
            DatabaseImage(of: database, limit: limit)
        }
        try withScratch { folder throws in
            let small = try DatabaseRecipe(Self.statements).files()
            let database = try write(small, as: "small", in: folder)
            #expect(image(database) != nil && image(database, limit: 1_024) == nil)
            #expect(image(try write([.main: small[.main] ?? [], .log: []], as: "rest", in: folder)) != nil)
            let logged = try DatabaseRecipe(Self.statements, logged: ["DELETE FROM note"]).files()
            #expect(image(try write(logged, as: "logged", in: folder)) == nil)
            let large = (small[.main] ?? []) + [UInt8](repeating: 0, count: 4 << 20)
            #expect(image(try write([.main: large], as: "large", in: folder)) == nil)
            #expect(image(try write([:], as: "missing", in: folder)) == nil)
        }
        #endif
    }
}
