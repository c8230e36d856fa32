internal import AppContainer
package import ContainerTree
internal import HTMLReports
internal import PolicyRecords
package import StoragePolicy
internal import TextOutput

extension DifferenceReport {
    /// Writes a page with the maps of both sides, the new and the fixed findings, and the changed sizes.
    ///
    /// - Parameters:
    ///   - names: The names of both sides.
    ///   - maps: The maps of both sides; nil for a stored report, which contains sizes by location only.
    ///   - rules: The rules whose help is shown.
    ///   - version: The version of the tool.
    ///   - output: Receives the pieces.
    package func html(
        names: (before: String, after: String), maps: (before: StorageMap?, after: StorageMap?), rules: [Rule],
        version: String, to output: @escaping (String) -> Void
    ) {
        let (before, after) = (difference.before.whole, difference.after.whole)
        var page = HTMLPage(
            tool: "sandboxlint \(version)", title: "\(names.before) → \(names.after)",
            subtitle: "\(Quantity.count(difference.new.count, "new finding")), "
                + "\(Quantity.grouped(difference.gone.count)) fixed, \(Quantity.grouped(difference.kept)) unchanged")
        page.figures = Severity.allCases.map { severity in
            let count = difference.new.count { $0.severity == severity }
            return .init(
                Quantity.grouped(count), label: "new \(severity.rawValue)\(count == 1 ? "" : "s")",
                severity: severity.shown)
        }
        page.figures += [
            .init(Quantity.grouped(difference.gone.count), label: "fixed"),
            .init(Self.change(before.bytes, after.bytes), label: "content, now \(Quantity.bytes(after.bytes))"),
            .init(
                Self.change(before.backedUpBytes, after.backedUpBytes),
                label: "included in backups, now \(Quantity.bytes(after.backedUpBytes))"),
        ]
        if let first = maps.before, let second = maps.after {
            let limit = HTMLPage.mostItems / 2
            page.maps = [
                .init("Before", map: first.limited(to: limit)), .init("After", map: second.limited(to: limit)),
            ]
        }
        let (sections, shown) = sections(rules, map: page.maps.count > 1)
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
        let all = difference.new.count + difference.gone.count
        if shown < all {
            notices.append(
                "This page shows \(Quantity.grouped(shown)) of \(Quantity.grouped(all)) new and fixed findings. "
                    + "`sandboxlint diff --format json` writes all of them.")
        }
        let hidden = max(difference.before.hidden, difference.after.hidden)
        if hidden > 0 {
            notices.append("\(Quantity.count(hidden, "finding")) accepted by a baseline or suppressed, not compared.")
        }
        return notices
    }

    /// The new and the fixed findings by rule, and their number.
    private func sections(_ rules: [Rule], map hasMaps: Bool) -> (sections: [HTMLPage.Rule], shown: Int) {
        let known = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
        var ids: [String] = []
        var byRule: [String: [(line: ReportSnapshot.Line, isNew: Bool)]] = [:]
        let changed = difference.new.map { ($0, true) } + difference.gone.map { ($0, false) }
        for (line, isNew) in changed {
            if byRule[line.rule] == nil { ids.append(line.rule) }
            byRule[line.rule, default: []].append((line, isNew))
        }
        var shown = 0
        let sections = ids.enumerated().map { index, id in
            let lines = byRule[id] ?? []
            let room = max(1, HTMLPage.mostFindings - shown - (ids.count - index - 1))
            let findings = lines.prefix(min(HTMLPage.mostFindingsOfRule, room)).map { line, isNew in
                var finding = HTMLPage.Finding(
                    severity: line.severity.shown, path: hasMaps ? ByteText.unescaped(line.path) : nil,
                    shownPath: line.path.isEmpty ? "the container itself" : line.path, message: line.message,
                    items: line.items, bytes: line.bytes)
                (finding.map, finding.change) = (isNew ? 1 : 0, isNew ? "new" : "fixed")
                return finding
            }
            shown += findings.count
            let rule = known[id]
            return HTMLPage.Rule(
                id: id, severity: (lines.map(\.line.severity).max() ?? .note).shown, title: rule?.title ?? id,
                page: rule.flatMap(Project.page), help: rule?.help ?? "",
                fix: rule?.fix.map { "Fix (\($0.label())): \($0.title)." }, command: rule?.command, count: lines.count,
                bytes: lines.reduce(0) { $0.addingSaturated($1.line.bytes) }, findings: findings)
        }
        return (sections, shown)
    }

    /// The locations whose size changed, and the changed backup exclusions.
    private var tables: [HTMLPage.Table] {
        var tables: [HTMLPage.Table] = []
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
                            Self.change(before.bytes, after.bytes),
                            Self.change(before.backedUpBytes, after.backedUpBytes),
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

    /// Returns the change of a size with its sign.
    private static func change(_ before: UInt64, _ after: UInt64) -> String {
        if before == after { return "±0" }
        return after > before ? "+\(Quantity.bytes(after - before))" : "−\(Quantity.bytes(before - after))"
    }
}
