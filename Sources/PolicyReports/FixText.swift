package import PolicyFixes
package import SourceCode
internal import StoragePolicy
internal import TextOutput

/// The text and JSON of the changes of a fix.
package struct FixText {
    private let outcome: Fixer.Outcome
    private let input: String
    private let isDiff: Bool
    private let changes: [Change]

    /// A change of the code that writes an item, so that the app does not write it there again.
    private struct Change {
        let item: [UInt8]
        let line: Writers.Line
        /// The place and the difference.
        let lines: [String]
    }

    private static let mostChanges = 20

    /// Creates the text of an outcome.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - input: The path of the container.
    ///   - showingOnly: True if nothing was applied.
    ///   - code: The source code of the app, which is searched for the fixed items; nil to search none.
    package init(_ outcome: Fixer.Outcome, of input: String, showingOnly: Bool, code: AppSource? = nil) {
        self.outcome = outcome
        self.input = input
        isDiff = showingOnly
        let byHand = Set(outcome.byHand.map(\.rule.id))
        var items = outcome.units.map { (path: $0.path, rules: $0.rules) }
        items += outcome.left.filter { byHand.contains($0.rule.id) }.map { ($0.largest ?? $0.path, [$0.rule]) }
        guard let code, !items.isEmpty else {
            changes = []
            return
        }
        code.search(for: items.map(\.path))
        var (changes, known): ([Change], Set<[String]>) = ([], [])
        for (path, rules) in items where changes.count < Self.mostChanges {
            guard let answer = code.answer(for: path), let line = Writers(answer, of: path, in: code).lines.first,
                let lines = rules.lazy.map({ line.change(for: $0, in: code) }).first(where: { !$0.isEmpty }),
                known.insert(lines).inserted
            else { continue }
            changes.append(Change(item: path, line: line, lines: lines))
        }
        self.changes = changes
    }

    /// The changes of the code, for a person to apply.
    private var changesText: String {
        guard !changes.isEmpty else { return "" }
        return "In the app's code, by hand:\n"
            + changes.map { change in
                "  \(change.lines[0])  (writes \(ByteText.escaped(change.item)), \(change.line.percent))\n"
                    + change.lines.dropFirst().map { "    \($0)\n" }.joined()
            }.joined()
    }

    /// The units as a diff of the tree: `-` for removed items, `+` for added ones, `~` for changed attributes.
    package var text: String {
        var text = ""
        if outcome.hasRecovered { text += "An interrupted fix was reverted first.\n" }
        for incident in outcome.incidents {
            let path = incident.path.isEmpty ? "the container itself" : incident.displayPath
            text += "not read: \(path): \(incident.reason.rawValue)\n"
        }
        if !outcome.incidents.isEmpty { return text + "No fix was applied, because some items could not be read.\n" }
        let name = ByteText.printable(input)
        if isDiff { text += "--- \(name)\n+++ \(name), fixed\n" }
        for unit in outcome.units where unit.outcome == .planned { text += unit.lines() }
        for unit in outcome.units where unit.outcome == .asks {
            text += unit.lines(before: "unsafe  ", after: "; needs --unsafe")
        }
        for unit in outcome.units {
            guard case .refused(let reason) = unit.outcome else { continue }
            text += unit.lines(before: "refused  ", after: ": \(reason)")
        }
        for (rule, findings) in outcome.byHand {
            text += "by hand  \(Quantity.count(findings, "finding")) of \(rule.id): \(rule.help)\n"
        }
        return text + changesText + summary
    }

    private var summary: String {
        let planned = outcome.units.filter { $0.outcome == .planned }
        let counts =
            "\(Quantity.count(planned.count, "change")) for "
            + Quantity.count(planned.reduce(0) { $0 + $1.findings }, "finding")
        let left = Quantity.count(outcome.left.count, "finding")
        guard !planned.isEmpty else {
            return "\(outcome.units.isEmpty ? "Nothing to fix" : "No fix applied"); \(left) left.\n"
        }
        guard outcome.isDone else { return "\(counts), tried on a copy; the container is unchanged.\n" }
        return "\(counts) applied; \(left) left. `sandboxlint undo` reverts them with the data in \(undoName).\n"
    }

    private var undoName: String { ByteText.escaped(Array(outcome.undoName.utf8)) }

    /// The JSON object.
    package var json: String {
        JSONValue.object([
            "schema": .string("sandboxlint-fix/1"), "input": .string(input), "done": .boolean(outcome.isDone),
            "complete": .boolean(outcome.incidents.isEmpty), "recovered": .boolean(outcome.hasRecovered),
            "undo": outcome.isDone ? .string(undoName) : .null,
            "changes": .array(outcome.units.map(Self.json)),
            "byHand": .array(
                outcome.byHand.map {
                    .object(["rule": .string($0.rule.id), "findings": .integer(Int64($0.findings))])
                }),
            "code": .array(
                changes.map { change in
                    .object([
                        "path": .string(ByteText.escaped(change.item)), "place": .string(change.lines[0]),
                        "percent": .integer(Int64((change.line.confidence * 100).rounded())),
                        "change": .array(change.lines.dropFirst().map { .string($0) }),
                    ])
                }),
            "findingsLeft": .members(
                Severity.allCases.map { severity in
                    (severity.rawValue, .integer(Int64(outcome.left.count { $0.severity == severity })))
                }),
            "incidents": .array(
                outcome.incidents.map {
                    .object(["path": .string($0.displayPath), "reason": .string($0.reason.rawValue)])
                }),
        ]).indented
    }

    private static func json(_ unit: FixUnit) -> JSONValue {
        let (outcome, reason): (String, JSONValue) =
            switch unit.outcome {
            case .planned: ("planned", .null)
            case .asks: ("asks", .null)
            case .refused(let reason): ("refused", .string(reason))
            }
        return .object([
            "action": .string(unit.verb.rawValue), "path": .string(ByteText.escaped(unit.path)),
            "to": unit.target.map { .string(ByteText.escaped($0)) } ?? .null,
            "rules": .array(unit.rules.map { .string($0.id) }), "findings": .integer(Int64(unit.findings)),
            "outcome": .string(outcome), "reason": reason,
            "byEvidence": unit.taken.map { taken in
                .object([
                    "userData": .integer(Int64(taken.userData)), "undecided": .integer(Int64(taken.undecided)),
                    "regenerable": .integer(Int64(taken.regenerable)),
                ])
            } ?? .null,
        ])
    }
}

/// The text and JSON of the outcome of an undo.
package struct UndoText {
    private let outcome: Undo.Outcome

    package init(_ outcome: Undo.Outcome) { self.outcome = outcome }

    /// The steps that cannot be reverted, and a summary.
    package var text: String {
        guard outcome.hadFix else { return "There is no fix to revert.\n" }
        let kept = ByteText.escaped(Array(outcome.undoName.utf8))
        let lines = outcome.conflicts.map { "not reverted  \(ByteText.escaped($0.path)): \($0.reason)\n" }
        let what = outcome.wasInterrupted ? "The interrupted fix" : "The fix"
        return lines.joined()
            + (lines.isEmpty
                ? "\(what) has been reverted: \(Quantity.count(outcome.steps, "step")).\n"
                : "\(what) has been reverted except for these items; the removed files are kept in \(kept) beside the container.\n"
                    + "Move the new items away and run undo again, or delete the undo data with `sandboxlint fix --forget`.\n")
    }

    /// The JSON object.
    package var json: String {
        JSONValue.object([
            "schema": .string("sandboxlint-undo/1"), "hadFix": .boolean(outcome.hadFix),
            "interrupted": .boolean(outcome.wasInterrupted), "steps": .integer(Int64(outcome.steps)),
            "left": .array(
                outcome.conflicts.map {
                    .object(["path": .string(ByteText.escaped($0.path)), "reason": .string($0.reason)])
                }),
        ]).indented
    }
}
