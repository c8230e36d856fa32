import AppContainer
import ContainerLifecycle
import Foundation
import PolicyRecords
import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Findings after device events", .timeLimit(.minutes(60))) struct EventFindingsTests {
    private static let identifier = "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9"

    /// Runs the body with a container in a directory that is named by a UUID.
    private func withContainer(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            let path = FilePath(folder.resolvingSymlinksInPath().path).appending(Self.identifier)
            try body(try Container.create(at: path, bundleIdentifier: "com.example.app"))
        }
    }

    private func put(_ path: String, list: [String: String], in container: Container) throws {
        let pairs = list.sorted { $0.key < $1.key }.map { "<key>\($0.key)</key><string>\($0.value)</string>" }
        try container.save(
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(pairs.joined())</dict></plist>",
            to: ContainerPath(path))
    }

    private func findings(_ container: Container, after events: LifecycleEvent...) throws -> [Finding] {
        // Later than a rule waits for renames to end.
        let later = Int64(Date().timeIntervalSince1970) + 3_600
        return try Linter(catalogue: .embedded(), now: later, after: events).lint(container).findings.filter {
            $0.after != nil
        }
    }

    private func lines(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.rule.id) \($0.displayPath) \($0.after?.rawValue ?? "-")" }.sorted()
    }

    @Test("An app that stores the path of a document fails after an update, and the finding names the key of the list")
    func realCase() throws {
        try withContainer { container throws in
            try container.save("Dear reader", to: .documents / "letters/first.txt")
            let own = container.location.string
            try put(
                "Library/Preferences/com.example.app.plist",
                list: ["lastOpened": "\(own)/Documents/letters/first.txt", "title": "First"], in: container)
            #expect(try Linter().lint(container).findings.allSatisfy { $0.rule.id != "stored-path-dangles" })
            let found = try findings(container, after: .update)
            #expect(lines(found) == ["stored-path-dangles Library/Preferences/com.example.app.plist update"])
            let finding = try #require(found.first)
            #expect(finding.severity == .error && finding.pointer == "/lastOpened")
            #expect(
                finding.message == "after an update: “com.example.app.plist” contains the absolute path of "
                    + "“Documents/letters/first.txt” under /lastOpened, which is invalid")
            // The prediction comes true on the device.
            let result = try SimulatedDevice(container).update()
            #expect(result.danglingReferences.map(\.key) == ["/lastOpened"])
            #expect(try findings(result.container, after: .update).isEmpty)
        }
    }

    @Test("The first event that breaks something is its cause, so the order matters only there")
    func order() throws {
        try withContainer { container throws in
            try container.save("png", to: ContainerPath("Library/Caches/cover.png"))
            try put(
                "Documents/a.plist", list: ["cover": "\(container.location)/Library/Caches/cover.png"], in: container)
            try put("Documents/b.plist", list: ["cover": "Library/Caches/cover.png"], in: container)
            #expect(
                lines(try findings(container, after: .purge, .update)) == [
                    "reference-to-removed-item Documents/a.plist purge",
                    "reference-to-removed-item Documents/b.plist purge",
                ])
            #expect(
                lines(try findings(container, after: .update, .purge)) == [
                    "reference-to-removed-item Documents/b.plist purge", "stored-path-dangles Documents/a.plist update",
                ])
            let all = LifecycleEvent.allCases
            let repeated = try Linter(catalogue: .embedded(), after: all + all).lint(container)
            let once = try Linter(catalogue: .embedded(), after: all).lint(container)
            #expect(lines(repeated.findings) == lines(once.findings))
        }
    }

    @Test("A problem that an event makes visible is found by the ordinary rules, with the event: an orphaned log")
    func ordinaryRules() throws {
        try withContainer { container throws in
            let header: [UInt8] = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 496)
            try container.save(header, to: .documents / "notes.sqlite")
            try container.save(
                [0x37, 0x7f, 0x06, 0x82] + [UInt8](repeating: 0, count: 60),
                to: .documents / "notes.sqlite-wal")
            try container.excludeFromBackup(.documents / "notes.sqlite")
            let before = try Linter().lint(container).findings
            #expect(!before.contains { $0.rule.id == "orphan-wal" })
            let found = try findings(container, after: .update, .restore).first { $0.rule.id == "orphan-wal" }
            #expect(found?.displayPath == "Documents/notes.sqlite-wal" && found?.after == .restore)
            #expect(found?.message.hasPrefix("after a restore: ") == true)
            #expect(found?.fingerprint.count == 16)
        }
    }

    @Test("A run without events has no findings of events, and a baseline of a run with events is not outdated by it")
    func withoutEvents() throws {
        try withContainer { container throws in
            try container.save(
                "Dear reader", to: ContainerPath("tmp/a.txt"), options: .init(provenance: Provenance(.user)))
            let after = try Linter(catalogue: .embedded(), after: [.purge]).lint(container)
            #expect(lines(after.findings.filter { $0.after != nil }) == ["user-data-purged tmp/a.txt purge"])
            var plain = try Linter().lint(container)
            #expect(plain.findings.allSatisfy { $0.after == nil && !$0.rule.id.hasPrefix("user-data-purged") })
            plain.apply(Baseline(after), toInputs: [0])
            #expect(!plain.findings.contains { $0.rule.id == "stale-baseline-entry" })
        }
    }
}
