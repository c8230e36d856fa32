package import BackupPlan
internal import TextOutput

/// A plan for programs: a line an item and then the summary, or all of it in one object.
package struct PlanJSON {
    private let plan: Plan

    package init(_ plan: Plan) { self.plan = plan }

    /// A line an item, in order, then `{"summary": …}`.
    package func lines(to output: @escaping (String) -> Void) {
        for entry in plan {
            var json = JSONWriter(to: output)
            json.object { write(entry, &$0) }
            output("\n")
        }
        var json = JSONWriter(to: output)
        json.object { summary(&$0) }
        output("\n")
    }

    /// One object, `sandboxbackup-plan/1`.
    package func object(version: String, to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxbackup-plan/1")
            json.object("tool") { json in
                json.field("name", "sandboxbackup")
                json.field("version", version)
            }
            json.array("items") { json in
                for entry in plan { json.object { write(entry, &$0) } }
            }
            summary(&json)
        }
        output("\n")
    }

    private func write(_ entry: PlanEntry, _ json: inout JSONWriter) {
        json.field("path", ByteText.escaped(entry.path))
        json.field("kind", "\(entry.kind)")
        json.field("decision", entry.decision.rawValue)
        json.field("reason", entry.reason.rawValue)
        json.field("decidedBy", entry.decidedBy.description)
        json.field("bytes", entry.bytes)
    }

    private func summary(_ json: inout JSONWriter) {
        json.object("summary") { json in
            json.field("view", plan.rules.view.rawValue)
            for decision in [PlanDecision.include, .exclude] {
                json.object(decision.rawValue) { write(plan.sum(of: decision), &$0) }
            }
            json.object("reasons") { json in
                for reason in PlanReason.allCases {
                    guard let sum = plan.sums[reason] else { continue }
                    json.object(reason.rawValue) { write(sum, &$0) }
                }
            }
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

    private func write(_ sum: PlanSum, _ json: inout JSONWriter) {
        json.field("items", sum.items)
        json.field("bytes", sum.bytes)
    }
}
