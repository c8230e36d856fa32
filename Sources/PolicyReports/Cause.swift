internal import AppContainer
internal import ContainerLifecycle
internal import PolicyTexts
internal import StoragePolicy
internal import TextOutput

/// Findings with one remedy, which reports show as one block: what one SDK keeps, one package, or the findings of a rule in one
/// directory or in several similar ones.
struct Cause {
    /// The findings, the most severe first.
    let findings: [Finding]
    /// The positions of the findings in their report.
    let positions: [Int]
    /// The SDK that keeps the items; nil if none is known.
    let software: String?
    /// The item, or the directory that contains all of them, as bytes.
    let path: [UInt8]
    /// The number of items. Those below a directory that is reported as a whole count once.
    let items: Int
    /// The size of their content in bytes.
    let bytes: UInt64

    /// The finding that decides the order of the block.
    var first: Finding { findings[0] }
    var severity: Severity { first.severity }
    /// The rules that report the items, that of the first finding first.
    var rules: [Rule] {
        var ids: Set<String> = []
        return findings.map(\.rule).filter { ids.insert($0.id).inserted }
    }
    /// The findings of each rule.
    var parts: [FindingBlock] {
        rules.map { rule in FindingBlock(findings: findings.filter { $0.rule.id == rule.id }) }
    }
    /// The rules in groups with one remedy each, that of the first finding first.
    var remedies: [(severity: Severity, rules: [Rule], message: String)] {
        var order: [CauseRemedy] = []
        var groups: [CauseRemedy: [Finding]] = [:]
        for finding in findings {
            // A remedy for the sum of certain items is one for each.
            let isOfSum = isSum && (finding.isSummary || finding.rule.measuresRegenerable)
            let remedy = isOfSum ? .exclusion : CauseRemedy(of: finding)
            if groups[remedy] == nil { order.append(remedy) }
            groups[remedy, default: []].append(finding)
        }
        return order.map { remedy in
            let findings = groups[remedy] ?? []
            var ids: Set<String> = []
            let rules = findings.map(\.rule).filter { ids.insert($0.id).inserted }
            return (findings[0].severity, rules, message(of: findings))
        }
    }

    /// The rules whose help a short report has: one of each of the first two remedies.
    var leading: [FindingBlock] { parts(with: remedies.prefix(2).map(\.rules[0])) }
    /// The rules whose evidence a short report has: these, and that of the items of a sum.
    var explaining: [FindingBlock] {
        parts(with: remedies.prefix(2).flatMap { $0.rules.prefix($0.rules[0].aggregate == nil ? 1 : 2) })
    }

    private func parts(with rules: [Rule]) -> [FindingBlock] {
        let ids = Set(rules.map(\.id))
        return parts.filter { ids.contains($0.first.rule.id) }
    }

    /// True if it begins with a sum of items that are certainly re-downloadable or regenerable.
    private var isSum: Bool {
        first.isSummary && first.rule.group == .backup && first.rule.listedUndeclared == nil
            && findings.count(where: \.isSummary) == 1
    }

    /// The item, or the directory of several items.
    var location: String {
        guard !path.isEmpty else { return "the container itself" }
        return ByteText.escaped(path) + (isOneItem ? "" : "/")
    }
    /// True if all findings are about one item.
    var isOneItem: Bool { items <= 1 && findings.allSatisfy { $0.path == path } }
    /// True for findings about suppressions or the baseline, of which several have one path.
    var isException: Bool { first.rule.group == .exceptions }
    /// The findings about items, without sums.
    var itemFindings: [Finding] {
        let own = findings.filter { !$0.isSummary }
        return own.isEmpty ? findings : own
    }
    /// True if each item has a line: secrets and lost user data are looked at one by one.
    var isItemized: Bool { findings.count > 1 && first.rule.isItemized }

    /// The message of the only finding, or the title of the rule with the number of items and the name of the SDK.
    private func message(of findings: [Finding]) -> String {
        guard findings.count > 1, !isOneItem, !(isSum && findings[0].isSummary) else { return findings[0].message }
        let event = first.after.map { "\($0.phrase): " } ?? ""
        let owner = software.map { " of \($0)" } ?? ""
        return event + "\(Quantity.count(items, "item"))\(owner): \(Self.title(of: findings))"
    }

    /// The title of the first rule, after the name of the SDK.
    var title: String {
        (software.map { "\($0): " } ?? "") + Self.title(of: findings.filter { $0.rule.id == first.rule.id })
    }

    /// The title of a rule, with one word for all items if they have one.
    private static func title(of findings: [Finding]) -> String {
        findings.allSatisfy { $0.title == findings[0].title } ? findings[0].title : findings[0].rule.title
    }

    /// The fix of all items at once, where it is one: the exclusion of an SDK's directory. Never that of a directory in which the
    /// app keeps other data as well, such as Documents.
    var commonFix: String? {
        guard software != nil, findings.count > 1, case .setFlag? = first.rule.fix?.action else { return nil }
        let components = path.split(separator: UInt8(ascii: "/"))
        let isInLibrary = components.first?.elementsEqual("Library".utf8) ?? false
        guard components.count > (isInLibrary ? 2 : 1) else { return nil }
        return "exclude the directory \(ByteText.escaped(path)) from backup"
    }

    /// The name of the cause, which is equal in every report about equal findings: the SDK or the rule, and the path.
    var name: String { "\(software ?? first.rule.id): \(path.isEmpty ? "." : ByteText.escaped(path))" }

    /// The path of an item relative to the directory of the cause, for display.
    func displayName(of finding: Finding) -> String {
        guard finding.path.starts(with: path), finding.path.count > path.count else { return finding.displayName }
        let isBelow = !path.isEmpty && finding.path[path.count] == UInt8(ascii: "/")
        return ByteText.escaped(Array(finding.path[(path.count + (isBelow ? 1 : 0))...]))
            + (finding.items > 1 ? "/" : "")
    }

    init(_ unit: CauseUnit, of report: LintReport) {
        positions = unit.positions.sorted()
        findings = positions.map { report.findings[$0] }
        software = unit.software
        let isException = findings[0].rule.group == .exceptions
        (items, bytes) = isException ? (findings.count, 0) : Self.extent(of: findings)
        let first = findings[0].path
        path = findings.dropFirst().contains { $0.path != first } ? unit.directory : first
    }

    /// Adds up the items of findings, of which several may be about the same items. Below a directory that is reported as one
    /// item, the items that are reported count; a sum counts only if there is nothing else.
    static func extent(of all: [Finding]) -> (items: Int, bytes: UInt64) {
        let own = all.filter { !$0.isSummary }
        var bytes: UInt64 = 0
        var items: [PathKey: (own: Int, below: Int)] = [:]
        var seen: Set<PathKey> = []
        // A directory comes before the items below it.
        for finding in (own.isEmpty ? all : own).sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
            guard seen.insert(PathKey(finding.path)).inserted else { continue }
            if let above = ItemPath.lineage(finding.path).lazy.map(PathKey.init).first(where: { items[$0] != nil }) {
                items[above]?.below += finding.items
            } else {
                items[PathKey(finding.path)] = (finding.items, 0)
                bytes = bytes.addingSaturated(finding.bytes)
            }
        }
        return (items.values.reduce(0) { $0 + max($1.own, $1.below) }, bytes)
    }
}

/// The names of the causes of a report's findings.
struct CauseNames {
    private let names: [String]

    init(_ report: LintReport) {
        var names = [String](repeating: "", count: report.findings.count)
        // A cause has copies of its findings, so that only one exists at a time.
        for unit in CauseUnit.all(of: report) {
            let cause = Cause(unit, of: report)
            let name = cause.name
            for position in cause.positions { names[position] = name }
        }
        self.names = names
    }

    /// The name of the cause of a finding, by its position in the report; nil for one that is suppressed or accepted.
    subscript(position: Int?) -> String? { position.flatMap { $0 < names.count ? names[$0] : nil } }
}
