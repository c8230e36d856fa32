internal import BackupOperations
internal import BackupPlan
package import BackupRepository
internal import ContainerTree
internal import FileSystem
internal import Foundation
package import TextOutput

extension Snapshot: CommandOutput {
    package var text: String {
        var text = "\(number)  \(Self.time(taken))  \(Quantity.count(files, "file")), \(Quantity.bytes(bytes))"
        if let bundleIdentifier { text += "  \(ByteText.escaped(Array(bundleIdentifier.utf8)))" }
        if view != "finder" { text += "  \(ByteText.escaped(Array(view.utf8)))" }
        if !labels.tags.isEmpty { text += "  [\(labels.tags.map(ByteText.printable).joined(separator: ", "))]" }
        if !incidents.isEmpty { text += "  incomplete" }
        return text + (id.isEmpty ? "" : "  \(shortID)") + "\n"
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", incidents: incidents)
    }

    func writeSummary(_ json: inout JSONWriter) {
        json.field("snapshot", number)
        json.field("id", id.isEmpty ? nil : id)
        json.field("taken", Self.time(taken))
        json.field("bundleID", bundleIdentifier)
        json.field("kind", kind)
        json.field("view", view)
        json.field("files", files)
        json.field("bytes", bytes)
        json.field("complete", incidents.isEmpty)
        json.field("host", labels.host)
        json.field("source", labels.source)
        json.array("tags") { json in for tag in labels.tags { json.element(tag) } }
    }

    /// The app in a list; empty if it is unknown.
    var appText: String { bundleIdentifier.map { ByteText.escaped(Array($0.utf8)) } ?? "" }

    /// The tags in a list; empty without tags.
    var tagText: String {
        labels.tags.isEmpty ? "" : "[\(labels.tags.map(ByteText.printable).joined(separator: ", "))]"
    }

    static func time(_ time: Timestamp) -> String {
        Date(timeIntervalSince1970: Double(time.seconds)).formatted(.iso8601)
    }
}

/// A snapshot of one repository and the same snapshot in another.
package struct SnapshotCopy: CommandOutput {
    private let original: Snapshot
    private let copy: Snapshot
    private let isNew: Bool

    /// - Parameters:
    ///   - original: The snapshot that was copied.
    ///   - copy: The snapshot in the other repository.
    ///   - isNew: False if the repository contained the snapshot before.
    package init(of original: Snapshot, as copy: Snapshot, isNew: Bool) {
        (self.original, self.copy, self.isNew) = (original, copy, isNew)
    }

    package var text: String {
        "snapshot \(original.number) \(isNew ? "copied as" : "is present as") \(copy.text)"
    }

    package func write(_ json: inout JSONWriter) {
        json.field("original", original.number)
        json.field("new", isNew)
        copy.writeSummary(&json)
    }
}

extension SnapshotBuilder.Outcome: ItemizedOutput {
    package var text: String {
        var text = isNew ? "" : "unchanged since the last snapshot; no snapshot was made\n"
        text += "snapshot \(snapshot.number): \(Quantity.count(snapshot.files, "file")), "
        text += "\(Quantity.bytes(snapshot.bytes)); \(Quantity.count(filesRead, "file")) read, "
        text += "\(Quantity.bytes(bytesRead))\n"
        if objectsRestored > 0 {
            text += "\(Quantity.count(objectsRestored, "object")) missing from the repository stored again; "
            text += "`sandboxbackup verify` lists what is still missing\n"
        }
        text += Loss.lines(losses) + Snapshot.Incident.lines(remarks)
        return text + Snapshot.Incident.lines(snapshot.incidents, under: "not stored as planned:\n")
    }

    package func write(_ json: inout JSONWriter) {
        snapshot.write(&json)
        writeWork(&json)
    }

    package var problems: [(inout JSONWriter) -> Void] { snapshot.incidents.map { $0.write } }

    package func writeSummary(_ json: inout JSONWriter) {
        snapshot.writeSummary(&json)
        writeWork(&json)
    }

    private func writeWork(_ json: inout JSONWriter) {
        json.field("new", isNew)
        json.field("filesRead", filesRead)
        json.field("bytesRead", bytesRead)
        json.field("objectsRestored", objectsRestored)
        json.incidents("remarks", incidents: remarks)
        json.losses(losses)
    }
}

extension SnapshotBuilder.Preview: ItemizedOutput {
    package var text: String {
        var text = "would store \(Quantity.count(files, "file")), \(Quantity.bytes(bytes)); would read "
        text += "\(Quantity.count(filesToRead, "file")), \(Quantity.bytes(bytesToRead)); nothing was stored\n"
        text += Loss.lines(losses) + Snapshot.Incident.lines(remarks)
        return text + Snapshot.Incident.lines(incidents, under: "would not be stored as planned:\n")
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", incidents: incidents)
    }

    package var problems: [(inout JSONWriter) -> Void] { incidents.map { $0.write } }

    package func writeSummary(_ json: inout JSONWriter) {
        json.field("files", files)
        json.field("bytes", bytes)
        json.field("filesToRead", filesToRead)
        json.field("bytesToRead", bytesToRead)
        json.incidents("remarks", incidents: remarks)
        json.losses(losses)
    }
}

extension RestoreResult: ItemizedOutput {
    package var text: String {
        var text = "restored \(Quantity.count(files, "file")), \(Quantity.bytes(bytes)), in "
        text += "\(directories == 1 ? "1 directory" : "\(Quantity.grouped(directories)) directories")"
        text += links == 0 ? "\n" : ", and \(Quantity.count(links, "link"))\n"
        if same > 0 { text += "\(Quantity.count(same, "item")) unchanged\n" }
        if kept > 0 { text += "\(Quantity.count(kept, "item")) kept, because the snapshot has no later version\n" }
        if deleted > 0 { text += "\(Quantity.count(deleted, "item")) deleted, which the snapshot does not contain\n" }
        text += Loss.lines(losses) + Snapshot.Incident.lines(remarks)
        text += Snapshot.Incident.lines(incidents, under: "not restored, or not as in the snapshot:\n")
        return text + Snapshot.Incident.lines(missing, under: Snapshot.Incident.missingHeading)
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", incidents: incidents)
    }

    package var problems: [(inout JSONWriter) -> Void] { incidents.map { $0.write } }
    package var isClean: Bool { isComplete && remarks.isEmpty }

    package func writeSummary(_ json: inout JSONWriter) {
        json.field("files", files)
        json.field("directories", directories)
        json.field("links", links)
        json.field("bytes", bytes)
        json.field("same", same)
        json.field("kept", kept)
        json.field("deleted", deleted)
        json.incidents("remarks", incidents: remarks)
        json.incidents("missing", incidents: missing)
        json.losses(losses)
    }
}

extension Verifier.Outcome: ItemizedOutput {
    package var text: String {
        var text = "read \(Quantity.count(objects, "object")), \(Quantity.bytes(bytes)): "
        if leftovers > 0 {
            text = "\(Quantity.count(leftovers, "object")) of interrupted runs; `prune` deletes them\n" + text
        }
        guard !damage.isEmpty else { return text + "no damage\(scope.map { " in \($0)" } ?? "")\n" }
        text += "\(Quantity.count(damage.count, "problem")) found\n"
        for one in damage {
            text += "  \(one.what): \(one.how)\n"
            for path in one.paths { text += "    \(ByteText.escaped(path))\n" }
        }
        return text
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.array("damage") { json in for one in damage { json.object { one.write(&$0) } } }
    }

    package var problems: [(inout JSONWriter) -> Void] { damage.map { $0.write } }

    package func writeSummary(_ json: inout JSONWriter) {
        json.field("objects", objects)
        json.field("bytes", bytes)
        json.field("leftovers", leftovers)
        if let scope { json.field("scope", scope) }
    }
}

extension Damage {
    func write(_ json: inout JSONWriter) {
        json.field("what", what)
        json.field("how", how)
        json.array("paths") { json in for path in paths { json.element(ByteText.escaped(path)) } }
    }
}

extension Repository.PruneResult: CommandOutput {
    package var text: String {
        let directories = directories == 1 ? "1 directory" : "\(Quantity.grouped(directories)) directories"
        let packs = [
            deletedPacks > 0 ? "\(Quantity.count(deletedPacks, "pack")) deleted" : nil,
            rewrittenPacks > 0 ? "\(Quantity.count(rewrittenPacks, "pack")) rewritten" : nil,
            unusedInPacks > 0 ? "\(Quantity.bytes(unusedInPacks)) unused in packs" : nil,
        ]
        return "\(Quantity.count(objects, "object")) of \(Quantity.bytes(bytes)), \(directories) and "
            + "\(Quantity.count(leftovers, "leftover file")) without references"
            + packs.compactMap { $0.map { "; \($0)" } }.joined() + "\n"
    }

    package func write(_ json: inout JSONWriter) {
        json.field("objects", objects)
        json.field("bytes", bytes)
        json.field("directories", directories)
        json.field("leftovers", leftovers)
        json.field("deletedPacks", deletedPacks)
        json.field("rewrittenPacks", rewrittenPacks)
        json.field("unusedInPacks", unusedInPacks)
    }
}

/// The differences between two snapshots, with sums.
package struct DifferenceListing: CommandOutput {
    private let lines: [SnapshotDifference.Line]

    package init(_ difference: SnapshotDifference) { lines = difference.lines }

    /// The number of items with a change, and their bytes before and after.
    private func sum(_ change: SnapshotDifference.Change) -> (items: Int, before: UInt64, after: UInt64) {
        lines.reduce(into: (0, 0, 0)) { sum, line in
            guard line.change == change else { return }
            sum.items += 1
            sum.before.addClamped(line.before)
            sum.after.addClamped(line.after)
        }
    }

    package var text: String {
        guard !lines.isEmpty else { return "no difference\n" }
        let (added, removed, modified) = (sum(.added), sum(.removed), sum(.modified))
        var sums = ["\(Quantity.grouped(added.items)) added, \(Quantity.bytes(added.after))"]
        sums.append("\(Quantity.grouped(removed.items)) removed, \(Quantity.bytes(removed.before))")
        sums.append(
            "\(Quantity.grouped(modified.items)) modified, \(Quantity.bytes(modified.before)) before and "
                + "\(Quantity.bytes(modified.after)) after")
        sums.append("\(Quantity.grouped(sum(.metadata).items)) with other metadata")
        return lines.map(\.text).joined() + sums.joined(separator: "; ") + "\n"
    }

    package func write(_ json: inout JSONWriter) {
        json.array("differences") { json in for line in lines { json.object { line.write(&$0) } } }
        json.object("summary", writeSums)
    }

    private func writeSums(_ json: inout JSONWriter) {
        for change in [SnapshotDifference.Change.added, .removed, .modified, .metadata] {
            let sum = sum(change)
            json.object(change.rawValue) { json in
                json.field("items", sum.items)
                json.field("before", sum.before)
                json.field("after", sum.after)
            }
        }
    }

    /// Writes one JSON object per difference, then `{"summary": {…}}`.
    package func lines(to output: @escaping (String) -> Void) {
        for line in lines { line.json(to: output) }
        var json = JSONWriter(to: output)
        json.object { $0.object("summary", writeSums) }
        output("\n")
    }
}

extension SnapshotDifference.Line: CommandOutput {
    package var text: String {
        let sign =
            switch change {
            case .added: "+"
            case .removed: "-"
            case .modified: "M"
            case .metadata: "m"
            }
        return "\(sign) \(path.isEmpty ? "the container" : ByteText.escaped(path))\n"
    }

    package func write(_ json: inout JSONWriter) {
        json.field("change", change.rawValue)
        json.field("path", ByteText.escaped(path))
        json.field("before", before)
        json.field("after", after)
    }
}
