import AppContainer
import Foundation
import MobileBackup
import SystemPackage
import TestSupport
import Testing
import ToolSupport

extension InputScene {
    /// Writes a file and its directory.
    fileprivate func write(_ content: Data, to path: String) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: url)
    }

    /// The findings of a rule: container, path, and the evidence of a kind.
    fileprivate func findings(of rule: String, _ kind: String, _ arguments: String...) throws -> [String] {
        let run = try sandboxlint(
            ["lint"] + arguments + ["--now", "2030-01-01", "--format", "json", "--select", rule], in: folder)
        let json = try #require(
            try JSONSerialization.jsonObject(with: run.output) as? [String: Any], "\(run.errors)")
        let inputs = try #require(json["inputs"] as? [[String: Any]])
        return try #require(json["findings"] as? [[String: Any]]).map { finding in
            let input = inputs[try #require(finding["input"] as? Int)]
            let evidence = try #require(finding["evidence"] as? [[String: Any]])
            let value = evidence.first { $0["kind"] as? String == kind }?["value"] as? String
            return "\(input["label"] as? String ?? "-"): \(finding["path"] as? String ?? "") = \(value ?? "-")"
        }
    }
}

@Suite("Copies and references in the containers of an app", .timeLimit(.minutes(60))) struct SharedFilesTests {
    /// Large enough to be compared.
    private static let large = Data((0..<1_100_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
    private static let app = "Data/Application/7B1E0000-0000-4000-8000-000000000001"
    private static let group = "Shared/AppGroup/1A2B0000-0000-4000-8000-000000000002"

    private func duplicates(_ scene: InputScene, _ arguments: String...) throws -> [String] {
        var found: [String] = []
        for argument in arguments { found += try scene.findings(of: "duplicate-in-backup", "duplicate", argument) }
        return found
    }

    @Test(
        "A file in a group that the app has as well is reported in the group, with the app's file",
        .needs(.externalProgram),
        arguments: [
            "true", "mv in/Data in/Shared .; rmdir in; mkdir in; mv Data Shared in",
            "tar --xattrs -cf archive in; rm -r in; mv archive in",
            "bsdtar -cf archive -C in Shared Data; rm -r in; mv archive in",
            "python3 -m zipfile -c archive in/; rm -r in; mv archive in",
            """
            mv in/Shared/AppGroup/* AppDomainGroup-group.org.example.shop; rm AppDomain*/.com.apple*
            mv in/Data/Application/* AppDomain-org.example.shop; rm -r in; mkdir in; mv AppDomain* in
            """,
            "mkdir x; mv in/Shared/AppGroup/* x/0; mv in/Data/Application/* x/1; rm -r in; mv x in",
        ])
    func share(form: String) throws {
        try withInputScene { scene throws in
            try scene.make("in/\(Self.app)", "org.example.shop")
            try scene.makeGroup("in/\(Self.group)", "group.org.example.shop")
            try scene.write(Self.large, to: "in/\(Self.app)/Documents/Belege/7.pdf")
            try scene.write(Self.large, to: "in/\(Self.group)/Eingang/Scan 1.pdf")
            try scene.write(Self.large, to: "in/\(Self.group)/Library/Caches/Scan 1.pdf")
            try scene.shell(form)
            #expect(
                try duplicates(scene, "in") == [
                    "group.org.example.shop: Eingang/Scan 1.pdf = org.example.shop: Documents/Belege/7.pdf"
                ])
            #expect(try explainedCopy(scene, "in", "group.org.example.shop: Eingang/Scan 1.pdf"))
            #expect(try explainedCopy(scene, "in", "Eingang/Scan 1.pdf"))
        }
    }

    /// True if the explanation of a file in the group names the copy in the app's own container.
    private func explainedCopy(_ scene: InputScene, _ arguments: String...) throws -> Bool {
        let run = try sandboxlint(["explain"] + arguments, in: scene.folder)
        return run.text.hasPrefix("group.org.example.shop: ")
            && run.text.contains("same content as “org.example.shop: Documents/")
    }

    @Test("A path that several containers have, or none, is refused with their names")
    func ambiguous() throws {
        try withInputScene { scene throws in
            try scene.make("in/\(Self.app)", "org.example.shop")
            try scene.makeGroup("in/\(Self.group)", "group.org.example.shop")
            for folder in [Self.app, Self.group] { try scene.write(Data([1]), to: "in/\(folder)/tmp/a") }
            let several = try sandboxlint(["explain", "in", "tmp/a"], in: scene.folder)
            #expect(
                several.code == 3
                    && several.errors.contains(
                        "2 containers of in have tmp/a: org.example.shop, group.org.example.shop"),
                "\(several.errors)")
            let none = try sandboxlint(["explain", "in", "tmp/b"], in: scene.folder)
            #expect(none.code == 3 && none.errors.contains("“org.example.shop: Documents/a.jpg”"), "\(none.errors)")
            for words in [["in", "\(Self.group)/tmp/a"], ["in", "tmp/a", "--bundle-id", "group.org.example.shop"]] {
                let run = try sandboxlint(["explain"] + words + ["--format", "json"], in: scene.folder)
                let json = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
                #expect(json["path"] as? String == "tmp/a" && run.code == 0)
                #expect(json["container"] as? String == (words.count == 2 ? "group.org.example.shop" : nil))
            }
        }
    }

    @Test("The containers of an app in a device backup are compared", .needs(.externalProgram))
    func backup() throws {
        try withInputScene { scene throws in
            try FileManager.default.createDirectory(
                at: scene.folder.appending(path: "temporary"), withIntermediateDirectories: false)
            try scene.writeBackup(
                [
                    (.group, "group.org.example.shop", "In/1.pdf"), (.app, "org.example.shop", "Documents/7.pdf"),
                    (.app, "com.other.app", "Documents/7.pdf"), (.group, "group.net.third", "7.pdf"),
                ], content: Array(Self.large))
            #expect(
                try duplicates(scene, "UDID") == [
                    "group.org.example.shop: In/1.pdf = org.example.shop: Documents/7.pdf"
                ])
            #expect(try explainedCopy(scene, "UDID", "In/1.pdf", "--bundle-id", "org.example.shop"))
        }
    }

    @Test("Files of two apps, of two devices and of separate inputs are not compared")
    func apart() throws {
        try withInputScene { scene throws in
            for (path, identifier) in [
                ("in/a", "com.example.a"), ("in/b", "org.example.b"), ("in/c", "com.example.c"),
            ] {
                try scene.make(path, identifier)
                try scene.write(Self.large, to: "\(path)/Documents/a.bin")
            }
            // Two apps of one vendor share it: it belongs to neither.
            try scene.makeGroup("in/g", "group.com.example.all")
            try scene.write(Self.large, to: "in/g/a.bin")
            #expect(try duplicates(scene, "in") == [])
            for (device, path, identifier) in [
                ("one", Self.app, "com.example.a"), ("two", Self.group, "group.com.example.a"),
            ] {
                let path = "devices/\(device)/data/Containers/\(path)"
                if path.hasSuffix(Self.app) {
                    try scene.make(path, identifier)
                } else {
                    try scene.makeGroup(path, identifier)
                }
                try scene.write(Self.large, to: "\(path)/Documents/a.bin")
            }
            #expect(try duplicates(scene, "devices") == [])
            #expect(
                try scene.findings(of: "duplicate-in-backup", "duplicate", "in/a", "in/g") == [])
        }
    }

    @Test("A group that the bundles of two apps list is linted once")
    func sharedByTwo() throws {
        try withInputScene { scene throws in
            for app in ["one", "two"] {
                let path = "in/Data/Application/\(app)"
                try scene.make(path, "com.example.\(app)")
                try scene.write(Self.large, to: "\(path)/Documents/\(app).bin")
                try scene.write(
                    ["CFBundleIdentifier": "com.example.\(app)"], to: "in/Bundle/Application/\(app)/A.app/Info.plist")
                try scene.write(
                    ["com.apple.security.application-groups": ["group.com.example.both"]],
                    to: "in/Bundle/Application/\(app)/A.app/archived-expanded-entitlements.xcent")
            }
            try scene.makeGroup("in/\(Self.group)", "group.com.example.both")
            try scene.write(Self.large, to: "in/\(Self.group)/a.bin")
            #expect(
                try duplicates(scene, "in") == ["group.com.example.both: a.bin = com.example.one: Documents/one.bin"])
        }
    }

    @Test("Fifty containers of one app are compared, each with the first")
    func fifty() throws {
        try withInputScene { scene throws in
            try scene.make("in/app", "com.example.a")
            try scene.write(Self.large, to: "in/app/Documents/a.bin")
            for number in 10..<59 {
                try scene.makeGroup("in/\(number)", "group.com.example.a.\(number)")
                try scene.write(Self.large, to: "in/\(number)/shared/\(number).bin")
            }
            let found = try duplicates(scene, "in")
            #expect(found.count == 49 && found.allSatisfy { $0.hasSuffix(" = com.example.a: Documents/a.bin") })
        }
    }

    @Test("A file in the inbox that the app has imported into its group is a leftover")
    func inbox() throws {
        try withInputScene { scene throws in
            let content = Data(repeating: 7, count: 5_000)
            try scene.make("in/app", "com.example.a")
            try scene.makeGroup("in/group", "group.com.example.a")
            try scene.write(content, to: "in/app/Documents/Inbox/book.epub")
            func leftovers() throws -> [String] {
                let now = ISO8601DateFormatter().string(from: Date())
                let run = try sandboxlint(
                    ["lint", "in", "--now", now, "--format", "json", "--select", "inbox-leftover"], in: scene.folder)
                return try Report(run).lines
            }
            #expect(try leftovers() == [])
            try scene.write(content, to: "in/group/Books/1.epub")
            #expect(try leftovers() == ["inbox-leftover Documents/Inbox/book.epub"])
        }
    }

    @Test(
        "An empty database is one finding if another container of the app has it with data, not one of another app",
        .needs(.externalProgram), arguments: [false, true], [("app", "group"), ("group", "app")])
    func stores(hasTables: Bool, containers: (empty: String, filled: String)) throws {
        try withInputScene { scene throws in
            try scene.make("in/app", "com.example.a")
            try scene.makeGroup("in/group", "group.com.example.a")
            try scene.makeGroup("in/other", "group.org.other")
            let path = "Library/Application Support/Model.sqlite"
            for container in ["app", "group", "other"] { try scene.write(Data(), to: "in/\(container)/\(path)") }
            func make(_ container: String, _ statements: String) throws {
                try scene.shell(
                    "python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])' "
                        + "'in/\(container)/\(path)' '\(statements)'")
            }
            let filled = "create table t(a); insert into t values(1)"
            try make("other", filled)
            if hasTables { try make(containers.empty, "create table t(a)") }
            try FileManager.default.removeItem(at: scene.folder.appending(path: "in/\(containers.filled)/\(path)"))
            func findings() throws -> [String] {
                let report = try scene.report("in", "--ignore", "mtime-in-future")
                return report.findings.filter { finding in
                    report.inputs[finding.input]["label"] as? String
                        == (containers.empty == "app" ? "com.example.a" : "group.com.example.a")
                        && finding.path == path
                }.map(\.rule)
            }
            #expect(try !findings().contains("empty-store-copy"))
            try make(containers.filled, filled)
            #expect(try findings() == ["empty-store-copy"])
        }
    }

    @Test("A downloaded stream that a file of the group lists is not stranded; one of another app does not count")
    func references() throws {
        try withInputScene { scene throws in
            try scene.make("in/app", "com.example.a")
            let film = "Library/com.apple.UserManagedAssets.q7Zk2X/Film_0E51.movpkg"
            try scene.write(Data("<x/>".utf8), to: "in/app/\(film)/root.xml")
            try scene.makeGroup("in/other", "group.org.other")
            try scene.write(Data(#"["Film_0E51.movpkg"]"#.utf8), to: "in/other/shared/films.json")
            #expect(
                try scene.findings(of: "stranded-hls-asset", "size", "in") == ["com.example.a: \(film) = -"])
            try scene.makeGroup("in/group", "group.com.example.a")
            #expect(try scene.findings(of: "stranded-hls-asset", "size", "in").count == 1)
            try scene.write(Data(#"["Film_0E51.movpkg"]"#.utf8), to: "in/group/shared/films.json")
            #expect(try scene.findings(of: "stranded-hls-asset", "size", "in") == [])
        }
    }
}
