package import AppContainer
package import BackupPlan
package import ContainerTree
internal import FileSystem
internal import SystemPackage
package import TextOutput

/// A plan as JSON: one object per item and then the summary, or one object for all.
package struct PlanJSON {
    private let plan: Plan

    package init(_ plan: Plan) { self.plan = plan }

    /// Writes one line per item, in order, then `{"summary": …}`.
    package func lines(to output: @escaping (String) -> Void) {
        for entry in plan {
            var json = JSONWriter(to: output)
            json.object { write(entry, into: &$0) }
            output("\n")
        }
        var json = JSONWriter(to: output)
        json.object { summary(&$0) }
        output("\n")
    }

    /// Writes one object with the schema `sandboxbackup-plan/1`.
    package func object(version: String, to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxbackup-plan/1")
            json.object("tool") { json in
                json.field("name", "sandboxbackup")
                json.field("version", version)
            }
            json.array("items") { json in
                for entry in plan { json.object { write(entry, into: &$0) } }
            }
            summary(&json)
        }
        output("\n")
    }

    private func write(_ entry: PlanEntry, into json: inout JSONWriter) {
        json.field("path", ByteText.escaped(entry.path))
        json.field("kind", "\(entry.kind)")
        json.field("decision", Self.word(isStored: entry.isStored))
        json.field("reason", entry.decision.reason.rawValue)
        json.field("decidedBy", entry.decision.decider.description)
        json.field("bytes", entry.bytes)
        if entry.availability != .present { json.field("availability", "\(entry.availability)") }
    }

    private func summary(_ json: inout JSONWriter) {
        json.object("summary") { json in
            json.field("view", plan.rules.view.rawValue)
            for isStored in [true, false] {
                json.object(Self.word(isStored: isStored)) { write(plan.sum(stored: isStored), into: &$0) }
            }
            json.object("reasons") { json in
                for reason in BackupReason.allCases {
                    guard let sum = plan.sums[reason] else { continue }
                    json.object(reason.rawValue) { write(sum, into: &$0) }
                }
            }
            json.object("evicted") { write(plan.evicted, into: &$0) }
            json.array("warnings") { json in
                for warning in plan.warnings {
                    json.object { json in
                        json.field("kind", warning.kind.rawValue)
                        json.field("path", ByteText.escaped(warning.path))
                        json.field("items", warning.items)
                        json.field("bytes", warning.bytes)
                        json.field("other", warning.other.map(ByteText.escaped))
                        json.field("message", warning.message)
                    }
                }
            }
            json.field("complete", plan.isComplete)
            json.array("incidents") { json in
                for incident in plan.incidents {
                    json.object { json in
                        json.field("path", ByteText.escaped(incident.path))
                        json.field("reason", incident.reason)
                    }
                }
            }
        }
    }

    /// The word for what this package's backups do with an item.
    fileprivate static func word(isStored: Bool) -> String { isStored ? "include" : "exclude" }

    private func write(_ sum: ItemCount, into json: inout JSONWriter) {
        json.field("items", sum.items)
        json.field("bytes", sum.bytes)
    }
}

/// The decision for one path under each view, with its reason and origin.
package struct PlanExplanation: Sendable {
    /// The decision under one view.
    package struct Verdict: Sendable {
        package let view: BackupView
        package let decision: BackupDecision
        /// The path of the item that determined the decision: the path itself or a directory above it.
        package let at: [UInt8]
    }

    package let path: [UInt8]
    package let kind: String
    /// The size of a file, or of the content of an excluded directory.
    package let bytes: UInt64
    package let availability: Availability
    package let verdicts: [Verdict]
    package let isComplete: Bool

    /// Explains a path of a container, written literally or as reports escape it; nil if the container has no such
    /// item.
    package init?(_ text: String, in container: Container, rules: BackupRules) throws(ContainerError) {
        let readings = ByteText.readings(of: text).map {
            FilePath(bytes: $0).lexicallyNormalized()
        }
        let found = readings.lazy.compactMap { reading in
            // An empty path stands for the container itself.
            let path = reading == "." ? FilePath() : reading
            return (try? container.folder.statusIfPresent(path)).map { (path.bytes, $0) }
        }
        guard let (path, status) = found.first else { return nil }
        var verdicts: [Verdict] = []
        var isComplete = true
        var bytes = status.kind == .file ? status.size : 0
        var availability = Availability.present
        for view in BackupView.allCases {
            var rules = rules
            rules.view = view
            let plan = try Plan(of: container, rules: rules)
            if !plan.isComplete { isComplete = false }
            // An item that came or went during the analysis is in no plan.
            guard let entry = plan.entry(covering: path) else { return nil }
            let isExactMatch = entry.path == path
            if isExactMatch {
                availability = entry.availability
                if status.kind == .directory { bytes = max(bytes, entry.bytes) }
            }
            let decision = isExactMatch ? entry.decision : entry.decision.inherited
            verdicts.append(Verdict(view: view, decision: decision, at: entry.path))
        }
        self.path = path
        kind = "\(status.kind)"
        self.bytes = bytes
        self.availability = availability
        self.verdicts = verdicts
        self.isComplete = isComplete
    }

    /// Returns one line of text per view.
    package func text(style: Style) -> String {
        let width = BackupView.allCases.map(\.rawValue.count).max() ?? 0
        var text = style.bold(path.isEmpty ? "the container itself" : ByteText.escaped(path))
        text += "  \(kind), \(Quantity.bytes(bytes))\(availability.phrase.map { ", \($0)" } ?? "")\n"
        for verdict in verdicts {
            let view = verdict.view.rawValue
            text += "  \(view)\(String(repeating: " ", count: width - view.count))  "
            text +=
                "\(verdict.decision.state.rawValue): \(verdict.decision.reason.phrase), by \(verdict.decision.decider)"
            if verdict.at != path, verdict.decision.reason.isByMark {
                text += " on \(verdict.at.isEmpty ? "the container itself" : ByteText.escaped(verdict.at))"
            }
            text += "\n"
        }
        return isComplete ? text : text + "Some items of the container could not be analyzed.\n"
    }

    /// Writes one object with the schema `sandboxbackup-explanation/1`.
    package func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxbackup-explanation/1")
            json.field("path", ByteText.escaped(path))
            json.field("kind", kind)
            json.field("bytes", bytes)
            json.field("availability", "\(availability)")
            json.array("views") { json in
                for verdict in verdicts {
                    json.object { json in
                        json.field("view", verdict.view.rawValue)
                        json.field("decision", PlanJSON.word(isStored: verdict.decision.isStored))
                        json.field("reason", verdict.decision.reason.rawValue)
                        json.field("decidedBy", verdict.decision.decider.description)
                        json.field("at", ByteText.escaped(verdict.at))
                    }
                }
            }
            json.field("complete", isComplete)
        }
        output("\n")
    }
}
