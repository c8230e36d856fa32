import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A container with one cover in Documents that the app downloaded, a stale file and two links.
func withSample<Result>(_ body: (String) throws -> Result) throws -> Result {
    try withScratch { folder throws in
        let path = folder.appending(path: "sample").path
        let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
        let url = try #require(URL(string: "https://example.com/a.jpg"))
        try container.save(
            Data([0xff, 0xd8]), to: .documents / "images/a.jpg", options: .init(provenance: .downloaded(from: url)))
        try container.save("x", to: .temporary / "old.part")
        try container.save("x", to: .caches / "flagged")
        try container.excludeFromBackup(.caches / "flagged")
        try folder.setTimes("2025-06-01T00:00:00Z", of: "sample/tmp/old.part")
        let link = try container.path(.library / "out").string
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere")
        return try body(path)
    }
}

@Suite("sandboxlint") struct ToolTests {
    @Test("The cover is reported, and the exit code is 1; standard error is empty")
    func findings() throws {
        try withSample { path throws in
            let run = try sandboxlint("lint", path, "--now", "2026-01-01")
            #expect(run.code == 1)
            #expect(run.text.contains("error[regenerable-in-documents]"))
            #expect(run.text.contains("--> Documents/images/a.jpg"))
            #expect(run.errors.isEmpty)
            #expect(try sandboxlint(path).text == sandboxlint("lint", path).text)
        }
    }

    @Test("Without arguments the overview is printed, as with --help")
    func overview() throws {
        let run = try sandboxlint()
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.code) \(run.errors)")
        #expect(run.text.hasPrefix("OVERVIEW: ") && run.text.contains("  baseline "))
        #expect(try run.output == sandboxlint("--help").output)
        let lint = try sandboxlint("lint")
        #expect(lint.code == 2 && lint.output.isEmpty)
    }

    @Test("An overview that cannot be written exits with 4", .needs(.process))
    func unwritten() throws {
        let full = try Command("sh", ["-c", "\(Command.sandboxlint) > /dev/full"])
        #expect(full.code == 4 && full.errors.contains("standard output cannot be written"), "\(full.errors)")
    }

    @Test(
        "A mistyped subcommand exits with 2 and a suggestion, and nothing is linted",
        arguments: [
            (["lnt", "good"], "sandboxlint lint"), (["fxi", "good", "--diff"], "sandboxlint fix"),
            (["explian", "stale-tmp"], "sandboxlint explain"), (["hepl"], "sandboxlint help"),
            (["basline", "write", "good"], "sandboxlint baseline"),
            (["baseline", "wirte", "good"], "sandboxlint baseline write"),
            (["rules", "lst"], "sandboxlint rules list"),
            (["config", "shwo"], "sandboxlint config show"), (["--isolated", "lnt", "good"], "sandboxlint lint"),
        ])
    func mistyped(words: [String], meant: String) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("good/Documents")
            let run = try sandboxlint(words, in: folder)
            #expect(run.code == 2 && run.output.isEmpty, "\(run.code) \(run.text)")
            #expect(run.errors.contains("; did you mean “\(meant)”? For a path, write ./"), "\(run.errors)")
            let late = try sandboxlint("--isolated", "lint", "good", in: folder)
            #expect(
                late.code == 2 && late.errors.contains("the command must come before its options: “sandboxlint lint …”")
            )
        }
    }

    @Test("A word that is a path, or is far from every subcommand, is an input")
    func inputs() throws {
        try withScratch { folder throws in
            try folder.makeDirectories("lnt/Documents", "fx")
            #expect(try sandboxlint("lnt", in: folder).code == 0)
            for word in ["fx", "missing", "./lin", "lint/a"] {
                let run = try sandboxlint(word, in: folder)
                #expect(run.code == 3 && !run.errors.contains("did you mean"), "\(word): \(run.errors)")
            }
            #expect(try sandboxlint("lint", "lin", in: folder).code == 3)
            #expect(try sandboxlint("--", "lin", in: folder).code == 3)
        }
    }

    @Test("lint --fix refers to the fix command, and fixes nothing")
    func lintFix() throws {
        try withSample { path throws in
            for words in [["lint", "--fix", path], ["--fix", path], [path, "--fix"]] {
                let run = try sandboxlint(words)
                #expect(run.code == 2 && run.errors.contains("`sandboxlint fix CONTAINER --diff`"), "\(run.errors)")
            }
            #expect(FileManager.default.fileExists(atPath: path + "/tmp/old.part"))
            #expect(try !sandboxlint("lint", "--help").text.contains("--fix "))
        }
    }

    @Test("A run that only reads prints nothing about changes on disk")
    func reading() throws {
        try withScratch { folder throws in
            for words in [["lint", "missing"], ["explain", "missing", "a"], ["diff", "missing", "missing"]] {
                let run = try sandboxlint(words, in: folder)
                #expect(run.code == 3 && run.errors.contains("“missing”") && run.errors.contains("Check the path."))
                #expect(!(run.errors + run.text).contains("changed"), "\(run.errors)")
            }
        }
    }

    @Test("Many files of one directory are one block, with their number, their size and the largest")
    func many() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for number in 0..<150 {
                try container.save(
                    Data(count: number), to: .documents / "images/\(number).jpg",
                    options: .init(durability: .none, provenance: Provenance(.downloaded)))
            }
            let run = try sandboxlint(container.location.string, "--select", "regenerable-in-documents")
            #expect(run.code == 1)
            #expect(run.text.contains("--> Documents/images/   (150 items, "))
            #expect(run.text.contains("largest  Documents/images/149.jpg"))
            #expect(run.text.contains("1 error, 0 warnings, 0 notes in "))
        }
    }

    @Test("JSON has the contract's keys, in order, and validates as JSON")
    func json() throws {
        try withSample { path throws in
            let selected = "regenerable-in-documents,stale-tmp,special-or-escaping-link,redundant-exclusion"
            let run = try sandboxlint(
                "lint", path, "--now", "2026-01-01", "--format", "json", "--select", selected)
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            #expect(report["schema"] as? String == "sandboxlint-report/1")
            #expect(report["complete"] as? Bool == true)
            let findings = try #require(report["findings"] as? [[String: Any]])
            let rules = findings.compactMap { $0["rule"] as? String }
            #expect(
                rules == [
                    "regenerable-in-documents", "stale-tmp", "special-or-escaping-link", "redundant-exclusion",
                ])
            let keys: Set = [
                "rule", "group", "severity", "input", "path", "pointer", "items", "bytes", "message", "after",
                "evidence",
                "exclusion", "fingerprint", "source", "fix", "confidence", "location", "backedUp", "largest",
                "cause",
            ]
            // Only a finding with a place in the repository has an anchor.
            #expect(findings.allSatisfy { Set($0.keys).subtracting(["anchor"]) == keys }, "\(findings)")
            let summary = try #require(report["summary"] as? [String: Any])
            #expect(summary["regenerableBackedUpBytes"] as? Int == 2)
            #expect((summary["findings"] as? [String: Int]) == ["error": 1, "warning": 2, "note": 1])
        }
    }

    @Test("Time zone, language, umask and working directory do not change the output", .needs(.process))
    func deterministic() throws {
        try withSample { path throws in
            let arguments = ["lint", path, "--now", "2026-01-01", "--format"]
            for format in ReportTests.formats {
                // A folder without source files, because a report points at those of the repository.
                let here = try withScratch { try sandboxlint(arguments + [format], in: $0) }
                let there = try Command(
                    "sh", ["-c", "umask 077; cd /; exec \"$@\"", "sh", Command.sandboxlint] + arguments + [format],
                    environment: ["TZ": "Pacific/Chatham", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"])
                #expect(here.output == there.output && !here.output.isEmpty)
            }
        }
    }

    @Test(
        "Linting changes no timestamp, no file and no attribute of the container",
        .needs(.externalProgram), .enabled(if: Platform.isLinux, "compares with GNU stat"))
    func readOnly() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path)
            // Reading a directory changes its access time, so the paths are collected before all times are set, and
            // then only their status is read.
            let paths = try Command("find", [".", "-print0"], in: folder)
            let list = folder.deletingLastPathComponent().appending(path: "paths")
            try paths.output.write(to: list)
            try folder.setAllTimes("2025-12-30")
            func state() throws -> String {
                let stat = "xargs -0 stat -c '%n %A %s %X %Y %Z %W %i %h %u %g' < \(list.path)"
                let status = try Command("sh", ["-c", stat], in: folder).text
                return try status
                    + paths.output.split(separator: 0).map { path in
                        let path = String(decoding: path, as: UTF8.self)
                        return try "\(path)\n\(AttributeTool.listing(of: path, in: folder))"
                    }.joined()
            }
            let before = try state()
            // On Linux, reading the target of a link changes its access time. Rule 78 reads it.
            #expect(try sandboxlint("lint", path, "--format", "json", "--ignore", "78").code == 1)
            #expect(try state() == before)
            #expect(try sandboxlint("lint", path).code == 1)
            let changed = zip(try state().split(separator: "\n"), before.split(separator: "\n")).filter { $0 != $1 }
            #expect(changed.allSatisfy { $0.0.hasPrefix("./Library/out l") })
            let after = try Command("find", [".", "-print0"], in: folder)
            #expect(after.output.count == paths.output.count)
        }
    }

    @Test(
        "An input that cannot be linted exits with 3, with its path and the reason",
        arguments: [
            ("missing", "No such file"), ("file", "neither a directory nor an archive"), ("empty", "it is empty"),
            ("other", "holds none of Documents"),
        ])
    func badInput(name: String, reason: String) throws {
        try withScratch { folder throws in
            try Data().write(to: folder.appending(path: "file"))
            for directory in ["empty", "other/things"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: directory), withIntermediateDirectories: true)
            }
            let run = try sandboxlint("lint", folder.appending(path: name).path)
            #expect(run.code == 3)
            #expect(run.errors.contains(name) && run.errors.contains(reason))
            #expect(run.output.isEmpty)
        }
    }

    @Test("A folder that cannot be read is an incident and exits with 3, also with findings", .needs(.externalProgram))
    func unreadable() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try folder.allowReading()
            try folder.setMode("000", of: "sample/Library/Caches")
            let run = try unprivileged(["lint", path, "--format", "json"], in: folder)
            #expect(run.code == 3, "\(run.errors)")
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            #expect(report["complete"] as? Bool == false)
            let incidents = report["incidents"] as? [[String: Any]]
            #expect(incidents?.first?["path"] as? String == "Library/Caches")
            #expect(incidents?.first?["reason"] as? String == "permission-denied")
        }
    }

    @Test(
        "A usage error exits with 2 and suggests the nearest name",
        arguments: [
            (["--selct", "x"], "--select"), (["--select", "stale-tpm"], "stale-tmp"), (["--format", "jsn"], "json"),
            (["-j", "-1"], "-j"), (["--now", "yesterday"], "--now"),
        ])
    func usage(arguments: [String], hint: String) throws {
        try withSample { path throws in
            let run = try sandboxlint(["lint", path] + arguments)
            #expect(run.code == 2)
            #expect(run.errors.contains(hint), "\(run.errors)")
        }
    }

    @Test("A rule file with an unknown key exits with 2 and shows its line")
    func ruleFile() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "own")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("id: x\nnumber: 900\nsevrity: error\n".utf8).write(to: folder.appending(path: "x.yml"))
            let run = try sandboxlint("lint", path, "--rules", folder.path)
            #expect(run.code == 2)
            #expect(run.errors.contains("x.yml:3:1: unknown key “sevrity”"))
            #expect(run.errors.contains("  | ^^^^^^^ did you mean “severity”?"))
        }
    }

    @Test(
        "--fail-on decides what fails the run",
        arguments: [("error", 1), ("warning", 1), ("note", 1), ("never", 0)])
    func failOn(severity: String, code: Int32) throws {
        try withSample { path throws in
            #expect(try sandboxlint("lint", path, "--fail-on", severity).code == code)
            #expect(try sandboxlint("lint", path, "--select", "8", "--fail-on", severity).code == 0)
            #expect(try sandboxlint("lint", path, "--select", "9").code == 0)
            #expect(try sandboxlint("lint", path, "--select", "9", "--fail-on", "note").code == 1)
        }
    }

    @Test("Color is used on a terminal or when forced, and NO_COLOR disables it")
    func colours() throws {
        try withSample { path throws in
            let escape = "\u{1b}["
            #expect(try !sandboxlint("lint", path).text.contains(escape))
            #expect(try sandboxlint("lint", path, "--color", "always").text.contains(escape))
            #expect(
                try sandboxlint("lint", path, environment: ["FORCE_COLOR": "1", "NO_COLOR": ""]).text.contains(escape))
            let both = ["FORCE_COLOR": "1", "NO_COLOR": "1"]
            #expect(try !sandboxlint("lint", path, environment: both).text.contains(escape))
        }
    }

    @Test("Rules are listed and explained, also as JSON")
    func rules() throws {
        let lines = try sandboxlint("rules", "list").text.split(separator: "\n")
        let json = try sandboxlint("rules", "list", "--format", "json").output
        let listed = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        #expect(listed.count + 1 == lines.count && lines.contains { $0.contains("regenerable-in-documents") })
        let text = try sandboxlint("explain", "stale-tmp").text
        #expect(text.contains("a file in tmp is older than a week") && text.contains("References"))
        #expect(try sandboxlint("explain", "stale-tpm").code == 2)
        #expect(try sandboxlint("--version").text == "0.1.0\n")
        #expect(try sandboxlint("--help").text.contains("Exit codes: 0 no findings"))
    }
}
