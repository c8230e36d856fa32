internal import AppContainer
public import StoragePolicy

/// The report for a person: one block a rule and directory, each item named, and what to do.
public struct TextReport {
    private let report: LintReport
    private let style: Style

    /// A report in a style.
    public init(_ report: LintReport, style: Style) {
        self.report = report
        self.style = style
    }

    /// Writes the report, piece by piece.
    public func write(to output: (String) -> Void) {
        var rest = report.findings[...]
        while let first = rest.first {
            // One that stands for many items is a group by itself.
            let group = [first] + rest.dropFirst().prefix { Self.belongTogether($0, first) }
            rest = rest.dropFirst(group.count)
            write(group, to: output)
        }
        for incident in report.incidents {
            let path = incident.path.isEmpty ? "the container itself" : incident.displayPath
            output("\(style.bold("not looked at")): \(prefix(incident.input))\(path): \(incident.reason)\n")
        }
        if !report.incidents.isEmpty { output("\n") }
        output(footer())
    }

    private static func belongTogether(_ left: Finding, _ right: Finding) -> Bool {
        left.rule.id == right.rule.id && left.input == right.input && left.items == 1 && right.items == 1
            && left.severity == right.severity && directory(of: left) == directory(of: right)
    }

    private static func directory(of finding: Finding) -> ArraySlice<UInt8> {
        finding.path[..<(finding.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
    }

    private func write(_ group: [Finding], to output: (String) -> Void) {
        guard let first = group.first else { return }
        let rule = first.rule
        let items = group.reduce(0) { $0 + $1.items }
        let bytes = group.reduce(0) { $0 + $1.bytes }
        let message = group.count == 1 ? first.message : "\(Quantity.count(group.count, "item")): \(rule.title)"
        output(
            style.severity(first.severity, "\(first.severity.rawValue)[\(rule.id)]") + ": " + style.bold(message) + "\n"
        )
        let size = items == 1 ? Quantity.bytes(bytes) : "\(Quantity.count(items, "item")), \(Quantity.bytes(bytes))"
        output("  --> \(prefix(first.input))\(place(of: group))   (\(size))\n")
        // A suppression, or an entry of a baseline, has no fate.
        if rule.group != .exceptions { output(style.dim("   |  ") + fate(of: first) + "\n") }
        if group.count > 1 {
            for finding in group { output(style.dim("   |  ") + line(of: finding) + "\n") }
        }
        for (label, text) in notes(on: first, in: group) { output("   = \(style.bold(label))  \(text)\n") }
        output("\n")
    }

    private func notes(on first: Finding, in group: [Finding]) -> [(String, String)] {
        var notes: [(String, String)] = []
        if group.count == 1, !first.evidence.isEmpty {
            notes.append(("because", first.evidence.map { "\($0.kind): \($0.value)" }.joined(separator: "; ")))
        }
        if let largest = first.largest { notes.append(("largest", ByteText.escaped(largest))) }
        let sources = Set(group.compactMap { $0.source?.description })
        if let source = sources.first, sources.count == 1 {
            notes.append(("written by", ByteText.escaped(Array(source.utf8))))
        }
        notes.append(("help   ", first.rule.help))
        if let fix = first.rule.fix { notes.append(("fix    ", "\(fix.safety.rawValue): \(fix.title)")) }
        notes.append(("why    ", "`sandboxlint explain \(first.rule.id)`"))
        return notes
    }

    private func line(of finding: Finding) -> String {
        let evidence = finding.evidence.map(\.value).joined(separator: "; ")
        let why = evidence.isEmpty ? "" : style.dim("  (\(evidence))")
        return "\(finding.displayPath)  \(Quantity.bytes(finding.bytes))\(why)"
    }

    private func place(of group: [Finding]) -> String {
        guard let first = group.first else { return "" }
        if group.count > 1 { return ByteText.escaped(Array(Self.directory(of: first))) + "/" }
        let isMany = first.items > 1
        return first.path.isEmpty ? "the container itself" : first.displayPath + (isMany ? "/" : "")
    }

    private func prefix(_ input: Int) -> String { report.inputs.count > 1 ? "\(report.inputs[input].path): " : "" }

    private func fate(of finding: Finding) -> String {
        let flag: String =
            switch finding.exclusion.state {
            case .excluded: "yes, by \(finding.exclusion.carrier.map { $0.isEmpty ? "the root" : $0 } ?? "its own")"
            case .included: "no"
            case .unknown: "unknown, the file system cannot carry it"
            }
        return "do-not-back-up: \(ByteText.escaped(Array(flag.utf8)))   backed up: \(finding.isBackedUp ? "yes" : "no")"
            + "   purged: \(finding.location.purge.rawValue)   visible in Files: \(finding.location.visibility.rawValue)"
    }

    private func footer() -> String {
        let counts = Severity.allCases.map { Quantity.count(report.count(of: $0), $0.rawValue) }.joined(separator: ", ")
        let seen = "\(Quantity.count(report.items, "item")), \(Quantity.bytes(report.bytes))"
        let backup =
            "\(Quantity.bytes(report.backedUpBytes)) go into a backup"
            + (report.regenerableBackedUpBytes > 0
                ? ", \(Quantity.bytes(report.regenerableBackedUpBytes)) of it could be had again" : "")
        let whole = report.isComplete ? "" : " Not everything could be looked at."
        let left =
            (report.suppressed > 0 ? " \(Quantity.count(report.suppressed, "finding")) suppressed." : "")
            + (report.baselined > 0 ? " \(Quantity.count(report.baselined, "finding")) in the baseline." : "")
        return "\(style.bold(report.findings.isEmpty ? "No findings" : counts)) in \(seen); \(backup).\(left)\(whole)\n"
    }
}
