internal import ContainerTree
internal import PolicyTexts

/// All sources of evidence, the cheapest first.
enum EvidenceSources {
    static let all: [any EvidenceSource.Type] = [
        StructuralEvidence.self, PackageEvidence.self, PathEvidence.self, AddressEvidence.self, StoreContents.self,
        SameBytesEvidence.self, CodeEvidence.self, ContentEvidence.self, StoreEntries.self,
    ]

    /// The keys of the weights that all sources need.
    static func kinds(_ vocabulary: Vocabulary) -> Set<String> {
        Set(all.flatMap { $0.kinds(vocabulary) } + BesideUserFiles.Kind.allCases.map(\.rawValue))
    }
}

/// The evidence of all sources on the candidates of a container.
struct EvidenceEvaluator {
    private let sources: [any EvidenceSource]
    private let candidates: EvidenceCandidates

    init(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        self.candidates = candidates
        var sources: [any EvidenceSource] = []
        for source in EvidenceSources.all {
            if let source = source.init(candidates, incidents: &incidents) { sources.append(source) }
        }
        self.sources = sources
    }

    /// Returns the groups of a directory, or their parts that differ in evidence, with all that is known of each.
    func parts(on directory: DirectoryEvidence) -> [EvidencePart] {
        let structure = DirectoryStructure(
            directory, vocabulary: candidates.model.vocabulary, identifier: candidates.run.bundleIdentifier)
        let parts = directory.groups.flatMap { group in
            sources.reduce([EvidencePart(group)]) { parts, source in
                parts.flatMap { part in
                    source.parts(of: part.group, in: structure, besides: part.pieces)
                        .map { EvidencePart($0.group, part.pieces + $0.pieces) }
                }
            }
        }
        return BesideUserFiles.added(to: parts, in: directory, candidates.model)
    }
}
