internal import ContainerTree
internal import PolicyTexts
internal import SourceCode

/// Evidence from the source code that the user selected: what the code around the line that writes a file does with it.
///
/// A guess, since the line is one: it never makes a verdict that suffices for a warning. See `Verdict`.
struct CodeEvidence: EvidenceSource {
    typealias Kind = CodeFact
    static let cost = EvidenceCost.otherTrees

    /// The files of a group that are searched for. Of a larger group the first, the middle and the last stand for all.
    private static let mostFiles = 16

    private let facts: [[UInt8]: [CodeFact.Found]]

    init?(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        guard let source = candidates.source else { return nil }
        let paths = candidates.directories.flatMap { directory in
            directory.groups.flatMap { group in Self.examples(of: group).map { directory.path(of: $0.name) } }
        }
        facts = source.facts(for: paths)
        if facts.isEmpty { return nil }
    }

    private static func examples(of group: EvidenceGroup) -> [EvidenceGroup.File] {
        let files = group.files
        guard files.count > mostFiles else { return files }
        return [files[0], files[files.count / 2], files[files.count - 1]]
    }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        func pieces(on file: EvidenceGroup.File) -> [PieceOfEvidence] {
            (facts[structure.directory.path(of: file.name)] ?? []).map { PieceOfEvidence($0.fact, 1, $0.place) }
        }
        if group.isListed, group.files.count <= Self.mostFiles {
            return EvidencePart.parts(of: group, by: group.files.map(pieces))
        }
        // A part of a larger group may have none of its examples.
        let found = group.files.map(pieces).filter { !$0.isEmpty }
        guard let first = found.first, found.count >= min(3, group.files.count) else { return [EvidencePart(group)] }
        return [EvidencePart(group, first.filter { piece in found.allSatisfy { $0.contains(piece) } })]
    }

    /// Returns true if a piece of evidence is a fact of the code.
    static func isGiven(_ piece: PieceOfEvidence) -> Bool { CodeFact(rawValue: piece.id) != nil }
}
