internal import Crypto
internal import FileSystem

/// What a directory is known by: its entries in order, each field in the order of the table; what another row holds, by
/// that row's own hash.
struct DirectoryHash {
    /// Of the rows that an entry names.
    struct Rows {
        var object: [UInt8]?
        var child: [UInt8]?
        var attributes: [UInt8]?
    }

    private var hasher = SHA256()
    private var bytes: [UInt8] = []

    var value: ContentHash { ContentHash(bytes: Array(hasher.finalize())) }

    /// The next entry by name.
    mutating func add(_ entry: SnapshotEntry, _ rows: Rows) {
        bytes.removeAll(keepingCapacity: true)
        add(entry.name)
        for number in [
            Int64(entry.kind.rawValue), Int64(entry.permissions), Int64(entry.user), Int64(entry.group),
            Int64(bitPattern: entry.size), entry.modified.seconds, Int64(entry.modified.nanoseconds),
            entry.changed.seconds, Int64(entry.changed.nanoseconds), Int64(bitPattern: entry.inode),
            Int64(entry.links), Int64(entry.state.rawValue),
        ] { add(number) }
        add(rows.object)
        add(rows.child)
        add(entry.target)
        add(rows.attributes)
        hasher.update(data: bytes)
    }

    private mutating func add(_ number: Int64) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }

    private mutating func add(_ text: [UInt8]?) {
        add(Int64(text?.count ?? -1))
        if let text { bytes += text }
    }
}
