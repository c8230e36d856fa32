import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("Files that are named like hashes") struct HashNamedFilesTests {
    /// Layouts in which the user's only copy of a file is named like a hash: a directory, an extension, and the digits of the
    /// names.
    static let layouts = [
        ("Documents/Receipts", ".pdf", "%PDF-1.7 receipt ", 32),
        ("Documents/Scans", ".jpg", "\u{ff}\u{d8}\u{ff} scan ", 64),
        ("Documents/Vault", "", "photo ", 32), ("Documents/Cache/Vault", ".heic", "photo ", 40),
        ("Documents/Games", ".gba", "cartridge ", 32), ("Documents/Saves", ".sav", "saved game ", 32),
        ("Documents/Books", ".epub", "PK imported book ", 32),
    ]

    /// Ten files of a layout; names and contents differ.
    private func withFiles(
        _ layout: (directory: String, suffix: String, content: String, digits: Int), _ body: (URL) throws -> Void
    ) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            _ = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            let directory = path.appending(path: layout.directory)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            for number in 0..<10 {
                var digits = ""
                var state = UInt64(number + 1)
                while digits.count < layout.digits {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    digits += String(state >> 60, radix: 16)
                }
                let file = directory.appending(path: digits + layout.suffix)
                try Data("\(layout.content)\(number)".utf8).write(to: file)
            }
            try body(path)
        }
    }

    @Test("are not reported, and no fix touches them", arguments: layouts)
    func silence(layout: (String, String, String, Int)) throws {
        try withFiles(layout) { path throws in
            let lint = try sandboxlint("lint", path.path, "--isolated", "--format", "json").output
            let report = try #require(try JSONSerialization.jsonObject(with: lint) as? [String: Any])
            let findings = try #require(report["findings"] as? [[String: Any]]).filter {
                ($0["path"] as? String)?.hasPrefix(layout.0) == true
            }
            let found = findings.map { "\($0["severity"] ?? "") \($0["rule"] ?? "")" }
            // Another rule reports a directory named Cache, and its fix needs --unsafe.
            #expect(findings.allSatisfy { $0["path"] as? String == "Documents/Cache" }, "\(found)")

            let before = try TreeListing(of: path)
            let fix = try sandboxlint("fix", path.path, "--isolated", "--format", "json", "--fail-on", "never")
            let outcome = try #require(try JSONSerialization.jsonObject(with: fix.output) as? [String: Any])
            let changes = try #require(outcome["changes"] as? [[String: Any]])
            #expect(outcome["done"] as? Bool == false)
            #expect(!changes.contains { $0["outcome"] as? String == "planned" }, "\(fix.text)")
            #expect(try TreeListing(of: path).differences(from: before) == [])
        }
    }

    @Test(
        "are excluded by a fix if the configuration declares that they are re-downloadable, with consent"
    )
    func proven() throws {
        try withFiles(Self.layouts[0]) { path throws in
            try Data("downloaded: ['Documents/Receipts/**']\n".utf8).write(
                to: path.appending(path: "../.sandboxlint.yml"))
            let lint = try sandboxlint("lint", path.path, "--format", "compact")
            #expect(lint.code == 1 && lint.text.contains("[regenerable-in-documents]\n"), "\(lint.text)")
            // A pattern may match more than its author thought of.
            let asking = try sandboxlint("fix", path.path, "--diff")
            #expect(asking.text.contains("unsafe  ~ exclude from backup: Documents/Receipts"), "\(asking.text)")
            let fix = try sandboxlint("fix", path.path, "--unsafe")
            #expect(fix.code == 0 && fix.text.contains("~ exclude from backup: Documents/Receipts "), "\(fix.text)")
        }
    }
}
