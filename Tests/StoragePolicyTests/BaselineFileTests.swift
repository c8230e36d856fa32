import AppContainer
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("Baseline files") struct BaselineFileTests {
    @Test("Of two lines for one rule and directory, as after a merge, the higher limits apply")
    func merged() throws {
        let text = "\(Baseline.header)\nr c d/ max:items=4,bytes=10\nr c d/ max:items=6,bytes=8\nr c e/ max:items=2\n"
        let baseline = try Baseline(file: "b", text: text + "r c e/ max:bytes=2\n")
        #expect(baseline.entries.map(\.line) == ["r c d/ max:items=6,bytes=10", "r c e/ max:none"])
    }

    @Test(
        "A file that is not a baseline, or is damaged, is reported with line and column",
        arguments: [
            ("", 1, 1, "not a sandboxlint baseline"), ("{\"a\": 1}", 1, 1, "not a sandboxlint baseline"),
            ("sandboxlint-baseline/\n", 1, 1, "not a sandboxlint baseline"),
            ("sandboxlint-baseline/two\n", 1, 1, "not a sandboxlint baseline"),
            ("sandboxlint-baseline/3\n\n<<<<<<< HEAD\n", 3, 1, "unresolved merge conflict"),
            ("sandboxlint-baseline/3\n=======\n", 2, 1, "unresolved merge conflict"),
            ("sandboxlint-baseline/3\n" + String(repeating: "x", count: 20_000), 2, 1, "longer than 16 KiB"),
            ("sandboxlint-baseline/3\nr c d/\n", 2, 1, "rule, container, path and limit"),
            ("sandboxlint-baseline/3\nr c  d/ max:none\n", 2, 1, "rule, container, path and limit"),
            ("sandboxlint-baseline/3\nr c d e/ max:none x y\n", 2, 1, "rule, container, path and limit"),
            ("sandboxlint-baseline/3\nr c d max:items=1 found:0123\n", 2, 19, "“found:” and 16 hexadecimal digits"),
            ("sandboxlint-baseline/3\nr c d/ max:items=1 found:0123456789abcdef\n", 2, 20, "only the path of an item"),
            ("sandboxlint-baseline/3\nr c d/**/ max:none\n", 2, 5, "“**” stands for any path and must be alone"),
            ("sandboxlint-baseline/3\nr c d/ none\n", 2, 8, "a limit such as max:items=16,bytes=2MB"),
            ("sandboxlint-baseline/3\nr c d/ max:\n", 2, 12, "items=…, bytes=… or both"),
            ("sandboxlint-baseline/3\nr c d/ max:items=1,byte=2\n", 2, 20, "items=…, bytes=… or both"),
            ("sandboxlint-baseline/3\nr c d/ max:items=1,items=2\n", 2, 20, "items=…, bytes=… or both"),
            ("sandboxlint-baseline/3\nr c d/ max:items=-1\n", 2, 18, "“-1” is not a number of items"),
            ("sandboxlint-baseline/3\nr c d/ max:bytes=1TB\n", 2, 18, "“1TB” is not a size"),
            ("sandboxlint-baseline/3\nr c d/ fingerprint:0123456789abcdef\n", 2, 8, "a limit such as"),
        ])
    func damaged(text: String, line: Int, column: Int, message: String) {
        let error = #expect(throws: SourceError.self) { try Baseline(file: "b.txt", text: text) }
        #expect(error?.line == line && error?.column == column, "\(error?.description ?? "")")
        #expect(error?.message.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("A file of another format is refused with its format and the one that is read", arguments: [0, 1, 2, 4])
    func otherFormat(format: Int) {
        let text = "sandboxlint-baseline/\(format)\n0123456789abcdef stale-tmp com.example.app tmp/a\n"
        let error = #expect(throws: SourceError.self) { try Baseline(file: "b.txt", text: text) }
        let message = "b.txt:1:1: the baseline has format \(format); this version of sandboxlint reads format 3"
        #expect(error?.description == message)
    }

    @Test("An error shows no line of the file, which a configuration may name, and no control character of its name")
    func control() {
        let text = "sandboxlint-baseline/3\nab\u{1b}[31m\u{202e}\n"
        let error = #expect(throws: SourceError.self) { try Baseline(file: "b\n.txt", text: text) }
        #expect(
            error?.description
                == "b\u{fffd}.txt:2:1: expected rule, container, path and limit, separated by single spaces")
    }

    @Test("Many entries in any order are found by their subject, once with the higher limits, and written in order")
    func table() throws {
        var numbers = SeededNumbers(seed: 37)
        var limits: [String: Int] = [:]
        var lines: [String] = []
        for _ in 0..<4_000 {
            let rule = ["a", "a-b", "a-b-c"][Int.random(in: 0..<3, using: &numbers)]
            let container = ["-", "%41", "com.example", "com.example.app"][Int.random(in: 0..<4, using: &numbers)]
            let path = ["p", "p!", "p/", "p/q", "."][Int.random(in: 0..<5, using: &numbers)]
            let found = ["", " found:00000000000000ff", " found:ff00000000000000"][
                Int.random(in: 0..<3, using: &numbers)]
            let suffix = path.last == "/" || path == "." ? "" : found
            let limit = Int.random(in: 1..<20, using: &numbers)
            let subject = "\(rule) \(container) \(path)"
            lines.append("\(subject) max:items=\(limit)\(suffix)")
            limits[subject + "|" + suffix] = max(limits[subject + "|" + suffix] ?? 0, limit)
        }
        let baseline = try Baseline(file: "b", text: ([Baseline.header] + lines).joined(separator: "\n"))
        let expected = limits.map { key, limit in key.replacing("|", with: " max:items=\(limit)") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(baseline.text == ([Baseline.header] + expected).map { $0 + "\n" }.joined())
        #expect(baseline.entries.map(\.line) == expected && baseline.count == expected.count)
        #expect(baseline.entries.allSatisfy(baseline.contains))
        let half = baseline.filter { $0.rule == "a-b" }
        #expect(baseline.entries.allSatisfy { half.contains($0) == ($0.rule == "a-b") })
        let changes = baseline.changes(from: half)
        #expect(changes.added == baseline.count - half.count && changes.removed == 0 && changes.changed == 0)
        var whole = half
        whole.add(baseline)
        #expect(whole.text == baseline.text)
    }

    @Test("A file that no command would read is not written, and the old one stays")
    func tooLarge() throws {
        try withScratch { folder throws in
            let long = String(repeating: "a", count: 15_000)
            let baseline = Baseline(
                (0..<9_000).map { number in
                    Baseline.Entry(
                        key: Baseline.Key(rule: "stale-tmp", container: "", path: "tmp/\(long)\(number)/"),
                        limit: Baseline.Limit(items: 2, bytes: nil))
                })
            try folder.write("old", to: "b.txt")
            let path = folder.appending(path: "b.txt").path
            let error = #expect(throws: UnreadableSource.self) { try baseline.write(to: path) }
            #expect(error?.reason == "it would be larger than 128 MiB")
            #expect(try folder.text(of: "b.txt") == "old")
        }
    }

    @Test("A directory's name that is not text comes back from its line as the bytes that it is")
    func bytes() throws {
        let path: [UInt8] = Array("tmp/a\n%\u{1b} ".utf8) + [0xff]
        let rule = try Catalogue.embedded().rule("stale-tmp")
        let finding = Finding(
            FindingCandidate(
                rule: rule, severity: .warning, path: path + Array("/f".utf8), bytes: 0, exclusion: .included,
                location: .temporary, isBackedUp: false))
        let entry = Baseline.Entry(
            key: Baseline.Key(rule: "stale-tmp", container: "", path: finding.baselineDirectory),
            limit: Baseline.Limit(items: 2, bytes: nil))
        #expect(entry.line == "stale-tmp - tmp/a%0A%25%1B%20%FF/ max:items=2")
        let read = try Baseline(file: "b", text: Baseline.header + "\n" + entry.line)
        #expect(read.entries == [entry] && read.entries.first?.bytes == path)
    }
}
