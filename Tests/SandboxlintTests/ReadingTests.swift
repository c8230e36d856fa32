import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("The text report", .timeLimit(.minutes(60))) struct ReadingTests {
    private static let kingfisher = "com.onevcat.Kingfisher.ImageCache.default"
    private static let runner = Workflow.root.appending(path: "Tests/in-terminal").path

    /// A container with 20 pictures of Kingfisher's cache in a directory that backups include. With `isPlain` it is made
    /// without the library, as a copy that lost its attributes.
    private func withPictures<Result>(
        in directory: String, bytes: Int, isPlain: Bool, _ body: (URL) throws -> Result
    ) throws -> Result {
        try withScratch { folder throws in
            if !isPlain {
                let container = try Container.create(
                    at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
                try container.save("x", to: .caches / "recent")
            }
            let script = """
                import hashlib, os, sys
                folder = os.path.join("c", sys.argv[1], "\(Self.kingfisher)")
                for name in (folder, "c/Documents", "c/Library/Caches", "c/tmp"):
                    os.makedirs(name, exist_ok=True)
                for number in range(20):
                    path = folder + "/" + hashlib.md5(bytes([number])).hexdigest()
                    with open(path, "wb") as file:
                        file.write(b"\\xff\\xd8\\xff\\xe0\\0\\x10JFIF" + bytes([number]) * int(sys.argv[2]))
                    # The time is that of expiry, which has passed for all or for none.
                    os.utime(path, (1735689600, 1735689600))
                """
            try Command.setUp("python3", ["-c", script, directory, "\(bytes)"], in: folder)
            return try body(folder)
        }
    }

    @Test(
        "20 pictures of Kingfisher's cache take at most 20 lines below the verdict, and --verbose lists them all",
        .needs(.externalProgram),
        arguments: ["Documents", "Library/Application Support", "Library"],
        [(30_000, false), (30_000, true), (150_000, true)])
    func kingfisher(directory: String, made: (bytes: Int, isPlain: Bool)) throws {
        try withPictures(in: directory, bytes: made.bytes, isPlain: made.isPlain) { folder throws in
            let run = try sandboxlint("lint", "c", "--isolated", in: folder)
            let all = run.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let lines = all.drop { !$0.isEmpty }.dropFirst()
            #expect(lines.count <= 20, "\(run.text)")
            let place = "  --> \(directory)/\(Self.kingfisher)/   (20 items, "
            // Below the cache, the files that nothing declares are a block of their own.
            #expect((1...2).contains(lines.count { $0.hasPrefix(place) }), "\(run.text)")
            #expect(
                lines.contains { $0.contains(": 20 items of Kingfisher: ") } && run.text.contains("regenerable-in-"))
            let items = try #require(lines.first { $0.hasPrefix("   |  ") })
            #expect(items.split(separator: ", ").count == 6 && items.hasSuffix(", … 15 more (`--verbose`)"), "\(items)")
            let verbose = try sandboxlint("lint", "c", "--isolated", "--verbose", in: folder)
            #expect(verbose.code == run.code && !verbose.text.contains(" more (`"))
            let listed = verbose.text.matches(of: #/\n   \|  (\S.*)/[0-9a-f]{32}  /#)
            #expect(listed.count.isMultiple(of: 20) && (20...60).contains(listed.count))
            #expect(listed.allSatisfy { $0.1 == "\(directory)/\(Self.kingfisher)" })
        }
    }

    @Test("Five items are listed, the largest first, and more are counted")
    func items() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for number in 1...5 {
                try container.save(
                    Data(count: number), to: .documents / "images/\(number).jpg",
                    options: .init(provenance: .init(.downloaded)))
            }
            func items() throws -> [String] {
                let run = try sandboxlint("lint", "c", "--isolated", "--select", "1", in: folder)
                return run.text.split(separator: "\n").filter { $0.hasPrefix("   |") }.map(String.init)
            }
            let five = "   |  5.jpg 5 bytes, 4.jpg 4 bytes, 3.jpg 3 bytes, 2.jpg 2 bytes, 1.jpg 1 byte"
            #expect(try items() == [five])
            try container.save(
                Data(count: 1), to: .documents / "images/0.jpg", options: .init(provenance: .init(.downloaded)))
            #expect(try items() == [five.replacing("1.jpg", with: "0.jpg") + ", … 1 more (`--verbose`)"])
        }
    }

    @Test(
        "Rules with different remedies have blocks of their own, also about one directory",
        .needs(.externalProgram))
    func differentItems() throws {
        try withScratch { folder throws in
            try folder.write(to: "c/tmp/a:1", "c/tmp/a:2", "c/tmp/old", "c/Documents/other")
            try folder.setTimes("2025-01-01", of: "c/tmp/a:1", "c/tmp/a:2", "c/tmp/old")
            try folder.setTimes("2025-06-01", of: "c/Documents/other")
            let arguments = [
                "lint", "c", "--isolated", "--select", "stale-tmp,name-not-portable", "--now", "2026-01-01",
            ]
            let run = try sandboxlint(arguments, in: folder)
            let expected = """
                warning[stale-tmp]: 3 items: a file in tmp is older than a week
                  --> tmp/   (3 items, 0 bytes)
                   |  a:1 0 bytes, a:2 0 bytes, old 0 bytes
                """
            #expect(run.text.contains("\n\(expected)\n"), "\(run.text)")
            let other = """
                note[name-not-portable]: 2 items: a file name is not valid on other file systems
                  --> tmp/   (2 items, 0 bytes)
                   |  a:1 0 bytes, a:2 0 bytes
                """
            #expect(run.text.contains("\n\(other)\n"), "\(run.text)")
            #expect(try ReadReport("text", run.output).rows.count == 5)
        }
    }

    @Test("All that one SDK keeps is one cause, and so are the findings in directories whose paths have one form")
    func causes() throws {
        try withScratch { folder throws in
            let kept = "c/Library/Application Support/CodePush"
            try folder.write(
                to: "\(kept)/0cc175b9c0f1b6a831c399e269772661/app.json", "\(kept)/codepush.log", "c/Documents/a.txt",
                "c/tmp/job-1/part/a.tmp", "c/tmp/job-22/part/a.tmp", "c/tmp/other/a.tmp")
            try folder.write("x\n", to: "\(kept)/0cc175b9c0f1b6a831c399e269772661/CodePush/main.jsbundle")
            try folder.appending(path: "c/tmp").setAllTimes("2025-01-01T00:00:00Z") { !$1 }
            let arguments = [
                "lint", "c", "--isolated", "--now", "2026-01-01", "--ignore",
                "empty-directory-tree,zero-length-structured",
            ]
            let text = try sandboxlint(arguments, in: folder).text
            let headings = text.matches(of: #/\nwarning\[(?:regenerable-in-app-support|stale-tmp).*/#).map { "\($0.0)" }
            #expect(headings.count { $0.contains(" of CodePush: ") } == 1, "\(text)")
            #expect(text.contains("  --> tmp/   (2 items, ") && text.contains("  --> tmp/other/a.tmp   ("), "\(text)")
            let json = try sandboxlint(arguments + ["--format", "json"], in: folder)
            let report = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
            let findings = try #require(report["findings"] as? [[String: Any]])
            func names(_ part: String) -> Set<String> {
                Set(
                    findings.filter { ($0["path"] as? String)?.contains(part) ?? false }
                        .compactMap { $0["cause"] as? String })
            }
            #expect(names("/CodePush/") == ["CodePush: Library/Application Support/CodePush"], "\(findings)")
            #expect(names("tmp/job") == ["stale-tmp: tmp"], "\(findings)")
            #expect(findings.allSatisfy { $0["cause"] is String })
        }
    }

    @Test("Directories whose paths differ in one name are one cause")
    func similar() throws {
        try withScratch { folder throws in
            let models = ["Face", "Sky", "Pet"].map { "c/tmp/models/\($0).mlmodelc/weights/weight.bin" }
            try folder.write(to: "c/Documents/a.txt")
            for path in models { try folder.write("x\n", to: path) }
            try folder.appending(path: "c/tmp").setAllTimes("2025-01-01T00:00:00Z") { !$1 }
            let run = try sandboxlint(
                "lint", "c", "--isolated", "--select", "stale-tmp", "--now", "2026-01-01", in: folder)
            let block = """
                warning[stale-tmp]: 3 items: a file in tmp is older than a week
                  --> tmp/models/   (3 items, 6 bytes)
                   |  Face.mlmodelc/weights/weight.bin 2 bytes, Pet.mlmodelc/weights/weight.bin 2 bytes, \
                Sky.mlmodelc/weights/weight.bin 2 bytes
                """
            #expect(run.text.contains(block) && run.text.matches(of: /warning\[/).count == 1, "\(run.text)")
        }
    }

    @Test(
        "The word for items is that of their origin: the app fetches re-downloadable data and computes regenerable data",
        arguments: [(Provenance.Maker.derived, "regenerable"), (.downloaded, "re-downloadable")])
    func words(maker: Provenance.Maker, word: String) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for name in ["one/a.jpg", "two/a.jpg", "two/b.jpg"] {
                try container.save("x", to: .documents / name, options: .init(provenance: .init(maker)))
            }
            for format in ["text", "markdown", "html", "json"] {
                let text = try sandboxlint(
                    "lint", "c", "--isolated", "--select", "regenerable-in-documents", "--format", format, in: folder
                ).text
                #expect(text.contains(format == "html" ? word : "\(word) and is included in every backup"), "\(text)")
                let title = "\(word) data in Documents is included in every backup"
                #expect(format == "json" || text.lowercased().contains(title.lowercased()), "\(text)")
            }
        }
    }

    @Test("The verdict is the same in text, in Markdown and on a page, which lists accepted and undecided files apart")
    func verdict() throws {
        try withScratch { folder throws in
            for number in 1...3 { try folder.makeSparse("c/Documents/Stuff/\(number).bin", size: 1_000_000) }
            try folder.write(to: "c/tmp/a.part", "c/tmp/b.part", "c/tmp/ignored/c.part", "c/Library/Caches/d")
            try folder.appending(path: "c/tmp").setAllTimes("2025-01-01T00:00:00Z") { !$1 }
            let configuration = """
                now: 2026-01-01
                ignore: ["tmp/ignored/**"]
                suppressions:
                  - { path: tmp/a.part, rule: stale-tmp, reason: uploaded later }

                """
            try folder.write(configuration, to: ".sandboxlint.yml")
            func report(_ format: String) throws -> String {
                try sandboxlint("lint", "c", "--format", format, in: folder).text
            }
            let text = try report("text")
            let verdict = text.split(separator: "\n").prefix(4).map { line in
                let label = String(line.prefix(12)).trimmingCharacters(in: .whitespaces)
                return (label: label, text: String(line.dropFirst(12)))
            }
            try #require(verdict.map(\.label) == ["Backups", "Loss", "Secrets", "App Review"], "\(text)")
            let sums = " are in every backup: 3 MB undecided (`sandboxlint init --ask`)"
            #expect(verdict[0].text.hasSuffix(sums), "\(text)")
            let (markdown, page) = (try report("markdown"), try report("html"))
            #expect(markdown.components(separatedBy: "\n\n").dropFirst().first?.hasPrefix("- **Backups**: ") == true)
            let summary = try #require(page.range(of: "<dl class=\"verdict\">"))
            let findings = try #require(page.range(of: "<section class=\"findings\""))
            #expect(summary.upperBound < findings.lowerBound)
            for (label, text) in verdict {
                let code = text.replacing(#/`([^`]*)`/#) { "<code>\($0.1)</code>" }
                #expect(markdown.contains("- **\(label)**: \(code)\n"), "\(markdown)")
                let sentence = code.prefix(1).uppercased() + code.dropFirst()
                #expect(page.contains("<dt>\(label)</dt><dd>\(sentence)</dd>"), "\(label)")
            }
            let tables = page[findings.upperBound...]
            let undecided = "<td><bdi>Documents/Stuff/</bdi></td><td class=\"number\"><bdi>3</bdi></td>"
            #expect(
                tables.contains(undecided) && tables.contains("<td><bdi>configuration: .sandboxlint.yml:4</bdi></td>"))
            #expect(
                tables.contains("<bdi>tmp/a.part</bdi>") && tables.contains(" of items that the configuration ignores"))
        }
    }

    @Test("The backup status is printed if the item is excluded from backup, and always with --verbose")
    func status() throws {
        try withSample { path throws in
            func rows(_ arguments: String...) throws -> [String] {
                try sandboxlint(["lint", path, "--isolated"] + arguments).text
                    .split(separator: "\n").filter { $0.hasPrefix("   |  excluded") }.map(String.init)
            }
            let excluded = "   |  excluded from backup: yes, by the item itself   backed up: no   purged: "
            #expect(try rows("--select", "regenerable-in-documents,stale-tmp").isEmpty)
            let shown = try rows("--select", "redundant-exclusion")
            #expect(shown.count == 1 && shown[0].hasPrefix(excluded), "\(shown)")
            #expect(try rows("--select", "regenerable-in-documents", "-v").count == 1)
        }
    }

    /// The commands of the last line.
    private func steps(_ text: String) throws -> [String] {
        let line = try #require(text.split(separator: "\n").last)
        let hint = "; `--fresh-install` tests a container after a first launch."
        #expect(line.hasPrefix("Next: ") && line.hasSuffix(hint), "\(line)")
        return line.matches(of: /`sandboxlint ([^`]+)`/).map { String($0.1) }
    }

    @Test(
        "The last line has commands that work for the run: the fixes, the explanation, the baseline",
        .needs(.externalProgram),
        arguments: [
            ("sample", "1", ["fix sample --diff", "explain regenerable-in-documents"]),
            ("it's a; \"sample\"", "1", [#"fix 'it'\''s a; "sample"' --diff"#, "explain regenerable-in-documents"]),
            (
                "sample", "atomic-write-leftover",
                ["fix sample --unsafe --diff", "explain atomic-write-leftover"]
            ),
            ("sample", "special-or-escaping-link", ["explain special-or-escaping-link", "baseline write sample"]),
            ("sample.tar", "1", ["explain regenerable-in-documents", "baseline write CONTAINER"]),
        ])
    func next(input: String, rule: String, expected: [String]) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            if input.hasSuffix(".tar") {
                try Command.setUp("tar", ["--xattrs", "--xattrs-include=*", "-cf", input, "sample"], in: folder)
            } else if input != "sample" {
                try folder.copyAll("sample", to: input)
            }
            try folder.write(to: "sample/Documents/.dat.nosync0a1b.c2d3ef")
            try folder.setTimes("2020-01-01", of: "sample/Documents/.dat.nosync0a1b.c2d3ef")
            let run = try sandboxlint("lint", input, "--select", rule, "--strict", in: folder)
            #expect(try steps(run.text) == expected, "\(run.text)")
            for step in expected {
                let line =
                    "\(Command.sandboxlint) \(step.replacing("CONTAINER", with: input))"
                    + (step.hasPrefix("explain") ? "" : " --select \(rule)")
                let next = try Command("bash", ["-c", line], in: folder)
                let isFix = step.hasPrefix("fix")
                #expect(next.code <= 1 && (!isFix || next.text.contains("--- ")), "\(line): \(next.text)\(next.errors)")
            }
            // Without findings there is nothing to do, and a baseline that is in use is not suggested.
            let first = try sandboxlint("lint", input, "--select", rule, "--strict", "--fresh-install", in: folder)
            #expect(first.code == 1 && !first.text.contains("`--fresh-install`"), "\(first.text)")
            let clean = try sandboxlint("lint", input, "--select", "orphan-wal", in: folder)
            #expect(!clean.text.contains("Next: ") && clean.text.split(separator: "\n").count == 1)
        }
    }

    @Test(
        "An absolute path is not repeated in the last line, and a rule of the project is not explained without its folder"
    )
    func nextWithoutPath() throws {
        try withSample { path throws in
            let run = try sandboxlint("lint", path, "--select", "1")
            #expect(try steps(run.text) == ["fix CONTAINER --diff", "explain regenerable-in-documents"])
            let baseline = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "known.txt").path
            let written = try sandboxlint("baseline", "write", path, "--select", "stale-tmp", "--baseline", baseline)
            #expect(written.code == 0, "\(written.errors)")
            let known = try sandboxlint(
                "lint", path, "--select", "special-or-escaping-link", "--strict", "--baseline", baseline)
            #expect(try steps(known.text) == ["explain special-or-escaping-link"], "\(known.text)")
        }
    }

    @Test(
        "A report of 60,000 findings has a bounded length, counts the rest, and is complete with --verbose",
        .needs(.externalProgram))
    func many() throws {
        try withScratch { folder throws in
            let script = """
                import os, shutil
                for name in ("c/Documents", "c/Library", "c/tmp"):
                    os.makedirs(name)
                open("c/Documents/recent", "w").close()
                os.chdir("c/tmp")
                for folder in range(40):
                    os.mkdir(f"{folder:03}")
                    for file in range(100):
                        path = f"{folder:03}/{file:02}<b>@x.part"
                        open(path, "w").close()
                        os.utime(path, (1700000000, 1700000000))
                os.chdir("../..")
                for number in range(1, 15): shutil.copytree("c", f"c{number}")
                """
            try Command.setUp("python3", ["-c", script], in: folder)
            // A rule reports at most 4,000 items of a container separately.
            let inputs = ["c"] + (1...14).map { "c\($0)" }
            let arguments = ["lint"] + inputs + ["--isolated", "--select", "stale-tmp", "--now", "2026-01-01"]
            let run = try sandboxlint(
                arguments + ["--output", "markdown=out.md", "--output", "json=out.json"],
                in: folder)
            #expect(run.code == 0 && run.text.contains("0 errors, 60,000 warnings, 0 notes in "))
            #expect(run.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 60, "\(run.text)")
            #expect(run.text.matches(of: #/\nwarning\[stale-tmp\]: 4,000 items/#).count == 15, "\(run.text)")
            let verbose = try sandboxlint(arguments + ["--verbose"], in: folder)
            #expect(verbose.text.matches(of: #/\n   \|  tmp/\d{3}/\d\d<b>@x\.part  /#).count == 60_000)

            let markdown = try Data(contentsOf: folder.appending(path: "out.md"))
            #expect(markdown.count <= 65_536 && markdown.count > 50_000)
            let report = try ReadReport("markdown", markdown)
            #expect(report.command.code == 0 && (50..<600).contains(report.rows.count), "\(report.command.errors)")
            let last = String(decoding: markdown.suffix(200), as: UTF8.self).replacing(",", with: "")
            #expect(last.contains("bytes: \(60_000 - 100 * report.rows.count) findings not listed here."), "\(last)")
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "out.json")))
            #expect(((json as? [String: Any])?["findings"] as? [Any])?.count == 60_000)
        }
    }

    @Test(
        "No line is wider than a terminal of 40 columns, and no word of a sentence is split", .needs(.externalProgram))
    func narrow() throws {
        try withPictures(in: "Documents", bytes: 150_000, isPlain: true) { folder throws in
            let words = [Command.sandboxlint, "lint", "c", "--isolated", "--color", "never", "--progress", "never"]
            let run = try Command(
                Self.runner, ["--columns", "40"] + words, in: folder, environment: ["TERM": "xterm", "COLUMNS": ""])
            let lines = run.text.split(separator: "\r\n", omittingEmptySubsequences: false)
            #expect(lines.allSatisfy { $0.count <= 40 }, "\(run.text)")
            let text = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
            for sentence in [
                "re-downloadable or regenerable data in Documents is included in every backup",
                "… 15 more (`--verbose`)",
            ] {
                #expect(text.contains(sentence), "\(text)")
            }
        }
    }
}
