package import BackupRepository
internal import FileSystem
package import TextOutput

/// An item of a snapshot, or several versions of it, as a line.
package struct ItemLine: CommandOutput {
    /// The details in text.
    package enum Form: Sendable {
        /// The path.
        case path
        /// Mode, owner, size, date, path and target of a link.
        case long
        /// The snapshots, size, date and path.
        case snapshots
    }

    private let item: SnapshotItem
    private let form: Form

    package init(_ item: SnapshotItem, as form: Form) { (self.item, self.form) = (item, form) }

    private var name: String {
        let path = item.path.isEmpty ? "." : ByteText.escaped(item.path)
        return path + (item.entry.kind == .directory ? "/" : "")
    }

    package var text: String {
        let entry = item.entry
        let size = entry.kind == .file ? String(entry.size) : "-"
        switch form {
        case .path: return name + "\n"
        case .snapshots:
            let numbers = Snapshot.ranges(item.snapshots)
            return "\(numbers)  \(Alignment.right(size, width: 12))  \(Snapshot.time(entry.modified))  \(name)\n"
        case .long:
            var text = "\(entry.modeText)  \(entry.user):\(entry.group)  \(Alignment.right(size, width: 12))  "
            text += "\(Snapshot.time(entry.modified))  \(name)"
            if let target = entry.target { text += " -> \(ByteText.escaped(target))" }
            return text + (entry.state.remark.map { "  (\($0))" } ?? "") + "\n"
        }
    }

    package func write(_ json: inout JSONWriter) {
        json.field("path", ByteText.escaped(item.path))
        item.entry.write(&json)
        guard form == .snapshots else { return }
        json.array("snapshots") { json in for snapshot in item.snapshots { json.element(json: "\(snapshot.number)") } }
    }
}

extension SnapshotEntry {
    /// Writes the fields that every command prints for an item.
    func write(_ json: inout JSONWriter) {
        json.field("kind", "\(kind)")
        json.field("mode", "0" + String(permissions, radix: 8))
        json.field("user", user)
        json.field("group", group)
        json.field("size", size)
        json.field("modified", Snapshot.time(modified))
        if let target { json.field("target", ByteText.escaped(target)) }
        if let remark = state.remark { json.field("remark", remark) }
    }

    /// The mode as `ls -l` prints it.
    fileprivate var modeText: String {
        let first: String =
            switch kind {
            case .directory: "d"
            case .symbolicLink: "l"
            default: "-"
            }
        var text = first
        for (shift, special, letter) in [(6, UInt16(0o4000), "s"), (3, 0o2000, "s"), (0, 0o1000, "t")] {
            let bits = permissions >> UInt16(shift)
            text += bits & 4 != 0 ? "r" : "-"
            text += bits & 2 != 0 ? "w" : "-"
            let isExecutable = bits & 1 != 0
            if permissions & special != 0 {
                text += isExecutable ? letter : letter.uppercased()
            } else {
                text += isExecutable ? "x" : "-"
            }
        }
        return text
    }
}

extension SnapshotEntry.State {
    /// The difference from the file in the container; nil for its own content.
    fileprivate var remark: String? {
        switch self {
        case .whole: nil
        case .unstable: "changed while it was read"
        case .consistentCopy: "consistent copy of a database in use"
        }
    }
}

extension ItemHistory.Version: CommandOutput {
    package var text: String {
        guard let entry else { return "\(Snapshot.ranges(snapshots))  \(times)  not in these snapshots\n" }
        let size = entry.kind == .file ? "\(entry.size) bytes" : "\(entry.kind)"
        let what: String =
            switch change {
            case .added: "added"
            case .metadata: "attributes changed"
            default: "changed"
            }
        return "\(Snapshot.ranges(snapshots))  \(times)  \(size), modified \(Snapshot.time(entry.modified))  \(what)\n"
    }

    private var times: String { snapshots.first.map { Snapshot.time($0.taken) } ?? "" }

    package func write(_ json: inout JSONWriter) {
        json.array("snapshots") { json in for snapshot in snapshots { json.element(json: "\(snapshot.number)") } }
        json.field("taken", snapshots.first.map { Snapshot.time($0.taken) })
        json.field("change", change.rawValue)
        entry?.write(&json)
    }
}

extension Snapshot {
    /// Returns numbers with ranges: `1-3,5`.
    static func ranges(_ snapshots: [Snapshot]) -> String {
        var ranges: [ClosedRange<Int64>] = []
        for number in snapshots.map(\.number).sorted() {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}

/// Alignment of text.
private enum Alignment {
    static func right(_ text: String, width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }
}

extension RepositoryStatistics: CommandOutput {
    package var text: String {
        var text = "\(Quantity.count(total.snapshots, "snapshot")) of \(Quantity.count(apps.count, "app"))\n"
        text += "  \(Quantity.bytes(total.restored)) as restored, in \(Quantity.count(total.files, "file"))\n"
        text += "  \(Quantity.bytes(total.deduplicated)) with each piece of content once\n"
        text += "  \(Quantity.bytes(stored)) on disk, compressed, with the catalogue\n"
        for app in apps {
            text += "\(app.name): \(Quantity.count(app.content.snapshots, "snapshot")), "
            text += "\(Quantity.bytes(app.content.restored)) as restored, "
            text += "\(Quantity.bytes(app.content.deduplicated)) with each piece of content once\n"
        }
        return text
    }

    package func write(_ json: inout JSONWriter) {
        total.write(&json)
        json.field("stored", stored)
        json.array("apps") { json in
            for app in apps {
                json.object { json in
                    json.field("bundleID", app.bundleIdentifier)
                    app.content.write(&json)
                }
            }
        }
    }
}

extension RepositoryStatistics.App {
    fileprivate var name: String {
        bundleIdentifier.map { ByteText.escaped(Array($0.utf8)) } ?? "without an identifier"
    }
}

extension RepositoryStatistics.Content {
    fileprivate func write(_ json: inout JSONWriter) {
        json.field("snapshots", snapshots)
        json.field("files", files)
        json.field("restored", restored)
        json.field("deduplicated", deduplicated)
    }
}
