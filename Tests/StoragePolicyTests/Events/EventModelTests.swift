import AppContainer
import ContainerLifecycle
import ContainerTree
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

/// The model of an event is compared with the event on disk, for every container of the corpus.
@Suite("Model of device events", .timeLimit(.minutes(60))) struct EventModelTests {
    private static let containers = (try? CorpusContainer.all().map(\.name)) ?? []

    /// The rules, which take a while to read.
    private static let catalogue = try? Catalogue.embedded()

    @Test("The corpus is found") func corpus() { #expect(Self.containers.count > 50) }

    @Test("The model after a purge lints like the disk after a purge", arguments: containers)
    func purge(name: String) throws {
        try compare(name, .purge) { device, _ throws in try device.purge() }
    }

    @Test("The model after a restore lints like the restored container", arguments: containers)
    func restore(name: String) throws {
        try compare(name, .restore) { device, folder throws in
            try device.restore(to: FilePath(folder.appending(path: "restored").path))
        }
    }

    @Test(
        "The model after an update lints like the container at its new path", arguments: ["stored-paths", "archives"])
    func update(name: String) throws {
        try compare(name, .update) { device, _ throws in try device.update() }
    }

    /// Compares the model of an event on one container with the result of the event on a copy.
    private func compare(
        _ name: String, _ event: LifecycleEvent, _ play: (SimulatedDevice, URL) throws -> EventResult
    ) throws {
        let sample = try CorpusContainer(named: name)
        try withScratch { folder throws in
            let catalogue = try #require(Self.catalogue)
            let run = ExampleRun(scratch: FilePath(folder.path), catalogue: catalogue)
            let path = folder.appending(path: "original")
            let container = try run.container(sample.example, at: FilePath(path.path))
            let copy = try run.container(sample.example, at: FilePath(folder.appending(path: "copy").path))
            let configuration =
                try sample.example.configuration.map { try Configuration(file: "config", text: $0) } ?? .none

            let linter = try Linter(
                catalogue: catalogue, configuration: configuration, now: ExampleRun.now, after: [event])
            let before = try TreeListing(of: path)
            let report = try linter.lint(container)
            let modelled = try modelFindings(linter, container, event)
            #expect(try TreeListing(of: path).differences(from: before) == [])

            let result = try play(try SimulatedDevice(copy), folder)
            let plain = try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now)
            let after = try plain.lint(result.container)
            let (model, disk) = (Self.lines(modelled), Self.lines(after.findings))
            #expect(model.subtracting(disk) == [], "only on the model")
            #expect(disk.subtracting(model) == [], "only on the disk")

            // The findings of the event's own rules agree with the results of the device.
            let gone = Set(result.items.filter { $0.action == .removed || $0.action == .leftOut }.map(\.path))
            for finding in report.findings where finding.rule.isAboutEvents && finding.items == 1 {
                #expect(finding.after == event)
                let file = FilePath(bytes: finding.path)
                if finding.rule.id.hasPrefix("user-data-") {
                    #expect(gone.contains { file.starts(with: $0) }, "\(file)")
                } else if finding.path.suffix(6).elementsEqual(".plist".utf8) {
                    #expect(result.danglingReferences.contains { $0.file == file }, "\(file)")
                }
            }
            // Every finding is reported once, and those from before the event without it.
            #expect(Set(report.findings.map(\.fingerprint)).count == report.findings.count)
            let ordinary = try plain.lint(container)
            #expect(Self.lines(report.findings.filter { $0.after == nil }) == Self.lines(ordinary.findings))
        }
    }

    /// Returns the findings of the ordinary rules on the model alone.
    private func modelFindings(
        _ linter: Linter, _ container: Container, _ event: LifecycleEvent
    ) throws -> [Finding] {
        let tree = DirectoryTree(container)
        let model = try EventModel([event], of: tree, threads: 2)
        func state(_ forms: [RuleForm], notingReferencesIn notes: ContainerNotes? = nil) -> RunState {
            let identifier = linter.configuration.bundleIdentifier ?? container.bundleIdentifier
            return RunState(
                forms: forms, registry: linter.catalogue.registry(bundleIdentifier: identifier),
                configuration: linter.configuration, bundleIdentifier: identifier, kind: container.kind,
                now: Timestamp(seconds: ExampleRun.now), timings: Timings(isOn: false),
                suppressions: Suppressions(
                    linter.configuration, catalogue: linter.catalogue, now: ExampleRun.now, readsItems: true),
                model: notes == nil ? linter.model : nil, notingReferencesIn: notes)
        }
        let first = state(linter.forms)
        return try linter.findings(
            in: TreeAfterEvents(tree, model: model), by: first, at: 0, of: ContainersOfApp([ContainerOfApp(container)]),
            owner: container.bundleIdentifier ?? "", { _ in }
        ) { noting, _ in state(noting.map { linter.forms[$0] }, notingReferencesIn: first.run.notes) }.findings
    }

    private static func lines(_ findings: [Finding]) -> Set<String> {
        Set(
            // A restored file is created at the time of the restore on Linux; in the model, its creation time is unknown.
            findings.filter { $0.rule.exception == nil && $0.rule.id != "inbox-modified" }.map {
                "\($0.severity) \($0.rule.id) \($0.displayPath) \($0.items) \($0.bytes): \($0.message)"
            })
    }
}
