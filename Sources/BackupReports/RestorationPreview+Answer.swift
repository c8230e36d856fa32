internal import BackupOperations
internal import BackupPlan
internal import FileSystem
package import TextOutput

extension RestorationPreview: RunAnswer {
    package var text: String {
        var text = ""
        for line in lines where line.change != .same {
            text += "\(line.change.sign) \(line.path.isEmpty ? "the container" : ByteText.escaped(line.path))\n"
        }
        let (added, replaced, same) = (count(of: .added), count(of: .replaced), count(of: .same))
        text += "would make \(Quantity.count(added, "item")), replace \(Quantity.grouped(replaced)) and leave "
        text += "\(Quantity.grouped(same)) as they are; nothing was changed\n"
        let inTheWay = count(of: .inTheWay)
        if inTheWay > 0 {
            text += "would not restore \(Quantity.count(inTheWay, "item")), each marked with !, since something else "
            text += "is there; --overwrite replaces files and links\n"
        }
        return text
    }

    package func write(_ json: inout JSONWriter) {
        json.array("items") { json in for line in lines { json.object { line.write(&$0) } } }
        json.object("summary", writeSummary)
    }

    package func writeSummary(_ json: inout JSONWriter) {
        for change in Change.allCases { json.field(change.rawValue, count(of: change)) }
        var bytes: UInt64 = 0
        for line in lines where line.change == .added || line.change == .replaced { bytes.addClamped(line.bytes) }
        json.field("bytes", bytes)
    }

    package var problems: [(inout JSONWriter) -> Void] {
        lines.filter { $0.change == .inTheWay || $0.change == .damaged }.map { $0.write }
    }

    /// A line for every item, in order.
    package func lines(to output: @escaping (String) -> Void) {
        for line in lines {
            var json = JSONWriter(to: output)
            json.object { line.write(&$0) }
            output("\n")
        }
        Self.line("summary", to: output, writeSummary)
    }
}

extension RestorationPreview.Line {
    func write(_ json: inout JSONWriter) {
        json.field("change", change.rawValue)
        json.field("path", ByteText.escaped(path))
        json.field("kind", "\(kind)")
        json.field("bytes", bytes)
    }
}

extension RestorationPreview.Change {
    fileprivate var sign: String {
        switch self {
        case .added: "+"
        case .replaced: "M"
        case .changed: "m"
        case .same: "="
        case .inTheWay: "!"
        case .damaged: "?"
        }
    }
}
