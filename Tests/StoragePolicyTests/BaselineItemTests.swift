import AppContainer
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Baseline entries for items") struct BaselineItemTests {
    private static let key = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEG\n-----END PRIVATE KEY-----\n"

    private func lint(_ folder: URL, _ rules: String...) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: rules, ignore: [])
        return try Linter(catalogue: catalogue, configuration: .none, now: ExampleRun.now, threads: 2)
            .lint(Container.open(FilePath(folder.appending(path: "c").path)))
    }

    private func withContainer(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            _ = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try body(folder)
        }
    }

    private func save(_ values: [String: String], in folder: URL) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        try folder.write(data, to: "c/Library/Preferences/com.example.app.plist")
    }

    @Test("A second private key beside an accepted one is new, and the accepted one is not")
    func secondKey() throws {
        try withContainer { folder throws in
            try folder.write(Self.key, to: "c/Documents/a.pem")
            let baseline = Baseline(try lint(folder, "privacy"))
            #expect(baseline.entries.map(\.path) == ["Documents/a.pem"])
            try folder.write(Self.key, to: "c/Documents/b.pem")
            var report = try lint(folder, "privacy")
            report.apply(baseline, toInputs: [0], isStrict: true)
            #expect(report.findings.map(\.displayPath) == ["Documents/b.pem"] && report.baselined == 1)
        }
    }

    @Test("A second secret in one file is new; when one of two is gone, its entry is stale and the other is accepted")
    func secondSecret() throws {
        try withContainer { folder throws in
            let token = "q7Zk2Xv9LpR4tW8sYb3N"
            try save(["accessToken": token], in: folder)
            let one = Baseline(try lint(folder, "privacy"))
            try save(["accessToken": token, "refreshToken": token + "q4"], in: folder)
            let report = try lint(folder, "privacy")
            #expect(report.comparison(with: one).new.count == 1)
            let two = Baseline(report)
            #expect(one.entries.count == 1 && two.entries.count == 2 && Set(two.entries.map(\.path)).count == 1)
            // The value may change, as a token does.
            try save(["refreshToken": "Zk7q2Xv9LpR4tW8sYb3Nmmq8"], in: folder)
            let comparison = try lint(folder, "privacy").comparison(with: two)
            #expect(comparison.new.isEmpty && comparison.known.count == 1)
            #expect(comparison.gone.entries == one.entries)
        }
    }

    @Test("A renamed UUID directory has no new finding and no stale entry; one more such item is new")
    func renamed() throws {
        try withContainer { folder throws in
            let names = (0..<3).map { _ in UUID().uuidString }
            try folder.write(Self.key, to: "c/Documents/\(names[0])/a.pem")
            let baseline = Baseline(try lint(folder, "privacy"))
            #expect(baseline.entries.map(\.path) == ["Documents/*/a.pem"])
            #expect(try Baseline(file: "b", text: baseline.text).text == baseline.text)
            try folder.move("c/Documents/\(names[0])", to: "c/Documents/\(names[1])")
            let moved = try lint(folder, "privacy").comparison(with: baseline)
            #expect(moved.new.isEmpty && moved.gone.isEmpty && moved.known.count == 1)
            try folder.write(Self.key, to: "c/Documents/\(names[2])/a.pem")
            var report = try lint(folder, "privacy")
            report.apply(baseline, toInputs: [0])
            #expect(report.findings.count == 2)
            let text = "accepts 1 such finding at Documents/*/a.pem; found 2"
            #expect(report.findings.allSatisfy { $0.evidence.last == Evidence(kind: "baseline", value: text) })
        }
    }

    @Test("A directory of a rule about many items is renamed as well, and accepts as many items as were found")
    func renamedDirectory() throws {
        try withContainer { folder throws in
            func make(_ path: String) throws {
                try folder.write(to: "c/tmp/\(path)")
                try folder.setTimes("2025-01-01", of: "c/tmp/\(path)")
            }
            try make("export-2025-01-02/a.bin")
            let baseline = Baseline(try lint(folder, "stale-tmp"))
            #expect(baseline.entries.map(\.line) == ["stale-tmp com.example.app tmp/export-*/ max:items=1"])
            try folder.remove("c/tmp/export-2025-01-02")
            try make("export-2025-02-03/b.bin")
            let moved = try lint(folder, "stale-tmp").comparison(with: baseline)
            #expect(moved.new.isEmpty && moved.gone.isEmpty)
            try make("export-2025-02-04/b.bin")
            #expect(try lint(folder, "stale-tmp").comparison(with: baseline).new.count == 2)
        }
    }

    @Test("A database that grows is not new, nor is a larger file of a rule that does not measure bytes")
    func grown() throws {
        try withContainer { folder throws in
            func write(_ size: Int) throws {
                try folder.write(Data("SQLite format 3\0".utf8) + Data(count: size), to: "c/Documents/library.sqlite")
                try folder.write(Data(count: size), to: "c/tmp/a.bin")
                try folder.setTimes("2025-01-01", of: "c/tmp/a.bin")
            }
            try write(20_000)
            let rules = ["database-in-documents", "stale-tmp"]
            let baseline = Baseline(try lint(folder, rules[0], rules[1]))
            #expect(baseline.entries.map(\.limit) == [.init(items: 2, bytes: nil), .init(items: 2, bytes: nil)])
            try write(61_000)
            let grown = try lint(folder, rules[0], rules[1]).comparison(with: baseline)
            #expect(grown.new.isEmpty && grown.known.count == 2)
        }
    }

    @Test(
        "An entry that accepts any item is refused for a rule that is accepted item by item, with its line",
        arguments: [
            ("** max:none", true), ("** max:items=9", true), (". max:items=1", true), ("Documents/ max:items=2", true),
            ("Documents/ max:none", true), ("Documents/a.pem max:none", true), ("* max:items=1", true),
            ("*/* max:items=1", true), ("Documents/a.pem max:items=1", false), ("Documents/*/a.pem max:items=2", false),
            ("Documents/ max:items=101", false),
        ])
    func refused(entry: String, isRefused: Bool) throws {
        let linter = try Linter(catalogue: .embedded(), configuration: .none, now: nil)
        let text = "\(Baseline.header)\nstale-tmp - ** max:none\nprivate-key-file - \(entry)\n"
        let baseline = try Baseline(file: "b.txt", text: text)
        guard isRefused else { return try Linter.check(baseline, for: [linter]) }
        let error = #expect(throws: SourceError.self) { try Linter.check(baseline, for: [linter]) }
        let message = "b.txt:3:1: “private-key-file” is accepted item by item, but this entry accepts any item"
        #expect(error?.description == message)
    }

    @Test("Canonically equal names are one item; names that differ in case are two")
    func spelling() throws {
        try withContainer { folder throws in
            try folder.write(Self.key, to: "c/Documents/Schlu\u{308}ssel.pem")
            let baseline = Baseline(try lint(folder, "privacy"))
            #expect(baseline.entries.map { Array($0.path.utf8) } == [Array("Documents/Schl\u{fc}ssel.pem".utf8)])
            try folder.move("c/Documents/Schlu\u{308}ssel.pem", to: "c/Documents/Schl\u{fc}ssel.pem")
            let typed = baseline.text.decomposedStringWithCanonicalMapping
            for text in [baseline.text, typed] {
                let comparison = try lint(folder, "privacy").comparison(with: Baseline(file: "b", text: text))
                #expect(comparison.new.isEmpty && comparison.gone.isEmpty)
            }
            try folder.move("c/Documents/Schl\u{fc}ssel.pem", to: "c/Documents/schl\u{fc}ssel.pem")
            let other = try lint(folder, "privacy").comparison(with: baseline)
            #expect(other.new.count == 1 && other.gone.count == 1)
        }
    }

    @Test("An update keeps entries that accept enough and removes those of items that are gone")
    func updates() throws {
        try withContainer { folder throws in
            try folder.write(Self.key, to: "c/Documents/a.pem", "c/Documents/1/x.pem", "c/Documents/2/x.pem")
            let baseline = Baseline(try lint(folder, "privacy"))
            #expect(baseline.entries.map(\.limit.items) == [2, 1])
            try folder.remove("c/Documents/a.pem", "c/Documents/1/x.pem")
            try folder.write(Self.key, to: "c/Documents/b.pem")
            let updated = try lint(folder, "privacy").updated(baseline)
            #expect(updated.entries.map(\.path) == ["Documents/*/x.pem", "Documents/b.pem"])
            #expect(updated.entries.map(\.limit.items) == [2, 1])
        }
    }

    @Test(
        "The parts of a name that change by themselves are stars, others stay",
        arguments: [
            ("8F5A3D1E-0000-4000-8000-000000000001", "*"), ("a-8f5a3d1e-0000-4000-8000-000000000001.db", "a-*.db"),
            ("2025-01-02", "*"), ("log 2025-01-02T10:15:00Z.txt", "log *.txt"), ("app.log.12", "app.log.*"),
            ("IMG_2041.jpg", "IMG_*.jpg"), ("IMG0001.jpg", "IMG*.jpg"), ("1.2.3", "*"), ("model-v2", "model-*"),
            ("0cc175b9c0f1b6a831c399e269772661.jpg", "*.jpg"), ("photo (2).jpg", "photo (*).jpg"),
            ("track.mp3", "track.mp3"), ("notes.db3", "notes.db3"), ("key2.pem", "key2.pem"), ("sha1", "sha1"),
            ("Documents", "Documents"), ("a.7z", "a.7z"), ("com.example.app", "com.example.app"), ("", ""),
        ])
    func varying(name: String, pattern: String) {
        #expect(String(decoding: VaryingName.pattern(of: Array(name.utf8)), as: UTF8.self) == pattern)
    }

    @Test("A star in a name is no pattern")
    func star() {
        #expect(Baseline.pattern(Array("a/*/7/b*.txt".utf8)) == "a/%2A/*/b%2A.txt")
        #expect(Baseline.pattern([]) == "." && Baseline.pattern(Array("12".utf8)) == "12")
    }
}
