import Foundation
import TestSupport
import Testing
import ToolSupport

/// A project with sixty findings, from its first baseline to the merge of two branches.
@Suite("A project with a baseline") struct BaselineProjectTests {
    private static let key = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEG\n-----END PRIVATE KEY-----\n"
    private static let exportName = "8F5A3D1E-0000-4000-8000-00000000000"

    private func make(in folder: URL) throws {
        try folder.write(
            try PropertyListSerialization.data(
                fromPropertyList: ["MCMMetadataIdentifier": "com.example.app"], format: .xml, options: 0),
            to: "app/.com.apple.mobile_container_manager.metadata.plist")
        let letters = (0..<20).map { String(UnicodeScalar(0x61 + UInt8($0))) }
        for letter in letters {
            try folder.write("x", to: "app/tmp/\(letter)/old.part")
            try folder.setTimes("2025-01-01", of: "app/tmp/\(letter)/old.part")
        }
        try folder.write(Self.key, to: "app/Documents/keys/client.pem", "app/Documents/\(Self.exportName)1/server.pem")
        for letter in letters.prefix(17) { try folder.write(Self.key, to: "app/Documents/keys/\(letter)-key.pem") }
        for letter in letters { try writeDatabase("app/Documents/\(letter).sqlite", size: 8_192, in: folder) }
        let token = ["accessToken": "q7Zk2Xv9LpR4tW8sYb3N"]
        try folder.write(
            try PropertyListSerialization.data(fromPropertyList: token, format: .binary, options: 0),
            to: "app/Library/Preferences/com.example.app.plist")
    }

    private func writeDatabase(_ path: String, size: Int, in folder: URL) throws {
        try folder.write(Data("SQLite format 3\0".utf8) + Data(count: size), to: path)
    }

    private static let rules = "stale-tmp,private-key-file,database-in-documents,secret-in-preferences,exceptions"

    private func run(_ arguments: String..., in folder: URL) throws -> Command {
        try sandboxlint(
            arguments + ["app", "--baseline", "b.txt", "--select", Self.rules, "--now", "2026-01-01"], in: folder)
    }

    /// The findings of a strict run, by rule and path.
    private func findings(in folder: URL) throws -> [String] {
        let run = try run("lint", "--format", "json", "--strict", in: folder)
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let findings = try #require(report["findings"] as? [[String: Any]])
        #expect(run.code == (findings.isEmpty ? 0 : 1), "\(run.errors)")
        return findings.map { "\($0["rule"] ?? "") \($0["path"] ?? "")" }
    }

    @Test("accepts what was there, and reports what is more, through its changes", .needs(.externalProgram))
    func life() throws {
        try withScratch { folder throws in
            func git(_ arguments: String...) throws {
                let names = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "init.defaultBranch=main"]
                let run = try Command("git", names + arguments, in: folder)
                #expect(run.code == 0, "\(arguments): \(run.text)\(run.errors)")
            }
            try make(in: folder)
            let first = try sandboxlint(
                "lint", "app", "--select", Self.rules, "--now", "2026-01-01", "--fail-on", "never", in: folder)
            #expect(first.text.contains("20 errors, 40 warnings, 0 notes"), "\(first.text.suffix(300))")

            // A baseline: nothing is new.
            #expect(
                try run("baseline", "write", in: folder).errors.hasPrefix("b.txt: 41 entries: 41 added, 0 removed."))
            #expect(try findings(in: folder) == [])
            let text = try folder.text(of: "b.txt")
            #expect(text.contains("private-key-file com.example.app Documents/*/server.pem max:items=1 found:"))
            #expect(text.contains("database-in-documents com.example.app Documents/ max:items=40\n"))
            try git("init", "-q")
            try git("add", "b.txt")
            try git("commit", "-qm", "base")

            // One new secret, in a new file and in an accepted one.
            try folder.write(Self.key, to: "app/Documents/keys/new.pem")
            #expect(try findings(in: folder) == ["private-key-file Documents/keys/new.pem"])
            try folder.remove("app/Documents/keys/new.pem")
            let tokens = ["accessToken": "q7Zk2Xv9LpR4tW8sYb3N", "refreshToken": "Zk7q2Xv9LpR4tW8sYb3Nq8"]
            let preferences = "app/Library/Preferences/com.example.app.plist"
            let before = try Data(contentsOf: folder.appending(path: preferences))
            try folder.write(
                try PropertyListSerialization.data(fromPropertyList: tokens, format: .binary, options: 0),
                to: preferences)
            #expect(
                try findings(in: folder) == ["secret-in-preferences Library/Preferences/com.example.app.plist"])
            try folder.write(before, to: preferences)

            // A renamed UUID folder, and a grown database.
            try folder.move("app/Documents/\(Self.exportName)1", to: "app/Documents/\(Self.exportName)2")
            try writeDatabase("app/Documents/a.sqlite", size: 61_000, in: folder)
            #expect(try findings(in: folder) == [])

            // A removed problem is stale until it is pruned, on one branch.
            try git("switch", "-qc", "one")
            try folder.remove("app/Documents/keys/client.pem")
            #expect(try findings(in: folder) == ["stale-baseline-entry Documents/keys/client.pem"])
            let pruned = try run("baseline", "prune", in: folder)
            #expect(pruned.errors.hasPrefix("b.txt: 40 entries: 0 added, 1 removed."), "\(pruned.errors)")
            #expect(try findings(in: folder) == [])
            try git("commit", "-qam", "one")

            // An accepted new one on the other branch, and the merge of both.
            try git("switch", "-q", "main")
            try folder.write("x", to: "app/tmp/z/old.part")
            try folder.setTimes("2025-01-01", of: "app/tmp/z/old.part")
            let updated = try run("baseline", "update", in: folder)
            #expect(updated.errors.hasPrefix("b.txt: 41 entries: 1 added, 1 removed."), "\(updated.errors)")
            try git("commit", "-qam", "two")
            try git("merge", "-q", "one")
            #expect(try findings(in: folder) == [])
        }
    }

    @Test("lists what is accepted, apart from the findings, in each report")
    func visible() throws {
        try withScratch { folder throws in
            try make(in: folder)
            #expect(try run("baseline", "write", in: folder).code == 0)
            try folder.write("x", to: "app/tmp/send/old.part")
            try folder.setTimes("2025-01-01", of: "app/tmp/send/old.part")
            let suppressed = try sandboxlint(
                "suppress", "app", "stale-tmp:tmp/send/old.part", "--reason", "sent at: launch", "--owner", "sync team",
                "--until", "2026-06-30", "--now", "2026-01-01", in: folder)
            #expect(suppressed.code == 0, "\(suppressed.errors)")
            #expect(
                try folder.text(of: ".sandboxlint.yml") == """
                    suppressions:
                      - { path: tmp/send/old.part, rule: stale-tmp, reason: "sent at: launch", owner: "sync team", until: 2026-06-30 }

                    """)
            #expect(try findings(in: folder) == [])
            let report = try run("baseline", "report", in: folder).text
            #expect(
                report.contains(
                    "warning[stale-tmp] tmp/send/old.part: sent at: launch (owner: sync team; until 2026-06-30; "))
            #expect(
                report.contains(
                    "error[private-key-file] Documents/keys/client.pem: accepted by the baseline (baseline: b.txt)\n")
            )
            #expect(report.hasSuffix("61 accepted findings.\n"), "\(report)")
            for format in ["html", "markdown"] {
                let text = try run("lint", "--format", format, in: folder).text
                for word in ["Accepted findings", "sent at", "sync team", "2026-06-30", "client.pem", "b.txt"] {
                    #expect(text.contains(word), "\(format): \(word)")
                }
            }
            let sarif = try #require(
                try JSONSerialization.jsonObject(with: run("lint", "--format", "sarif", in: folder).output)
                    as? [String: Any])
            let results = try #require((sarif["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
            let kinds = results.compactMap { ($0["suppressions"] as? [[String: Any]])?.first?["kind"] as? String }
            #expect(results.count == 61 && kinds.count == 61 && Set(kinds) == ["external"])
            // A second time it is there already, and an unknown finding is an error.
            let again = try sandboxlint(
                "suppress", "app", "stale-tmp:tmp/send/old.part", "--reason", "x", "--now", "2026-01-01", in: folder)
            #expect(
                again.code == 0 && again.errors.contains("suppressed already by .sandboxlint.yml:2"), "\(again.errors)")
            #expect(try sandboxlint("suppress", "app", "stale-tmp:tmp/no", "--reason", "x", in: folder).code == 2)
        }
    }

    @Test("suppresses one finding by its fingerprint, and --exit-zero changes only the exit code of findings")
    func fingerprint() throws {
        try withScratch { folder throws in
            try make(in: folder)
            let lint = ["lint", "app", "--select", "private-key-file,exceptions", "--now", "2026-01-01"]
            let run = try sandboxlint(lint + ["--format", "json"], in: folder)
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let finding = try #require((report["findings"] as? [[String: Any]])?.first)
            let print = try #require(finding["fingerprint"] as? String)
            try folder.write("suppressions:\n- { fingerprint: '\(print)', reason: test }\n", to: ".sandboxlint.yml")
            let less = try sandboxlint(lint, in: folder)
            #expect(less.text.contains("18 errors") && less.code == 1, "\(less.text.suffix(200))")
            let zero = try sandboxlint(lint + ["--exit-zero"], in: folder)
            #expect(zero.code == 0 && zero.text == less.text)
            #expect(try sandboxlint("lint", "missing", "--exit-zero", in: folder).code == 3)
            try folder.write("suppressions:\n- { fingerprint: 12, reason: test }\n", to: ".sandboxlint.yml")
            let wrong = try sandboxlint(lint, in: folder)
            #expect(wrong.code == 2 && wrong.errors.contains("expected a fingerprint of 16 hexadecimal digits"))
        }
    }

    @Test(
        "A suppression is added to the list that is there, and the other lines stay",
        arguments: [
            ("", "suppressions:\n  - {L}\n"), ("ignore: [a]\n", "ignore: [a]\nsuppressions:\n  - {L}\n"),
            (
                "suppressions: # old\n# note\n- { path: x, rule: stale-tmp, reason: y }\nignore: [a]\n",
                "suppressions: # old\n- {L}\n# note\n- { path: x, rule: stale-tmp, reason: y }\nignore: [a]\n"
            ),
            ("suppressions: []\n", nil),
        ])
    func edit(before: String, after: String?) throws {
        try withScratch { folder throws in
            try make(in: folder)
            if !before.isEmpty { try folder.write(before, to: ".sandboxlint.yml") }
            let run = try sandboxlint(
                "suppress", "app", "stale-tmp:tmp/a/old.part", "--reason", "r", "--now", "2026-01-01", in: folder)
            #expect(run.code == (after == nil ? 2 : 0), "\(run.errors)")
            let line = "{ path: tmp/a/old.part, rule: stale-tmp, reason: r }"
            #expect(try folder.text(of: ".sandboxlint.yml") == after?.replacing("{L}", with: line) ?? before)
        }
    }
}
