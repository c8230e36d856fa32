import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Every tool gives the same answer to the question whether a backup includes an item")
struct BackupAgreementTests {
    private static let flag = "user.com.apple.metadata:com_apple_backup_excludeItem"

    /// Makes items of every location, kind and mark.
    private static func fill(_ folder: URL) throws {
        try folder.makeDirectories("Documents/Inbox", "Library/Saved Application State", "SystemData", "Empty")
        try folder.write(
            to: "Documents/letter.txt", "Documents/kept/flagged/deep/a.txt", "Documents/flagged.bin",
            "Documents/.appcontainer-staging-0123456789abcdef", "Documents/tmp/a", "Documents/Library/Caches/a",
            "Library/a", "Library/Application Support/com.example.app/store.db", "Library/Caches/com.example.app/a/b",
            "Library/Caches/flagged", "Library/Preferences/com.example.app.plist", "Library/SplashBoard/a.ktx",
            "Library/com.apple.UserManagedAssets.AbCdEf/film.movpkg/a.frag", "Library/Mobile Documents/a/b",
            "StoreKit/receipt", "tmp/a/b", "other/a", "outside.txt")
        try folder.makeLink("Documents/link", to: "letter.txt")
        try createPipe(folder.path + "/Documents/pipe")
        try createPipe(folder.path + "/Library/Caches/pipe")
        for path in ["Documents/kept/flagged", "Documents/flagged.bin", "Library/Caches/flagged"] {
            try AttributeTool.set(flag, to: "x", of: path, in: folder)
        }
        try AttributeTool.set("user.com.apple.MobileBackup", to: "1", of: "Library/Preferences", in: folder)
        try AttributeTool.set("user.xdg.robots.backup", to: "false", of: "Library/a", in: folder)
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("explain, plan and ls agree for every item of an app and of a group", arguments: [false, true])
    func agreement(isGroup: Bool) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c")
            let container = folder.appending(path: "c")
            try Self.fill(container)
            let metadata = ["MCMMetadataIdentifier": isGroup ? "group.com.example.app" : "com.example.app"]
            try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
                .write(to: container.appending(path: ".com.apple.mobile_container_manager.metadata.plist"))

            var planned: [String: String] = [:]
            for line in try sandboxbackup("plan", "c", "--format", "jsonl", in: folder).text.split(separator: "\n") {
                let item = try Self.object(String(line))
                guard let path = item["path"] as? String, let reason = item["reason"] as? String else { continue }
                planned[path] =
                    item["decision"] as? String == "exclude"
                    ? "excluded" : reason == "user-data" ? "included" : "unknown"
            }
            let listed = try Self.object(try sandboxfm("ls", "c", "**", "--json", in: folder).text)
            let items = try #require(listed["items"] as? [[String: Any]])
            #expect(items.count > 45)
            for item in items {
                let path = try #require(item["path"] as? String)
                let state = (item["backup"] as? [String: Any])?["state"] as? String
                // The plan has one item for an excluded directory.
                let plan = Self.ancestors(of: path).compactMap { planned[$0] }.first
                #expect(plan == state, "\(path)")
                let explained = try Self.object(
                    try sandboxlint("explain", "c", path, "--format", "json", "--isolated", in: folder).text)
                let words = ["yes": "included", "no": "excluded", "unknown": "unknown"]
                #expect((explained["backedUp"] as? String).flatMap { words[$0] } == state, "\(path)")
            }
        }
    }

    @Test("The bytes that lint, plan and the map of lint count as included are the same")
    func sums() throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c")
            try Self.fill(folder.appending(path: "c"))
            let lint = try Self.object(
                try sandboxlint("lint", "c", "--format", "json", "--isolated", in: folder).text)
            let plan = try Self.object(try sandboxbackup("plan", "c", "--format", "json", in: folder).text)
            let reasons = (plan["summary"] as? [String: Any])?["reasons"] as? [String: [String: Int]]
            let included = (lint["summary"] as? [String: Any])?["backedUpBytes"] as? Int
            #expect(included == reasons?["user-data"]?["bytes"])
            #expect(reasons?["undocumented"]?["items"] == 3)
        }
    }

    /// Returns a path and the paths of the directories above it, the deepest first.
    private static func ancestors(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        return (0...parts.count).reversed().map { parts.prefix($0).joined(separator: "/") }
    }
}
