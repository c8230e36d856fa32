import Foundation
import TestSupport
import Testing
import ToolSupport

/// The answers of the tools to the question whether a backup includes an item, as they print them.
struct BackupAnswers {
    enum Tool: String, CaseIterable {
        case list = "sandboxfm ls"
        case plan = "sandboxbackup plan"
        case map = "the map of lint"
        case events = "sandboxfm restore"
        case explain = "sandboxlint explain"
        case findings = "the findings of lint"
        case sums = "the sums of lint"
        case views = "sandboxbackup plan --view"
        case snapshots = "sandboxbackup create --view"
    }

    enum State: String, Decodable { case included, excluded, unknown }

    /// The state of each item, by its path as it is shown. Of a directory that is left out as a whole, a tool may name the
    /// directory only. `sums` has locations in place of items.
    var states: [Tool: [String: State]] = [:]
    /// The sizes of the included files by location, as `lint` and `ls` print them.
    private(set) var sums: [String: (lint: UInt64, list: UInt64)] = [:]

    /// The files whose content is not on this disk. On the map they have a class of their own, whether they are included or
    /// of unknown treatment.
    private var evicted: Set<String> = []

    private struct List: Decodable {
        struct Item: Decodable {
            struct Backup: Decodable {
                let state: State
                let reason: String
            }
            struct Place: Decodable { let path: String }
            let path: String
            let kind: String
            let bytes: UInt64
            let availability: String
            let location: Place
            let backup: Backup
        }
        let items: [Item]
    }

    private struct Planned: Decodable {
        let path: String?
        let decision: String?
        let reason: String?
    }

    private struct Restored: Decodable {
        struct Missing: Decodable { let path: String }
        let missing: [Missing]
    }

    private struct Lint: Decodable {
        struct Input: Decodable {
            struct Place: Decodable {
                let location: String
                let backedUpBytes: UInt64
            }
            let locations: [Place]
        }
        struct Finding: Decodable {
            let rule: String
            let path: String
        }
        let inputs: [Input]
        let findings: [Finding]
    }

    private struct Explained: Decodable {
        struct View: Decodable {
            let view: String
            let backedUp: String
        }
        let backedUp: String
        let views: [View]
    }

    private struct Stored: Decodable { let path: String }

    /// The kinds of backups besides the one that every tool answers for.
    static let otherViews = ["finder-unencrypted", "icloud"]

    /// The answers about one of these kinds.
    struct View {
        var plan: [String: State]
        /// The paths in a snapshot of this kind.
        var stored: Set<String>
        var explained: [String: State] = [:]
    }
    var views: [String: View] = [:]

    /// A node of a map: name, whether it is a directory, class, size, number of items, and children.
    private struct Node: Decodable {
        let name: String
        let isDirectory: Bool
        let storage: Int
        let children: [Node]

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            name = try list.decode(String.self)
            isDirectory = try list.decode(Int.self) != 0
            storage = try list.decode(Int.self)
            _ = try (list.decode(Double.self), list.decode(Int.self))
            children = list.isAtEnd ? [] : try list.decode([Node].self)
        }
    }

    private struct Maps: Decodable {
        let classes: [[String]]
        let maps: [Node]
    }

    /// Runs the tools on a container.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - explained: The most items of each state, reason and kind for which `explain` is asked.
    /// - Throws: The error of a tool that prints no answers.
    init(container: URL, explaining explained: Int) throws {
        let (folder, name) = (container.deletingLastPathComponent(), container.lastPathComponent)
        func decode<Value: Decodable>(_ type: Value.Type, _ run: Command) throws -> Value {
            do { return try JSONDecoder().decode(type, from: run.output) } catch {
                throw Undecoded(text: "\(error)\n\(run.errors)\n\(run.text.prefix(2000))")
            }
        }
        let list = try decode(List.self, sandboxfm("ls", name, "**", "--json", in: folder)).items
        states[.list] = Dictionary(list.map { ($0.path, $0.backup.state) }) { first, _ in first }

        func planned(_ view: String) throws -> [String: State] {
            var planned: [String: State] = [:]
            let plan = try sandboxbackup("plan", name, "--view", view, "--format", "jsonl", in: folder)
            for line in plan.output.split(separator: UInt8(ascii: "\n")) {
                let item = try JSONDecoder().decode(Planned.self, from: line)
                guard let path = item.path, !path.isEmpty else { continue }
                planned[path] =
                    item.decision == "exclude"
                    ? .excluded : ["undocumented", "no-attributes"].contains(item.reason) ? .unknown : .included
            }
            return planned
        }
        states[.plan] = try planned("finder")
        for view in Self.otherViews {
            let repository = "\(name)-\(view)"
            _ = try sandboxbackup("create", name, "--view", view, "--repository", repository, in: folder)
            let stored = try sandboxbackup(
                "ls", "latest", "--recursive", "--format", "jsonl", "--repository", repository, in: folder)
            let paths = try stored.output.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Stored.self, from: $0).path
            }
            views[view] = View(plan: try planned(view), stored: Set(paths))
        }

        let missing = try decode(
            Restored.self, sandboxfm("restore", name, "restored", "--dry-run", "--json", in: folder)
        ).missing
        states[.events] = Dictionary(missing.map { ($0.path, .excluded) }) { first, _ in first }

        let html = try sandboxlint("lint", name, "--isolated", "--format", "html", in: folder).text
        let data = try #require(html.firstMatch(of: #/<script type="application/json" id="data">(.*?)<\/script>/#))
        let maps = try JSONDecoder().decode(Maps.self, from: Data(data.1.utf8))
        var mapped: [String: State] = [:]
        for map in maps.maps { Self.add(map.children, beneath: "", maps.classes.map { $0[0] }, to: &mapped) }
        states[.map] = mapped

        let lint = try decode(Lint.self, sandboxlint("lint", name, "--isolated", "--format", "json", in: folder))
        var findings: [String: State] = [:]
        for finding in lint.findings where finding.rule.hasSuffix("-in-backup") { findings[finding.path] = .included }
        states[.findings] = findings
        for place in lint.inputs.flatMap(\.locations) {
            sums[place.location, default: (0, 0)].lint += place.backedUpBytes
        }
        evicted = Set(list.filter { $0.availability == "evicted" }.map(\.path))
        for item in list
        where item.kind == "file" && item.backup.state == .included && !evicted.contains(item.path) {
            sums[item.location.path, default: (0, 0)].list += item.bytes
        }

        var counts: [String: Int] = [:]
        var answers: [String: State] = [:]
        for item in list {
            let key = "\(item.backup.state) \(item.backup.reason) \(item.kind)"
            counts[key, default: 0] += 1
            guard counts[key, default: 0] <= explained else { continue }
            let run = try sandboxlint("explain", name, item.path, "--isolated", "--format", "json", in: folder)
            let words: [String: State] = ["yes": .included, "no": .excluded, "unknown": .unknown]
            let answer = try decode(Explained.self, run)
            answers[item.path] = words[answer.backedUp]
            for view in answer.views { views[view.view]?.explained[item.path] = words[view.backedUp] }
        }
        states[.explain] = answers
    }

    private struct Undecoded: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    private static func add(
        _ nodes: [Node], beneath parent: String, _ classes: [String], to states: inout [String: State]
    ) {
        let words: [String: State] = [
            "backed-up": .included, "redownloadable": .included, "undecided": .included, "evicted": .included,
            "unknown": .unknown,
        ]
        for node in nodes {
            let path = parent.isEmpty ? node.name : "\(parent)/\(node.name)"
            if !node.isDirectory { states[path] = words[classes[node.storage]] ?? .excluded }
            add(node.children, beneath: path, classes, to: &states)
        }
    }

    /// The differences between the answers, which are compared with those of `ls`.
    var disagreements: [String] {
        let list = states[.list] ?? [:]
        var found: [String] = []
        for (path, state) in list {
            func differ(_ tool: Tool, _ other: State?) {
                if let other, other != state { found.append("\(path): \(tool.rawValue): \(other), ls: \(state)") }
            }
            let above = Self.itself(andAbove: path)
            let plan = above.lazy.compactMap { states[.plan]?[$0] }.first
            if plan == nil { found.append("\(path): not in the plan") }
            differ(.plan, plan)
            if state == .excluded || !evicted.contains(path) { differ(.map, states[.map]?[path]) }
            differ(.explain, states[.explain]?[path])
            // A restored container has no item that is not included or of which nothing is known.
            let isMissing = above.contains { states[.events]?[$0] != nil }
            if isMissing != (state == .excluded) && !Self.isStandard(path) {
                found.append("\(path): \(Tool.events.rawValue): \(isMissing ? "missing" : "present"), ls: \(state)")
            }
        }
        for (view, answers) in views { found += disagreements(about: view, answers, of: list) }
        for path in (states[.map] ?? [:]).keys where list[path] == nil {
            found.append("\(path): on the map, not in ls")
        }
        for (path, _) in states[.findings] ?? [:] where !path.isEmpty && path != "." {
            let isSaid = list.contains { ($0.key == path || $0.key.hasPrefix(path + "/")) && $0.value != .excluded }
            if !isSaid { found.append("\(path): \(Tool.findings.rawValue): in a backup, ls: excluded") }
        }
        for (location, sum) in sums where sum.lint != sum.list {
            found.append("\(location): \(Tool.sums.rawValue): \(sum.lint) bytes, ls: \(sum.list)")
        }
        return found.sorted()
    }

    /// The differences between the answers about another kind of backup. It includes nothing that `ls` calls excluded.
    private func disagreements(about view: String, _ answers: View, of list: [String: State]) -> [String] {
        list.flatMap { path, state in
            guard let plan = Self.itself(andAbove: path).lazy.compactMap({ answers.plan[$0] }).first else {
                return ["\(path): \(Tool.views.rawValue) \(view): not in the plan"]
            }
            var found: [String] = []
            if state == .excluded, plan != .excluded {
                found.append("\(path): \(Tool.views.rawValue) \(view): \(plan), ls: excluded")
            }
            if let explained = answers.explained[path], explained != plan {
                found.append("\(path): \(Tool.views.rawValue) \(view): \(plan), explain: \(explained)")
            }
            // A snapshot has databases in one consistent file, and SQLite makes the others again.
            let isCompanion = ["-shm", "-wal", "-journal"].contains { path.hasSuffix($0) }
            let isStored = answers.stored.contains(path)
            if !isCompanion, isStored != (plan != .excluded) {
                let said = isStored ? "stored" : "not stored"
                found.append("\(path): \(Tool.snapshots.rawValue) \(view): \(said), plan: \(plan)")
            }
            return found
        }
    }

    /// Changes the sum of `lint` for a location.
    mutating func changeSum(of location: String) { sums[location]?.lint += 1 }

    /// A new installation has the standard directories and the system's record, whether a backup includes them or not.
    private static func isStandard(_ path: String) -> Bool {
        [
            "Documents", "Library", "Library/Caches", "Library/Preferences", "SystemData", "tmp",
            ".com.apple.mobile_container_manager.metadata.plist",
        ].contains(path)
    }

    private static func itself(andAbove path: String) -> [String] {
        let parts = path.split(separator: "/")
        return (1...parts.count).reversed().map { parts.prefix($0).joined(separator: "/") }
    }
}
