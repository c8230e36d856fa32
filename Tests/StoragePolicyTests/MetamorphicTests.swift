import AppContainer
import FileSystem
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

/// Changes to containers of the corpus that must not change the findings.
@Suite("The same problems give the same findings", .needs(.long)) struct MetamorphicTests {
    private static let names = [
        "async-storage", "broken-files", "empty-folders", "flags-of-all-kinds", "group-databases",
        "names-and-attributes",
        "old-places", "preferences-clutter", "stored-paths", "wallet-secrets",
    ]

    /// Everything that a report says, but for the name of the container; of budgets only what they are, if asked so.
    private func words(_ report: LintReport, withBudgets: Bool) -> [String] {
        report.findings.map { finding in
            guard withBudgets || finding.rule.aggregate == nil else { return finding.fingerprint }
            let evidence = finding.evidence.map { "\($0.kind)=\($0.value)" }.joined(separator: ",")
            return [
                finding.fingerprint, finding.severity.rawValue, finding.rule.id, finding.displayPath, finding.message,
                "\(finding.items) \(finding.bytes)", evidence, "\(finding.exclusion)",
            ].joined(separator: " | ")
        } + report.incidents.map { "\($0.displayPath): \($0.reason.rawValue)" }
    }

    private func lint(_ container: Container, as made: CorpusContainer, threads: Int = 2, withBudgets: Bool = true)
        throws -> [String]
    {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: catalogue.rules.map(\.id), ignore: [])
        let configuration = try made.example.configuration.map { try Configuration(file: "config", text: $0) } ?? .none
        return words(
            try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now, threads: threads)
                .lint(container), withBudgets: withBudgets)
    }

    /// The container in a folder named by a UUID, as a device has it.
    private func make(
        _ container: CorpusContainer, in folder: URL, _ uuid: String, isReversed: Bool = false
    ) throws -> Container {
        let example = container.example
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let run = ExampleRun(scratch: FilePath(folder.path), catalogue: try .embedded())
        return try run.container(
            RuleExample(
                title: example.title, entries: isReversed ? example.entries.reversed() : example.entries,
                configuration: nil, bundleIdentifier: example.bundleIdentifier),
            at: FilePath(folder.appending(path: uuid).path))
    }

    private let uuid = "6F0B3A52-7C7E-4E8B-9A61-0D1C2B3A4F5E"

    @Test("After a move to another folder with another UUID, with any number of threads", arguments: names)
    func moved(name: String) throws {
        try withScratch { folder throws in
            let container = try CorpusContainer(named: name)
            let made = try make(container, in: folder, uuid)
            let before = try lint(made, as: container)
            #expect(!before.isEmpty)
            for threads in [1, 3, 8] { #expect(try lint(made, as: container, threads: threads) == before) }
            let other = folder.appending(path: "Containers/Data/Application/0C8E7D1B-51F4-4B0E-8D57-7E2A9C3B1D40")
            try FileManager.default.createDirectory(
                at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: folder.appending(path: uuid), to: other)
            #expect(try lint(Container.open(FilePath(other.path)), as: container) == before)
        }
    }

    @Test("After creation in the opposite order, so that directories list other orders", arguments: names)
    func reordered(name: String) throws {
        // A file system in memory lists names in the order of creation; one on a disk by their hash.
        let memory = URL(fileURLWithPath: "/dev/shm")
        let place =
            Platform.isLinux && FileManager.default.fileExists(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
        try withScratch(in: place) { folder throws in
            let container = try CorpusContainer(named: name)
            let made = try make(container, in: folder, uuid)
            let reversed = try make(container, in: folder.appending(path: "again"), uuid, isReversed: true)
            let (first, second) = (try lint(made, as: container), try lint(reversed, as: container))
            #expect(first == second, "\(Set(first).symmetricDifference(second).sorted())")
        }
    }

    // A budget counts every file, so that what it says changes with each; it stays the same problem.
    @Test("With additional files that no rule reports", arguments: names)
    func accompanied(name: String) throws {
        try withScratch { folder throws in
            let container = try CorpusContainer(named: name)
            let made = try make(container, in: folder, uuid)
            let before = try lint(made, as: container, withBudgets: false)
            let moment = Timestamp(seconds: ExampleRun.now - 3600)
            for (path, text) in [
                ("Library/Application Support/Letters/letter.txt", "Dear reader"),
                ("Library/Caches/Covers/cover.txt", "a cover"), ("tmp/Draft/draft.txt", "a draft"),
            ] {
                let parent = FilePath(path).removingLastComponent()
                try made.folder.createDirectories(parent)
                try Data(text.utf8).write(to: folder.appending(path: "\(uuid)/\(path)"))
                for changed in [FilePath(path), parent] {
                    try made.folder.setTimes(changed, accessed: moment, modified: moment)
                }
            }
            let after = try lint(made, as: container, withBudgets: false)
            #expect(after.sorted() == before.sorted(), "\(Set(after).symmetricDifference(before))")
        }
    }
}
