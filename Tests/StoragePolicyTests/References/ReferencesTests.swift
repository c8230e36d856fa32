import AppContainer
import DatabaseInspection
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("References to files in the stores of an app") struct ReferencesTests {
    private static let name = "Tägliche „Notiz“ & 1.m4a"

    private func matches(_ bytes: some Sequence<UInt8>, _ names: [String] = [name]) -> [Bool] {
        let search = NameSearch(names.map { Array($0.utf8) })
        var found: [Bool] = []
        Array(bytes).withUnsafeBytes { bytes in search.forEachMatch(in: bytes) { form, _ in found.append(form.isWhole) }
        }
        return found
    }

    private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
        text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    @Test("A name is found in each form in which stores write it, and not in other bytes")
    func forms() throws {
        let (composed, decomposed) = (
            Self.name.precomposedStringWithCanonicalMapping, Self.name.decomposedStringWithCanonicalMapping
        )
        let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."~"))
        let escaped = try #require(
            composed.addingPercentEncoding(withAllowedCharacters: plain.union(CharacterSet(charactersIn: "&.-_"))))
        func inJSON(_ form: String) -> String {
            composed.unicodeScalars.map { $0.isASCII ? String($0) : String(format: form, $0.value) }.joined()
        }
        for bytes in [
            Array(composed.utf8), Array(decomposed.utf8), utf16(composed, isBig: true), utf16(composed, isBig: false),
            utf16(decomposed, isBig: true), Array(escaped.utf8),
            Array(escaped.replacing(/%../) { $0.output.lowercased() }.utf8), Array(inJSON("\\u%04x").utf8),
            Array(inJSON("\\u%04X").utf8), Array(composed.replacing("&", with: "&amp;").utf8),
        ] {
            #expect(matches([1, 2, 3] + bytes + [9]).contains(true), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(matches("Tägliche Notiz 1.m4a, Notiz.m4a".utf8) == [])
        // An identifier without the extension is found as such.
        #expect(matches("32AD3D5D-6D44".utf8, ["32AD3D5D-6D44.mp3"]) == [false])
        #expect(matches("take 1".utf8, ["take 1.mp3"]) == [])
    }

    /// Lints a container with an old recording in tmp.
    private func lint(
        _ name: String = "take 1.m4a", _ fill: (Container, URL) throws -> Void
    ) throws -> (rules: [String: Finding], report: LintReport) {
        try withScratch { scratch throws in
            let folder = scratch.appending(path: "c")
            let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
            try folder.write("recorded", to: "tmp/takes/\(name)")
            try folder.setTimes("2025-01-01", of: "tmp/takes/\(name)")
            try fill(container, folder)
            let report = try Linter(catalogue: .embedded(), now: ExampleRun.now).lint(container)
            let own = report.findings.filter { $0.displayPath.hasPrefix("tmp/takes") }
            return (Dictionary(own.map { ($0.rule.id, $0) }) { first, _ in first }, report)
        }
    }

    private func write(_ recipe: DatabaseRecipe, _ folder: URL) throws {
        try folder.makeDirectories("Library/Application Support/com.example.app")
        for (file, bytes) in try recipe.files() {
            try folder.write(Data(bytes), to: "Library/Application Support/com.example.app/app.db\(file.rawValue)")
        }
    }

    @Test(
        "A live row of a database names a file, also in UTF-16 and in the log",
        arguments: [
            DatabaseRecipe(["CREATE TABLE take (file TEXT)", "INSERT INTO take VALUES ('take 1.m4a')"]),
            DatabaseRecipe([
                "PRAGMA encoding = 'UTF-16be'", "CREATE TABLE take (file TEXT)",
                "INSERT INTO take VALUES ('takes/take 1.m4a')",
            ]),
            DatabaseRecipe(["CREATE TABLE take (file TEXT)"], logged: ["INSERT INTO take VALUES ('take 1.m4a')"]),
            DatabaseRecipe([
                "CREATE TABLE take (json TEXT)", #"INSERT INTO take VALUES ('{"files":["tmp\/takes\/take 1.m4a"]}')"#,
            ]),
        ])
    func named(recipe: DatabaseRecipe) throws {
        let found = try lint { _, folder in try write(recipe, folder) }.rules
        #expect(
            found["user-data-in-tmp"]?.message.contains("named by Library/Application Support") == true, "\(found.keys)"
        )
        #expect(found["stale-tmp"] == nil)
    }

    @Test(
        "A deleted row, the same name in another directory, and a longer name name nothing",
        arguments: [
            DatabaseRecipe([
                "CREATE TABLE take (file TEXT)", "INSERT INTO take VALUES ('take 1.m4a')", "DELETE FROM take",
            ]),
            DatabaseRecipe(["CREATE TABLE take (file TEXT)", "INSERT INTO take VALUES ('songs/take 1.m4a')"]),
            DatabaseRecipe(["CREATE TABLE take (file TEXT)", "INSERT INTO take VALUES ('my take 1.m4a.bak')"]),
        ])
    func unnamed(recipe: DatabaseRecipe) throws {
        let found = try lint { _, folder in try write(recipe, folder) }.rules
        #expect(found["user-data-in-tmp"] == nil && found["stale-tmp"] != nil, "\(found.keys)")
        #expect(found["stale-tmp"]?.fixSafety == .asks)
    }

    @Test("JSON with escapes and a binary property list name a file")
    func texts() throws {
        let json = try lint("täke 1.m4a") { _, folder in
            try folder.makeDirectories("Documents/state")
            try folder.write(#"{"items": [{"path": "tmp/takes/t\u00e4ke 1.m4a"}]}"#, to: "Documents/state/items.json")
        }.rules
        #expect(json["user-data-in-tmp"]?.message.contains("Documents/state/items.json") == true, "\(json.keys)")
        let list = try lint("täke 1.m4a") { _, folder in
            let values = ["recordings": ["täke 1.m4a".decomposedStringWithCanonicalMapping]]
            try folder.write(
                PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0),
                to: "Library/Preferences/com.example.app.plist")
        }.rules
        #expect(list["user-data-in-tmp"]?.message.contains("com.example.app.plist") == true, "\(list.keys)")
    }

    @Test("More old files in tmp than are searched for are reported by their age, and the run says so")
    func many() throws {
        let (found, report) = try lint { _, folder in
            for number in 0..<2_100 {
                try folder.write("", to: "tmp/many/\(number).txt")
                try folder.setTimes("2025-01-01", of: "tmp/many/\(number).txt")
            }
            try folder.write(#"["take 1.m4a"]"#, to: "Documents/items.json")
        }
        #expect(found["user-data-in-tmp"] == nil && found["stale-tmp"] != nil)
        #expect(report.incidents.contains { $0.reason.rawValue == "too-much-to-search" } && report.isComplete)
    }

    @Test("A cached file is deleted without consent only if no store names it, and every store was read")
    func removal() throws {
        let cache = "tmp/CFNetworkDownload_aB3xK9.tmp"
        for (store, safety) in [
            ("[]", RuleFix.Safety.safe), (#"["CFNetworkDownload_aB3xK9.tmp"]"#, .asks), (nil, .asks),
        ] {
            let report = try lint { _, folder in
                try folder.write("spool", to: cache)
                try folder.setTimes("2025-01-01", of: cache)
                // A hole is larger than what is read.
                if let store {
                    try folder.write(store, to: "Documents/items.json")
                } else {
                    try folder.makeHole("Documents/large.db", size: 300 << 20)
                }
            }.report
            let finding = report.findings.first { $0.displayPath == cache && $0.rule.id == "urlsession-spool" }
            #expect(finding?.fixSafety == safety, "\(store ?? "a store that is too large")")
        }
    }

    @Test("Many documents of one directory that are excluded by mistake are one finding")
    func grouped() throws {
        let report = try lint { container, folder in
            for number in 0..<150 { try folder.write("Dear", to: "Documents/letters/\(number).txt") }
            try AttributeTool.set(
                "user.com.apple.metadata:com_apple_backup_excludeItem", to: "1", of: "Documents/letters", in: folder)
        }.report
        let found = report.findings.filter { $0.rule.id == "exclusion-on-user-document" }
        #expect(found.map(\.items) == [150] && found.first?.displayPath == "Documents/letters")
    }
}
