import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint rules new") struct NewRuleTests {
    /// Creates a container `c` with a file, or with a directory if there is no content.
    private func withItem(_ path: String, _ content: Data?, _ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let container = folder.appending(path: "c")
            for name in ["Documents", "Library/Caches", "Library/Preferences", "tmp"] {
                try FileManager.default.createDirectory(
                    at: container.appending(path: name), withIntermediateDirectories: true)
            }
            let item = container.appending(path: path)
            try FileManager.default.createDirectory(
                at: content == nil ? item : item.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content?.write(to: item)
            try body(folder)
        }
    }

    static let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"

    @Test(
        "A rule made from an item loads, passes its examples, and reports the item",
        arguments: [
            ("Documents/Covers/IMG_0012.JPG", Data([0xff, 0xd8, 0xff, 0xe0, 1]), "Documents/Covers/*\" }"),
            ("Documents/a.txt", Data("text".utf8), "extension: [\"txt\"]"), ("Documents/.hidden", Data(), ".hidden"),
            ("Library/Caches/blob", Data(count: 3 << 20), "size: { at-least: $size }"),
            ("Library/Application Support/com.example.app/v2/db.sqlite", Data("SQLite format 3\0".utf8), "[sqlite]"),
            ("Library/Preferences/x.plist", Data("bplist00".utf8), "in: preferences"),
            ("Library/Other/a.webp", Data("RIFF0000WEBP".utf8), "in: library"), ("root.bin", Data(), "in: root"),
            ("tmp/0f8fad5b-d9cb-469f-a165-70867728950e/part", Data("x".utf8), "tmp/*/part"),
            ("tmp/a[b]{c}*?.x", Data(), "extension: [\"x\"]"), ("tmp/\(token)/\(token).txt", Data(), "tmp/*/*"),
            ("tmp/a\u{202e}b\u{1b}/q\"uote: # x/f", Data(), "tmp/*/q"), ("Documents/Folder", nil, "kind: directory"),
            ("tmp/2026-01-02/3", nil, "tmp/*/*"),
        ] as [(String, Data?, String)])
    func fromItem(path: String, content: Data?, part: String) throws {
        try withItem(path, content) { folder throws in
            let run = try sandboxlint("rules", "new", "my-rule", "--from", "c", path, in: folder)
            #expect(run.code == 0 && run.errors.hasPrefix("wrote rules/my-rule.yml; "), "\(run.errors)")
            let text = try String(contentsOf: folder.appending(path: "rules/my-rule.yml"), encoding: .utf8)
            #expect(text.contains(part), "\(text)")
            #expect(!text.contains(Self.token) && !text.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{1b}" })
            let test = try sandboxlint("rules", "test", "rules", in: folder)
            #expect(
                test.code == 0 && test.text == "4 examples of 1 rule: all passed.\n",
                "\(test.text)\(test.errors)\(text)")
            let lint = try sandboxlint(
                "lint", "c", "--isolated", "--rules", "rules", "--select", "my-rule", "--format", "json", in: folder)
            let report = try JSONSerialization.jsonObject(with: lint.output) as? [String: Any]
            let findings = try #require(report?["findings"] as? [[String: Any]])
            #expect(findings.count == 1 && findings.first?["rule"] as? String == "my-rule", "\(lint.text)\(text)")
        }
    }

    @Test("The file is written to --output or the configured folder, with a free number, and never overwritten")
    func target() throws {
        try withItem("tmp/a.bin", Data()) { folder throws in
            func content(_ path: String) throws -> String {
                try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            }
            #expect(try sandboxlint("rules", "new", "one", in: folder).code == 0)
            try Data("rules-folder: own/rules\n".utf8).write(to: folder.appending(path: ".sandboxlint.yml"))
            #expect(try sandboxlint("rules", "new", "two", in: folder).code == 0)
            #expect(try sandboxlint("rules", "new", "three", in: folder).code == 0)
            #expect(try sandboxlint("rules", "new", "four", "--output", "x/named.yml", in: folder).code == 0)
            #expect(try content("rules/one.yml").contains("\nnumber: 900\n"))
            #expect(try content("own/rules/two.yml").contains("\nnumber: 900\n"))
            #expect(try content("own/rules/three.yml").contains("\nnumber: 901\n"))
            #expect(try content("x/named.yml").contains("\nid: four\n"))
            let text = try content("x/named.yml")
            let again = try sandboxlint("rules", "new", "five", "--output", "x/named.yml", in: folder)
            #expect(again.code == 2 && again.errors.contains("already exists and is unchanged"), "\(again.errors)")
            #expect(try content("x/named.yml") == text)
        }
    }

    @Test(
        "What cannot become a rule is an error that states the reason, and no file is written",
        arguments: [
            ("Upper", [], 2, "is not an id"), ("a/../../b", [], 2, "is not an id"),
            ("stale-tmp", [], 2, "has the id “stale-tmp” already"), ("backup", [], 2, "rule or group has the id"),
            ("my-rule", ["--from", "c"], 2, "takes a container and the path"),
            ("my-rule", ["--from", "c", "tmp/none"], 3, "cannot be read"),
            ("my-rule", ["--from", "c", "../x"], 3, "not an item below"),
            ("my-rule", ["--from", "c", "Documents"], 3, "not an item below"),
            ("my-rule", ["--from", "none", "tmp/a.bin"], 3, "none"),
            ("my-rule", ["--output", "c/tmp", "--from", "c", "tmp/a.bin"], 2, "inside the container"),
        ] as [(String, [String], Int32, String)])
    func refused(id: String, arguments: [String], code: Int32, reason: String) throws {
        try withItem("tmp/a.bin", Data()) { folder throws in
            let before = try TreeListing(of: folder)
            let run = try sandboxlint(["rules", "new", id] + arguments, in: folder)
            #expect(run.code == code && run.errors.contains(reason), "\(run.code) \(run.errors)")
            #expect(try TreeListing(of: folder) == before)
        }
    }
}
