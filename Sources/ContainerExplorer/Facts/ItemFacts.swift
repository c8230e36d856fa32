package import AppContainer
internal import ContainerTree
package import SourceCode
package import StoragePolicy
internal import FileSystem
package import TextOutput

/// The facts about one item: its class, the decision of backups, the data of the app that names it, the findings on it, and the
/// source code that writes it. All of it is that of `sandboxlint explain`.
package struct ItemFacts: Sendable {
    /// The path in the container, as bytes.
    package let path: [UInt8]
    private let explanation: PathExplanation
    /// The lines of source code that write it, with their texts; empty if none is known.
    package let code: [String]

    /// Lints the container to explain one of its items.
    ///
    /// - Parameters:
    ///   - path: The path of the item in the container, as bytes.
    ///   - container: The container. All of it is read.
    ///   - linter: The linter.
    ///   - code: The source code of the app, as evidence and for the lines that write the item; nil for none.
    /// - Returns: The facts.
    /// - Throws: `notFound` if the item does not exist (any more); `ContainerError` if the container cannot be read.
    package static func make(
        of path: [UInt8], in container: Container, linter: Linter, code: AppSource?
    ) throws -> ItemFacts {
        // A path that is not UTF-8 is passed as reports escape it.
        let text = String(decoding: path, as: UTF8.self)
        let readable = text.utf8.elementsEqual(path) ? text : ByteText.escaped(path)
        guard let explanation = try linter.weighing(code).explain(readable, in: container) else {
            throw PathArgument.notFound(ByteText.escaped(path), isPattern: false)
        }
        return ItemFacts(
            path: path, explanation: explanation,
            code: CodeLines.lines(
                for: path, recorded: explanation.itemSummary.source, linter.configuration, in: code))
    }

    /// The class, with its reason and proof.
    package var verdict: ItemVerdict { explanation.itemVerdict }
    /// The decision of a backup.
    package var backup: BackupDecision { explanation.itemSummary.backup }
    /// The store that names the item: `Library/history.sqlite, recording.file`; nil if none was found.
    package var namedBy: String? { verdict.namedBy }
    /// False if a part of the container was not read, so that something may be missing.
    package var isComplete: Bool { explanation.isComplete }
    /// The rules that report the item, with their messages and help.
    package var findings: [PathExplanation.Verdict] { explanation.verdicts.filter { $0.outcome == .found } }

    /// The origin of the decision of backups.
    private var decider: String {
        let carrier = explanation.itemSummary.exclusion.carrier.map { Array($0.utf8) }
        return ItemText.decider(backup, carrier: carrier, isOwn: carrier == path)
    }

    /// The facts with their names, in the order in which they are shown.
    private var rows: [(name: String, values: [String])] {
        let summary = explanation.itemSummary
        let size = summary.kind == "file" ? ", \(Quantity.bytes(summary.bytes))" : ""
        let content = summary.availability.phrase.map { ", \($0)" } ?? ""
        var rows = [
            ("item", ["\(summary.kind)\(size)\(content), in \(summary.location): \(summary.location.purpose)"]),
            (
                "class",
                [
                    "\(verdict.itemClass.phrase)\(verdict.isProven ? ", proven" : ""): \(ByteText.printable(verdict.reason))"
                ]
            ),
            ("named by", [namedBy.map { ByteText.printable($0) } ?? "no data of the app"]),
            (
                "backed up",
                ["\(ItemText.backup(backup.state)): \(backup.reason.phrase), decided by \(decider)"] + others
            ),
        ]
        if let maker = summary.maker {
            rows.append(("provenance", [maker + (summary.origin.map { ", from \(ByteText.printable($0))" } ?? "")]))
        }
        for match in summary.registry.prefix(3) {
            rows.append(("registry", ["\(match.sdk), \(match.holds) (\(match.pattern))"]))
        }
        if !code.isEmpty { rows.append(("written by", code)) }
        rows.append(
            (
                "findings",
                findings.isEmpty
                    ? ["none"]
                    : findings.flatMap { ["\($0.reason) [\($0.rule.id)]"] + ($0.help.map { ["  fix: \($0)"] } ?? []) }
            ))
        if !isComplete { rows.append(("incomplete", ["a part of the container was not read"])) }
        return rows
    }

    /// A line for each kind of backup that treats the item differently.
    private var others: [String] {
        explanation.views.filter { $0.decision.state != backup.state }.map { view, decision in
            "in backups of the kind \(view.rawValue): \(ItemText.backup(decision.state)), \(decision.reason.phrase)"
        }
    }

    /// The facts as lines of text, without a line for the path.
    package var lines: [String] {
        rows.flatMap { name, values in
            values.enumerated().map { position, value in
                let label = position == 0 ? name : ""
                return label + String(repeating: " ", count: max(0, 12 - label.count)) + value
            }
        }
    }

    /// Writes the facts as the fields of a JSON object.
    package func write(to json: inout JSONWriter) {
        let summary = explanation.itemSummary
        json.field("path", ByteText.escaped(path))
        json.field("kind", summary.kind)
        json.field("bytes", summary.bytes)
        json.field("availability", "\(summary.availability)")
        json.field("location", summary.location.path)
        json.object("class") { verdict.write(to: &$0) }
        json.object("backup") { json in
            json.field("state", backup.state.rawValue)
            json.field("reason", backup.reason.rawValue)
            json.field("decidedBy", decider)
        }
        json.field("provenance", summary.maker)
        json.array("writtenBy") { json in for line in code { json.element(line) } }
        json.array("findings") { json in
            for finding in findings {
                json.object { json in
                    json.field("rule", finding.rule.id)
                    json.field("message", finding.reason)
                    json.field("help", finding.help)
                }
            }
        }
        json.field("isComplete", isComplete)
    }
}

/// The facts of several items, as text and JSON.
package struct FactsReport: ExplorerOutput {
    private let facts: [ItemFacts]

    package init(_ facts: [ItemFacts]) { self.facts = facts }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for (position, item) in facts.enumerated() {
            if position > 0 { output("\n") }
            output(style.bold(item.path.isEmpty ? "the container itself" : ByteText.escaped(item.path)) + "\n")
            for line in item.lines { output("  \(line)\n") }
        }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("items") { json in for item in facts { json.object { item.write(to: &$0) } } }
    }
}
