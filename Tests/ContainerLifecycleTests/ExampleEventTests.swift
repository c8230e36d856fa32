import AppContainer
import ContainerLifecycle
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Each event of a device is played against each example: on the model of the linter, and on disk.
///
/// The examples store relative paths, and keep in Caches and tmp only files that they can make again, so no event breaks
/// them. HackerBooks as written has the findings that it has before the events.
@Suite("Device events and the examples", .needs(.process), .timeLimit(.minutes(60))) struct ExampleEventTests {
    private static let examples = ["HackerBooks", "Passcode", "Students", "Converter", "Messages", "Agenda"]
    /// The number of findings before any event, by rule.
    private static let ordinary = ["HackerBooks": ["regenerable-in-documents": 9]]

    private struct Report: Decodable {
        struct Finding: Decodable {
            let rule: String
            let path: String
            let after: String?
        }
        let findings: [Finding]
        let complete: Bool

        var countsByRule: [String: Int] { findings.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 } }
    }

    private func lint(_ path: FilePath, _ options: String...) throws -> Report {
        let run = try sandboxlint(["lint", path.string, "--isolated", "--format", "json"] + options)
        return try JSONDecoder().decode(Report.self, from: run.output)
    }

    /// Runs an example, and calls the body with its container.
    private func withExample(_ name: String, _ body: (FilePath, FilePath) throws -> Void) throws {
        try withScratch { folder throws in
            let scratch = FilePath(folder.resolvingSymlinksInPath().path)
            let path = scratch.appending(oldIdentifier)
            let program = URL(filePath: Command.sandboxlint).deletingLastPathComponent().appending(path: name).path
            try Command.setUp(program, [path.string])
            try body(path, scratch)
        }
    }

    @Test(
        "No event breaks an example: the model has no finding of the event", arguments: examples,
        LifecycleEvent.allCases)
    func model(name: String, event: LifecycleEvent) throws {
        try withExample(name) { path, _ throws in
            let report = try lint(path, "--after", event.rawValue)
            #expect(report.complete && report.findings.filter { $0.after != nil }.map(\.path) == [])
            #expect(report.countsByRule == Self.ordinary[name] ?? [:])
        }
    }

    @Test(
        "After each event on disk, an example has the findings that it had before",
        arguments: examples, LifecycleEvent.allCases)
    func disk(name: String, event: LifecycleEvent) throws {
        try withExample(name) { path, scratch throws in
            let device = try SimulatedDevice(Container.open(path))
            if device.state != .notRunning { try device.terminate() }
            let result: EventResult
            switch event {
            case .purge: result = try device.purge()
            case .update: result = try device.update()
            case .offload:
                try device.offload()
                result = try device.reinstall()
            case .restore: result = try device.restore(to: scratch.appending("new"))
            case .transfer: result = try device.transfer(to: scratch.appending("new"))
            }
            #expect(result.isComplete && result.danglingReferences.isEmpty)
            #expect(try lint(result.container.location).countsByRule == Self.ordinary[name] ?? [:])
        }
    }

    @Test(
        "A value of an example that stores an absolute path is found, so the absence of findings is meaningful",
        arguments: examples)
    func spoiled(name: String) throws {
        try withExample(name) { path, _ throws in
            let container = try Container.open(path)
            try container.save("text", to: .documents / "added.txt")
            try container.save(["path": "\(path)/Documents/added.txt"], to: .documents / "added.plist")
            let found = try lint(path, "--after", "update").findings.filter { $0.after != nil }
            #expect(found.map { "\($0.rule) \($0.path)" } == ["stored-path-dangles Documents/added.plist"])
        }
    }
}
