internal import BackupOperations
package import TextOutput

extension AppRestoration.Outcome: RunAnswer {
    package var text: String {
        var text = "new container \(container)\n" + restored.text
        for path in recreated { text += "made again, empty and flagged: \(ByteText.escaped(path))\n" }
        if !knowsExclusions {
            text += "What flags kept out of this snapshot is not known: the snapshot does not say.\n"
        }
        guard missedInAll > 0 else { return text + "nothing that the app would miss was found\n" }
        text += "the app would miss \(Quantity.count(missedInAll, "thing")):\n"
        for one in missed { text += "  \(ByteText.escaped(one.path)): \(one.phrase)\n" }
        if missed.count < missedInAll { text += "  and \(Quantity.grouped(missedInAll - missed.count)) more\n" }
        return text
    }

    package func write(_ json: inout JSONWriter) {
        writeSummary(&json)
        json.incidents("incidents", restored.incidents)
    }

    package var problems: [(inout JSONWriter) -> Void] { restored.problems }

    package var isAsItShouldBe: Bool { restored.isAsItShouldBe }

    package func writeSummary(_ json: inout JSONWriter) {
        json.field("container", container)
        restored.writeSummary(&json)
        json.field("knowsExclusions", knowsExclusions)
        json.array("recreated") { json in for path in recreated { json.element(ByteText.escaped(path)) } }
        json.field("missedInAll", missedInAll)
        json.array("missed") { json in for one in missed { json.object { one.write(&$0) } } }
    }
}

extension Missed {
    fileprivate var phrase: String {
        switch cause {
        case .leftOut(let flag): "left out of the backup by \(ByteText.escaped(Array(flag.utf8)))"
        case .link(let stored): "a link to \(stored.phrase)"
        case .text(let pointer, let stored):
            "at \(ByteText.escaped(Array(pointer.utf8))) the path of \(stored.phrase)"
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

extension Missed.Stored {
    fileprivate var phrase: String {
        let name = tail.isEmpty ? "itself" : ByteText.escaped(tail)
        return "the old container’s \(name), which \(isThere ? "is there under the new one" : "is gone")"
    }

    fileprivate func write(_ json: inout JSONWriter) {
        json.field("target", ByteText.escaped(tail))
        json.field("targetIsThere", isThere)
    }
}
