internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// Evidence from the pairs of key-value stores: MMKV, boxes of Hive, and LevelDB, whose files are judged together.
///
/// A store is read only if all of it is, up to 4 MiB, since a store may have pairs of many kinds.
struct StoreEntries: EvidenceSource {
    typealias Kind = StoredPairs.Kind
    static let cost = EvidenceCost.content

    private let tree: any Tree
    private let model: EvidenceModel
    /// The evidence in stores of LevelDB, by their directories.
    private let directories: [[UInt8]: [PieceOfEvidence]]
    private static let mostDirectories = 64

    init(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        (tree, model) = (candidates.tree, candidates.model)
        var found: [[UInt8]: [PieceOfEvidence]] = [:]
        for directory in candidates.directories.lazy.filter(\.isEngineDatabase).prefix(Self.mostDirectories) {
            found[directory.path] = Self.pieces(inStore: directory, candidates.tree)
        }
        directories = found
    }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        let directory = structure.directory
        if directory.isEngineDatabase { return [EvidencePart(group, directories[directory.path] ?? [])] }
        let kind = model.vocabulary.kinds[Int(group.traits.kind)]
        guard Self.kinds.contains(kind), group.isListed, group.items <= 32 else { return [EvidencePart(group)] }
        return EvidencePart.parts(
            of: group,
            by: group.files.map { file in
                let path = directory.path(of: file.name)
                // The checksum of a store belongs to it.
                guard file.name.suffix(4).elementsEqual(".crc".utf8) else { return pieces(at: path, of: file.bytes) }
                let main = Array(file.name.dropLast(4))
                guard structure.names.contains(main) else { return [] }
                return pieces(at: directory.path(of: main), of: UInt64(StoredPairs.mostBytes))
            })
    }

    private static let kinds: Set<String> = ["database", "none", "other", "data"]

    private func pieces(at path: [UInt8], of size: UInt64) -> [PieceOfEvidence] {
        guard size >= 16, size <= UInt64(StoredPairs.mostBytes),
            let first = tree.bytes(of: path, count: 16, at: 0), !first.starts(with: "SQLite".utf8),
            first.prefix(4).contains(where: { $0 != 0 }), first.count == 16,
            // Both begin with a size of less than 16 MiB.
            first[3] == 0, let bytes = tree.bytes(of: path, count: StoredPairs.mostBytes, at: 0)
        else { return [] }
        return (StoredPairs(mmkv: bytes) ?? StoredPairs(hive: bytes))?.pieces ?? []
    }

    private static func pieces(inStore directory: DirectoryEvidence, _ tree: any Tree) -> [PieceOfEvidence] {
        let files = directory.groups.flatMap(\.files).sorted { $0.name.precedes($1.name) }
        guard files.reduce(0, { $0 + $1.bytes }) <= UInt64(StoredPairs.mostBytes) else { return [] }
        var pairs = StoredPairs()
        func read(_ endings: [String], by add: ([UInt8]) -> Bool) -> Bool {
            files.filter { file in endings.contains { file.name.suffix(4).elementsEqual($0.utf8) } && file.bytes > 0 }
                .allSatisfy {
                    tree.bytes(of: directory.path(of: $0.name), count: StoredPairs.mostBytes, at: 0).map(add) ?? false
                }
        }
        guard read([".log"], by: { pairs.add(levelDBLog: $0) }),
            read([".ldb", ".sst"], by: { pairs.add(levelDBTable: $0) })
        else { return [] }
        return pairs.pieces
    }
}
