import AppContainer
import FileSystem
import Foundation
@testable import PolicyTexts
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("ContentExtension") struct ContentExtensionTests {
    /// Returns the extension for content.
    private func name(_ bytes: [UInt8]) -> String? {
        ContentExtension.word(for: bytes).map { word in
            String(
                decoding: (0..<8).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }.filter { $0 > 0 },
                as: UTF8.self)
        }
    }

    @Test(
        "The first bytes of each format give its usual extension",
        arguments: [
            ("GGUF\u{3}\0\0\0\u{1}\0\0\0\0\0\0\0", "gguf"), ("lmgg\u{1}\0\0\0\0\0\0\0\0\0\0\0", "gguf"),
            ("\u{40}\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\",\"shape\":[2]}}", "onnx"),
            ("\u{8}\u{7}\u{12}\u{7}pytorch\u{1a}\u{5}1.13.0", "onnx"),
            ("\0\0\0\u{1c}TFL3\0\0\0\0\0\0\0\0\0\0", "tflite"),
            ("{ \"a\": 1 }", "json"), ("[\n  {\"a\": 2}]", "json"), ("bplist00\u{d1}\u{1}\u{2}Qa", "plist"),
            ("\0\0\0\u{18}ftypM4A \0\0\0\0", "m4a"), ("\0\0\0\u{18}ftypheic\0\0\0\0", "heic"),
            ("\0\0\0\u{18}ftypqt  \0\0\0\0", "mov"),
            ("caff\0\u{1}\0\0desc", "caf"), ("fLaC\0\0\0\u{22}", "flac"), ("FORM\0\0\0\u{9}AIFFCOMM", "aiff"),
            ("%PDF-1.7\n", "pdf"),
            ("PK\u{3}\u{4}\u{14}\0\0\0", "zip"),
        ])
    func formats(text: String, word: String) {
        #expect(name(text.unicodeScalars.map { UInt8($0.value) }) == word)
    }

    @Test(
        "Bytes that resemble a format have none",
        arguments: [
            "", "{", "{no: json}", "[note] Buy bread", "\u{8}\u{7}\u{12}\u{5}Pella\u{1a}\u{5}Oswin letters",
            "\u{10}\0\0\0\0\0\0\0{\"a\": 1, \"b\": 2}", "BMW and other cars, a list", "GGU", "plain text of somebody",
        ])
    func others(text: String) { #expect(name(text.unicodeScalars.map { UInt8($0.value) }) == nil) }

    @Test("Python's writers are recognized: SQLite, zip, LMDB", .needs(.externalProgram))
    func written() throws {
        try withScratch { folder throws in
            let code = """
                import lmdb, sqlite3, zipfile, plistlib, json
                sqlite3.connect("sqlite").execute("create table t(a)").connection.commit()
                zipfile.ZipFile("zip", "w").writestr("a", "b")
                lmdb.open("mdb", subdir=False).close()
                open("plist", "wb").write(plistlib.dumps({"a": 1}, fmt=plistlib.FMT_BINARY))
                open("json", "w").write(json.dumps([{"a": None}], indent=2))
                """
            try Command.setUp(try Command.python(), ["-c", code], in: folder)
            for word in ["sqlite", "zip", "mdb", "plist", "json"] {
                let bytes = try Data(contentsOf: folder.appending(path: word)).prefix(ContentExtension.count)
                #expect(name(Array(bytes)) == word)
            }
        }
    }

    @Test("Only files are read whose names and sizes say nothing")
    func open() {
        func isOpen(_ name: String) -> Bool {
            Array(name.utf8).withUnsafeBytes { ContentExtension.isOpen(PathExtension.word(of: $0)) }
        }
        for name in ["notes", "notes.bin", "a.db3", "a.sql", "a.cblite", "b.localstorage", "c.old"] {
            #expect(isOpen(name), "\(name)")
        }
        for name in ["a.json", "a.jpg", "a.m4a", "cards.deck", "a.sqlite", "a.part", "a.tmp"] {
            #expect(!isOpen(name), "\(name)")
        }
    }

    @Test(
        "A database whose name says nothing is a database for rules and evidence, and a document of the app's own format is not"
    )
    func kinds() throws {
        try withEvidence { fixture throws in
            let database = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 1_008)
            for name in ["Downloads/cards.bin", "Downloads/cards", "Downloads/cards.deck"] {
                try fixture.write("Documents/\(name)", Data(database))
            }
            let report = try Linter().lint(fixture.container)
            let paths = report.findings.filter { $0.rule.id == "sqlite-corrupt" }.map(\.displayPath)
            #expect(Set(paths) == ["Documents/Downloads/cards.bin", "Documents/Downloads/cards"])
            let weighed = try #require(
                try Linter().explain("Documents/Downloads/cards", in: fixture.container)?.weighed)
            #expect(weighed.probability <= 0.6)
        }
    }

    @Test("A store of MMKV is a database by the checksum file beside it, and another file with such a companion is not")
    func mmkv() throws {
        try withEvidence { fixture throws in
            for name in ["mmkv.default", "photos.cache2", "other"] {
                try fixture.write("Documents/Cache/\(name)", Data(count: 16_384))
                let checksum = name == "other" ? Data("0a1b2c3d".utf8) : Data(count: 16_384)
                try fixture.write("Documents/Cache/\(name).crc", checksum)
            }
            let linter = try Linter()
            func kind(_ name: String) throws -> [String] {
                let evidence = try fixture.evidence()["Documents/Cache/\(name)"] ?? [:]
                return evidence.keys.filter { $0.hasPrefix("kind-") }
            }
            #expect(try kind("mmkv.default") == ["kind-database"] && kind("photos.cache2") == ["kind-database"])
            #expect(try kind("other") == ["kind-none"])
            #expect(try linter.lint(fixture.container).findings.allSatisfy { $0.rule.id != "key-value-store-damaged" })
        }
    }
}
