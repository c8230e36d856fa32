internal import AppContainer
internal import PolicyTexts

/// Evidence from the words of a path, by the second judge of names.
struct PathEvidence: EvidenceSource {
    enum Kind: String, CaseIterable {
        case speaksFor = "path-for"
        case speaksAgainst = "path-against"
    }
    static let cost = EvidenceCost.names
    /// The most files of a group whose names are judged.
    static let samples = 8

    private let words: PathWords

    /// Returns true if the second judge gave a piece of evidence.
    static func isGiven(_ piece: PieceOfEvidence) -> Bool { Kind(rawValue: piece.id) != nil }

    init(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) { words = candidates.model.paths }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        let judged = group.files.prefix(Self.samples).map { words.judge(structure.tokens(of: $0.name)) }
        guard !judged.isEmpty else { return [EvidencePart(group)] }
        let score = judged.reduce(0) { $0 + $1.score } / Double(judged.count)
        let word = judged.lazy.filter { ($0.score > 0) == (score > 0) }.compactMap(\.word).first.map(NameWords.text)
        let kind = score > 0 ? Kind.speaksFor : .speaksAgainst
        return [EvidencePart(group, [PieceOfEvidence(kind, abs(score), word.map { ", such as “\($0)”," } ?? "")])]
    }
}
