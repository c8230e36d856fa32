internal import BackupOperations
internal import BackupRepository
package import MobileBackup
package import TextOutput

extension Exporter.Outcome: ItemizedOutput {
    package var text: String {
        var text = "snapshot \(snapshot) is in \(folder): \(Quantity.count(files, "file")), \(Quantity.bytes(bytes))\n"
        text += Snapshot.Incident.lines(incidents, under: "missing or incomplete:\n")
        text += Snapshot.Incident.lines(missing, under: Snapshot.Incident.missingHeading)
        guard !losses.isEmpty || roundedTimes > 0 else { return text }
        text += "stored with less detail:\n"
        text += Snapshot.Incident.lines(losses)
        if roundedTimes > 0 { text += "  time-rounded: \(Quantity.count(roundedTimes, "item"))\n" }
        return text
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", incidents: incidents)
    }

    package var problems: [(inout JSONWriter) -> Void] { incidents.map { $0.write } }

    package func writeSummary(_ json: inout JSONWriter) {
        json.field("snapshot", snapshot)
        json.field("folder", folder)
        json.field("files", files)
        json.field("directories", directories)
        json.field("links", links)
        json.field("bytes", bytes)
        json.incidents("missing", incidents: missing)
        json.incidents("losses", incidents: losses)
        json.field("roundedTimes", roundedTimes)
    }
}

extension Importer.Outcome: ItemizedOutput {
    package var text: String {
        var text = ""
        for snapshot in snapshots { text += snapshot.text + Snapshot.Incident.lines(snapshot.incidents) }
        if systemDomains > 0 { text += "\(Quantity.count(systemDomains, "domain")) of the system skipped\n" }
        if replacedOwners > 0 {
            text +=
                "\(Quantity.count(replacedOwners, "item")) stored with your user and group instead of the backup's; "
            text += "--preserve-owners keeps the backup's\n"
        }
        return text
    }

    package func write(_ json: inout JSONWriter) {
        json.array("snapshots") { json in for snapshot in snapshots { json.object { snapshot.write(&$0) } } }
        json.field("systemDomains", systemDomains)
        json.field("replacedOwners", replacedOwners)
    }

    /// The incidents of all snapshots, with the number of the snapshot.
    package var problems: [(inout JSONWriter) -> Void] {
        snapshots.flatMap { snapshot in
            snapshot.incidents.map { incident in
                { json in
                    json.field("snapshot", snapshot.number)
                    incident.write(&json)
                }
            }
        }
    }

    package func writeSummary(_ json: inout JSONWriter) {
        json.array("snapshots") { json in for snapshot in snapshots { json.object { snapshot.writeSummary(&$0) } } }
        json.field("systemDomains", systemDomains)
        json.field("replacedOwners", replacedOwners)
    }
}

extension DomainSummary: CommandOutput {
    package var text: String {
        var text = "\(ByteText.printable(domain.bundleID ?? domain.name))  \(kind)  "
        text += "\(Quantity.count(files, "file")), \(Quantity.bytes(bytes))"
        if unusableRows > 0 { text += ", \(Quantity.count(unusableRows, "unusable row"))" }
        return text + "\n"
    }

    package func write(_ json: inout JSONWriter) {
        json.field("bundleID", domain.bundleID)
        json.field("kind", kind)
        json.field("files", files)
        json.field("directories", directories)
        json.field("links", links)
        json.field("bytes", bytes)
        json.field("unusableRows", unusableRows)
    }

    /// The kind of the container, as in a snapshot.
    private var kind: String {
        switch domain.owner {
        case .app: "application"
        case .plugin: "plugin"
        case .group: "group"
        case .system: "system"
        }
    }
}

extension EngineSnapshot: CommandOutput {
    package var text: String {
        var text = "\(ByteText.printable(identifier))  \(Snapshot.time(taken))"
        if let bundleIdentifier { text += "  \(ByteText.printable(bundleIdentifier))" }
        if let stores { text += "  databases in use: \(ByteText.printable(stores))" }
        return text + "\n"
    }

    package func write(_ json: inout JSONWriter) {
        json.field("snapshot", identifier)
        json.field("stores", stores)
        json.field("taken", Snapshot.time(taken))
        json.field("bundleID", bundleIdentifier)
    }
}

extension EngineBackup.Outcome: ItemizedOutput {
    package var text: String {
        var text = "\(kind.rawValue) \(ByteText.printable(version)): snapshot \(ByteText.printable(snapshot)): "
        text += "\(Quantity.count(files, "file")), \(Quantity.bytes(bytes))\n"
        if let stores {
            text += "databases in use, each in one consistent state: snapshot \(ByteText.printable(stores)); "
            text += "`sandboxbackup restore --engine \(kind.rawValue)` puts them in place\n"
        }
        for leftover in leftovers {
            text +=
                "snapshot \(ByteText.printable(leftover)) is of the first attempt, contains files that changed while they were "
            text += "read, and could not be removed\n"
        }
        text += Snapshot.Incident.lines(remarks)
        return text + Snapshot.Incident.lines(incidents, under: "not stored as planned:\n")
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", incidents: incidents)
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
        json.incidents("remarks", incidents: remarks)
        json.array("leftovers") { json in for leftover in leftovers { json.element(leftover) } }
    }
}
