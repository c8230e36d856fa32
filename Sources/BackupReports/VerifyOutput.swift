internal import BackupRepository
package import TextOutput

extension Repairer.Outcome: ItemizedOutput {
    package var text: String {
        var text = ""
        for one in repaired { text += "repaired \(one.what) from \(ByteText.escaped(one.source))\n" }
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

    private func writeRepaired(_ json: inout JSONWriter) {
        json.array("repaired") { json in
            for one in repaired {
                json.object { json in
                    json.field("what", one.what)
                    json.field("from", ByteText.escaped(one.source))
                }
            }
        }
    }
}
