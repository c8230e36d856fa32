internal import AppContainer
package import ContainerTree
internal import PolicyTexts

/// A tree that may hold the same files as a container: the app's bundle, or another user's container of the app.
package struct ReferenceTree: Sendable {
    /// The relation of the two containers.
    package enum Relation: String, CaseIterable, Sendable {
        /// The installed app: its files come with every installation.
        case app = "same-bytes-in-app"
        /// The same app on another device. Two users may share an attachment, so this is no proof.
        case otherUser = "same-bytes-elsewhere"
    }
    package let relation: Relation
    let tree: any Tree

    /// An app's bundle, or the container of another user.
    package init(_ relation: Relation, tree: any Tree) {
        self.relation = relation
        self.tree = tree
    }
}

/// Evidence from files of equal content in other trees.
///
/// Costs a walk of each tree and the reading of files whose sizes agree, up to `limits`. Where nearly all files of two
/// containers agree, as in two backups of one account, they say nothing about who made them.
struct SameBytesEvidence: EvidenceSource {
    typealias Kind = ReferenceTree.Relation
    static let cost = EvidenceCost.otherTrees

    /// The limits of a comparison.
    struct Limits {
        /// Smaller files agree by chance: an empty list, a flag.
        var leastBytes: UInt64 = 64
        /// Larger files are not compared.
        var mostBytes: UInt64 = 64 << 20
        /// Bytes that are read for each other tree.
        var allBytes: UInt64 = 1 << 30
        /// Files of a group that are compared.
        var candidates = 8
    }

    private struct Comparison {
        let relation: ReferenceTree.Relation
        /// The compared files by path: true where the other tree holds the same bytes.
        var isEqual: [[UInt8]: Bool] = [:]
        /// True if files were left out.
        var isCut = false

        /// Compares files by size and digest; each is read once.
        mutating func compare(
            _ files: [(key: UInt64, value: [[UInt8]])], of tree: any Tree, with others: [UInt64: [[UInt8]]],
            of reference: any Tree, mostBytes: UInt64
        ) {
            var left = mostBytes
            // Files may have grown since they were measured.
            var budget = ComparisonBudget()
            for (size, paths) in files {
                let candidates = others[size] ?? []
                let (bytes, isOver) = size.multipliedReportingOverflow(by: UInt64(paths.count + candidates.count))
                guard candidates.isEmpty || (!isOver && bytes <= left) else {
                    isCut = true
                    continue
                }
                if !candidates.isEmpty { left -= bytes }
                let known = Set(candidates.compactMap { reference.digest(of: $0, limit: size, within: &budget) })
                for path in paths {
                    isEqual[path] =
                        !known.isEmpty
                        && tree.digest(of: path, limit: size, within: &budget).map(known.contains) ?? false
                }
            }
        }
    }

    private var comparisons: [Comparison] = []
    private let limits: Limits

    init?(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        guard !candidates.references.isEmpty else { return nil }
        do throws(ContainerError) {
            try self.init(candidates.directories, of: candidates.tree, in: candidates.references)
        } catch {
            incidents.append(.referenceUnreadable)
            return nil
        }
        if isCut { incidents.append(.tooMuchToCompare) }
    }

    /// - Throws: `ContainerError` where another tree cannot be read.
    init(
        _ directories: [DirectoryEvidence], of tree: any Tree, in references: [ReferenceTree], limits: Limits = Limits()
    ) throws(ContainerError) {
        self.limits = limits
        var files: [UInt64: [[UInt8]]] = [:]
        for directory in directories {
            for file in directory.groups.lazy.flatMap({ $0.files.prefix(limits.candidates) })
            where (limits.leastBytes...limits.mostBytes).contains(file.bytes) {
                files[file.bytes, default: []].append(directory.path(of: file.name))
            }
        }
        for reference in references where !files.isEmpty {
            let found = CopyCandidates(sizes: Set(files.keys))
            try reference.tree.visit(CopySearch(candidates: found), threads: 2)
            var comparison = Comparison(relation: reference.relation, isCut: found.hasTooMany)
            comparison.compare(
                files.sorted { $0.key < $1.key }, of: tree, with: found.all, of: reference.tree,
                mostBytes: limits.allBytes)
            if reference.relation == .otherUser, Self.isSameAccount(comparison.isEqual.values) {
                comparison.isEqual = [:]
            }
            comparisons.append(comparison)
        }
    }

    /// True if files were not compared because there are too many, or too large ones.
    var isCut: Bool { comparisons.contains(where: \.isCut) }

    /// Returns true if more than nine in ten of the comparable files agree.
    private static func isSameAccount(_ results: some Collection<Bool>) -> Bool {
        results.count(where: { $0 }) * 10 > results.count * 9
    }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] { [EvidencePart(group, pieces(on: group, in: structure.directory))] }

    /// The evidence on a group: the first files stand for it. Each relation counts once, by its best comparison.
    func pieces(on group: EvidenceGroup, in directory: DirectoryEvidence) -> [PieceOfEvidence] {
        var strongest: [ReferenceTree.Relation: Double] = [:]
        for comparison in comparisons {
            let results = group.files.prefix(limits.candidates).compactMap {
                comparison.isEqual[directory.path(of: $0.name)]
            }
            let equal = results.count { $0 }
            guard equal > 0, equal * 2 >= results.count else { continue }
            strongest[comparison.relation] = max(
                strongest[comparison.relation] ?? 0, Double(equal) / Double(results.count))
        }
        return strongest.map { PieceOfEvidence($0.key, $0.value) }.sorted { $0.id < $1.id }
    }
}
