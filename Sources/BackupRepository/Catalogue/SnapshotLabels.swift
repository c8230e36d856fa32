internal import Foundation
internal import GRDB

/// The origin of a snapshot, and the words that its maker gave it.
package struct SnapshotLabels: Sendable, Hashable {
    /// The words, sorted, each once.
    package private(set) var tags: [String]
    /// The name of the computer that made the snapshot.
    package let host: String?
    /// The absolute path of the container, archive or device backup.
    package let source: String?

    package init(tags: [String] = [], host: String? = nil, source: String? = nil) {
        self.tags = Set(tags).sorted()
        (self.host, self.source) = (host, source)
    }

    /// The labels as names and values, in the order of the format.
    var pairs: [(name: String, value: String)] {
        [host.map { ("host", $0) }, source.map { ("source", $0) }].compactMap(\.self) + tags.map { ("tag", $0) }
    }

    /// Reads the labels of a snapshot.
    init(of snapshot: Int64, in database: Database) throws {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT name, value FROM label WHERE snapshot = ? ORDER BY name, value"),
            arguments: [snapshot])
        var (tags, host, source) = ([String](), String?.none, String?.none)
        while let row = try rows.next() {
            guard let name = String.fromDatabaseValue(row[0] as DatabaseValue),
                let value = String.fromDatabaseValue(row[1] as DatabaseValue)
            else { throw BackupError(.damaged, what: "the catalogue contains an invalid label") }
            switch name {
            case "tag": tags.append(value)
            case "host": host = value
            case "source": source = value
            default: throw BackupError(.damaged, what: "the catalogue contains an unknown label")
            }
        }
        self.init(tags: tags, host: host, source: source)
    }

    /// Inserts the labels of a snapshot.
    func insert(for snapshot: Int64, in database: Database) throws {
        for (name, value) in pairs {
            try database.execute(
                sql: "INSERT INTO label(snapshot, name, value) VALUES(?, ?, ?)", arguments: [snapshot, name, value])
        }
    }
}
