import AppContainer
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage

/// The correct and wrong findings of each rule for the labelled items of the corpus.
struct CorpusScore {
    struct Count {
        /// Reported as labelled.
        var right = 0
        /// Reported against the label.
        var wrong = 0
        /// Not reported against the label.
        var missed = 0

        var items: Int { right + wrong + missed }
        var precision: Double { right + wrong == 0 ? 1 : Double(right) / Double(right + wrong) }
        var recall: Double { right + missed == 0 ? 1 : Double(right) / Double(right + missed) }
    }

    private(set) var counts: [String: Count] = [:]
    private(set) var containers = 0
    private(set) var items = 0
    /// The parts that could not be read.
    private(set) var incidents: [String] = []
    /// The differences between findings and labels.
    private(set) var mistakes: [(rule: String, place: String, isMissed: Bool)] = []

    /// Lints a container with all rules and counts the findings.
    mutating func add(_ container: CorpusContainer, catalogue: Catalogue, in scratch: URL) throws {
        let run = ExampleRun(scratch: FilePath(scratch.path), catalogue: catalogue)
        let made = try run.container(
            container.example, at: FilePath(scratch.appending(path: container.name).path))
        let configuration =
            try container.example.configuration.map {
                try Configuration(file: "\(container.name): config", text: $0)
            } ?? .none
        let report = try Linter(
            catalogue: catalogue, configuration: configuration, now: ExampleRun.now, threads: 2
        ).lint(made)
        var found: [String: Set<String>] = [:]
        for finding in report.findings { found[finding.displayPath, default: []].insert(finding.rule.id) }
        incidents += report.incidents.map { "\(container.name): \($0)" }
        containers += 1
        items += container.labels.count
        // A guess may report an item that another rule reports. It must not report an item that is labelled clean.
        let guesses = Set(catalogue.rules.filter { $0.verdict != nil }.map(\.id))
        for (path, expected) in container.labels {
            var rules = found[path] ?? []
            if !expected.isEmpty { rules.subtract(guesses.subtracting(expected)) }
            for rule in rules.intersection(expected) { counts[rule, default: Count()].right += 1 }
            for rule in rules.subtracting(expected) {
                counts[rule, default: Count()].wrong += 1
                mistakes.append((rule, "\(container.name): \(path)", false))
            }
            for rule in expected.subtracting(rules) {
                counts[rule, default: Count()].missed += 1
                mistakes.append((rule, "\(container.name): \(path)", true))
            }
        }
    }

    /// The markers of the figures on the page beside the rules.
    private static let marks = (start: "<!-- corpus -->\n", end: "<!-- end: corpus -->")

    /// Returns the page with these figures; everything outside the markers is unchanged.
    func page(_ catalogue: Catalogue, replacing old: String) -> String? {
        let parts = old.components(separatedBy: Self.marks.start)
        guard parts.count == 2 else { return nil }
        let rest = parts[1].components(separatedBy: Self.marks.end)
        guard rest.count == 2 else { return nil }
        return parts[0] + Self.marks.start + section(catalogue) + Self.marks.end + rest[1]
    }

    private func section(_ catalogue: Catalogue) -> String {
        var text = """
            \(containers) containers, \(items) labelled items.

            | rule | stage | items | as labelled | not as labelled | missed | share as labelled | share found |
            | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |

            """
        for rule in catalogue.rules {
            let count = counts[rule.id] ?? Count()
            let cells = [
                rule.id, rule.stage.rawValue, "\(count.items)", "\(count.right)", "\(count.wrong)", "\(count.missed)",
                Self.ratio(count.precision, of: count.items), Self.ratio(count.recall, of: count.items),
            ]
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        let lines = mistakes.map { "- `\($0.place)`: \($0.isMissed ? "missed" : "wrongly found") by \($0.rule)\n" }
        return lines.isEmpty ? text : text + "\nWhere a rule and its label differ:\n\n" + lines.sorted().joined()
    }

    private static func ratio(_ value: Double, of items: Int) -> String {
        guard items > 0 else { return "" }
        let hundredths = Int((value * 100).rounded())
        return hundredths == 100 ? "1.00" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
    }
}
