internal import ContainerTree
internal import PolicyTexts
internal import SourceCode

/// A source of evidence: it says of groups of files whether they are re-downloadable.
///
/// A new source is a type in a file of its own, an entry in `EvidenceSources.all`, the weights of its kinds in
/// `rules/evidence/weights.yml`, and a paragraph in `rules/EVIDENCE.md`.
protocol EvidenceSource: Sendable {
    /// The kinds of evidence that the source gives, by the keys of their weights.
    associatedtype Kind: CaseIterable, RawRepresentable<String>
    /// The keys of all weights of the source.
    static func kinds(_ vocabulary: Vocabulary) -> [String]
    /// The content that it reads.
    static var cost: EvidenceCost { get }
    /// Prepares the evidence of a container; nil if the container has nothing that the source judges by.
    ///
    /// - Parameters:
    ///   - candidates: The candidates of the container.
    ///   - incidents: Receives the reasons for which some of the evidence is missing.
    init?(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason])
    /// Returns the evidence on a group of files.
    ///
    /// - Parameters:
    ///   - group: The group, or a part that an earlier source made of one.
    ///   - structure: The directory of the group.
    ///   - known: The evidence of the earlier sources.
    /// - Returns: The parts of the group that differ in evidence, each with its evidence.
    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart]
}

extension EvidenceSource {
    static func kinds(_ vocabulary: Vocabulary) -> [String] { Kind.allCases.map(\.rawValue) }
}

/// The content that a source of evidence reads, the cheapest first.
enum EvidenceCost: Int, Comparable {
    /// Nothing beyond the names, sizes and times that the walk found.
    case names
    /// The stores of the app, which rules read anyway.
    case stores
    /// Files of other trees, and of the container those that have the same size.
    case otherTrees
    /// The beginning of files.
    case content

    static func < (left: EvidenceCost, right: EvidenceCost) -> Bool { left.rawValue < right.rawValue }
}

/// Files that share their evidence.
struct EvidencePart: Sendable {
    let group: EvidenceGroup
    let pieces: [PieceOfEvidence]

    init(_ group: EvidenceGroup, _ pieces: [PieceOfEvidence] = []) { (self.group, self.pieces) = (group, pieces) }

    /// Returns the files of a group in parts that share their evidence, by the evidence on each file.
    static func parts(of group: EvidenceGroup, by pieces: [[PieceOfEvidence]]) -> [EvidencePart] {
        var parts: [EvidencePart] = []
        for (index, own) in pieces.enumerated() where pieces.firstIndex(of: own) == index {
            parts.append(EvidencePart(group.part { pieces[$0] == own }, own))
        }
        return parts
    }
}

/// The files of a container that evidence is weighed for.
struct EvidenceCandidates: Sendable {
    let directories: [DirectoryEvidence]
    /// True if most files of the container share an hour, as after a copy.
    let isFlat: Bool
    let tree: any Tree
    let run: RunContext
    let references: [ReferenceTree]
    /// The source code whose facts count; nil unless the user selected it.
    let source: AppSource?
    let model: EvidenceModel
    /// The web addresses in the app's own data.
    let addresses: AddressNames
}
