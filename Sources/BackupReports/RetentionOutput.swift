package import BackupRepository
package import TextOutput

/// The snapshots that `forget` removes and keeps, with the reasons.
package struct RetentionOutput: CommandOutput {
    private let decisions: [RetentionPolicy.Decision]
    /// Snapshots with damaged rows that are removed as well.
    private let damaged: [SnapshotList.Damaged]
    private let isDryRun: Bool

    package init(_ decisions: [RetentionPolicy.Decision], damaged: [SnapshotList.Damaged], isDryRun: Bool) {
        (self.decisions, self.damaged, self.isDryRun) = (decisions, damaged, isDryRun)
    }

    package var text: String {
        var table = TextTable([.left, .right])
        for decision in decisions {
            let word = decision.isRemoved ? "remove" : "keep"
            let past = decision.isRemoved ? "removed" : "kept"
            let snapshot = decision.snapshot
            table.add([
                isDryRun ? "would \(word)" : past, "\(snapshot.number)", Snapshot.time(snapshot.taken),
                snapshot.appText, snapshot.tagText, "\(snapshot.shortID)",
                ByteText.printable(decision.reasons.joined(separator: ", ")),
            ])
        }
        let broken = damaged.map { "\(isDryRun ? "would remove" : "removed")  \($0.number)  damaged: \($0.reason)\n" }
        let removed = decisions.count(where: \.isRemoved) + damaged.count
        let kept = decisions.count - decisions.count(where: \.isRemoved)
        guard removed > 0 else { return table.text + "nothing to remove\n" }
        return broken.joined() + table.text + (isDryRun ? "would remove " : "removed ")
            + Quantity.count(removed, "snapshot")
            + (isDryRun ? " and keep \(kept)\n" : " and kept \(kept); `sandboxbackup prune` deletes their content\n")
    }

    package func write(_ json: inout JSONWriter) {
        json.field("dryRun", isDryRun)
        json.array("forgotten") { json in
            for one in damaged { json.object { one.write(&$0) } }
            for decision in decisions where decision.isRemoved { json.object { decision.snapshot.write(&$0) } }
        }
        json.array("kept") { json in
            for decision in decisions where !decision.isRemoved { json.object { decision.writeKept(&$0) } }
        }
    }

    /// Writes one JSON object per snapshot, with the decision `remove` or `keep`.
    package func lines(to output: @escaping (String) -> Void) {
        func line(_ decision: String, fields: (inout JSONWriter) -> Void) {
            var json = JSONWriter(to: output)
            json.object { json in
                json.field("decision", decision)
                json.field("dryRun", isDryRun)
                fields(&json)
            }
            output("\n")
        }
        for one in damaged { line("remove") { one.write(&$0) } }
        for decision in decisions {
            line(decision.isRemoved ? "remove" : "keep") { json in
                if decision.isRemoved { decision.snapshot.writeSummary(&json) } else { decision.writeKept(&json) }
            }
        }
    }
}

extension RetentionPolicy.Decision {
    fileprivate func writeKept(_ json: inout JSONWriter) {
        snapshot.writeSummary(&json)
        json.array("reasons") { json in for reason in reasons { json.element(reason) } }
    }
}

extension SnapshotList.Damaged {
    fileprivate func write(_ json: inout JSONWriter) {
        json.field("snapshot", number)
        json.field("damaged", reason)
    }
}
