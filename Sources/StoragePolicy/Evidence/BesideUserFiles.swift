internal import AppContainer
internal import PolicyTexts

/// Files of which only names speak, beside files whose content shows that they are the user's: names decide nothing about them.
///
/// Files directly in a location, such as Documents, have nothing to do with each other.
enum BesideUserFiles {
    enum Kind: String, CaseIterable { case beside = "beside-user-files" }

    /// Returns parts of one directory with the evidence that the others give.
    static func added(
        to parts: [EvidencePart], in directory: DirectoryEvidence, _ model: EvidenceModel
    ) -> [EvidencePart] {
        let isDirect = directory.path.count <= directory.location.path.utf8.count
        guard !isDirect, parts.contains(where: { $0.pieces.contains(where: isContrary) }) else { return parts }
        return parts.map { part in
            let isNamed = part.pieces.allSatisfy { piece in
                let kind = model[piece.id]
                return !isContrary(piece) && (kind.isWeak || kind.weight <= 0 || piece.strength <= 0)
            }
            return isNamed ? EvidencePart(part.group, part.pieces + [PieceOfEvidence(Kind.beside)]) : part
        }
    }

    private static func isContrary(_ piece: PieceOfEvidence) -> Bool {
        piece.strength > 0 && FileEvidence.contraryKinds.contains(piece.id)
    }
}
