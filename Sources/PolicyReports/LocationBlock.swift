internal import ContainerLifecycle
internal import StoragePolicy

/// The findings of several rules about one directory or one item, which the text report shows together.
struct LocationBlock {
    /// The findings of each rule, the most severe first.
    private(set) var parts: [FindingBlock]

    /// The finding that decides the order of the block.
    var first: Finding { parts[0].first }
    /// The rules whose evidence and remedy a short report shows: at most two, the most severe ones.
    var leading: ArraySlice<FindingBlock> { parts.prefix(2) }
    /// The number of items of the rule that reports most.
    var items: Int { largest.items }
    /// The size of their content in bytes.
    var bytes: UInt64 { largest.bytes }

    /// The item, or the directory of several items.
    var location: String {
        parts.map(\.location).first { $0.hasSuffix("/") } ?? parts[0].location
    }

    /// The findings of a rule that reports several items, if all such rules report the same ones; nil otherwise.
    var commonItems: FindingBlock? {
        let several = parts.filter { $0.findings.count > 1 }
        guard let first = several.first else { return nil }
        let paths = first.findings.map(\.path)
        return several.dropFirst().allSatisfy { $0.findings.map(\.path) == paths } ? first : nil
    }

    private var largest: FindingBlock { parts.max { ($0.items, $0.bytes) < ($1.items, $1.bytes) } ?? parts[0] }

    /// Returns the blocks of a report, the most severe first.
    static func all(of report: LintReport) -> [LocationBlock] {
        var blocks: [LocationBlock] = []
        var known: [Key: Int] = [:]
        for part in FindingBlock.all(of: report) {
            let key = Key(input: part.first.input, after: part.first.after, path: part.path)
            if let index = known[key] {
                blocks[index].parts.append(part)
            } else {
                known[key] = blocks.count
                blocks.append(LocationBlock(parts: [part]))
            }
        }
        return blocks
    }

    private struct Key: Hashable {
        let input: Int
        let after: LifecycleEvent?
        let path: ArraySlice<UInt8>
    }
}
