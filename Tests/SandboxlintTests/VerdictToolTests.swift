import Foundation
import TestSupport
import Testing
import ToolSupport

/// Adds files whose evidence is weighed: three thumbnails and an archive next to its unpacked copy.
func withWeighed(_ path: String) throws {
    let root = URL(fileURLWithPath: path)
    for name in ["ThumbnailCache/a.thumb", "ThumbnailCache/b.thumb", "ThumbnailCache/c.thumb", "voices/eng.zip"]
        + (1...6).map({ "voices/eng/turn_\($0).mp3" })
    {
        let file = root.appending(path: "Documents/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(count: 100).write(to: file)
    }
}

@Suite("The verdict of weighed evidence") struct VerdictToolTests {
    private static let rule = ["--select", "likely-regenerable-in-backup", "--isolated"]

    private func withWeighedSample(_ body: (String) throws -> Void) throws {
        try withSample { path throws in
            try withWeighed(path)
            try body(path)
        }
    }

    private func findings(_ run: Command, lines: Bool = false) throws -> [[String: Any]] {
        guard lines else {
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            return try #require(report["findings"] as? [[String: Any]])
        }
        return try run.text.split(separator: "\n").compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["type"] as? String == "finding" ? object : nil
        }
    }

    @Test(
        "is in JSON a confidence from 0 to 1 and evidence whose weights give that confidence",
        arguments: ["json", "jsonl"])
    func json(format: String) throws {
        try withWeighedSample { path throws in
            let run = try sandboxlint(["lint", path, "--format", format] + Self.rule)
            let findings = try findings(run, lines: format == "jsonl")
            #expect(findings.count == 10)
            let explained = try sandboxlint(
                ["explain", path, "Documents/voices/eng.zip", "--format", "json"])
            let object = try #require(try JSONSerialization.jsonObject(with: explained.output) as? [String: Any])
            let verdict = try #require(object["verdict"] as? [String: Any])
            let bias = try #require(verdict["bias"] as? Double)
            for finding in findings {
                let confidence = try #require(finding["confidence"] as? Double)
                let evidence = try #require(finding["evidence"] as? [[String: Any]])
                let weights = evidence.compactMap { $0["weight"] as? Double }
                #expect((0.7..<1).contains(confidence) && weights.count == evidence.count - 1)
                let expected = 1 / (1 + exp(-(bias + weights.reduce(0, +))))
                // Names, kinds and times alone never result in a higher confidence.
                let isLimited = confidence == 0.89 && expected > 0.89
                #expect(abs(confidence - expected) < 0.001 || isLimited, "\(finding)")
                if finding["path"] as? String == "Documents/voices/eng.zip" {
                    #expect(verdict["confidence"] as? Double == confidence)
                }
            }
        }
    }

    @Test("is absent from findings that rest on proof")
    func proof() throws {
        try withSample { path throws in
            let run = try sandboxlint("lint", path, "--select", "regenerable-in-documents", "--format", "json")
            let finding = try #require(try findings(run).first)
            #expect(finding["confidence"] is NSNull)
            let evidence = try #require(finding["evidence"] as? [[String: Any]])
            #expect(!evidence.isEmpty && evidence.allSatisfy { $0["weight"] == nil })
        }
    }

    @Test("is in SARIF the rank of the result, and a property with the evidence", .needs(.externalProgram))
    func sarif() throws {
        try withWeighedSample { path throws in
            let arguments = ["lint", path, "--format", "sarif", "--isolated"]
            let run = try sandboxlint(arguments)
            #expect(try ReadReport("sarif", run.output).command.code == 0)
            let log = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let results = try #require((log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
            var weighed = 0
            for result in results {
                let properties = try #require(result["properties"] as? [String: Any])
                let confidence = properties["confidence"] as? Double
                #expect((result["ruleId"] as? String == "likely-regenerable-in-backup") == (confidence != nil))
                guard let confidence else {
                    #expect(result["rank"] == nil)
                    continue
                }
                weighed += 1
                #expect(abs((result["rank"] as? Double ?? -1) - confidence * 100) < 0.01)
                let evidence = try #require(properties["evidence"] as? [[String: Any]])
                #expect(evidence.contains { $0["kind"] as? String == "confidence" && $0["weight"] == nil })
                #expect(evidence.count { $0["weight"] is Double } >= 2)
            }
            #expect(weighed == 10)
        }
    }

    @Test("is in the text report once for each directory, with the strongest evidence, and with weights if verbose")
    func text() throws {
        try withWeighedSample { path throws in
            let text = try sandboxlint(["lint", path] + Self.rule).text
            let blocks = text.components(separatedBy: "\n\n").filter { $0.contains("[likely-regenerable-in-backup]") }
            #expect(blocks.count == 3)
            for block in blocks {
                #expect(
                    block.matches(of: #/\n   = because  (?:it|its|the|a) .+/#).count == 1,
                    "\(block)")
                #expect(block.contains(#/ %( sure)?\)/#), "\(block)")
                #expect(block.firstMatch(of: #/[+−]\d\.\d\d/#) == nil, "\(block)")
            }
            let verbose = try sandboxlint(["lint", path, "--verbose"] + Self.rule).text
            for block in verbose.components(separatedBy: "\n\n") where block.contains("[likely-regenerable-in-backup]")
            {
                let lines = block.split(separator: "\n")
                #expect(lines.count { $0.contains("= verdict  looks re-downloadable (") } == 1, "\(block)")
                #expect((1...3).contains(lines.count { $0.hasPrefix("   = for      +") }), "\(block)")
                #expect(lines.count { $0.hasPrefix("   = against  −") } <= 1, "\(block)")
                // A file contributes its name and its size, and no evidence.
                #expect(
                    lines.filter { $0.contains("  100 bytes") }.allSatisfy { $0.hasSuffix("100 bytes") }, "\(block)")
            }
            #expect(blocks.contains { $0.contains("an archive next to its unpacked copy") })
        }
    }

    @Test(
        "A podcast's episode is certain if its tags and the app's database have one address, and counts in the budget",
        .needs(.externalProgram), arguments: [7, 8])
    func episode(number: Int) throws {
        try withScratch { folder throws in
            let script = """
                import os, sqlite3, struct, sys
                os.makedirs("c/Documents/Episodes")
                os.makedirs("c/Library/Application Support/com.example.app")
                address = b"https://media.example.com/episodes/7.mp3"
                tag = b"WOAF" + struct.pack(">IH", len(address), 0) + address
                with open("c/Documents/Episodes/Maps.mp3", "wb") as file:
                    file.write(b"ID3\\3\\0\\0\\0\\0\\0" + bytes([len(tag)]) + tag + b"\\xff\\xfb\\x90\\0" + bytes(3_000_000))
                store = sqlite3.connect("c/Library/Application Support/com.example.app/library.sqlite")
                store.execute("create table episode (id integer, title text, enclosure text)")
                store.execute("insert into episode values (7, 'Maps', ?)", [f"https://media.example.com/episodes/{sys.argv[1]}.mp3"])
                store.commit()
                """
            try Command.setUp("python3", ["-c", script, "\(number)"], in: folder)
            let run = try sandboxlint("lint", "c", "--isolated", "--now", "2026-01-01", in: folder)
            let isCertain = number == 7
            #expect(run.code == (isCertain ? 1 : 0), "\(run.text)")
            #expect(run.text.contains("error[regenerable-budget]: 3 MB in 1 file") == isCertain, "\(run.text)")
            let explained = try sandboxlint("explain", "c", "Documents/Episodes/Maps.mp3", "--isolated", in: folder)
                .text
            let text =
                "its tags and the app’s data contain the same address: media.example.com/episodes/7.mp3 in library.sqlite"
            #expect(explained.contains(text) == isCertain, "\(explained)")
        }
    }

    @Test("is explained with every weight in about ten lines; --verbose adds the other rules")
    func explained() throws {
        try withWeighedSample { path throws in
            let text = try sandboxlint("explain", path, "Documents/voices/eng.zip").text
            let lines = text.split(separator: "\n")
            #expect((8...14).contains(lines.count), "\(text)")
            #expect(text.contains("  verdict      looks re-downloadable ("))
            #expect(text.contains(/\n {15}\+3\.\d\d  it is an archive next to its unpacked copy\n/), "\(text)")
            #expect(text.contains("  prior, before any evidence\n"))
            #expect(
                text.contains("  reported by  likely-regenerable-in-backup  warning: “eng.zip” looks re-downloadable (")
            )
            #expect(!text.contains("stale-tmp"))
            let verbose = try sandboxlint("explain", path, "Documents/voices/eng.zip", "--verbose").text
            #expect(
                verbose.contains(/\+3\.\d\d  it is an archive next to/)
                    && verbose.contains("stale-tmp  applies in: [temporary]"))
        }
    }

    @Test(
        "is explained for a directory by its largest group of files, and its absence by the reason",
        arguments: [
            ("Documents/voices", "by the largest of 2 groups of files here: 6 sounds, 600 bytes"),
            ("Documents/ThumbnailCache", "by 3 previews, 300 bytes"),
            (
                "Documents/images/a.jpg",
                "not weighed: re-downloadable: its origin attribute, recorded traffic or the registry"
            ),
            (
                "Library/Caches/com.example.app/flagged",
                "not weighed: no rule that uses evidence is enabled, or no backed-up"
            ),
        ])
    func directory(path: String, words: String) throws {
        try withWeighedSample { sample throws in
            let run = try sandboxlint("explain", sample, path)
            #expect(run.code == 0 && run.text.contains(words), "\(run.text)")
            let declared = try sandboxlint(
                "explain", sample, "Documents/voices/eng.zip", "--set", "user-data=Documents/voices/**")
            #expect(declared.text.contains("not weighed: the configuration declares what it is"), "\(declared.text)")
        }
    }

    @Test(
        "The published case: 13.95 MB of downloaded pictures at the first launch fail, by sum and directory",
        .needs(.externalProgram))
    func appReview() throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Library/Caches", "c/tmp")
            for (name, count, size) in [("sheep", 30, 300_000), ("goat", 15, 330_000)] as [(String, Int, Int64)] {
                for n in 1...count { try folder.makeSparse("c/Documents/stories/\(name)/page\(n).jpg", size: size) }
            }
            let plain = try sandboxlint("lint", "c", "--isolated", in: folder)
            #expect(plain.code == 0 && plain.text.contains("warning[undeclared-bulk-in-backup]: 14 MB in 45 files"))
            let run = try sandboxlint("lint", "c", "--isolated", "--fresh-install", in: folder)
            #expect(run.code == 1)
            for words in [
                "error[undeclared-bulk-in-backup]: 13.95 MB in 45 files",
                "14 MB of 14 MB are in every backup; nobody has used the app yet, so that none of it is user data\n",
                "Documents/stories/goat: 5 MB in 15 pictures\n",
                "Documents/stories/sheep: 9 MB in 30 pictures\n",
            ] { #expect(run.text.contains(words), "\(words)\n\(run.text)") }
            for format in ReportTests.formats where format != "text" {
                let other = try sandboxlint(
                    "lint", "c", "--isolated", "--fresh-install", "--format", format, in: folder)
                #expect(other.code == 1 && other.text.contains("13.95 MB"), "\(format)")
                #expect(try ReadReport(format, other.output).command.code == 0, "\(format)")
            }
            let mark = "user.com.apple.metadata:com_apple_backup_excludeItem"
            try AttributeTool.set(mark, to: "x", of: "c/Documents/stories", in: folder)
            let excluded = try sandboxlint("lint", "c", "--isolated", "--fresh-install", in: folder)
            #expect(excluded.code == 0 && !excluded.text.contains("undeclared-bulk-in-backup"), "\(excluded.text)")
        }
    }
}
