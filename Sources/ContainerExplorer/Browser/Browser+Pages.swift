internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Foundation
internal import StoragePolicy
internal import TextOutput

extension Browser {
    /// The maximum number of findings, and of items that were not read, that a page lists.
    private static let listedFindings = 200

    /// The visible lines of a page of text.
    var pageHeight: Int { max(1, lines - (layout.titleLine == nil ? 0 : 1) - (layout.helpLine == nil ? 0 : 1)) }

    /// The lines of the page that is shown.
    var pageText: [BrowserScreen.Line] {
        switch mode {
        case .help: helpPage
        case .details: detailsPage
        case .text(let title, let lines, _): [BrowserScreen.Line(fitted(title), style: .bold)] + Self.page(lines, wrap)
        case .decision(_, let lines, _): Self.page(lines, wrap)
        case .items, .prompt, .menu, .question: []
        }
    }

    private static func page(_ lines: [String], _ wrap: (String) -> [String]) -> [BrowserScreen.Line] {
        lines.flatMap(wrap).map { BrowserScreen.Line($0) }
    }

    func drawPage(in layout: BrowserLayout, _ lines: inout [BrowserScreen.Line]) {
        let first: Int
        switch mode {
        case .details(let line), .help(let line), .text(_, _, let line), .decision(_, _, let line): first = line
        case .items, .prompt, .menu, .question: return
        }
        let text = pageText
        let start = layout.titleLine == nil ? 0 : 1
        for (offset, line) in text.dropFirst(min(first, max(0, text.count - 1))).prefix(pageHeight).enumerated() {
            lines[start + offset] = line
        }
        if let line = layout.helpLine {
            let more = text.count > first + pageHeight ? "Down: more   " : ""
            var topics = ""
            if case .help = mode { topics = "1-\(BrowserCommand.Topic.allCases.count): topic   " }
            lines[line] = BrowserScreen.Line(fitted(topics + more + "Esc: back"), style: .dim)
        }
    }

    // MARK: - Help

    private var helpPage: [BrowserScreen.Line] {
        var lines = [BrowserScreen.Line("Keys", style: .bold)]
        for (number, topic) in BrowserCommand.Topic.allCases.enumerated() {
            lines.append(BrowserScreen.Line(fitted("\(number + 1) \(topic.rawValue)"), style: .bold))
            lines += helpLines(of: topic)
        }
        let signs = [
            "Signs before a row", "  >  the selected item", "  *  a marked item",
            "  x  excluded from backup by a mark of its own", "  ^  excluded by the mark of a directory above",
            "  +  only in this pane, ~ different in the other one",
            "Findings: E errors, W warnings, N notes, with those in the directory. A class with ! is proven.",
            "Mouse: a click selects, a second one opens, the wheel scrolls.",
        ]
        return lines + signs.flatMap { wrap($0) }.map { BrowserScreen.Line($0) }
    }

    private func helpLines(of topic: BrowserCommand.Topic) -> [BrowserScreen.Line] {
        let width = BrowserCommand.allCases.map { $0.keyNames.count }.max() ?? 0
        return BrowserCommand.allCases.filter { $0.topic == topic }.flatMap { command in
            // A narrow terminal shows no columns.
            let keys =
                columns < 50
                ? command.keyNames + ": " : command.keyNames.padding(toLength: width + 2, withPad: " ", startingAt: 0)
            return wrap("  " + keys + command.purpose).map { BrowserScreen.Line($0) }
        }
    }

    /// Returns the line of the help at which the topic with a digit begins.
    func helpStart(of digit: Unicode.Scalar) -> Int? {
        guard let number = Int(String(digit)), (1...BrowserCommand.Topic.allCases.count).contains(number) else {
            return nil
        }
        let before = BrowserCommand.Topic.allCases.prefix(number - 1).reduce(1) { $0 + 1 + helpLines(of: $1).count }
        return min(before, max(0, helpPage.count - pageHeight))
    }

    // MARK: - Details

    private var detailsPage: [BrowserScreen.Line] {
        guard let index = pane.index, let item = pane.selected else { return [] }
        let properties = index[item]
        var facts = [
            ("Path", ByteText.escaped(index.path(of: item))), ("Kind", ItemText.word(for: properties.kind)),
            (
                "Size",
                "\(Quantity.bytes(properties.total.logical)), on disk \(Quantity.bytes(properties.total.allocated))"
            ),
        ]
        if properties.kind == .directory { facts.append(("Items", Quantity.grouped(properties.items))) }
        if let target = index.linkTarget(of: item) { facts.append(("Target", ByteText.escaped(Array(target)))) }
        facts += [
            ("Modified", Self.date(properties.modified)),
            (
                "Backed up",
                "\(ItemText.backup(index.decision(for: item).state)), decided by \(ItemText.decider(of: item, in: index))"
            ),
            ("Location", "\(index.location(of: item)): \(ItemText.policy(of: index.location(of: item)))"),
        ]
        if let mark = index.ownMark(of: item) { facts.append(("Exclusion", mark.rawValue)) }
        if let maker = properties.maker { facts.append(("Provenance", maker.rawValue)) }
        if properties.hasSeveralLinks { facts.append(("Hard links", "several; counted once in each total")) }
        var lines = facts.flatMap { name, value in
            wrap(name.padding(toLength: 12, withPad: " ", startingAt: 0) + value).map { BrowserScreen.Line($0) }
        }
        if let known = self.facts, known.path == index.path(of: item) {
            lines += known.lines.flatMap { wrap($0) }.map { BrowserScreen.Line($0) }
        }
        lines += failureLines(of: item, in: index)
        lines += findingLines(of: item, in: index)
        return lines
    }

    /// Returns the items at or below an item that could not be read.
    private func failureLines(of item: Int, in index: ContainerIndex) -> [BrowserScreen.Line] {
        let path = index.path(of: item)
        let failures = index.failures.filter { $0.path == path || $0.path.starts(with: path + [UInt8(ascii: "/")]) }
        return failures.prefix(Self.listedFindings).flatMap { failure in
            wrap("Not read: “\(ByteText.escaped(failure.path))”: \(failure.reason)").map {
                BrowserScreen.Line($0, style: .error)
            }
        }
    }

    /// Returns a date in UTC, or the seconds since 1970 for a year without four digits.
    static func date(_ seconds: Int64) -> String {
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return "\(seconds) s since 1970" }
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    private func findingLines(of item: Int, in index: ContainerIndex) -> [BrowserScreen.Line] {
        guard let findings = pane.findings else {
            return [BrowserScreen.Line()]
                + wrap(pane.lintFailure.map { "Not linted: \($0)" } ?? "Linting…").map {
                    BrowserScreen.Line($0)
                }
        }
        let own = findings.findings(of: item)
        let below = findings.findings(below: item, in: index, limit: Self.listedFindings)
        guard !own.isEmpty || !below.isEmpty else { return [BrowserScreen.Line(), BrowserScreen.Line("No findings.")] }
        var lines = [BrowserScreen.Line()]
        for finding in own.prefix(Self.listedFindings) {
            lines += wrap("\(finding.severity.rawValue): \(finding.message) [\(finding.rule.id)]").map {
                BrowserScreen.Line($0, style: .bold)
            }
            lines += wrap("  fix: \(finding.rule.help)").map { BrowserScreen.Line($0) }
        }
        let sources = findings.sources(of: item)
        if !sources.isEmpty {
            lines.append(BrowserScreen.Line("Written by", style: .bold))
            lines += sources.flatMap { wrap("  \($0)") }.map { BrowserScreen.Line($0) }
        }
        if !below.isEmpty { lines.append(BrowserScreen.Line(fitted("Findings in the directory:"), style: .bold)) }
        for finding in below {
            lines += wrap("  \(finding.severity.rawValue): \(finding.displayPath): \(finding.message)").map {
                BrowserScreen.Line($0)
            }
        }
        let counts = findings.counts(of: item)
        let rest = counts.errors + counts.warnings + counts.notes - own.count - below.count
        if rest > 0 { lines.append(BrowserScreen.Line(fitted("… and \(Quantity.count(rest, "other finding"))"))) }
        return lines
    }
}
