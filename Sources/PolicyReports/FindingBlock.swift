internal import StoragePolicy
internal import TextOutput

/// The findings of one rule in one directory, which the text reports show together.
struct FindingBlock {
    let first: Finding
    private(set) var findings: [Finding]

    /// Items it is about.
    var items: Int { findings.reduce(0) { $0 + $1.items } }
    /// Bytes of their content.
    var bytes: UInt64 { findings.reduce(0) { $0.addingSaturated($1.bytes) } }
    /// The message of the finding, or the number of findings.
    var message: String {
        findings.count == 1 ? first.message : "\(Quantity.count(findings.count, "item")): \(first.rule.title)"
    }

    /// The weighed evidence, where the findings rest on it: that of the least certain of them, so that no confidence is
    /// overstated.
    var weighed: Finding? {
        findings.filter { $0.confidence != nil }.min { $0.confidence ?? 1 < $1.confidence ?? 1 }
    }

    /// The item; of several the directory that holds them.
    var location: String {
        if findings.count > 1 { return ByteText.escaped(Array(Self.directory(of: first))) + "/" }
        return first.path.isEmpty ? "the container itself" : first.displayPath + (first.items > 1 ? "/" : "")
    }

    /// The blocks of a report, in the order of the first finding of each: worst first.
    static func all(of report: LintReport) -> [FindingBlock] {
        var blocks: [FindingBlock] = []
        var known: [Key: Int] = [:]
        for finding in report.findings {
            // What stands for a whole directory is one already.
            guard finding.items == 1 else {
                blocks.append(FindingBlock(first: finding, findings: [finding]))
                continue
            }
            let key = Key(
                rule: finding.rule.id, severity: finding.severity, input: finding.input,
                directory: directory(of: finding))
            if let index = known[key] {
                blocks[index].findings.append(finding)
            } else {
                known[key] = blocks.count
                blocks.append(FindingBlock(first: finding, findings: [finding]))
            }
        }
        return blocks
    }

    private struct Key: Hashable {
        let rule: String
        let severity: Severity
        let input: Int
        let directory: ArraySlice<UInt8>
    }

    private static func directory(of finding: Finding) -> ArraySlice<UInt8> {
        finding.path[..<(finding.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
    }
}
