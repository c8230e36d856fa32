import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A container, and a stand-in for `xcrun` on the search path.
struct XcrunSample {
    static let identifier = "com.example.app"
    let folder: URL
    /// The container of the app, with one finding.
    let container: Container
    var environment: [String: String] {
        ["PATH": "\(folder.path)/bin:/usr/bin:/bin", "TMPDIR": folder.appending(path: "temporary").path]
    }
    /// The names in the temporary directory.
    var leftovers: [String] { get throws { try names(in: folder.appending(path: "temporary")) } }

    /// Installs a script of bash as `xcrun`. It runs in the folder of the sample.
    func install(_ script: String) throws {
        let file = folder.appending(path: "bin/xcrun")
        try "#!/bin/bash\ncd '\(folder.path)'\n\(script)\n".write(to: file, atomically: false, encoding: .utf8)
        try setMode("755", of: file.path)
    }

    /// Runs the linter.
    func lint(_ arguments: String...) throws -> Command {
        try sandboxlint(
            ["lint"] + arguments + ["--now", "2026-01-01"], in: folder, environment: environment)
    }

    /// Runs the linter and returns its JSON report.
    func report(_ arguments: String...) throws -> Report {
        let run = try sandboxlint(
            ["lint"] + arguments + ["--now", "2026-01-01", "--format", "json"], in: folder,
            environment: environment)
        return try Report(run)
    }
}

/// The JSON report of a run.
struct Report {
    struct Finding: Hashable {
        let rule: String
        let severity: String
        let path: String
        let fingerprint: String
        let input: Int
    }

    let run: Command
    let inputs: [[String: Any]]
    let findings: [Finding]
    /// The rules with the paths of their findings.
    var lines: [String] { findings.map { "\($0.rule) \($0.path)" } }
    var fingerprints: Set<String> { Set(findings.map(\.fingerprint)) }

    init(_ run: Command) throws {
        self.run = run
        let json = try #require(
            try JSONSerialization.jsonObject(with: run.output) as? [String: Any], "\(run.errors)")
        inputs = try #require(json["inputs"] as? [[String: Any]])
        findings = try #require(json["findings"] as? [[String: Any]]).map { finding in
            func text(_ key: String) throws -> String { try #require(finding[key] as? String) }
            return Finding(
                rule: try text("rule"), severity: try text("severity"), path: try text("path"),
                fingerprint: try text("fingerprint"), input: try #require(finding["input"] as? Int))
        }
    }
}

/// Creates a container with a downloaded image in Documents, a file in Caches that is excluded from backup, and an app
/// group with a re-downloadable file.
func makeContainer(at path: URL, _ identifier: String) throws -> Container {
    let container = try Container.create(at: FilePath(path.path), bundleIdentifier: identifier)
    let url = try #require(URL(string: "https://example.com/a.jpg"))
    try container.save(
        Data([0xff, 0xd8]), to: .documents / "images/a.jpg",
        options: .init(durability: .none, provenance: .downloaded(from: url)))
    return container
}

/// Runs `body` with a container and without `xcrun`.
func withXcrunSample(_ body: (XcrunSample) throws -> Void) throws {
    try withScratch { folder throws in
        for name in ["bin", "temporary"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: false)
        }
        let container = try makeContainer(at: folder.appending(path: "container"), XcrunSample.identifier)
        try body(XcrunSample(folder: folder, container: container))
    }
}
