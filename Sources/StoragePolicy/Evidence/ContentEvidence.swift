internal import AppContainer
internal import ContainerTree
internal import PolicyTexts

/// Evidence from the first bytes of a few files of a group, as `FileEvidence` judges them.
///
/// Costs one read of 16 KiB for each file of a group of at most eight, or for three files of a larger one; of recordings
/// the end is read as well.
struct ContentEvidence: EvidenceSource {
    typealias Kind = FileEvidence.Kind
    static let cost = EvidenceCost.content

    static func kinds(_ vocabulary: Vocabulary) -> [String] {
        Kind.allCases.map(\.rawValue) + FieldEvidence.Kind.allCases.map(\.rawValue)
    }

    private let tree: any Tree
    private let model: EvidenceModel
    private let addresses: AddressNames
    private static let samples = 3
    /// Groups of at most so many files are read whole.
    private static let fewest = 8

    init(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        (tree, model, addresses) = (candidates.tree, candidates.model, candidates.addresses)
    }

    /// The group in parts that differ in what their content says.
    ///
    /// Each file of a small group is read. Of a larger one a few samples stand for all, and what at least half of them
    /// share counts.
    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        let (directory, kind) = (structure.directory, model.vocabulary.kinds[Int(group.traits.kind)])
        // A group without evidence, or with a certain verdict, is not read.
        let least = Self.telling.contains(kind) ? 0.02 : 0.1
        guard Self.kinds.contains(kind), (least...0.995).contains(Verdict(known, model: model).probability) else {
            return [EvidencePart(group)]
        }
        // Nobody chooses several small squares and gives them random names: servers send them, and apps draw them. Such a set
        // says as much as the word “thumbnails” did before the fit (1.32).
        // One says little: people and games have icons, too.
        let isSet = group.items >= 3 && known.contains { $0.id == StructuralEvidence.Kind.opaqueMedia.rawValue }
        func weighed(_ pieces: [PieceOfEvidence]) -> [PieceOfEvidence] {
            guard isSet || group.items == 1 else { return pieces }
            return pieces.map { piece in
                piece.id == Kind.smallPicture.rawValue ? PieceOfEvidence(Kind.smallPicture, isSet ? 2.2 : 0.5) : piece
            }
        }
        guard group.isListed, (2...Self.fewest).contains(group.items) else {
            return [EvidencePart(group, weighed(sampled(group, in: directory)))]
        }
        return EvidencePart.parts(of: group, by: group.files.map { weighed(pieces(on: $0, in: directory) ?? []) })
    }

    private func sampled(_ group: EvidenceGroup, in directory: DirectoryEvidence) -> [PieceOfEvidence] {
        var votes: [String: (count: Int, piece: PieceOfEvidence)] = [:]
        var read = 0
        for file in group.files where file.bytes > 0 {
            guard let found = pieces(on: file, in: directory) else { continue }
            read += 1
            for piece in found { votes[piece.id, default: (0, piece)].count += 1 }
            if read == Self.samples { break }
        }
        return votes.values.filter { $0.count * 2 >= read }.map(\.piece).sorted { $0.id < $1.id }
    }

    /// The evidence in one file; nil where it is empty or cannot be read.
    private func pieces(on file: EvidenceGroup.File, in directory: DirectoryEvidence) -> [PieceOfEvidence]? {
        guard file.bytes > 0 else { return nil }
        let path = directory.path(of: file.name)
        let pieces = FileEvidence.pieces(inFileOf: file.bytes) { tree.bytes(of: path, count: $0, at: $1) }
        guard let pieces, pieces.contains(where: { $0.id == Kind.sourceTag.rawValue }) else { return pieces }
        return pieces + (addressInTags(of: path).map { [PieceOfEvidence(Kind.addressInTags, 1, $0)] } ?? [])
    }

    /// The address in the tags of a sound that the app's own data contains as well; nil for none.
    private func addressInTags(of path: [UInt8]) -> String? {
        let bytes = addresses.isEmpty ? nil : tree.bytes(of: path, count: FileEvidence.count, at: 0)
        return FileEvidence.addresses(inTagsOf: bytes ?? []).lazy.compactMap(WebAddress.init)
            .compactMap { addresses.address(withDigest: $0.digests[2]) }.first
    }

    /// Kinds of files whose beginning says who made them.
    private static let kinds: Set<String> = [
        "picture", "sound", "video", "document", "json", "text", "log", "none", "other", "data", "derived", "archive",
        "model",
    ]

    /// Kinds of files whose content may outweigh any name.
    private static let telling: Set<String> = ["json", "text", "log", "none", "other", "document", "archive"]
}
