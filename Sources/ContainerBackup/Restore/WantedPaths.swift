/// The paths of a snapshot that are to be restored, with all that lies below them; all where none is named.
struct WantedPaths {
    private let wanted: [[UInt8]]
    private var found: Set<[UInt8]> = []

    init(_ paths: [[UInt8]]) { wanted = paths.map { path in Array(path.drop { $0 == UInt8(ascii: "/") }) } }

    /// Whether a path is wanted itself or by one above it, or only leads to one that is.
    mutating func look(at path: [UInt8]) -> (whole: Bool, way: Bool) {
        guard !wanted.isEmpty else { return (true, true) }
        var way = path.isEmpty
        for one in wanted {
            if one.isEmpty || path == one || path.starts(with: one + [UInt8(ascii: "/")]) {
                found.insert(one)
                return (true, true)
            }
            if one.starts(with: path + [UInt8(ascii: "/")]) { way = true }
        }
        return (false, way)
    }

    /// Fails with `notFound` for a path that nothing was found of.
    func requireAll(in snapshot: Snapshot) throws(BackupError) {
        for path in wanted where !found.contains(path) {
            throw BackupError(
                .notFound,
                "snapshot \(snapshot.number) holds nothing of the path “\(String(decoding: path, as: UTF8.self))”",
                hint: "`sandboxbackup diff` and `snapshots` show what it holds")
        }
    }
}
