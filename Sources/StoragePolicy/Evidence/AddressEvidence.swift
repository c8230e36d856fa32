internal import AppContainer
internal import ContainerTree
internal import PolicyTexts

/// Tells files that a web address in the app's own data explains from the others of their group.
///
/// Source: apps keep the address of what they fetch beside it, and many name a file by the address's last component or
/// its digest (SDWebImage by MD5, Kingfisher by MD5 or SHA-256).
struct AddressEvidence: EvidenceSource {
    enum Kind: String, CaseIterable {
        case address
        case addressDigest = "address-digest"
        case addressOfCommonName = "address-of-common-name"
        case addressWithTag = "address-with-tag"
        case addressByNumber = "address-by-number"
        case describedBeside = "described-beside"
        case describedArchive = "described-archive"
        case manifest
        case noAddressBesideOthers = "no-address-beside-others"
    }

    /// Returns true if a piece of evidence is a description or manifest beside the files. It names them, and does not make them
    /// the user's.
    static func isDescription(_ id: String) -> Bool {
        [Kind.describedBeside, .describedArchive, .manifest].contains { $0.rawValue == id }
    }
    static let cost = EvidenceCost.stores

    private let names: AddressNames

    init?(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        names = candidates.addresses
        if names.isEmpty { return nil }
    }

    private static let numbered = Set([Kind.addressOfCommonName, .addressByNumber].map(\.rawValue))

    /// The evidence on one file, nil where no address explains it.
    func piece(on name: [UInt8], in structure: DirectoryStructure) -> PieceOfEvidence? {
        let own = structure.directory.path.split(separator: UInt8(ascii: "/")).last.map(Array.init)
        let found = names.address(ofFile: name, in: own)
        if let found, !found.isCommon, names.isTagged(name, in: own) {
            return PieceOfEvidence(Kind.addressWithTag, 1, found.shown)
        }
        if let address = names.address(of: name) { return PieceOfEvidence(Kind.address, 1, address) }
        if let found, !found.isCommon { return PieceOfEvidence(Kind.address, 1, found.shown) }
        let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
        if let digest = WebAddress.digest(named: stem), let address = names.address(withDigest: digest) {
            return PieceOfEvidence(Kind.addressDigest, 1, address)
        }
        if let found { return PieceOfEvidence(Kind.addressOfCommonName, 1, found.shown) }
        if let address = names.address(numbered: name, stem) {
            return PieceOfEvidence(Kind.addressByNumber, 1, address)
        }
        // A manifest lists files beside it and below; a location's own directory counts as well.
        let near = structure.ancestors + [Array(structure.directory.location.path.utf8)]
        return names.isListed(name, in: near) ? PieceOfEvidence(Kind.manifest) : nil
    }

    /// The group in parts that differ in evidence: each file that an address explains, those of a manifest, and the
    /// others.
    ///
    /// A group that is too large to list is one part; the evidence counts by the share of the sampled files.
    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        var found = group.files.map { piece(on: $0.name, in: structure) }
        // Users number files as well, so that a number explains a file only where numbers explain nearly all, but for those
        // that the app knows to have no address.
        let own = structure.directory.path.split(separator: UInt8(ascii: "/")).last.map(Array.init)
        let isNumber = { (piece: PieceOfEvidence?) in piece.map { Self.numbered.contains($0.id) } ?? false }
        let numbered = found.count(where: isNumber)
        let known = numbered == 0 ? 0 : group.files.count { names.isUnaddressed($0.name, in: own) }
        if numbered > 0, numbered * 5 < (found.count - known) * 4 { found = found.map { isNumber($0) ? nil : $0 } }
        let pieces = found.compactMap { $0 }
        let description = names.description(of: structure.ancestors)
        guard let first = pieces.first else {
            return [EvidencePart(group, description.map { [PieceOfEvidence($0)] } ?? [])]
        }
        if !group.isListed {
            let strength = Double(pieces.count) / Double(found.count)
            return [
                EvidencePart(group, strength > 0.7 ? [PieceOfEvidence(id: first.id, strength, first.detail)] : [])
            ]
        }
        var parts: [EvidencePart] = []
        let isInManifest = found.map { $0?.id == Kind.manifest.rawValue }
        for (index, piece) in found.enumerated() {
            if let piece, !isInManifest[index] { parts.append(EvidencePart(group.part { $0 == index }, [piece])) }
        }
        if isInManifest.contains(true) {
            parts.append(EvidencePart(group.part { isInManifest[$0] }, [PieceOfEvidence(Kind.manifest)]))
        }
        if pieces.count < found.count {
            // The same app keeps addresses of what it fetched; for these it has none.
            let piece = PieceOfEvidence(description ?? .noAddressBesideOthers)
            parts.append(EvidencePart(group.part { found[$0] == nil }, [piece]))
        }
        return parts
    }
}

extension AddressNames {
    /// The evidence that a description in a directory or above gives; the nearest counts, and only archives hold what
    /// lies in directories below.
    func description(of directories: [[UInt8]]) -> AddressEvidence.Kind? {
        guard !described.isEmpty else { return nil }
        if directories.contains(where: { described[$0] == true }) { return .describedArchive }
        return directories.first.flatMap { described[$0] } == nil ? nil : .describedBeside
    }
}
