internal import PolicyRecords
internal import StoragePolicy
internal import TextOutput

/// The changes between two runs as text: a block for each cause, the numbers, and the bytes by their treatment in backups.
struct ComparisonText {
    /// The maximum number of causes, and of new and fixed findings of each, unless all are requested.
    private static let (mostCauses, mostLines) = (40, 5)

    let comparison: RunComparison
    let style: Style
    /// True if all causes and their findings are listed.
    var showsAll = false

    /// The blocks of the causes. The last line is empty if there are any.
    var blocks: String {
        let entries = comparison.shown
        guard !entries.isEmpty else { return "" }
        let listed = entries.prefix(showsAll ? entries.count : Self.mostCauses)
        let others = entries.count - listed.count
        return listed.map(block).joined()
            + (others > 0 ? "… \(Quantity.count(others, "more changed cause")) (--all)\n" : "") + "\n"
    }

    /// The causes as one line each, for a report that has blocks of its own; at most `limit` lines.
    func lines(atMost limit: Int) -> [String] {
        let entries = comparison.shown
        let listed = entries.prefix(entries.count > limit ? max(0, limit - 1) : limit)
        let others = entries.count - listed.count
        return listed.map(heading) + (others > 0 ? ["… \(Quantity.count(others, "more changed cause"))"] : [])
    }

    /// The numbers of causes and findings.
    var numbers: String {
        let difference = comparison.difference
        return "\(style.bold("Causes")): \(comparison.numbersOfCauses).\n"
            + "\(style.bold("Findings")): \(difference.new.count) new, \(difference.gone.count) fixed, "
            + "\(difference.kept) unchanged.\n"
    }

    /// The bytes by their treatment in backups.
    var sizes: String {
        var table = TextTable([.left, .right, .right, .right], header: ["", "before", "after", "change"])
        for (label, before, after) in comparison.sizes {
            table.add([label, Quantity.bytes(before), Quantity.bytes(after), RunComparison.change(before, after)])
        }
        return table.text
    }

    private func heading(_ entry: RunComparison.Entry) -> String {
        let change = entry.change
        let rules = "\(change.severity.rawValue)[\(change.rules.joined(separator: ", "))]"
        return "\(Self.sign(change.change)) \(style.severity(change.severity, text: rules)) \(change.path)"
    }

    private func block(_ entry: RunComparison.Entry) -> String {
        var text = heading(entry) + "\n    \(Self.extent(of: entry.change)): \(entry.change.title)\n"
        if !entry.isBetter {
            if let reason = entry.cause.reason { text += "    because \(reason)\n" }
            for line in entry.cause.remedy.split(separator: "\n") { text += "    \(line)\n" }
        }
        var lines = entry.new.map { Self.line("+", $0) }
        lines += entry.changed.map { "\(Self.line($0.isGrown ? "^" : "~", $0.after)), was \(Self.was($0))" }
        if entry.change.change != .fixed || showsAll { lines += entry.fixed.map { Self.line("-", $0) } }
        // Several rules can report one item. The heading has the path of the only one.
        var seen: Set<String> = []
        lines = lines.filter { seen.insert($0).inserted }
        guard lines.count > 1 || showsAll else { return text }
        let listed = lines.prefix(showsAll ? lines.count : Self.mostLines)
        text += listed.map { "      \($0)\n" }.joined()
        if lines.count > listed.count {
            text += "      … \(Quantity.grouped(lines.count - listed.count)) more (--all)\n"
        }
        return text
    }

    private static func line(_ sign: String, _ line: ReportSnapshot.Line) -> String {
        "\(sign) \(line.path.isEmpty ? "the container itself" : line.path)  \(Quantity.bytes(line.bytes))"
    }

    private static func was(_ changed: ReportDifference.Changed) -> String {
        changed.before.severity == changed.after.severity
            ? Quantity.bytes(changed.before.bytes) : changed.before.severity.rawValue
    }

    private static func sign(_ kind: CauseChange.Kind) -> String {
        switch kind {
        case .new: "+"
        case .grown: "^"
        case .changed: "~"
        case .fixed: "-"
        case .smaller: "v"
        case .unchanged: " "
        }
    }

    /// The change of a cause with its items and sizes, such as “grown: 12 KB → 30 KB (+18 KB), 2 new findings”.
    static func extent(of change: CauseChange) -> String {
        func size(_ extent: CauseChange.Extent) -> String {
            "\(Quantity.count(extent.items, "item")), \(Quantity.bytes(extent.bytes))"
        }
        let kind = change.change.rawValue
        guard let before = change.before, let after = change.after else {
            return "\(kind): \((change.after ?? change.before).map(size) ?? "")"
        }
        let findings = [
            change.newFindings > 0 ? Quantity.count(change.newFindings, "new finding") : nil,
            change.fixedFindings > 0 ? "\(Quantity.grouped(change.fixedFindings)) fixed" : nil,
        ].compactMap(\.self)
        return ([kind + ": " + RunComparison.growth(before.bytes, after.bytes)] + findings).joined(separator: ", ")
    }
}
