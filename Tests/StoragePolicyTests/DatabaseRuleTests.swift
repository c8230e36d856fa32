import AppContainer
import DatabaseInspection
import FileSystem
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
import PropertyLists
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Rules about databases") struct DatabaseRuleTests {
    private func withContainer(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            try body(
                try Container.create(
                    at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app"))
        }
    }

    private func lint(_ container: Container, _ rules: String..., threads: Int = 2) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: rules, ignore: [])
        return try Linter(catalogue: catalogue, now: ExampleRun.now, threads: threads).lint(container)
    }

    private func write(_ files: [DatabaseFile: [UInt8]], to path: String, in container: Container) throws {
        let url = URL(fileURLWithPath: container.location.string).appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        for (file, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: url.path + file.rawValue)) }
    }

    /// Every file with its bytes, its dates and its inode.
    private func look(at container: Container) throws -> [String] {
        let root = URL(fileURLWithPath: container.location.string)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted().map { name in
            let path = root.appending(path: name).path
            let status = try FileManager.default.attributesOfItem(atPath: path)
            let content = try? Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
            return "\(name) \(status[.modificationDate] ?? "") \(status[.systemFileNumber] ?? "") \(content ?? "")"
        }
    }

    @Test("A database that the app protects completely is reported, one protected until the first unlock is not")
    func protection() throws {
        try withContainer { container throws in
            let files = try DatabaseRecipe(["create table t(a)"]).files()
            for (name, protection) in [("a", FileProtection.complete), ("b", .completeUntilFirstUserAuthentication)] {
                try write(files, to: "Documents/\(name).sqlite", in: container)
                try container.setProtection(protection, of: .documents / "\(name).sqlite")
            }
            let report = try lint(container, "protection-complete-on-store")
            #expect(report.findings.map(\.displayPath) == ["Documents/a.sqlite"])
        }
    }

    @Test(
        "A log of another database is the only finding about a database, also if SQLite finds damage or the log is large"
    )
    func foreignLog() throws {
        try withContainer { container throws in
            let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
            let film = ["CREATE TABLE film(a)", "\(rows) INSERT INTO film SELECT zeroblob(900) FROM n"]
            let recipes = [
                DatabaseRecipe([], logged: film, replacement: film + ["CREATE TABLE review(a)"]),
                DatabaseRecipe(
                    film, logged: ["UPDATE film SET a = zeroblob(800) WHERE rowid > 150"],
                    replacement: ["CREATE TABLE other(a)", "\(rows) INSERT INTO other SELECT zeroblob(1400) FROM n"]),
            ]
            for (name, recipe) in zip(["gone", "mixed"], recipes) {
                var files = try recipe.files()
                // SQLite ignores what follows the last transaction.
                files[.log]?.append(contentsOf: [UInt8](repeating: 0, count: 17 << 20))
                try write(files, to: "Documents/\(name).sqlite", in: container)
            }
            let before = try look(at: container)
            let report = try lint(
                container, "foreign-wal", "sqlite-corrupt", "hot-journal", "orphan-wal", "wal-oversize",
                "large-file-in-backup")
            #expect(report.findings.map(\.displayPath) == ["Documents/gone.sqlite", "Documents/mixed.sqlite"])
            #expect(report.findings.allSatisfy { $0.rule.id == "foreign-wal" && $0.severity == .error })
            #expect(report.incidents.isEmpty)
            #expect(try look(at: container) == before)
        }
    }

    @Test("Evaluating all rules changes nothing in a container of databases")
    func untouched() throws {
        try withContainer { container throws in
            let logged = DatabaseRecipe(["CREATE TABLE notes(a TEXT)"], logged: ["INSERT INTO notes VALUES('x')"])
            let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
            let unfinished = DatabaseRecipe(
                ["CREATE TABLE t(a, b)", "\(rows) INSERT INTO t SELECT i, zeroblob(900) FROM n"],
                unfinished: ["UPDATE t SET a = 0"])
            for (path, recipe) in [
                ("Library/Caches/main.sqlite", logged), ("Documents/a.db", logged), ("Documents/b.db", unfinished),
            ] {
                try write(try recipe.files(), to: path, in: container)
            }
            let before = try look(at: container)
            let report = try lint(container, "database", "loss", "layout", "privacy", "backup")
            #expect(report.isComplete && report.findings.contains { $0.rule.id == "user-store-in-caches" })
            #expect(try look(at: container) == before)
        }
    }

    @Test("A credential is reported by its kind and length, and its value is not in the report")
    func credentials() throws {
        try withContainer { container throws in
            let token = "example-token-of-no-value"
            let request = PropertyList.dictionary([
                ("Array", .array([.string("GET"), .dictionary([("authorization", .string("Bearer \(token)"))])]))
            ])
            let hex = try request.binary().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let store = DatabaseRecipe([
                "CREATE TABLE cfurl_cache_blob_data(entry_ID INTEGER PRIMARY KEY, request_object BLOB)",
                "INSERT INTO cfurl_cache_blob_data(request_object) VALUES(x'\(hex)')",
            ])
            try write(try store.files(), to: "Library/Caches/com.example.app/Cache.db", in: container)
            let report = try lint(container, "credential-in-url-cache")
            let finding = try #require(report.findings.first)
            #expect(finding.message == "“Cache.db” contains the header Authorization (Bearer, 25 bytes)")
            #expect(!finding.evidence.contains { $0.value.contains(token) })
        }
    }

    @Test("The message about a damaged database is one line without the name that SQLite gives the database")
    func damagedFreelist() throws {
        try withContainer { container throws in
            var files = try DatabaseRecipe(["CREATE TABLE note(body)"]).files()
            // The number of free pages.
            files[.main]?.replaceSubrange(36..<40, with: [0, 0, 0, 5])
            try write(files, to: "Documents/notes.sqlite", in: container)
            let finding = try #require(try lint(container, "sqlite-corrupt").findings.first)
            let text = ([finding.message] + finding.evidence.map(\.value)).joined(separator: "; ")
            #expect(text.contains("reelist") && !text.contains("%0A") && !text.contains("***"), "\(text)")
        }
    }

    @Test("A database above the size limit, and one whose journal names other files, are reported as not read")
    func leftOut() throws {
        try withContainer { container throws in
            let files = try DatabaseRecipe(["CREATE TABLE t(a)"]).files()
            try write(files, to: "Documents/large.sqlite", in: container)
            let large = container.location.appending("Documents/large.sqlite").string
            #expect(truncate(large, 257 << 20) == 0)
            var shared = files
            shared[.journal] = [UInt8](repeating: 1, count: 512) + [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
            try write(shared, to: "Documents/shared.sqlite", in: container)
            let report = try lint(container, "sqlite-corrupt")
            #expect(report.findings.isEmpty)
            #expect(
                report.incidents.map { "\($0.displayPath): \($0.reason.rawValue)" } == [
                    "Documents/large.sqlite: larger-than-256-mebibytes",
                    "Documents/shared.sqlite: part-of-a-larger-transaction",
                ])
        }
    }

    @Test("External files have the same findings in any order", arguments: [1, 4])
    func externalData(threads: Int) throws {
        try withContainer { container throws in
            let names = (0..<20).map { _ in UUID().uuidString }
            let inserts = names.prefix(10).map { name in
                "INSERT INTO ZPHOTO(ZDATA) VALUES(CAST(char(2) || '\(name)' || char(0) AS BLOB))"
            }
            let store = DatabaseRecipe(["CREATE TABLE ZPHOTO(Z_PK INTEGER PRIMARY KEY, ZDATA BLOB)"] + inserts)
            try write(try store.files(), to: "Documents/Model.sqlite", in: container)
            for name in names.dropFirst() {
                let path = "Documents/.Model_SUPPORT/_EXTERNAL_DATA/\(name)"
                try write([.main: [1]], to: path, in: container)
                let long = Timestamp(seconds: ExampleRun.now - 86_400)
                try container.folder.setTimes(FilePath(path), accessed: long, modified: long)
            }
            let report = try lint(
                container, "coredata-support-orphan", "coredata-external-garbage", threads: threads)
            #expect(report.findings.count { $0.rule.id == "coredata-external-garbage" } == 10)
            let orphan = try #require(report.findings.first { $0.rule.id == "coredata-support-orphan" })
            #expect(orphan.message == "“Model.sqlite” refers to external files that do not exist: 1 of 10")
        }
    }

    @Test("The entropy of noise, text and empty data is correct")
    func entropy() {
        #expect(EntropyFact.entropy(of: (0..<65_536).map { UInt8($0 & 255) }) == 8)
        #expect(EntropyFact.entropy(of: [UInt8](repeating: 7, count: 5_000)) == 0)
        #expect(EntropyFact.entropy(of: [0, 1, 0, 1]) == 1)
    }

    @Test("An impossible page count causes no finding and no trap")
    func hostileHeader() throws {
        try withContainer { container throws in
            var header = try #require(try DatabaseRecipe(["CREATE TABLE t(a)"]).files()[.main])
            header.replaceSubrange(28..<40, with: [UInt8](repeating: 0xff, count: 12))
            header.replaceSubrange(92..<96, with: header[24..<28])
            header += [UInt8](repeating: 0, count: 11 << 20)
            try write([.main: header], to: "Documents/a.sqlite", in: container)
            #expect(try lint(container, "sqlite-bloat").findings.isEmpty)
        }
    }
}
