package import BackupRepository
internal import FileSystem
package import TextOutput

/// The list of the snapshots of a repository, possibly in groups.
package struct SnapshotListing: CommandOutput {
    /// A property by which snapshots are grouped.
    package enum Key: String, Sendable, CaseIterable { case app, host, path, tags }

    private let snapshots: [Snapshot]
    private let keys: [Key]

    /// - Parameters:
    ///   - snapshots: The snapshots, in the order of the list.
    ///   - keys: The properties that are equal in a group; empty for one list.
    package init(_ snapshots: [Snapshot], groupedBy keys: [Key]) { (self.snapshots, self.keys) = (snapshots, keys) }

    /// Returns the values of a snapshot that are equal in its group.
    package static func group(of snapshot: Snapshot, by keys: [Key]) -> [String] {
        keys.map { key in
            switch key {
            case .app: snapshot.appText
            case .host: ByteText.printable(snapshot.labels.host ?? "")
            case .path: snapshot.sourceText
            case .tags: snapshot.tagText
            }
        }
    }

    /// The groups in the order of their first snapshots.
    private var groups: [(values: [String], snapshots: [Snapshot])] {
        var groups: [(values: [String], snapshots: [Snapshot])] = []
        var indexes: [[String]: Int] = [:]
        for snapshot in snapshots {
            let values = Self.group(of: snapshot, by: keys)
            if let index = indexes[values] {
                groups[index].snapshots.append(snapshot)
            } else {
                indexes[values] = groups.count
                groups.append((values, [snapshot]))
            }
        }
        return groups
    }

    package var text: String {
        guard !snapshots.isEmpty else { return "no snapshots\n" }
        guard !keys.isEmpty else { return Self.table(of: snapshots) }
        return groups.map { group in
            let heading = zip(keys, group.values).map { "\($0) \($1.isEmpty ? "unknown" : $1)" }
            return heading.joined(separator: ", ") + "\n" + Self.table(of: group.snapshots)
        }.joined(separator: "\n")
    }

    private static func table(of snapshots: [Snapshot]) -> String {
        var table = TextTable(
            [.right, .left, .left, .left, .left, .right, .right],
            header: ["number", "date", "app", "view", "tags", "files", "size", "state", "ID", "host", "path"])
        for snapshot in snapshots {
            table.add([
                "\(snapshot.number)", Snapshot.time(snapshot.taken), snapshot.appText,
                snapshot.view == "finder" ? "" : ByteText.printable(snapshot.view), snapshot.tagText,
                Quantity.grouped(snapshot.files), Quantity.bytes(snapshot.bytes),
                snapshot.incidents.isEmpty ? "" : "incomplete",
                "\(snapshot.shortID)", ByteText.printable(snapshot.labels.host ?? ""), snapshot.sourceText,
            ])
        }
        return table.text
    }

    package func write(_ json: inout JSONWriter) {
        guard !keys.isEmpty else { return Self.write(snapshots, into: &json) }
        json.array("groups") { json in
            for group in groups {
                json.object { json in
                    json.object("group") { json in
                        for (key, value) in zip(keys, group.values) {
                            json.field(key.rawValue, value.isEmpty ? nil : value)
                        }
                    }
                    Self.write(group.snapshots, into: &json)
                }
            }
        }
    }

    private static func write(_ snapshots: [Snapshot], into json: inout JSONWriter) {
        json.array("snapshots") { json in for snapshot in snapshots { json.object { snapshot.write(&$0) } } }
    }

    /// Writes one JSON object per snapshot.
    package func lines(to output: @escaping (String) -> Void) {
        for snapshot in snapshots { snapshot.json(to: output) }
    }
}

extension Snapshot {
    /// The path of the container, archive or backup in a list; empty if it is unknown.
    fileprivate var sourceText: String { labels.source.map { ByteText.escaped(Array($0.utf8)) } ?? "" }
}

/// The snapshots that `tag` and `rewrite` change, or would change.
package struct SnapshotChanges: CommandOutput {
    private let changes: [SnapshotRewriter.Change]
    private let isDryRun: Bool

    package init(_ changes: [SnapshotRewriter.Change], isDryRun: Bool = false) {
        (self.changes, self.isDryRun) = (changes, isDryRun)
    }

    package var text: String {
        changes.map { change in
            let name = "snapshot \(change.original.number)"
            let paths = change.removed.map { "  \(isDryRun ? "would remove" : "removed") \(ByteText.escaped($0))\n" }
                .joined()
            if isDryRun { return paths.isEmpty ? "\(name): unchanged\n" : "\(name):\n\(paths)" }
            guard change.isChanged else { return "\(name): unchanged\n" }
            let tags = change.snapshot.tagText
            let what =
                change.original.labels == change.snapshot.labels ? "" : tags.isEmpty ? "no tags, " : "tags \(tags), "
            return "\(name): \(what)now \(change.snapshot.shortID)\n\(paths)"
        }.joined()
    }

    package func write(_ json: inout JSONWriter) {
        json.field("dryRun", isDryRun)
        json.array("snapshots") { json in for change in changes { json.object { change.write(&$0) } } }
    }

    /// Writes one JSON object per snapshot.
    package func lines(to output: @escaping (String) -> Void) {
        for change in changes {
            var json = JSONWriter(to: output)
            json.object { change.write(&$0) }
            output("\n")
        }
    }
}

extension SnapshotRewriter.Change {
    fileprivate func write(_ json: inout JSONWriter) {
        json.field("changed", isChanged)
        json.field("original", original.id)
        snapshot.writeSummary(&json)
        json.array("removed") { json in for path in removed { json.element(ByteText.escaped(path)) } }
    }
}
