import AppContainer
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage

/// The findings and safe fixes of the default rules for one container, compared with its labels.
struct JudgementScore {
    let folder: JudgementContainer.Folder
    let name: String
    /// The number of items to find.
    private(set) var find = 0
    /// The number of these with a finding at the item or at a directory above it.
    private(set) var found = 0
    /// The number of items to keep.
    private(set) var keep = 0
    /// The items to keep that have a finding above a note, each with the rules.
    private(set) var alarms: [String: Set<String>] = [:]
    /// The items to keep that have a note, each with the rules.
    private(set) var notes: [String: Set<String>] = [:]
    /// The items to keep that a safe fix would change, each with the fix.
    private(set) var fixes: [String: Set<String>] = [:]
    /// The parts that could not be read.
    private(set) var incidents: [String] = []

    /// True if the container of re-downloadable data counts as found.
    var isFound: Bool { find > 0 && found * 2 >= find }

    /// Rules of the groups `backup` and `stale` that say nothing about whether data is re-downloadable: they are about
    /// exclusions, sizes and sums.
    private static let aboutOtherThings: Set<String> = [
        "exclusion-lost", "exclusion-on-rewritten-file", "exclusion-on-user-document",
        "exclusion-on-system-directory", "redundant-exclusion", "legacy-exclusion-only", "exclusion-value-odd",
        "foreign-exclusion-only", "engine-files-in-backup", "large-file-in-backup", "regenerable-budget",
        "undeclared-bulk-in-backup", "empty-directory-tree", "tmp-budget", "cache-budget",
    ]

    /// Lints a container with the default rules, and plans its safe fixes.
    init(_ container: JudgementContainer, in scratch: URL) throws {
        (folder, name) = (container.folder, container.name)
        let catalogue = try Catalogue.embedded()
        let run = ExampleRun(scratch: FilePath(scratch.path), catalogue: catalogue)
        let made = try run.container(
            container.example, at: FilePath(scratch.appending(path: container.name).path))
        let linter = try Linter(catalogue: catalogue, configuration: .none, now: ExampleRun.now, threads: 2)
        let report = try linter.lint(made)
        incidents = report.incidents.map { "\($0.displayPath): \($0.reason.rawValue)" }
        let findings = report.findings.filter {
            [.backup, .stale].contains($0.rule.group) && !Self.aboutOtherThings.contains($0.rule.id)
        }
        let units = try Fixer(linter, chosen: Set(catalogue.rules.map(\.number)), allowsUnsafe: false)
            .fix(made, showingOnly: true).units.filter { $0.outcome == .planned }

        for (path, label) in container.labels {
            let bytes = Array(path.utf8)
            let covering = findings.filter { Self.covers($0.path, bytes) }
            guard label == .keep else {
                find += 1
                found += covering.isEmpty ? 0 : 1
                continue
            }
            keep += 1
            for finding in covering {
                if finding.severity > .note {
                    alarms[path, default: []].insert(finding.rule.id)
                } else {
                    notes[path, default: []].insert(finding.rule.id)
                }
            }
            for unit in units where Self.covers(unit.path, bytes) {
                fixes[path, default: []].insert("\(unit.verb.rawValue) \(unit.rules.map(\.id).joined(separator: ","))")
            }
        }
    }

    /// Returns true if a path is the item or a directory above it.
    private static func covers(_ path: [UInt8], _ item: [UInt8]) -> Bool {
        path.isEmpty || path == item || item.starts(with: path + [UInt8(ascii: "/")])
    }

    /// Returns a line of the table.
    var line: String {
        let share = find > 0 ? "\(found)/\(find)\(isFound ? "" : " missed")" : "-"
        let cells = [
            name.padding(toLength: 42, withPad: " ", startingAt: 0),
            share.padding(toLength: 14, withPad: " ", startingAt: 0),
            "\(keep) keep", "\(alarms.count) alarms", "\(notes.count) notes", "\(fixes.count) fixes",
        ]
        return cells.joined(separator: "  ")
    }
}
