internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// An item of one or more snapshots.
package struct SnapshotItem: Sendable {
    /// The path from the container; empty for the container itself.
    package let path: [UInt8]
    package let entry: SnapshotEntry
    /// The snapshots that contain the item with this content and these attributes, by number.
    package let snapshots: [Snapshot]
}

extension Repository {
    /// Returns the path of a snapshot's item that a user names, literally or escaped as in reports.
    ///
    /// - Throws: `notFound`, with the most similar path.
    package func path(_ text: String, in snapshot: Snapshot) throws(BackupError) -> [UInt8] {
        for path in Self.readings(of: text) where try holds(path, in: snapshot) { return path }
        throw BackupError(
            .notFound, what: "snapshot \(snapshot.number) has no item “\(ByteText.escaped(Array(text.utf8)))”",
            hint: try hint(for: text, in: snapshot))
    }

    /// Returns the entry at a path of a snapshot. The directories on the way are verified.
    ///
    /// - Throws: `notFound`, `damaged`.
    package func entry(at path: [UInt8], in snapshot: Snapshot) throws(BackupError) -> SnapshotEntry {
        var entry: SnapshotEntry?
        var broken: [UInt8]?
        let search = SnapshotSearch([snapshot], in: self)
        try search.visit(entering: { $0 != path && Self.leads($0, to: path) }) { item throws(BackupError) in
            if item.path == path { entry = item.entry }
        } damaged: { directory, _ in
            broken = directory
        }
        if let entry { return entry }
        guard let broken else { throw BackupError(.notFound, what: "the item is not in snapshot \(snapshot.number)") }
        throw snapshot.damage(at: broken)
    }

    /// Calls `body` with the content of a file in order, in verified pieces, until it returns false. A reader serves several
    /// files.
    ///
    /// - Throws: `damaged`, possibly after some calls.
    package func content(
        of entry: SnapshotEntry, by reader: ObjectReader? = nil, _ body: ([UInt8]) throws -> Bool
    ) throws {
        guard let object = entry.object else { return }
        struct Ended: Error {}
        var position: UInt64 = 0
        func send(_ piece: [UInt8]) throws {
            position += UInt64(piece.count)
            guard try body(piece) else { throw Ended() }
        }
        func sendZeros(until end: UInt64) throws {
            while position < end { try send([UInt8](repeating: 0, count: Int(min(1 << 16, end - position)))) }
        }
        do {
            let reader = try reader ?? ObjectReader(self)
            let description = try reader.describe(object)
            try reader.read(object, description: description) { start, piece in
                try sendZeros(until: start)
                try send(piece)
            }
            try sendZeros(until: description.size)
        } catch is Ended {}
    }

    /// Returns the paths that a text can stand for, in each Unicode form.
    static func readings(of text: String) -> [[UInt8]] {
        ByteText.readings(of: text).filter { !$0.contains(0) }
            .map { FilePath(bytes: $0).lexicallyNormalized().removingRoot().bytes }
    }

    /// Names the items of the deepest existing directory on the way to a missing path.
    private func hint(for text: String, in snapshot: Snapshot) throws(BackupError) -> String {
        let listing = "`sandboxbackup ls` lists the items of a snapshot, and `find` searches in all snapshots"
        guard let path = Self.readings(of: text).first else { return listing }
        var components = FilePath(bytes: path).components.map { Array($0.string.utf8) }
        var wanted: [UInt8] = []
        while let last = components.popLast() {
            wanted = last
            let parent = Array(components.joined(separator: [UInt8(ascii: "/")]))
            guard try holds(parent, in: snapshot) else { continue }
            let names = try names(in: parent, of: snapshot).map(ByteText.escaped)
            let name = ByteText.escaped(wanted)
            guard let nearest = NearestName.of(name, among: names) ?? names.first(where: { $0.hasPrefix(name) }) else {
                return listing
            }
            let found = parent.isEmpty ? nearest : "\(ByteText.escaped(parent))/\(nearest)"
            return "did you mean “\(found)”? \(listing)"
        }
        return listing
    }

    private func names(in directory: [UInt8], of snapshot: Snapshot) throws(BackupError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        try SnapshotSearch([snapshot], in: self).visit(entering: { Self.leads($0, to: directory) }) {
            item throws(BackupError) in
            let parent = FilePath(bytes: item.path).removingLastComponent().bytes
            if !item.path.isEmpty, parent == directory, names.count < 10_000 { names.append(Array(item.entry.name)) }
        }
        return names
    }

    /// Returns true if a directory is on the way to a path, or the path itself.
    package static func leads(_ directory: [UInt8], to path: [UInt8]) -> Bool {
        directory.isEmpty || directory == path || path.starts(with: directory + [UInt8(ascii: "/")])
    }
}

extension Snapshot {
    /// Returns the error for a damaged directory.
    func damage(at path: [UInt8]) -> BackupError {
        let name = path.isEmpty ? "the container" : "the directory “\(ByteText.escaped(path))”"
        return BackupError(
            .damaged, what: "\(name) is damaged in snapshot \(number)",
            hint: "`sandboxbackup verify` reports all damage")
    }
}
