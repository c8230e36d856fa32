package import AppContainer
package import BackupPlan
internal import ContainerTree
internal import FileSystem
internal import SystemPackage
package import TextOutput

/// What is decided of one path, why and by whom, under each view.
package struct PlanExplanation: Sendable {
    /// One view's decision.
    package struct Verdict: Sendable {
        package let view: BackupView
        package let reason: PlanReason
        package let decidedBy: PlanDecider
        /// The item that carries what decided: the path's own or a directory above it.
        package let at: [UInt8]
    }

    package let path: [UInt8]
    package let kind: String
    /// Of a file its size, of a directory that is left out all that it holds.
    package let bytes: UInt64
    package let verdicts: [Verdict]
    package let isComplete: Bool

    /// Explains a path of a container, as it is or as reports escape it; nil where the container holds nothing of it.
    package init?(_ text: String, in container: Container, rules: PlanRules) throws(ContainerError) {
        let readings = [Array(text.utf8), ByteText.unescaped(text)].map { FilePath(bytes: $0).lexicallyNormalized() }
        let found = readings.lazy.compactMap { reading in
            // An empty path is the container itself.
            let path = reading == "." ? FilePath() : reading
            return (try? container.folder.statusIfPresent(path)).map { (path.bytes, $0) }
        }
        guard let (path, status) = found.first else { return nil }
        var verdicts: [Verdict] = []
        var isComplete = true
        var bytes = status.kind == .file ? status.size : 0
        for view in BackupView.allCases {
            var rules = rules
            rules.view = view
            let plan = try Plan(of: container, rules: rules)
            if !plan.isComplete { isComplete = false }
            // What came or went meanwhile is in no plan.
            guard let entry = plan.entry(covering: path) else { return nil }
            let isOwn = entry.path == path
            if isOwn, status.kind == .directory { bytes = max(bytes, entry.bytes) }
            let reason = !isOwn && entry.reason == .ownFlag ? .ancestorFlag : entry.reason
            verdicts.append(Verdict(view: view, reason: reason, decidedBy: entry.decidedBy, at: entry.path))
        }
        self.path = path
        kind = "\(status.kind)"
        self.bytes = bytes
        self.verdicts = verdicts
        self.isComplete = isComplete
    }

    /// For a person: a line a view.
    package func text(style: Style) -> String {
        let width = BackupView.allCases.map(\.rawValue.count).max() ?? 0
        var text = style.bold(path.isEmpty ? "the container itself" : ByteText.escaped(path))
        text += "  \(kind), \(Quantity.bytes(bytes))\n"
        for verdict in verdicts {
            let view = verdict.view.rawValue
            text += "  \(view)\(String(repeating: " ", count: width - view.count))  "
            text +=
                "\(verdict.reason.decision == .include ? "kept" : "left out"): \(verdict.reason.phrase), by \(verdict.decidedBy)"
            if verdict.at != path, verdict.reason.isByMark {
                text += " on \(verdict.at.isEmpty ? "the container itself" : ByteText.escaped(verdict.at))"
            }
            text += "\n"
        }
        return isComplete ? text : text + "Not everything of the container could be looked at.\n"
    }

    /// One object, `sandboxbackup-explanation/1`.
    package func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxbackup-explanation/1")
            json.field("path", ByteText.escaped(path))
            json.field("kind", kind)
            json.field("bytes", bytes)
            json.array("views") { json in
                for verdict in verdicts {
                    json.object { json in
                        json.field("view", verdict.view.rawValue)
                        json.field("decision", verdict.reason.decision.rawValue)
                        json.field("reason", verdict.reason.rawValue)
                        json.field("decidedBy", verdict.decidedBy.description)
                        json.field("at", ByteText.escaped(verdict.at))
                    }
                }
            }
            json.field("complete", isComplete)
        }
        output("\n")
    }
}
