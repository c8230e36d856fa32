package import AppContainer
package import ContainerTree

/// Where else the bytes of a container's files may be: in the app's bundle, or in another user's container of the app.
package struct ReferenceTree: Sendable {
    /// How the two belong together.
    package enum Relation: String, Sendable {
        /// The installed app: its files come with every installation.
        case app = "same-bytes-in-app"
        /// The same app on another device. Two users may share an attachment, so this is no proof.
        case otherUser = "same-bytes-elsewhere"
    }
    package let relation: Relation
    let tree: any Tree

    /// An app's bundle, or the container of another user.
    package init(_ relation: Relation, _ tree: any Tree) {
        self.relation = relation
        self.tree = tree
    }
}

/// Evidence from files of equal content in other trees. Costs a walk of each tree and a reading of the files whose sizes
/// agree, at most `mostBytes` of each.
struct SameBytesEvidence {
    private let tree: any Tree
    private let references: [(reference: ReferenceTree, found: CopySearch.Found)]
    /// Smaller files agree by chance: an empty list, a flag.
    private static let leastBytes: UInt64 = 64
    private static let mostBytes: UInt64 = 64 << 20
    private static let mostCandidates = 8

    /// - Throws: `ContainerError` where another tree cannot be read.
    init(_ directories: [DirectoryEvidence], of tree: any Tree, in references: [ReferenceTree]) throws(ContainerError) {
        self.tree = tree
        let files = directories.lazy.flatMap(\.groups).flatMap(\.files)
        let sizes = Set(files.map(\.bytes).filter { (Self.leastBytes...Self.mostBytes).contains($0) })
        var searched: [(ReferenceTree, CopySearch.Found)] = []
        for reference in references where !sizes.isEmpty {
            let search = CopySearch(sizes: sizes)
            try reference.tree.visit(search, threads: 2)
            searched.append((reference, search.found))
        }
        self.references = searched
    }

    /// Whether a tree held more files of equal sizes than are compared.
    var hasTooMany: Bool { references.contains { $0.found.hasTooMany } }

    /// The evidence on a group: the first listed files stand for it.
    func pieces(on group: EvidenceGroup, in directory: DirectoryEvidence) -> [PieceOfEvidence] {
        references.compactMap { reference, found in
            var (compared, equal) = (0, 0)
            for file in group.files.prefix(Self.mostCandidates) where file.bytes >= Self.leastBytes {
                let path = directory.path.isEmpty ? file.name : directory.path + [UInt8(ascii: "/")] + file.name
                compared += 1
                let others = found.paths(ofSize: file.bytes).prefix(Self.mostCandidates)
                if others.contains(where: { isEqual(path, $0, in: reference.tree, file.bytes) }) { equal += 1 }
            }
            guard equal > 0, equal * 2 >= compared else { return nil }
            return PieceOfEvidence(reference.relation.rawValue, Double(equal) / Double(compared))
        }
    }

    private func isEqual(_ path: [UInt8], _ other: [UInt8], in reference: any Tree, _ size: UInt64) -> Bool {
        var offset: UInt64 = 0
        while offset < size {
            guard let left = tree.bytes(of: path, count: 1 << 18, at: offset), !left.isEmpty,
                left == reference.bytes(of: other, count: 1 << 18, at: offset)
            else { return false }
            offset += UInt64(left.count)
        }
        return true
    }
}
