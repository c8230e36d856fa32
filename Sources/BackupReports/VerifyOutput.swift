internal import BackupRepository
package import TextOutput

extension Repairer.Outcome: ItemizedOutput {
    package var text: String {
        var text = repaired.text
        let left = verification.badObjects.count
        if left > 0 {
            text += "\(Quantity.count(left, "object")) could not be repaired: content not found\n"
        }
        return text + verification.text
    }

    package func write(_ json: inout JSONWriter) {
        verification.write(&json)
        writeRepaired(&json)
    }

    package var problems: [(inout JSONWriter) -> Void] { verification.problems }

    package func writeSummary(_ json: inout JSONWriter) {
        verification.writeSummary(&json)
        writeRepaired(&json)
    }

    private func writeRepaired(_ json: inout JSONWriter) { repaired.write(&json) }
}

extension [Repairer.Repaired] {
    fileprivate func write(_ json: inout JSONWriter) {
        json.array("repaired") { json in
            for one in self {
                json.object { json in
                    json.field("what", one.what)
                    json.field("from", ByteText.escaped(one.source))
                }
            }
        }
    }

    fileprivate var text: String {
        map { "repaired \($0.what) from \(ByteText.escaped($0.source))\n" }.joined()
    }
}

extension CatalogueRebuilder.Outcome: ItemizedOutput {
    package var text: String {
        var text = repaired.text
        guard isRebuilt else {
            return text + "the catalogue is intact and was not replaced\n" + verification.text
        }
        text += "made a new catalogue.sqlite"
        text += replaced.map { "; the old one is \($0)\n" } ?? "; there was none\n"
        for one in snapshots {
            text += "snapshot \(one.number): "
            if let failure = one.failure {
                text += "not recovered: \(failure)\n"
            } else if one.lost > 0 {
                text +=
                    "recovered, without \(Quantity.count(one.lost, "damaged item")) of "
                    + "\(Quantity.count(one.files, "file"))\n"
            } else {
                text += "recovered, \(Quantity.count(one.files, "file"))\n"
            }
        }
        for number in unfinished {
            text += "snapshots/\(number).new is not a snapshot, because the run that was making it was interrupted\n"
        }
        return text + verification.text
    }

    package func write(_ json: inout JSONWriter) {
        verification.write(&json)
        writeRebuilt(&json)
    }

    package var problems: [(inout JSONWriter) -> Void] { verification.problems }

    package func writeSummary(_ json: inout JSONWriter) {
        verification.writeSummary(&json)
        writeRebuilt(&json)
    }

    /// True if every snapshot is complete, and the repository has no damage.
    package var isClean: Bool {
        verification.damage.isEmpty && snapshots.allSatisfy { $0.failure == nil && $0.lost == 0 }
    }

    private func writeRebuilt(_ json: inout JSONWriter) {
        json.field("rebuilt", isRebuilt)
        json.field("replaced", replaced)
        repaired.write(&json)
        json.array("snapshots") { json in
            for one in snapshots {
                json.object { json in
                    json.field("snapshot", Int(one.number))
                    json.field("recovered", one.failure == nil)
                    json.field("files", one.files)
                    json.field("lost", one.lost)
                    if let failure = one.failure { json.field("reason", failure) }
                }
            }
        }
        json.array("unfinished") { json in for number in unfinished { json.element(json: "\(number)") } }
    }
}
