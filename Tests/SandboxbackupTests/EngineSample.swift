import Foundation
import TestSupport

/// A container as `withRepositorySample` makes it, and a repository of a backup tool's beside it.
struct EngineSample {
    let tool: String
    let folder: URL
    var container: URL
    /// As the tool is told.
    var repository: String
    /// Of restic's `-o`, if any.
    var option: String?
    /// More variables, as a server asks for.
    var access: [String: String] = [:]
    /// Programs that stand in for the tools, if a test puts any here.
    var programs: URL { folder.appending(path: "programs") }

    var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "RESTIC_PASSWORD": "secret", "BORG_PASSPHRASE": "secret", "PATH": "\(programs.path):\(path)",
            "RESTIC_CACHE_DIR": folder.appending(path: "cache").path,
            "BORG_BASE_DIR": folder.appending(path: "base").path,
        ].merging(access) { $1 }
    }

    /// Has our tool keep the container.
    func create(_ arguments: String..., environment more: [String: String] = [:]) throws -> Command {
        let words = ["create", container.path, "--engine", tool, "--repository", repository]
        let options = option.map { ["--option", $0] } ?? []
        return try Command(
            Command.sandboxbackup, words + options + arguments, in: folder,
            environment: environment.merging(more) { $1 })
    }

    /// Runs a script with the tools' variables.
    @discardableResult
    func shell(_ script: String) throws -> Command {
        try Command("bash", ["-c", "set -eu; \(script)"], in: folder, environment: environment)
    }

    /// Makes the repository with the tool itself.
    func makeRepository() throws -> Command {
        try shell(tool == "restic" ? "restic -r '\(repository)' init" : "borg init -e repokey '\(repository)'")
    }

    /// What the tool itself calls the snapshots that are there, for restic in short.
    func snapshots() throws -> [String] {
        struct Record: Decodable { let short_id: String }
        guard tool == "restic" else {
            return try shell("borg list --short '\(repository)'").text.split(separator: "\n").map(String.init)
        }
        let run = try shell("restic -r '\(repository)' snapshots --json")
        return try (JSONDecoder().decode([Record]?.self, from: run.output) ?? []).map(\.short_id)
    }

    /// Whether these snapshots are there, be their names short or long, and no others.
    func holdsOnly(_ told: [String]) throws -> Bool {
        let there = try snapshots()
        return there.count == told.count && told.allSatisfy { name in there.contains(where: name.hasPrefix) }
    }

    /// Has the tool itself bring back a snapshot, over what is there.
    func restore(_ snapshot: String, to target: URL) throws -> Command {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let options = option.map { "-o '\($0)'" } ?? ""
        return try shell(
            tool == "restic"
                ? "restic \(options) -r '\(repository)' restore '\(snapshot)' --target '\(target.path)'"
                : "cd '\(target.path)' && borg extract '\(repository)::\(snapshot)'")
    }

    /// Puts a script before the tool in the search path; in it, `$REAL` is the tool.
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

/// What our tool tells of its run in JSON.
struct EngineReport: Decodable {
    struct Incident: Decodable { let path, reason: String }
    let engine, version, snapshot: String
    let stores: String?
    let files: Int
    let complete: Bool
    let incidents: [Incident]
    let leftovers: [String]

    init(_ command: Command) throws { self = try JSONDecoder().decode(Self.self, from: command.output) }

    /// A line an incident.
    var lines: [String] { incidents.map { "\($0.reason): \($0.path)" } }
}

func withEngineSample<Result>(_ tool: String, _ body: (EngineSample) throws -> Result) throws -> Result {
    try withRepositorySample { folder, container, _ throws in
        let sample = EngineSample(
            tool: tool, folder: folder, container: URL(fileURLWithPath: container),
            repository: folder.appending(path: "repository").path)
        let made = try sample.makeRepository()
        guard made.code == 0 else { throw MissingTool(description: "\(tool): \(made.errors)") }
        return try body(sample)
    }
}

/// A tool that the tests ask for does not work here.
struct MissingTool: Error, CustomStringConvertible { let description: String }
