import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Runs the example with a cluster of Dask on the loopback interface.
@Suite("Example of a fleet", .needs(.externalProgram), .timeLimit(.minutes(60))) struct FleetExampleTests {
    private static let example = URL(filePath: #filePath).appending(path: "../../../Examples/fleet").standardized

    /// Containers of different apps with a finding each.
    private func withFleet(_ names: [String], _ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            for name in names {
                let container = try Container.create(
                    at: FilePath(folder.appending(path: name).path), bundleIdentifier: "com.example.\(name)")
                try container.save("", to: .documents / "\(name).json")
            }
            try body(folder)
        }
    }

    private func lintFleet(_ arguments: [String], in folder: URL) throws -> Command {
        let python = Self.example.appending(path: "../../.build-fleet").standardized
        // `make install-test-needs` installs what the example lists.
        let list = try Data(contentsOf: Self.example.appending(path: "requirements.txt"))
        try #require(try Data(contentsOf: python.appending(path: "installed")) == list)
        return try Command(
            python.appending(path: "bin/python3").path,
            [
                Self.example.appending(path: "lint-fleet").path, "--workers", "2", "--sandboxlint", Command.sandboxlint,
                "--lint-option=--now=2026-01-01",
            ] + arguments, in: folder)
    }

    @Test("The merged report of the workers is the report of one run")
    func equal() throws {
        let names = ["a", "b", "c", "d", "e"]
        try withFleet(names) { folder throws in
            let options = ["--now", "2026-01-01", "--format", "json", "--fail-on", "warning"]
            let whole = try sandboxlint(["lint"] + names + options, in: folder)
            let run = try lintFleet(
                ["--merge-option=--format=json", "--merge-option=--fail-on=warning"] + names, in: folder)
            #expect(whole.code == 1 && run.code == 1, "\(run.errors)")
            #expect(run.text == whole.text && run.text.contains("zero-length-structured"), "\(run.errors)")
        }
    }

    @Test("A container that cannot be linted makes the run incomplete, and the others are reported")
    func incomplete() throws {
        try withFleet(["a", "b"]) { folder throws in
            let missing = try lintFleet(["a", "missing", "b"], in: folder)
            #expect(missing.code == 3 && missing.text.contains("failed: "), "\(missing.errors)")
            #expect(missing.text.contains("a.json") && missing.text.contains("b.json"))
            // An error of usage: no container has a report.
            let none = try lintFleet(["a", "--lint-option=--select=no-such-rule"], in: folder)
            #expect(none.code != 0 && none.errors.contains("no-such-rule"), "\(none.errors)")
        }
    }
}
