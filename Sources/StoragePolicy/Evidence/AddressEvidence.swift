internal import ContainerTree

/// Splits a group of files into those that a web address in the app's own data explains and the others.
///
/// Source: apps keep the address of what they fetch beside it, and many name a file by the address's last component or
/// its digest (SDWebImage by MD5, Kingfisher by MD5 or SHA-256).
struct AddressEvidence {
    private let names: AddressNames
    private let digests: [String: String]

    init(_ names: AddressNames) {
        self.names = names
        digests = names.byDigest()
    }

    var isEmpty: Bool { names.isEmpty && digests.isEmpty }

    /// The evidence on one file, nil where no address explains it.
    func piece(on name: [UInt8]) -> PieceOfEvidence? {
        if let address = names.address(of: name) { return PieceOfEvidence("address", 1, address) }
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let stem = name[..<dot]
        if [32, 40, 64].contains(stem.count) {
            let digest = String(decoding: stem, as: UTF8.self).lowercased()
            if let address = digests[digest] { return PieceOfEvidence("address-digest", 1, address) }
        }
        return names.isListed(name) ? PieceOfEvidence("manifest") : nil
    }

    /// The group in up to two parts, each with the evidence that all its files share.
    ///
    /// A group that is too large to list is one part; the evidence counts by the share of the sampled files.
    func parts(of group: EvidenceGroup) -> [(group: EvidenceGroup, pieces: [PieceOfEvidence])] {
        guard !isEmpty else { return [(group, [])] }
        let found = group.files.map { piece(on: $0.name) }
        guard let first = found.lazy.compactMap({ $0 }).first else { return [(group, [])] }
        let count = found.count { $0 != nil }
        if !group.isListed {
            let strength = Double(count) / Double(found.count)
            return [(group, strength > 0.7 ? [PieceOfEvidence(first.id, strength, first.detail)] : [])]
        }
        if count == found.count { return [(group, [first])] }
        let isFound = found.map { $0 != nil }
        return [
            (group.part { isFound[$0] }, [first]),
            // The same app keeps addresses of what it fetched; for these it has none.
            (group.part { !isFound[$0] }, [PieceOfEvidence("no-address-beside-others")]),
        ]
    }
}

extension EvidenceGroup {
    /// The files at some indexes, which must be listed.
    func part(_ isIncluded: (Int) -> Bool) -> EvidenceGroup {
        var part = self
        part.keep(files.enumerated().filter { isIncluded($0.offset) }.map(\.element))
        return part
    }
}
