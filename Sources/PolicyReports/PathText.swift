internal import AppContainer
internal import ContainerTree
package import SourceCode
package import StoragePolicy
public import TextOutput

/// The explanation of one path of a container: its summary and the verdict of every rule.
public struct PathText {
    private let explanation: PathExplanation
    /// The line of the app's source code that wrote the item, as in a report.
    private let source: String?
    /// The name of the container, if the input has several.
    private let container: String?
    /// The lines that probably wrote it, if none is known.
    private let writers: Writers
    /// A sentence about the code that excludes the item, which is not excluded.
    private let lostExclusion: String?
    /// The change of the code for the first rule that reports the item and has one, as a difference.
    private let change: [String]

    /// Creates the explanation of a path of an input.
    ///
    /// - Parameters:
    ///   - explanation: The explanation.
    ///   - input: The path of the input.
    ///   - container: The name of the container, if the input has several.
    ///   - configuration: The configuration, which may declare the line that writes the item.
    ///   - code: The source code of the app, which is searched if no line is known.
    package init(
        _ explanation: PathExplanation, of input: String, in container: String? = nil,
        configuration: Configuration = .none, code: AppSource? = nil
    ) {
        self.explanation = explanation
        self.container = container
        let recorded = explanation.itemSummary.source.map { source in
            let names = Set([SourceName(source)].compactMap(\.self))
            let repository = Repository.current
            let anchor = Anchor(source, in: repository.paths(of: names, besides: [input]), of: repository)
            return anchor.map { "\($0.shown):\($0.line)" } ?? ByteText.escaped(Array(source.description.utf8))
        }
        let path = ByteText.unescaped(explanation.itemSummary.path)
        let declared = configuration.source(of: path).map {
            "\(ByteText.escaped(Array(Repository.current.name(of: $0.path).utf8))):\($0.line)"
        }
        source = recorded ?? declared
        let answer = source == nil && !path.isEmpty ? code?.answer(for: path) : nil
        let writers = code.flatMap { code in answer.map { Writers($0, of: path, in: code) } } ?? Writers()
        self.writers = writers
        let isIncluded = explanation.itemSummary.exclusion.state == .included
        lostExclusion = isIncluded ? code.flatMap { writers.lines.first?.lostExclusion(in: $0) } : nil
        let rules = explanation.verdicts.filter { $0.outcome == .found }.map(\.rule)
        change =
            code.flatMap { code in
                rules.lazy.compactMap { writers.lines.first?.change(for: $0, in: code) }.first { !$0.isEmpty }
            } ?? []
    }

    /// The rows about the source code: the known line, or those that probably write the item with their texts.
    private var sourceRows: [String] {
        if let known = source ?? writers.writer { return [known] }
        return writers.lines.flatMap { line in
            [line.shown] + (line.text.map { ["  \($0)"] } ?? [])
                + (line.declaration.map { ["  the name is declared at \($0.shown):\($0.line)"] } ?? [])
        }
    }

    /// The text: the backup status of the path, the verdict with its evidence, and the rules that report it.
    public func text(style: Style) -> String {
        var text = style.bold(shownPath) + "\n"
        for (label, values) in briefRows {
            for (index, value) in values.enumerated() {
                let shown = (index == 0 ? label : "").padding(to: 11)
                text += "  \(shown)  \(value)\n"
            }
        }
        let count = explanation.verdicts.count { $0.outcome != .found }
        text += style.dim("  \(Quantity.count(count, "other rule")): use --verbose") + "\n"
        return explanation.isComplete ? text : text + Self.incomplete
    }

    private static let incomplete = "\nSome items of the container could not be read.\n"

    private var briefRows: [(String, [String])] {
        let itemSummary = explanation.itemSummary
        let fate = [
            "backed up: \(Self.word(itemSummary.isBackedUp))\(backupReason)", "excluded: \(flag)",
            "purged: \(itemSummary.location.purge.rawValue)", "restored: \(restored)",
        ]
        let kind = itemSummary.kind == "file" ? "file, \(Quantity.bytes(itemSummary.bytes))" : itemSummary.kind
        let content = itemSummary.availability.phrase.map { ", \($0)" } ?? ""
        var rows = [
            ("item", ["\(kind)\(content), in \(itemSummary.location)"]),
            ("status", [fate.joined(separator: "; ")] + otherViews),
        ]
        if let maker = itemSummary.maker {
            rows.append(("created by", [maker + (itemSummary.origin.map { ", from \($0)" } ?? "")]))
        }
        if !sourceRows.isEmpty { rows.append(("written by", sourceRows)) }
        if let lostExclusion { rows.append(("exclusion", ["lost: \(lostExclusion)"])) }
        if let match = itemSummary.registry.first {
            let more = itemSummary.registry.count - 1
            let others = more > 0 ? ", and \(more) more" : ""
            rows.append(("registry", ["\(match.sdk), \(match.holds) (\(match.pattern))\(others)"]))
        }
        rows.append(("class", [explanation.itemVerdict.phrase]))
        if let weighed = explanation.weighed {
            rows.append(("verdict", VerdictText.lines(of: weighed)))
        } else if let reason = explanation.unweighed {
            rows.append(("verdict", ["not weighed: \(reason)"]))
        }
        let found = explanation.verdicts.filter { $0.outcome == .found }
        rows.append(("reported by", found.isEmpty ? ["no rule"] : found.map { "\($0.rule.id)  \($0.reason)" }))
        if !change.isEmpty { rows.append(("in code", change)) }
        return rows
    }

    /// The detailed text: the summary, the verdict, then every rule: those that report the item, those whose
    /// condition does not match, and those with another scope.
    public func verboseText(style: Style) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        var text = style.bold(shownPath) + "\n\n"
        for (label, value) in rows {
            text += "  \(label)\(String(repeating: " ", count: width - label.count))  \(value)\n"
        }
        if let weighed = explanation.weighed {
            text += "\n\(style.bold("Verdict"))\n" + VerdictText.lines(of: weighed).map { "  \($0)\n" }.joined()
        } else if let reason = explanation.unweighed {
            text += "\n\(style.bold("Verdict"))\n  not weighed: \(reason)\n"
        }
        let sections: [(PathExplanation.Verdict.Outcome, String)] = [
            (.found, "Reported by"), (.passed, "Not reported by, with the condition that does not match"),
            (.off, "Not evaluated by"), (.outside, "Outside the scope of"),
        ]
        for (outcome, title) in sections {
            let verdicts = explanation.verdicts.filter { $0.outcome == outcome }
            if verdicts.isEmpty { continue }
            text += "\n\(style.bold(title))\n"
            for verdict in verdicts { text += "  \(verdict.rule.id)  \(style.dim(verdict.reason))\n" }
        }
        return explanation.isComplete ? text : text + Self.incomplete
    }

    /// The JSON object: the summary and an array of verdicts.
    public func json(to output: @escaping (String) -> Void) {
        let itemSummary = explanation.itemSummary
        var json = JSONWriter(to: output)
        json.object { json in
            if let container { json.field("container", container) }
            json.field("path", itemSummary.path)
            json.field("kind", itemSummary.kind)
            json.field("bytes", itemSummary.bytes)
            json.field("availability", "\(itemSummary.availability)")
            json.field("location", itemSummary.location.path)
            json.object("exclusion") { json in
                json.field("state", itemSummary.exclusion.state.rawValue)
                json.field("decidedBy", itemSummary.exclusion.mark?.rawValue ?? "none")
                json.field("at", itemSummary.exclusion.carrier.map { ByteText.escaped(Array($0.utf8)) })
            }
            json.field("backedUp", Self.word(itemSummary.isBackedUp))
            json.array("views") { json in
                for (view, decision) in explanation.views {
                    json.object { json in
                        json.field("view", view.rawValue)
                        json.field("backedUp", Self.word(decision.state))
                        json.field("reason", decision.reason.rawValue)
                        json.field("decidedBy", decision.decider.description)
                    }
                }
            }
            json.field("purged", itemSummary.location.purge.rawValue)
            json.field("visibleInFiles", itemSummary.location.visibility.rawValue)
            json.field("restored", Self.word(itemSummary.isBackedUp))
            json.field("maker", itemSummary.maker)
            json.field("origin", itemSummary.origin)
            json.field("source", itemSummary.source.map { ByteText.escaped(Array($0.description.utf8)) })
            json.array("writtenBy") { json in
                for line in writers.lines {
                    json.object { json in
                        json.field("file", line.anchor.shown)
                        json.field("line", line.anchor.line)
                        json.number("confidence", EvidenceJSON.confidence(line.confidence))
                        json.field("text", line.text)
                    }
                }
            }
            json.field("writer", writers.writer)
            json.array("registry") { json in
                for match in itemSummary.registry {
                    json.object { json in
                        json.field("sdk", match.sdk)
                        json.field("pattern", match.pattern)
                        json.field("holds", match.holds)
                    }
                }
            }
            json.object("class") { explanation.itemVerdict.write(to: &$0) }
            if let weighed = explanation.weighed {
                json.object("verdict") { json in
                    json.number("confidence", EvidenceJSON.confidence(weighed.probability))
                    json.number("bias", weighed.bias)
                    json.field("files", weighed.files)
                    EvidenceJSON.write(weighed.evidence, to: &json)
                }
            } else {
                json.field("verdict", nil)
            }
            json.field("notWeighed", explanation.unweighed)
            json.array("rules") { json in
                for verdict in explanation.verdicts {
                    json.object { json in
                        json.field("rule", verdict.rule.id)
                        json.field("outcome", verdict.outcome.rawValue)
                        json.field("reason", verdict.reason)
                    }
                }
            }
            json.field("complete", explanation.isComplete)
        }
        output("\n")
    }

    private var shownPath: String {
        let path = explanation.itemSummary.path.isEmpty ? "the container itself" : explanation.itemSummary.path
        return container.map { "\(ByteText.printable($0)): \(path)" } ?? path
    }

    private var rows: [(String, String)] {
        let itemSummary = explanation.itemSummary
        var rows = [
            ("kind", itemSummary.kind == "file" ? "file, \(Quantity.bytes(itemSummary.bytes))" : itemSummary.kind),
            ("location", "\(itemSummary.location): \(itemSummary.location.purpose)"),
            ("excluded from backup", flag), ("backed up", Self.word(itemSummary.isBackedUp) + backupReason),
        ]
        rows += otherViews.map { ("", $0) }
        rows += [
            ("purged by the system", itemSummary.location.purge.rawValue),
            ("visible in Files", itemSummary.location.visibility.rawValue),
            ("restored from backup", restored),
        ]
        if let maker = itemSummary.maker {
            rows.append(("created by", maker + (itemSummary.origin.map { ", from \($0)" } ?? "")))
        }
        for (index, row) in sourceRows.enumerated() { rows.append((index == 0 ? "written by" : "", row)) }
        if let lostExclusion { rows.append(("exclusion lost", lostExclusion)) }
        rows.append(("class", explanation.itemVerdict.phrase))
        for match in itemSummary.registry {
            rows.append(("registry", "\(match.sdk), \(match.holds) (\(match.pattern))"))
        }
        return rows
    }

    private var flag: String {
        let exclusion = explanation.itemSummary.exclusion
        switch exclusion.state {
        case .included: return "no"
        case .unknown: return "unknown: the file system does not support it"
        case .excluded:
            let carrier =
                exclusion.carrier.map { $0.isEmpty ? "the container" : ByteText.escaped(Array($0.utf8)) }
                ?? "the item itself"
            return "yes, by \(exclusion.mark?.rawValue ?? "an attribute") on \(carrier)"
        }
    }

    /// A line for each kind of backup that treats the item otherwise than an encrypted backup by Finder.
    private var otherViews: [String] {
        explanation.views.filter { $0.decision.state != explanation.itemSummary.isBackedUp }.map { view, decision in
            "in backups of the kind \(view.rawValue): \(Self.word(decision.state)), \(decision.reason.phrase) "
                + "(\(decision.decider))"
        }
    }

    private var backupReason: String {
        switch explanation.itemSummary.backup.reason {
        case .ownFlag, .ancestorFlag: ", excluded"
        case .noAttributes: ""
        case .specialNode: ", by its kind"
        case .temporaryFile: ", the temporary file of a save"
        default: ", by its location"
        }
    }

    private var restored: String {
        switch explanation.itemSummary.isBackedUp {
        case .included: "yes"
        case .excluded: "no, it is not in any backup"
        case .unknown: "unknown"
        }
    }

    private static func word(_ state: BackupState) -> String {
        switch state {
        case .included: "yes"
        case .excluded: "no"
        case .unknown: "unknown"
        }
    }
}

extension String {
    /// Returns the text, padded with spaces to a width.
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
