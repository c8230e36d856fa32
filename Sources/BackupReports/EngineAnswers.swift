internal import BackupOperations
internal import BackupRepository
package import TextOutput

extension EngineBackup.Outcome: RunAnswer {
    package var text: String {
        var text = "\(kind.rawValue) \(ByteText.printable(version)): snapshot \(ByteText.printable(snapshot)): "
        text += "\(Quantity.count(files, "file")), \(Quantity.bytes(bytes))\n"
        if let stores {
            text += "stores in use, each as one state of it: snapshot \(ByteText.printable(stores)); "
            text += "restore it over the other\n"
        }
        for leftover in leftovers {
            text +=
                "snapshot \(ByteText.printable(leftover)) is of a first try, holds files that changed while they were "
            text += "read, and could not be taken away\n"
        }
        text += Snapshot.Incident.lines(remarks)
        return text + Snapshot.Incident.lines(incidents, under: "not kept as planned:\n")
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", incidents)
    }

    package var problems: [(inout JSONWriter) -> Void] {
        incidents.map { $0.write } + leftovers.map { leftover in { $0.field("leftover", leftover) } }
    }

    package func writeSummary(_ json: inout JSONWriter) {
        json.field("engine", kind.rawValue)
        json.field("version", version)
        json.field("snapshot", snapshot)
        json.field("stores", stores)
        json.field("files", files)
        json.field("bytes", bytes)
        json.field("complete", incidents.isEmpty && leftovers.isEmpty)
        json.incidents("remarks", remarks)
        json.array("leftovers") { json in for leftover in leftovers { json.element(leftover) } }
    }
}
