import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A secret in a file", .timeLimit(.minutes(60))) struct SecretPlacesTests {
    private static let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"
    private static let password = "Zk3mT9qLx7Pw2Rv8Yn4B"

    /// Lints a container with one file, and returns the lines about secrets.
    private func findings(_ path: String, _ content: Data) throws -> [String] {
        try withScratch { folder throws in
            for name in ["Documents", "Library", "tmp"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "c/\(name)"), withIntermediateDirectories: true)
            }
            let file = folder.appending(path: "c/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: file)
            let run = try sandboxlint(["lint", "c", "--isolated", "--format", "compact"], in: folder)
            #expect(run.code < 2, "\(run.errors)")
            #expect(!run.text.contains(Self.token) && !run.text.contains(Self.password))
            return run.text.split(separator: "\n").map(String.init).filter { $0.contains("[secret-in-backed-up-file]") }
        }
    }

    @Test(
        "is found in logs, texts, settings, files of credentials and XML, and its key is named",
        arguments: [
            ("Documents/a.log", "2026-11-02 GET /x Authorization: Bearer \(token)\n", "raw bytes"),
            ("Documents/a.txt", token, "raw bytes"), ("Documents/notes.md", "the key is \(token)", "raw bytes"),
            ("Documents/.netrc", "machine example.com login u password \(password)\n", "line 1/password"),
            (
                "Documents/.npmrc", "//registry.npmjs.org/:_authToken=npm_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s",
                "line 1/"
            ),
            ("Documents/.git-credentials", "https://u:\(password)@github.com\n", "line 1/"),
            (
                "Documents/credentials", "[default]\naws_secret_access_key = \(password)\(password)\n",
                "line 2/aws_secret"
            ),
            ("Documents/a.xml", "<?xml version=\"1.0\"?>\n<c><token>\(password)</token></c>", "line 2/token"),
            ("Documents/b.xml", "<c><user password=\"\(password)\"/></c>", "line 1/password"),
            ("Documents/a.yml", "server:\n  api_key: \"\(password)\"\n", "line 2/api_key"),
            ("Documents/k.json", "{\"\(token)\": true}", "raw bytes"),
            ("Documents/l.json", "{\"\(token)\": true, \"name\": \"reader\"}", "raw bytes"),
            ("Documents/deep.json", "{\"a\": [{\"b\": {\"password\": \"\(password)\"}}]}", "/a/0/b/password"),
        ])
    func places(path: String, content: String, key: String) throws {
        let lines = try findings(path, Data(content.utf8))
        #expect(lines.count == 1 && lines[0].contains(key), "\(lines)")
    }

    @Test(
        "is not what only looks like one",
        arguments: [
            (
                "Documents/a.log",
                "Authorization: Bearer <token>\nsee https://example.com/a@b:c\nsk-learn, hf_hub, key-value"
            ),
            ("Documents/diary.txt", "{\"access_token\": \"q7Zk2Xv9LpR4tW8sYb3N\"}"),
            ("Documents/a.xml", "<c><author>q7Zk2Xv9LpR4tW8sYb3N</author><token>none</token></c>"),
            ("Documents/hashes.txt", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  file"),
            (
                "Documents/keys.json",
                "{\"key\": \"AIzaSyD4k7Q9x2V8n1LpRtWzYbKc3M5j6F0hGsE\", \"id\": \"AKIAIOSFODNN7EXAMPLE\"}"
            ),
        ])
    func silent(path: String, content: String) throws {
        #expect(try findings(path, Data(content.utf8)) == [])
    }

    @Test(
        "is found across the boundary of two reads, and between bytes that are not UTF-8",
        arguments: [-40, -20, -1, 0, 1])
    func boundary(offset: Int) throws {
        // A window has 256 KiB, and the next one begins 8 KiB before its end.
        for end in [256 << 10, 248 << 10] {
            let content =
                Data(repeating: 0xff, count: end + offset) + Data(Self.token.utf8) + Data(repeating: 0xff, count: 9)
            #expect(try findings("Documents/a.log", content).count == 1)
        }
    }

    @Test("is reported once in a line of a million")
    func many() throws {
        let line = String(repeating: Self.token + " ", count: 1_000_000)
        let lines = try findings("Documents/a.log", Data(line.utf8))
        #expect(lines.count == 1, "\(lines)")
    }

    @Test("in a name does not change the fingerprint, and each file has its own")
    func fingerprints() throws {
        func fingerprints(_ tokens: [String]) throws -> [String] {
            try withScratch { folder throws in
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "c/Library/Preferences"), withIntermediateDirectories: true)
                for token in tokens {
                    try Data("x".utf8).write(to: folder.appending(path: "c/Library/Preferences/com.\(token).plist"))
                }
                let run = try sandboxlint(["lint", "c", "--isolated", "--format", "json"], in: folder)
                let report = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
                let findings = try #require(report?["findings"] as? [[String: Any]])
                return findings.compactMap { $0["fingerprint"] as? String }
            }
        }
        let other = "ghp_" + Self.token.reversed().prefix(36)
        let one = try fingerprints([Self.token])
        #expect(one.count >= 2)
        #expect(try one == fingerprints([other]))
        let both = try fingerprints([Self.token, other])
        #expect(Set(both).count == both.count && Set(both).isSuperset(of: one))
    }
}
