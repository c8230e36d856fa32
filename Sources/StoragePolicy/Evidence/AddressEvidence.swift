internal import AppContainer
internal import ContainerTree

/// Tells files that a web address in the app's own data explains from the others of their group.
///
/// Source: apps keep the address of what they fetch beside it, and many name a file by the address's last component or
/// its digest (SDWebImage by MD5, Kingfisher by MD5 or SHA-256).
struct AddressEvidence {
    private let names: AddressNames

    init(_ names: AddressNames) { self.names = names }

    private static let numbered: Set<String> = ["address-of-common-name", "address-by-number"]

    /// The evidence on one file, nil where no address explains it.
    func piece(on name: [UInt8], in structure: DirectoryStructure) -> PieceOfEvidence? {
        if let address = names.address(of: name) { return PieceOfEvidence("address", 1, address) }
        let own = structure.directory.path.split(separator: UInt8(ascii: "/")).last.map(Array.init)
        let found = names.address(ofFile: name, in: own)
        if let found, !found.isCommon { return PieceOfEvidence("address", 1, found.shown) }
        let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
        if let digest = WebAddress.digest(named: stem), let address = names.address(withDigest: digest) {
            return PieceOfEvidence("address-digest", 1, address)
        }
        if let found { return PieceOfEvidence("address-of-common-name", 1, found.shown) }
        if let address = names.address(numbered: name, stem) { return PieceOfEvidence("address-by-number", 1, address) }
        // A manifest lists files beside it and below; a location's own directory counts as well.
        let near = structure.ancestors + [Array(structure.directory.location.path.utf8)]
        return names.isListed(name, in: near) ? PieceOfEvidence("manifest") : nil
    }

    /// The group in parts that differ in evidence: each file that an address explains, those of a manifest, and the
    /// others.
    ///
    /// A group that is too large to list is one part; the evidence counts by the share of the sampled files.
    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure
    ) -> [(group: EvidenceGroup, pieces: [PieceOfEvidence])] {
        guard !names.isEmpty else { return [(group, [])] }
        var found = group.files.map { piece(on: $0.name, in: structure) }
        // Users number files as well, so that a number explains a file only where numbers explain nearly all.
        let isNumber = { (piece: PieceOfEvidence?) in piece.map { Self.numbered.contains($0.id) } ?? false }
        let numbered = found.count(where: isNumber)
        if numbered > 0, numbered * 5 < found.count * 4 { found = found.map { isNumber($0) ? nil : $0 } }
        let pieces = found.compactMap { $0 }
        let description = names.description(of: structure.ancestors)
        guard let first = pieces.first else {
            return [(group, description.map { [PieceOfEvidence($0)] } ?? [])]
        }
        if !group.isListed {
            let strength = Double(pieces.count) / Double(found.count)
            return [(group, strength > 0.7 ? [PieceOfEvidence(first.id, strength, first.detail)] : [])]
        }
        var parts: [(EvidenceGroup, [PieceOfEvidence])] = []
        for (index, piece) in found.enumerated() {
            if let piece, piece.id != "manifest" { parts.append((group.part { $0 == index }, [piece])) }
        }
        let isInManifest = found.map { $0?.id == "manifest" }
        if isInManifest.contains(true) {
            parts.append((group.part { isInManifest[$0] }, [PieceOfEvidence("manifest")]))
        }
        if pieces.count < found.count {
            // The same app keeps addresses of what it fetched; for these it has none.
            let piece = PieceOfEvidence(description ?? "no-address-beside-others")
            parts.append((group.part { found[$0] == nil }, [piece]))
        }
        return parts
    }
}
