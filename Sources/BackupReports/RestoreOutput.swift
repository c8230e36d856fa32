internal import BackupOperations
internal import BackupPlan
internal import BackupRepository
internal import ContainerTree
internal import FileSystem
package import TextOutput

extension AppRestorer.Outcome: ItemizedOutput {
    package var text: String {
        var text = "new container \(container)\n" + restored.text
        for path in recreated { text += "created again, empty and excluded from backup: \(ByteText.escaped(path))\n" }
        if !knowsExclusions {
            text += "The items that were excluded from this snapshot are unknown.\n"
        }
        guard missedInAll > 0 else { return text + "the app will not miss any item\n" }
        text += "the app will miss \(Quantity.count(missedInAll, "item")):\n"
        for one in missed { text += "  \(ByteText.escaped(one.path)): \(one.phrase)\n" }
        if missed.count < missedInAll { text += "  and \(Quantity.grouped(missedInAll - missed.count)) more\n" }
        return text
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", incidents: restored.incidents)
    }

    package var problems: [(inout JSONWriter) -> Void] { restored.problems }

    package var isClean: Bool { restored.isClean }

    package func writeSummary(_ json: inout JSONWriter) {
        json.field("container", container)
        restored.writeSummary(&json)
        json.field("knowsExclusions", knowsExclusions)
        json.array("recreated") { json in for path in recreated { json.element(ByteText.escaped(path)) } }
        json.field("missedInAll", missedInAll)
        json.array("missed") { json in for one in missed { json.object { one.write(&$0) } } }
    }
}

extension MissingItem {
    fileprivate var phrase: String {
        switch cause {
        case .leftOut(let flag): "excluded from backup by \(ByteText.escaped(Array(flag.utf8)))"
        case .link(let stored): "a link to \(stored.phrase)"
        case .text(let pointer, let stored):
            "at \(ByteText.escaped(Array(pointer.utf8))) a path to \(stored.phrase)"
        }
    }

    fileprivate func write(_ json: inout JSONWriter) {
        json.field("path", ByteText.escaped(path))
        switch cause {
        case .leftOut(let flag):
            json.field("cause", "left-out")
            json.field("flag", flag)
        case .link(let stored):
            json.field("cause", "old-link")
            stored.write(&json)
        case .text(let pointer, let stored):
            json.field("cause", "old-path")
            json.field("pointer", ByteText.escaped(Array(pointer.utf8)))
            stored.write(&json)
        }
    }
}

extension MissingItem.Target {
    fileprivate var phrase: String {
        let name = tail.isEmpty ? "itself" : ByteText.escaped(tail)
        return "the old container’s \(name), which \(isThere ? "exists in the new one" : "no longer exists")"
    }

    fileprivate func write(_ json: inout JSONWriter) {
        json.field("target", ByteText.escaped(tail))
        json.field("targetIsThere", isThere)
    }
}

extension RestorePreview: ItemizedOutput {
    package var text: String {
        var text = ""
        for line in lines where line.change != .same && line.change != .kept {
            text += "\(line.change.sign) \(line.path.isEmpty ? "the container" : ByteText.escaped(line.path))\n"
        }
        let (added, replaced, same) = (count(of: .added), count(of: .replaced), count(of: .same))
        text += "would create \(Quantity.count(added, "item")), replace \(Quantity.grouped(replaced)) and keep "
        text += "\(Quantity.grouped(same)) unchanged; nothing was changed\n"
        let (kept, deleted) = (count(of: .kept), count(of: .deleted))
        if kept > 0 {
            text += "would keep \(Quantity.count(kept, "item")), because the snapshot has no later version\n"
        }
        if deleted > 0 {
            text += "would delete \(Quantity.count(deleted, "item")), which the snapshot does not contain\n"
        }
        let inTheWay = count(of: .inTheWay)
        if inTheWay > 0 {
            text += "would not restore \(Quantity.count(inTheWay, "item")), marked with !, because another item "
            text += "exists; --overwrite replaces files and links\n"
        }
        return text + Snapshot.Incident.lines(missing, under: Snapshot.Incident.missingHeading)
    }

    package func write(_ json: inout JSONWriter) {
        json.array("items") { json in for line in lines { json.object { line.write(&$0) } } }
        json.object("summary", writeSummary)
    }

    package func writeSummary(_ json: inout JSONWriter) {
        for change in Change.allCases { json.field(change.rawValue, count(of: change)) }
        json.incidents("missing", incidents: missing)
        var bytes: UInt64 = 0
        for line in lines where line.change == .added || line.change == .replaced { bytes.addClamped(line.bytes) }
        json.field("bytes", bytes)
    }

    package var problems: [(inout JSONWriter) -> Void] {
        lines.filter { $0.change == .inTheWay || $0.change == .damaged }.map { $0.write }
    }

    /// Writes one line per item, in order.
    package func lines(to output: @escaping (String) -> Void) {
        for line in lines {
            var json = JSONWriter(to: output)
            json.object { line.write(&$0) }
            output("\n")
        }
        Self.line("summary", to: output, fields: writeSummary)
    }
}

extension RestorePreview.Line {
    func write(_ json: inout JSONWriter) {
        json.field("change", change.rawValue)
        json.field("path", ByteText.escaped(path))
        json.field("kind", "\(kind)")
        json.field("bytes", bytes)
    }
}

extension RestorePreview.Change {
    fileprivate var sign: String {
        switch self {
        case .added: "+"
        case .replaced: "M"
        case .changed: "m"
        case .same, .kept: "="
        case .deleted: "-"
        case .inTheWay: "!"
        case .damaged: "?"
        }
    }
}
