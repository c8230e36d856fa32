internal import PolicyTexts

/// Evidence from the columns of a database, on the database itself.
struct DatabaseColumns: EvidenceSource {
    typealias Kind = DatabaseEvidence.Kind
    static let cost = EvidenceCost.stores

    private let pieces: [[UInt8]: [PieceOfEvidence]]

    init?(_ candidates: EvidenceCandidates, _ incidents: inout [Incident.Reason]) {
        let isCut: Bool
        (pieces, isCut) = candidates.run.databases.take()
        if isCut { incidents.append(.tooManyDatabases) }
        if pieces.isEmpty { return nil }
    }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        guard group.items == 1, let file = group.files.first else { return [EvidencePart(group)] }
        return [EvidencePart(group, pieces[structure.directory.path(of: file.name)] ?? [])]
    }
}
