internal import PolicyTexts

/// Evidence from the tables of a database and the fields of a property list, on the file itself.
struct StoreContents: EvidenceSource {
    typealias Kind = StoreEvidence.Kind
    static let cost = EvidenceCost.stores

    private let pieces: [[UInt8]: [PieceOfEvidence]]

    init?(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        let isCut: Bool
        (pieces, isCut) = candidates.run.stores.removeAll()
        if isCut { incidents.append(.tooManyDatabases) }
        if pieces.isEmpty { return nil }
    }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        guard group.isListed else { return [EvidencePart(group)] }
        let found = group.files.map { pieces[structure.directory.path(of: $0.name)] ?? [] }
        return EvidencePart.parts(of: group, by: found)
    }
}
