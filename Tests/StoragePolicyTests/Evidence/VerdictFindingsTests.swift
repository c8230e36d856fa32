import AppContainer
import FileSystem
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Findings from weighed evidence", .needs(.long)) struct VerdictFindingsTests {
    private static let id = "likely-regenerable-in-backup"

    private func configuration(_ text: String) throws -> Configuration {
        try Configuration(file: ".sandboxlint.yml", text: text)
    }

    /// A voice pack beside its archive.
    private func writePack(_ fixture: EvidenceFixture, in directory: String = "Documents/voices", files: Int = 3) throws
    {
        try fixture.write("\(directory)/eng.zip", minutes: 10)
        for number in 0..<files { try fixture.write("\(directory)/eng/turn-\(number).mp3", minutes: 10) }
        for number in 0..<(files + 5) { try fixture.write("Library/Preferences/p\(number).plist", text: "") }
    }

    @Test("A guess is at most a warning, has its confidence and evidence, and has no fix")
    func guess() throws {
        try withEvidence { fixture throws in
            try writePack(fixture)
            let findings = try fixture.findings()
            #expect(findings.count == 4)
            for finding in findings {
                #expect(finding.severity < .error && !finding.isFixable && finding.rule.fix == nil)
                let confidence = try #require(finding.confidence)
                #expect((0.7..<1).contains(confidence))
                #expect(finding.evidence.first?.kind == "confidence")
                #expect(finding.message.contains("looks re-downloadable (") && finding.message.contains(" %)"))
                let strengths = finding.evidence.dropFirst().map { abs($0.weight ?? 0) }
                #expect(strengths.count > 2 && strengths == strengths.sorted(by: >))
            }
        }
    }

    @Test("More than a hundred files of a directory are one finding, with the least certain confidence")
    func many() throws {
        try withEvidence { fixture throws in
            try writePack(fixture, files: 150)
            let findings = try fixture.findings()
            let whole = try #require(findings.first { $0.displayPath == "Documents/voices/eng" })
            #expect(whole.items == 150 && whole.bytes == 150 && findings.count == 2)
            #expect(whole.message.hasPrefix("150 items in one directory"))
        }
    }

    @Test("One, two and eight threads have the same findings, for copies created in different orders")
    func deterministic() throws {
        var all: [[String]] = []
        for isReversed in [false, true] {
            try withEvidence { fixture throws in
                var paths = (0..<120).map { "Documents/tiles/7/\($0 % 4)/\($0).png" }
                paths += (0..<150).map { "Library/Application Support/app/stickers/sticker-\($0).webp" }
                paths += (0..<20).map {
                    "Documents/d\($0)/remote_config_\("abcdefghijklmnopqrstu".dropFirst($0).prefix(1)).json"
                }
                for path in isReversed ? paths.reversed() : paths { try fixture.write(path) }
                for threads in [1, 2, 8] {
                    all.append(
                        try fixture.findings(threads: threads).map { finding in
                            ([
                                finding.displayPath, "\(finding.severity)", "\(finding.confidence ?? 0)",
                                "\(finding.bytes)", finding.fingerprint,
                            ]
                                + finding.evidence.map { "\($0.kind) \($0.value) \($0.weight ?? 0)" }).joined(
                                    separator: "|")
                        })
                }
            }
        }
        #expect(all[0].count > 10)
        for other in all { #expect(other == all[0]) }
    }

    @Test(
        "Paths that the configuration declares or ignores are not reported",
        arguments: [
            "user-data: ['Documents/voices/**']", "ignore: ['Documents/voices/**']",
            "rules: { likely-regenerable-in-backup: off }",
            "must-include: ['Documents/voices/**']", "caches: ['Documents/voices/**']",
            "downloaded: ['Documents/voices/**']",
        ])
    func declared(text: String) throws {
        try withEvidence { fixture throws in
            try writePack(fixture)
            #expect(try fixture.findings(configuration(text)).isEmpty)
        }
    }

    @Test("A suppression of the configuration is used, whether it names files or the rule's group")
    func suppressed() throws {
        try withEvidence { fixture throws in
            try writePack(fixture)
            let text = """
                suppressions:
                  - { rule: \(Self.id), path: 'Documents/voices/**', reason: licensed for offline use }
                """
            let report = try fixture.report(configuration(text))
            #expect(report.findings.allSatisfy { $0.rule.id != Self.id && $0.rule.id != "unused-suppression" })
            #expect(report.suppressedFindings.count { $0.rule.id == Self.id } == 4)
        }
    }

    @Test("A suppression stored on a file or a directory is used")
    func carried() throws {
        try withEvidence { fixture throws in
            try writePack(fixture)
            let reason = "licensed for offline use"
            try fixture.container.suppress(Self.id, reason: reason, at: .documents / "voices/eng.zip")
            let first = try fixture.findings().map(\.displayPath)
            #expect(first.count == 3 && !first.contains("Documents/voices/eng.zip"))
            try fixture.container.suppress(Self.id, reason: reason, at: .documents / "voices")
            #expect(try fixture.findings().isEmpty)
        }
    }

    @Test("The configuration's severity counts for every confidence, also by path")
    func severity() throws {
        try withEvidence { fixture throws in
            try writePack(fixture)
            for severity in [Severity.note, .warning, .error] {
                let text = "rules: { \(Self.id): \(severity.rawValue) }"
                let found = try fixture.findings(configuration(text))
                #expect(found.count == 4 && found.allSatisfy { $0.severity == severity })
            }
            let text = """
                overrides:
                  - { paths: ['Documents/voices/eng/**'], rules: { \(Self.id): off } }
                """
            #expect(try fixture.findings(configuration(text)).map(\.displayPath) == ["Documents/voices/eng.zip"])
        }
    }

    @Test("Items excluded from backup, by themselves or by a directory, are not reported")
    func excluded() throws {
        try withEvidence { fixture throws in
            try writePack(fixture, in: "Documents/language-packs")
            try fixture.container.excludeFromBackup(.documents / "language-packs/eng.zip")
            #expect(try fixture.findings().count == 3)
            try fixture.container.excludeFromBackup(.documents / "language-packs")
            #expect(try fixture.findings().isEmpty)
        }
    }

    @Test("Caches, temporary files and system directories are not reported")
    func elsewhere() throws {
        try withEvidence { fixture throws in
            for directory in ["Library/Caches/voices", "tmp/voices", "Library/Cookies/voices", "Library/WebKit/voices"]
            {
                try writePack(fixture, in: directory)
            }
            #expect(try fixture.findings().isEmpty)
        }
    }

    @Test("Files in the root of a group container have verdicts")
    func group() throws {
        try withEvidence("group.com.example") { fixture throws in
            try fixture.write("eng.zip", minutes: 10)
            for number in 0..<6 { try fixture.write("eng/turn-\(number).mp3", minutes: 10) }
            for number in 0..<9 { try fixture.write("own\(number)/x\(number).plist") }
            #expect(try fixture.findings().contains { $0.displayPath == "eng/turn-0.mp3" })
        }
    }

    @Test("Guesses are never fixed")
    func noFix() throws {
        try withEvidence { fixture throws in
            try writePack(fixture)
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: [Self.id], ignore: [])
            let report = try Linter(catalogue: catalogue).lintReportingEach(fixture.container) { _ in }
            #expect(report.findings.count == 4 && report.findings.allSatisfy { !$0.isFixable })
        }
    }

    @Test("A file with proof has no verdict: a record of the library, quarantine, or another rule's finding")
    func proven() throws {
        try withEvidence { fixture throws in
            try writePack(fixture)
            #expect(try fixture.findings().count == 4)
            try fixture.container.save(
                "x", to: .documents / "voices/eng/turn-0.mp3",
                options: .init(durability: .none, provenance: Provenance(.user)))
            let quarantined = fixture.folder.appending(path: "Documents/voices/eng/turn-1.mp3").path
            try AttributeTool.set("user.com.apple.quarantine", to: "0083;5f3b3c00;Safari;", of: quarantined)
            try fixture.container.save(
                "x", to: .documents / "voices/eng/turn-2.mp3",
                options: .init(durability: .none, provenance: Provenance(.downloaded)))
            let report = try fixture.report()
            #expect(
                report.findings.filter { $0.rule.id == Self.id }.map(\.displayPath) == ["Documents/voices/eng.zip"])
            #expect(report.findings.contains { $0.rule.id == "regenerable-in-documents" })
        }
    }

    @Test(
        "In a container whose files share one hour, users' texts, videos and recordings are not reported",
        arguments: [
            "Documents/Soup 1.txt", "Documents/Entry 1.md", "Documents/concert-1.mov", "Documents/letters.csv",
            "Documents/voice.m4a", "Documents/Harbours 1.jpg",
        ])
    func copied(path: String) throws {
        try withEvidence { fixture throws in
            let (stem, end) = (path.dropLast(4), path.suffix(4))
            for number in 0..<8 { try fixture.write("\(stem)\(number)\(end)", minutes: 5) }
            try fixture.write(path, minutes: 5)
            #expect(try fixture.findings().isEmpty)
        }
    }

    @Test("Names with newlines and escapes are escaped in the evidence")
    func escaped() throws {
        try withEvidence { fixture throws in
            for number in 0..<6 {
                try fixture.write("Documents/icon\u{1b}[31m\nCache/remote\n\u{202e}config-\(number).json", minutes: 10)
            }
            let findings = try fixture.findings()
            #expect(!findings.isEmpty)
            for text in findings.flatMap({ [$0.message] + $0.evidence.map(\.value) }) {
                #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202e }, "\(text)")
            }
        }
    }

    @Test("A directory of 100,000 files is one finding, and the run is complete", .timeLimit(.minutes(60)))
    func large() throws {
        try withEvidence { fixture throws in
            let folder = fixture.folder.appending(path: "Documents/ThumbnailCache")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for number in 0..<100_000 {
                #expect(FileManager.default.createFile(atPath: folder.path + "/image-\(number).thumb", contents: nil))
            }
            let report = try fixture.report()
            let finding = try #require(report.findings.first { $0.rule.id == Self.id })
            #expect(finding.items == 100_000 && finding.displayPath == "Documents/ThumbnailCache")
            #expect(report.isComplete)
        }
    }

    @Test("A JSON file of a gigabyte is reported as not read, and costs no memory", .timeLimit(.minutes(60)))
    func gigabyte() throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/feed.json", text: "{\"urls\": [\"https://example.com/a\"")
            let file = try FileHandle(forWritingTo: fixture.folder.appending(path: "Documents/feed.json"))
            try file.truncate(atOffset: 1 << 30)
            try file.close()
            let incidents = try fixture.report().incidents
            #expect(
                incidents.contains {
                    $0.displayPath == "Documents/feed.json" && $0.reason.rawValue.hasPrefix("larger-than")
                })
        }
    }

    @Test("Extreme times of a file system do not trap")
    func times() throws {
        try withEvidence { fixture throws in
            for (number, seconds) in [Int64.min, .max, 0, -1, 253_402_300_799].enumerated() {
                let path = FilePath("Documents/pack/asset-\(number).json")
                try fixture.write(path.string)
                let time = Timestamp(seconds: seconds)
                // The file system may refuse or truncate the time.
                do { try fixture.container.folder.setTimes(path, accessed: time, modified: time) } catch {}
            }
            #expect(try fixture.evidence().count == 5)
        }
    }
}
