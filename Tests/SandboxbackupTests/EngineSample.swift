import Foundation
import TestSupport
import ToolSupport

/// The sample container with a repository of an external tool.
struct EngineSample {
    let tool: String
    let folder: URL
    var container: URL
    /// The location of the repository, as the tool expects it.
    var repository: String
    /// An option for restic's `-o`.
    var option: String?
    /// Additional variables for the access to a server.
    var access: [String: String] = [:]
    /// A directory for stand-ins of the tools, first in the search path.
    var programs: URL { folder.appending(path: "programs") }

    var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "RESTIC_PASSWORD": QuickRestic.password, "BORG_PASSPHRASE": "secret", "PATH": "\(programs.path):\(path)",
            "RESTIC_CACHE_DIR": folder.appending(path: "cache").path,
            "BORG_BASE_DIR": folder.appending(path: "base").path,
        ].merging(access) { $1 }
    }

    /// Runs `sandboxbackup create` with the tool.
    func create(_ arguments: String..., environment more: [String: String] = [:]) throws -> Command {
        let words = ["create", container.path, "--engine", tool, "--repository", repository]
        let options = option.map { ["--option", $0] } ?? []
        return try sandboxbackup(
            words + options + arguments, in: folder,
            environment: environment.merging(more) { $1 })
    }

    /// Runs a script with the variables of the tools.
    @discardableResult
    func shell(_ script: String) throws -> Command {
        try Command("bash", ["-c", "set -eu; \(script)"], in: folder, environment: environment)
    }

    /// Creates the repository with the tool itself.
    func makeRepository() throws {
        switch tool {
        case "restic" where repository.hasPrefix("/"): try QuickRestic.makeRepository(at: repository)
        case "restic": try shell("restic -r '\(repository)' init").succeeded()
        default: try shell("borg init -e repokey '\(repository)'").succeeded()
        }
    }

    /// Returns the identifiers of the snapshots; short ones for restic.
    func snapshots() throws -> [String] {
        struct Record: Decodable { let short_id: String }
        guard tool == "restic" else {
            return try shell("borg list --short '\(repository)'").text.split(separator: "\n").map(String.init)
        }
        let run = try shell("restic -r '\(repository)' snapshots --json")
        return try (JSONDecoder().decode([Record]?.self, from: run.output) ?? []).map(\.short_id)
    }

    /// Returns true if exactly these snapshots exist, with short or long identifiers.
    func holdsOnly(_ told: [String]) throws -> Bool {
        let there = try snapshots()
        return there.count == told.count && told.allSatisfy { name in there.contains(where: name.hasPrefix) }
    }

    /// Restores a snapshot with the tool itself into an existing directory.
    func restore(_ snapshot: String, to target: URL) throws -> Command {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let options = option.map { "-o '\($0)'" } ?? ""
        return try shell(
            tool == "restic"
                ? "restic \(options) -r '\(repository)' restore '\(snapshot)' --target '\(target.path)'"
                : "cd '\(target.path)' && borg extract '\(repository)::\(snapshot)'")
    }

    /// Installs a script in place of the tool; `$REAL` is the path of the tool.
    func stand(in script: String) throws {
        try shell(
            """
            mkdir -p programs
            printf '%s\\n' '#!/bin/bash' "REAL=$(PATH=${PATH#*:} command -v \(tool))" > programs/new
            cat >> programs/new << 'END'
            \(script)
            END
            chmod +x programs/new; mv programs/new programs/\(tool)
            """)
    }
}

/// The JSON report of `sandboxbackup create`.
struct EngineReport: Decodable {
    struct Incident: Decodable { let path, reason: String }
    let engine, version, snapshot: String
    let stores: String?
    let files: Int
    let complete: Bool
    let incidents: [Incident]
    let leftovers: [String]

    init(_ command: Command) throws { self = try JSONDecoder().decode(Self.self, from: command.output) }

    /// One line per incident.
    var lines: [String] { incidents.map { "\($0.reason): \($0.path)" } }
}

func withEngineSample<Result>(_ tool: String, _ body: (EngineSample) throws -> Result) throws -> Result {
    try withRepositorySample { folder, container, _ throws in
        let sample = EngineSample(
            tool: tool, folder: folder, container: URL(fileURLWithPath: container),
            repository: folder.appending(path: "repository").path)
        try sample.makeRepository()
        return try body(sample)
    }
}
