import Foundation
import TestSupport
import Testing
import ToolSupport

/// The answers of the tools to the question what an item is, as their commands print them.
struct VerdictAnswers {
    struct Change: Decodable {
        let action: String
        let path: String
        let outcome: String
    }
    private struct Fixes: Decodable { let changes: [Change] }

    struct Finding: Decodable {
        struct Fix: Decodable { let safety: String }
        let rule: String
        let severity: String
        let path: String
        let items: Int
        let confidence: Double?
        let fix: Fix?
    }
    private struct Lint: Decodable {
        struct Summary: Decodable { let undecidedBackedUpBytes: Int }
        let findings: [Finding]
        let summary: Summary
    }

    /// The answer of `explain`.
    struct Explained: Decodable {
        struct Class: Decodable, Equatable {
            let `class`: String
            let proven: Bool
            let namedBy: String?
        }
        struct Exclusion: Decodable { let state: String }
        let kind: String
        let backedUp: String
        let exclusion: Exclusion
        let `class`: Class
    }

    /// The changes that `fix` makes without `--unsafe`.
    let changes: [Change]
    let findings: [Finding]
    /// The bytes that the summary calls undecided.
    let undecided: Int
    private let container: URL
    private let options: [String]
    private let known = Known()

    /// The answers of `explain` so far.
    private final class Known { var answers: [String: Explained] = [:] }

    /// Runs the commands with further options, such as a configuration.
    init(container: URL, options: [String] = ["--isolated"]) throws {
        (self.container, self.options) = (container, options)
        changes = try Self.run(Fixes.self, ["fix", "--diff"], on: container, options).changes
            .filter { $0.outcome == "planned" }
        let lint = try Self.run(Lint.self, ["lint", "--fail-on", "never"], on: container, options)
        (findings, undecided) = (lint.findings, lint.summary.undecidedBackedUpBytes)
    }

    /// Compares the undecided bytes of the summary with the classes of the files that backups include. What only a store of the
    /// app names, or what has the name of a log, is undecided by the evidence that the summary adds up.
    func contradictionsOfSums() throws -> [String] {
        var (least, most) = (0, 0)
        for path in try FileManager.default.subpathsOfDirectory(atPath: container.path) {
            let item = try explained(path)
            guard item.kind == "file", item.backedUp == "yes" else { continue }
            let status = try FileManager.default.attributesOfItem(atPath: container.path + "/" + path)
            let size = Int((status[.size] as? NSNumber)?.int64Value ?? 0)
            let answer = item.class
            if answer.class == "undecided" { least += size }
            let isByName = !answer.proven && (answer.class == "log" || answer.namedBy != nil)
            if answer.class == "undecided" || isByName { most += size }
        }
        return (least...most).contains(undecided)
            ? [] : ["the summary calls \(undecided) bytes undecided, explain \(least) to \(most)"]
    }

    func explained(_ path: String) throws -> Explained {
        if let answer = known.answers[path] { return answer }
        let answer = try Self.run(Explained.self, ["explain"], on: container, [path] + options)
        known.answers[path] = answer
        return answer
    }

    private struct List: Decodable {
        struct Item: Decodable {
            struct Backup: Decodable { let state: String }
            let path: String
            let kind: String
            let backup: Backup
            let `class`: Explained.Class?
        }
        let items: [Item]
    }

    /// The answer of `sandboxfm info`.
    private struct Facts: Decodable {
        struct Item: Decodable {
            let backup: List.Item.Backup
            let `class`: Explained.Class
        }
        let items: [Item]
    }

    private struct Warned: Decodable {
        struct Warning: Decodable {
            let kind: String
            let path: String
        }
        struct Summary: Decodable { let warnings: [Warning] }
        let summary: Summary
    }

    /// Compares `explain` with the answer of `sandboxfm info`.
    private func contradictionsOfFacts(_ path: String, in folder: URL) throws -> [String] {
        let run = try sandboxfm("info", container.lastPathComponent, path, "--json", in: folder)
        let answer = try explained(path)
        let states = ["included": "yes", "excluded": "no", "unknown": "unknown"]
        return try JSONDecoder().decode(Facts.self, from: run.output).items.flatMap { item -> [String] in
            var found: [String] = []
            if item.class != answer.class {
                found.append("\(path): info: \(item.class.class), explain: \(answer.class.class)")
            }
            if states[item.backup.state] != answer.backedUp {
                found.append("\(path): info: \(item.backup.state), explain: backed up: \(answer.backedUp)")
            }
            return found
        }
    }

    /// Compares `explain` with the classes that `sandboxfm ls` and `info` print, with what `sandboxfm exclude` allows, and with the warnings
    /// of a plan about excluded databases.
    ///
    /// - Parameter each: Of so many items, one is compared.
    /// - Returns: Contradictions, each in one line.
    /// - Throws: The error of a tool that prints no answers.
    func contradictionsOfTools(each: Int) throws -> [String] {
        let (folder, name) = (container.deletingLastPathComponent(), container.lastPathComponent)
        var found: [String] = []
        let list = try sandboxfm("ls", name, "**", "--class", "--json", in: folder)
        let items = try JSONDecoder().decode(List.self, from: list.output).items
        for (number, item) in items.enumerated() where number % each == 0 {
            let answer = try explained(item.path).class
            if item.class != answer {
                found.append("\(item.path): ls: \(item.class?.class ?? "no class"), explain: \(answer.class)")
            }
            found += try contradictionsOfFacts(item.path, in: folder)
            guard item.kind == "file", item.backup.state != "excluded" else { continue }
            let isAllowed = try sandboxfm("exclude", name, item.path, "--dry-run", in: folder).code == 0
            let mayLeave = answer.proven && ["regenerable", "temporary", "log"].contains(answer.class)
            if isAllowed != mayLeave {
                found.append(
                    "\(item.path): exclude: \(isAllowed ? "allowed" : "refused"), explain: \(answer.class)")
            }
        }
        let plan = try sandboxbackup("plan", name, "--format", "json", in: folder)
        for warning in try JSONDecoder().decode(Warned.self, from: plan.output).summary.warnings
        where warning.kind == "database-left-out" {
            let answer = try explained(warning.path).class.class
            if ["regenerable", "temporary", "log"].contains(answer) {
                found.append("\(warning.path): the plan warns of a database, explain: \(answer)")
            }
        }
        return found
    }

    private static func run<Value: Decodable>(
        _ type: Value.Type, _ command: [String], on container: URL, _ options: [String]
    ) throws -> Value {
        let arguments = command.prefix(1) + [container.lastPathComponent] + options + command.dropFirst()
        let run = try sandboxlint(
            Array(arguments) + ["--now", "2026-11-25T12:00:00Z", "--format", "json"],
            in: container.deletingLastPathComponent())
        do { return try JSONDecoder().decode(type, from: run.output) } catch {
            throw Undecoded(text: "\(arguments): \(error)\n\(run.errors)\n\(run.text.prefix(1000))")
        }
    }

    private struct Undecoded: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    /// The files at or below the path of a change, and the directories without items.
    func files(of change: Change) throws -> [String] {
        let path = change.path.removingPercentEncoding ?? change.path
        let below = try FileManager.default.subpathsOfDirectory(atPath: container.appending(path: path).path)
        return below.isEmpty ? [path] : below.sorted().map { "\(path)/\($0)" }
    }

    /// Contradictions, each in one line.
    func contradictions() throws -> [String] {
        var found: [String] = []
        for change in changes where ["remove", "flag"].contains(change.action) {
            for file in (try? files(of: change)) ?? [change.path] {
                let item = try explained(file)
                guard item.kind == "file", change.action == "remove" || item.exclusion.state != "excluded" else {
                    continue
                }
                // They follow their database.
                let isEngine = ["-shm", "-wal", "-journal"].contains { file.hasSuffix($0) } || file.contains(".realm.")
                let isProven = item.class.proven && ["regenerable", "temporary", "log"].contains(item.class.class)
                if !isProven, !(isEngine && change.action == "flag") {
                    let proof = item.class.proven ? "proven" : "not proven"
                    found.append("\(change.action) \(file) is safe, explain: \(item.class.class), \(proof)")
                }
                if change.action == "remove", let store = item.class.namedBy {
                    found.append("remove \(file) is safe, explain: named by \(store)")
                }
            }
        }
        for finding in findings where finding.items == 1 {
            guard let isRight = Self.classes[finding.rule], finding.severity != "note" else { continue }
            let item = try explained(finding.path)
            if !isRight.contains(item.class.class) {
                found.append("\(finding.rule): \(finding.path): explain: \(item.class.class)")
            }
        }
        let dear = Set(findings.filter { Self.loss.contains($0.rule) }.map(\.path))
        for finding in findings where Self.waste.contains(finding.rule) && dear.contains(finding.path) {
            found.append("\(finding.path): \(finding.rule), although a rule about loss reports it")
        }
        return found
    }

    /// The classes of the items that a rule reports as a warning or an error.
    private static let classes: [String: [String]] = [
        "likely-regenerable-in-backup": ["regenerable"],
        "regenerable-in-documents": ["regenerable"], "regenerable-in-app-support": ["regenerable"],
        "user-data-in-tmp": ["user-data", "app-state", "undecided", "temporary"],
        "exclusion-on-user-document": ["user-data", "app-state", "undecided"],
    ]
    private static let loss: Set<String> = ["user-data-in-tmp", "exclusion-on-user-document", "user-store-excluded"]
    private static let waste: Set<String> = [
        "stale-tmp", "likely-regenerable-in-backup", "regenerable-in-documents", "expired-cache-entry",
    ]
}

@Suite("The commands agree about what each item is, and no safe action loses data", .timeLimit(.minutes(60)))
struct VerdictAgreementTests {
    private static let count = ProcessInfo.processInfo.environment["AGREEMENT"].flatMap(Int.init)

    @Test("Containers of the corpora")
    func labelled() throws {
        // Only these two of all containers had contradictions.
        let always = ["corpus/async-storage", "judgement/web-bundle"]
        let containers = try SampleContainer.labelled().enumerated()
            .filter { Self.count != nil || $0.offset % 12 == 5 || always.contains($0.element.name) }.map(\.element)
        for container in containers {
            try withScratch { folder throws in
                let answers = try VerdictAnswers(container: container.make(folder.resolvingSymlinksInPath()))
                var found =
                    try answers.contradictions() + answers.contradictionsOfTools(each: Self.count == nil ? 7 : 1)
                found += try answers.contradictionsOfSums()
                #expect(found.isEmpty, "\(container.name): \(found.prefix(5).joined(separator: "; "))")
            }
        }
        #expect(!containers.isEmpty)
    }

    @Test("Generated containers with stores that name their files, also with what `init` suggests")
    func generated() throws {
        var removed = 0
        for seed in 0..<UInt64(Self.count ?? 6) {
            try withScratch { folder throws in
                let folder = folder.resolvingSymlinksInPath()
                let container = folder.appending(path: "container")
                var files = FilesOfKnownClass(seed: seed)
                try files.make(at: container)
                #expect(try sandboxlint("init", "container", in: folder).code == 0)
                let suggested = try String(contentsOf: folder.appending(path: ".sandboxlint.yml"), encoding: .utf8)
                try Self.uncommented(suggested).write(
                    to: folder.appending(path: "pasted.yml"), atomically: true, encoding: .utf8)
                for options in [["--isolated"], ["--config", "pasted.yml"]] {
                    let answers = try VerdictAnswers(container: container, options: options)
                    var found = try answers.contradictions()
                    if seed % 3 == 0 { found += try answers.contradictionsOfSums() }
                    if options == ["--isolated"] { found += try answers.contradictionsOfTools(each: 7) }
                    for change in answers.changes where ["remove", "flag"].contains(change.action) {
                        let touched = files.dear.intersection(
                            [change.path] + ((try? answers.files(of: change)) ?? []))
                        found += touched.map { "\(change.action) \($0), which the user may miss" }
                        removed += change.action == "remove" ? 1 : 0
                    }
                    #expect(found.isEmpty, "seed \(seed), \(options): \(found.prefix(5).joined(separator: "; "))")
                }
            }
        }
        #expect(removed > 0, "a safe removal occurs in some of them")
    }

    /// The suggested configuration with each suggested pattern in force: the lines of a list, and the key above them. Questions
    /// become `downloaded`, which is the answer that could lose most.
    private static func uncommented(_ text: String) -> String {
        var lines: [String] = []
        var words: [String: [String]] = [:]
        var word = "downloaded"
        for line in text.split(separator: "\n") {
            if let key = line.wholeMatch(of: #/# ([a-z-]+):/#) {
                word = String(key.1)
            } else if line.hasPrefix("#   - \""), ["user-data", "downloaded", "caches", "must-exclude"].contains(word) {
                words[word, default: []].append(String(line.dropFirst(4)))
            } else if line.hasPrefix("# Undecided") || line.hasPrefix("# Databases") || line.hasPrefix("# Directories")
            {
                word = "downloaded"
            } else if !line.hasPrefix("#") {
                lines.append(String(line))
            }
        }
        let lists = words.sorted { $0.key < $1.key }.map { key, globs in
            "\(key):\n" + globs.map { "  \($0)\n" }.joined()
        }
        return lines.joined(separator: "\n") + "\n" + lists.joined()
    }
}
