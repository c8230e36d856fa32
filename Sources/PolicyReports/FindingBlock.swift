internal import ContainerLifecycle
internal import StoragePolicy
internal import TextOutput

/// The findings of one rule in one directory, which the text reports show together.
struct FindingBlock {
    private(set) var findings: [Finding]
    var first: Finding { findings[0] }

    /// The number of items.
    var items: Int { findings.reduce(0) { $0 + $1.items } }
    /// The size of their content in bytes.
    var bytes: UInt64 { findings.reduce(0) { $0.addingSaturated($1.bytes) } }
    /// The message of the finding, or the number of findings.
    var message: String {
        findings.count == 1
            ? first.message
            : "\(first.after.map { "\($0.phrase): " } ?? "")\(Quantity.count(findings.count, "item")): \(first.title)"
    }

    /// The weighed evidence of the finding with the lowest confidence, so that no confidence is overstated; nil for findings
    /// that rest on proof.
    var weighed: Finding? {
        findings.filter { $0.confidence != nil }.min { $0.confidence ?? 1 < $1.confidence ?? 1 }
    }

    /// The findings by size, the largest first.
    var largestFirst: [Finding] {
        findings.sorted { left, right in
            left.bytes == right.bytes ? left.path.lexicographicallyPrecedes(right.path) : left.bytes > right.bytes
        }
    }
    /// The path of the item, or of the directory of several items, as bytes.
    var path: ArraySlice<UInt8> { findings.count == 1 ? first.path[...] : Self.directory(of: first) }
    /// The item, or the directory of several items.
    var location: String {
        guard !path.isEmpty else { return "the container itself" }
        return ByteText.escaped(Array(path)) + (findings.count == 1 && first.items <= 1 ? "" : "/")
    }

    /// Returns the blocks of findings, in their order.
    static func all(of findings: [Finding]) -> [FindingBlock] {
        var blocks: [FindingBlock] = []
        var known: [Key: Int] = [:]
        for finding in findings {
            // A finding for a whole directory is a block of its own.
            guard finding.items == 1 else {
                blocks.append(FindingBlock(findings: [finding]))
                continue
            }
            let key = Key(
                rule: finding.rule.id, severity: finding.severity, input: finding.input, after: finding.after,
                directory: directory(of: finding))
            if let index = known[key] {
                blocks[index].findings.append(finding)
            } else {
                known[key] = blocks.count
                blocks.append(FindingBlock(findings: [finding]))
            }
        }
        return blocks
    }

    init(findings: [Finding]) { self.findings = findings }

    private struct Key: Hashable {
        let rule: String
        let severity: Severity
        let input: Int
        let after: LifecycleEvent?
        let directory: ArraySlice<UInt8>
    }

    private static func directory(of finding: Finding) -> ArraySlice<UInt8> {
        finding.path[..<(finding.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
    }
}

extension Finding {
    /// The name of the item for display, without its directory.
    var displayName: String {
        ByteText.escaped(Array(path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]))
    }
}
