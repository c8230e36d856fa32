internal import AppContainer
package import ContainerTree
internal import HTMLReports
internal import PolicyRecords
internal import StoragePolicy
internal import TextOutput

extension DifferenceReport {
    /// Writes a page with the maps of both sides, the changed causes with their findings, and the changed sizes.
    ///
    /// - Parameters:
    ///   - names: The names of both sides.
    ///   - maps: The maps of both sides; nil for a stored report, which contains sizes by location only.
    ///   - version: The version of the tool.
    ///   - output: Receives the pieces.
    package func html(
        names: (before: String, after: String), maps: (before: StorageMap?, after: StorageMap?), version: String,
        to output: @escaping (String) -> Void
    ) {
        let (before, after) = (difference.before.whole, difference.after.whole)
        var page = HTMLPage(
            tool: "sandboxlint \(version)", title: "\(names.before) → \(names.after)",
            subtitle: "\(comparison.findings) · \(comparison.causes)")
        page.figures = Severity.allCases.map { severity in
            let count = difference.new.count { $0.severity == severity }
            return .init(
                Quantity.grouped(count), label: "new \(severity.rawValue)\(count == 1 ? "" : "s")",
                severity: severity.shown)
        }
        page.figures += [
            .init(Quantity.grouped(difference.gone.count), label: "fixed"),
            .init(
                RunComparison.change(before.bytes, after.bytes), label: "content, now \(Quantity.bytes(after.bytes))"),
            .init(
                RunComparison.change(before.backedUpBytes, after.backedUpBytes),
                label: "included in backups, now \(Quantity.bytes(after.backedUpBytes))"),
        ]
        if let first = maps.before, let second = maps.after {
            let limit = HTMLPage.mostItems / 2
            page.maps = [
                .init("Before", map: first.limited(to: limit)), .init("After", map: second.limited(to: limit)),
            ]
        }
        let (sections, shown) = sections(map: page.maps.count > 1)
        page.rules = sections
        page.noFindings = "No new findings, and none fixed."
        page.notices = notices(shown: shown, hasMaps: !page.maps.isEmpty)
        page.tables = tables
        page.write(to: output)
    }

    private func notices(shown: Int, hasMaps: Bool) -> [String] {
        var notices: [String] = []
        if !isComplete { notices.append("Some items could not be read.") }
        if !hasMaps { notices.append("A stored report does not contain the sizes of items, so there is no map.") }
        let all = difference.new.count + difference.gone.count + difference.changed.count
        if shown < all {
            notices.append(
                "This page shows \(Quantity.grouped(shown)) of \(Quantity.grouped(all)) new, changed and fixed findings. "
                    + "`sandboxlint diff --format json` writes all of them.")
        }
        return notices + comparison.notes
    }

    /// The changed causes with their findings, and the number of the findings.
    private func sections(map hasMaps: Bool) -> (sections: [HTMLPage.Rule], shown: Int) {
        var shown = 0
        let entries = comparison.shown.prefix(HTMLPage.mostSections)
        let sections = entries.enumerated().map { index, entry in
            let lines =
                entry.new.map { ($0, 1, "new", nil) }
                + entry.changed.map { ($0.after, 1, $0.isGrown ? "grown" : "changed", $0.before) }
                + entry.fixed.map { ($0, 0, "fixed", nil as ReportSnapshot.Line?) }
            // Each of the later causes has room for at least one finding.
            let room = max(1, HTMLPage.mostFindings - shown - (entries.count - index - 1))
            let findings = lines.prefix(min(HTMLPage.mostFindingsOfRule, room)).map { line, map, change, before in
                var finding = HTMLPage.Finding(
                    severity: line.severity.shown, path: hasMaps ? ByteText.unescaped(line.path) : nil,
                    shownPath: line.path.isEmpty ? "the container itself" : line.path, message: line.message,
                    items: line.items, bytes: line.bytes)
                (finding.map, finding.change) = (map, change)
                if let before {
                    finding.details = [
                        ("before", "\(before.severity.rawValue), \(Quantity.bytes(before.bytes))"),
                        ("after", "\(line.severity.rawValue), \(Quantity.bytes(line.bytes))"),
                    ]
                }
                return finding
            }
            shown += findings.count
            return section(entry, count: lines.count, findings: findings)
        }
        return (sections, shown)
    }

    private func section(_ entry: RunComparison.Entry, count: Int, findings: [HTMLPage.Finding]) -> HTMLPage.Rule {
        let (change, rule) = (entry.change, entry.cause.rule)
        let lines = entry.cause.remedy.split(separator: "\n")
        let help = lines.first { $0.hasPrefix("help: ") }?.dropFirst("help: ".count)
        var section = HTMLPage.Rule(
            id: change.rules.first ?? "", severity: change.severity.shown,
            title: "\(change.change.rawValue): \(change.title)", page: rule.flatMap(Project.page),
            help: help.map(String.init) ?? "",
            fix: entry.isBetter ? nil : lines.first { $0.hasPrefix("fix (") }.map(String.init), command: nil,
            count: count,
            bytes: (change.after ?? change.before)?.bytes ?? 0, findings: findings)
        section.others = Array(change.rules.dropFirst())
        section.location =
            change.path
            + (change.before == nil || change.after == nil
                ? "" : " · \(RunComparison.growth(change.before?.bytes ?? 0, change.after?.bytes ?? 0))")
        section.reason = entry.isBetter ? nil : entry.cause.reason
        return section
    }

    /// The locations whose size changed, and the changed backup exclusions.
    private var tables: [HTMLPage.Table] {
        var tables = [comparison.table]
        let numbers = ["Items before", "Items after", "Before", "After", "Change", "Change in backups"]
        let locations = difference.locations
        if !locations.isEmpty {
            tables.append(
                .init(
                    "Changed sizes", columns: [.init("Location")] + numbers.map { .init($0, isNumber: true) },
                    rows: locations.map { path, before, after in
                        [
                            path.isEmpty ? "container root" : path, Quantity.grouped(before.items),
                            Quantity.grouped(after.items), Quantity.bytes(before.bytes), Quantity.bytes(after.bytes),
                            RunComparison.change(before.bytes, after.bytes),
                            RunComparison.change(before.backedUpBytes, after.backedUpBytes),
                        ]
                    }))
        }
        if let exclusion, !exclusion.listed.isEmpty {
            let rows = exclusion.listed.map { change in
                [
                    change.path.isEmpty ? "the container itself" : change.path, change.before.rawValue,
                    change.after.rawValue, Quantity.grouped(change.items), Quantity.bytes(change.bytes),
                ]
            }
            tables.append(
                .init(
                    "Changed backup exclusions",
                    columns: [
                        .init("Path"), .init("Before"), .init("After"), .init("Items", isNumber: true),
                        .init("Size", isNumber: true),
                    ], rows: rows, atMost: 200, others: exclusion.others))
        }
        return tables
    }
}

extension RunComparison {
    /// The bytes by their treatment in backups, before and after.
    var table: HTMLPage.Table {
        HTMLPage.Table(
            "Bytes by treatment",
            columns: [.init("Treatment")] + ["Before", "After", "Change"].map { .init($0, isNumber: true) },
            rows: sizes.map { label, before, after in
                [label, Quantity.bytes(before), Quantity.bytes(after), Self.change(before, after)]
            })
    }
}
