internal import BackupRepository
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// The paths of a snapshot that are to be restored, with all that lies below them; all where none is named.
struct WantedPaths {
    private let wanted: [[UInt8]]

    /// - Throws: `notFound` for a path that the snapshot lacks.
    init(_ restoration: Restoration) throws(BackupError) {
        var wanted: [[UInt8]] = []
        for text in restoration.paths {
            // As it is, or as reports print it.
            let readings = [Array(text.utf8), ByteText.unescaped(text)].filter { !$0.contains(0) }
                .map { FilePath(bytes: $0).lexicallyNormalized().removingRoot().bytes }
            var found: [UInt8]?
            for path in readings where found == nil {
                if try restoration.store.holds(path, in: restoration.snapshot) { found = path }
            }
            guard let found else {
                throw BackupError(
                    .notFound,
                    "snapshot \(restoration.snapshot.number) holds nothing of the path “\(ByteText.escaped(Array(text.utf8)))”",
                    hint: "`sandboxbackup diff` and `snapshots` show what it holds")
            }
            wanted.append(found)
        }
        self.wanted = wanted
    }

    /// Whether a path is wanted itself or by one above it, or only leads to one that is.
    func look(at path: [UInt8]) -> (whole: Bool, way: Bool) {
        guard !wanted.isEmpty else { return (true, true) }
        let slash = [UInt8(ascii: "/")]
        if wanted.contains(where: { $0.isEmpty || path == $0 || path.starts(with: $0 + slash) }) { return (true, true) }
        return (false, path.isEmpty || wanted.contains { $0.starts(with: path + slash) })
    }
}
