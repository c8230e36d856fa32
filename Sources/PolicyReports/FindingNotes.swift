internal import AppContainer
internal import StoragePolicy
internal import TextOutput

/// The lines below a block of the text report: the evidence, the source code and the solution.
struct FindingNotes {
    private let run: LintRun
    private let worst: Severity
    /// The number of findings of a cause whose code is searched for an exclusion.
    private static let mostExclusions = 16

    init(_ run: LintRun) {
        self.run = run
        worst = run.report.findings.first?.severity ?? .note
    }

    /// Returns the lines with their labels. A short report has the evidence and the help of one rule for each of two remedies, and
    /// no solution for notes if there is an error or a warning.
    func notes(on cause: Cause) -> [(String, String)] {
        var notes: [(String, String)] = []
        let parts = run.isVerbose ? cause.parts : cause.leading
        for part in run.isVerbose ? parts : cause.explaining {
            for (label, text) in evidence(of: part) where !notes.contains(where: { $0 == (label, text) }) {
                notes.append((label, text))
            }
            if part.findings.count == 1, let largest = part.first.largest {
                notes.append(("largest", ByteText.escaped(largest)))
            }
        }
        notes += writers(of: cause.findings)
        // Each question reads a source file.
        let searched = cause.findings.prefix(Self.mostExclusions).lazy
        if let lost = searched.compactMap({ run.anchors.lostExclusion(of: $0) }).first {
            notes.append(("exclusion lost", lost))
        }
        guard run.isVerbose || cause.severity > .note || worst == .note else { return notes }
        for part in parts {
            let rule = part.first.rule
            // Below several rules, each line names the one that it is about.
            let label = parts.count > 1 ? "\(rule.id): " : ""
            notes.append(("help   ", label + part.first.help))
            // The remedy of a fix by hand is the help.
            if let fix = rule.fix, run.isVerbose || fix.isMechanical {
                let safety = part.findings.fixLabel ?? fix.label()
                let title = run.isVerbose || parts.count > 1 ? fix.title : cause.commonFix ?? fix.title
                notes.append(("fix    ", "\(label)\(safety): \(title)"))
            }
            guard run.isVerbose else { continue }
            for (index, line) in run.anchors.change(for: part.first).enumerated() {
                notes.append((index == 0 ? "in code" : "       ", index == 0 ? label + line : line))
            }
        }
        return notes
    }

    /// The lines of source code that write the items, or the system or the SDK that does.
    private func writers(of findings: [Finding]) -> [(String, String)] {
        var notes: [(String, String)] = []
        let sources = Set(findings.map { run.anchors.source(of: $0) })
        if sources.count == 1, let source = sources.first ?? nil {
            notes.append(("written by", "\(source.shown):\(source.line)"))
        }
        // Rules that report the same item have the same lines for it.
        var items: Set<[UInt8]> = []
        let different = findings.filter { items.insert($0.largest ?? $0.path).inserted }
        let writers = Writers(different.map { run.anchors.writers(of: $0) })
        if let writer = writers.writer { notes.append(("written by", writer)) }
        for line in writers.lines.prefix(run.isVerbose ? writers.lines.count : 1) {
            let names =
                items.count > 1 && line.items.count < items.count
                ? ", \(Self.names(of: line.items, of: items.count))" : ""
            notes.append(("written by", "\(line.place)  (\(line.percent)\(names))"))
        }
        return notes
    }

    /// The name of one item, or the number of several.
    private static func names(of items: [[UInt8]], of count: Int) -> String {
        guard items.count == 1, let path = items.first else { return "\(items.count) of \(count) items" }
        return ByteText.escaped(Array(path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]))
    }

    private func evidence(of part: FindingBlock) -> [(String, String)] {
        if run.isVerbose, let weighed = part.weighed {
            return VerdictText.notes(on: weighed, most: part.findings.compactMap(\.confidence).max())
        }
        return (reason(of: part).map { [("because", $0)] } ?? []) + part.first.undecided.map { ("       ", $0) }
    }

    /// The reason for the findings of a cause in one sentence: that of the first rule that has one.
    func reason(of cause: Cause) -> String? { cause.parts.lazy.compactMap { reason(of: $0) }.first }

    /// The reason for the findings of a rule in one sentence: that of the largest item, and the number of items that have it, too;
    /// nil if the message contains it.
    func reason(of part: FindingBlock) -> String? {
        guard let largest = part.largestFirst.first else { return nil }
        if largest.confidence != nil { return VerdictText.reason(of: largest, among: part.findings) }
        // The message contains some evidence already. The heading of several findings is the title, without the equal file.
        let others = largest.evidence.filter {
            !(largest.listsUndecided && $0.kind == UndeclaredDirectory.evidenceKind)
                && (run.isVerbose || part.findings.count > 1 && Evidence.equalFiles.contains($0.kind)
                    || !Self.isStated($0, in: largest))
        }
        guard !others.isEmpty else { return nil }
        let clauses = others.compactMap { run.isVerbose ? "\($0.kind): \($0.value)" : $0.clause }
        guard !clauses.isEmpty else { return nil }
        return Self.joined(clauses) + VerdictText.scope(of: others, in: part.findings)
    }

    /// Returns clauses as one sentence.
    static func joined(_ clauses: [String]) -> String {
        guard clauses.count > 1, let last = clauses.last else { return clauses.first ?? "" }
        return clauses.dropLast().joined(separator: ", ") + ", and " + last
    }

    private static func isStated(_ evidence: Evidence, in finding: Finding) -> Bool {
        let isCount = evidence.value == "1" || ["items", "bytes", "paths", "size"].contains(evidence.kind)
        return isCount || evidence.isPosition || evidence.value.count > 1 && finding.message.contains(evidence.value)
    }

    /// Returns the backup status of an item if it differs from that of its location, or always if `isVerbose`.
    static func status(of finding: Finding, isVerbose: Bool) -> String? {
        // Suppressions and baseline entries have no backup status.
        guard finding.rule.group != .exceptions, isVerbose || finding.exclusion.state == .excluded else { return nil }
        let flag: String =
            switch finding.exclusion.state {
            case .excluded:
                "yes, by \(carrier(of: finding))"
            case .included: "no"
            case .unknown: "unknown, the input has no extended attributes"
            }
        return
            "excluded from backup: \(ByteText.escaped(Array(flag.utf8)))   backed up: \(finding.isBackedUp ? "yes" : "no")"
            + "   purged: \(finding.location.purge.rawValue)   visible in Files: \(finding.location.visibility.rawValue)"
    }

    private static func carrier(of finding: Finding) -> String {
        guard let carrier = finding.exclusion.carrier, Array(carrier.utf8) != finding.path else {
            return "the item itself"
        }
        return carrier.isEmpty ? "the container" : carrier
    }
}

extension Finding {
    /// True for a sum of files of which some may be user data. The evidence lists directories.
    fileprivate var listsUndecided: Bool { rule.listedUndeclared != nil }
    /// The directories of such a sum, each with its size, kinds and verdict.
    var undecided: [String] {
        listsUndecided ? evidence.filter { $0.kind == UndeclaredDirectory.evidenceKind }.map(\.value) : []
    }
}

extension Evidence {
    /// True for bytes of a file that have no key.
    var isPosition: Bool { kind == "key" && value == "raw bytes" }

    /// The evidence as a clause about the item; nil where it says nothing without the message, or what only a verbose report lists.
    fileprivate var clause: String? {
        if let registered { return "\(registered.software) keeps its files in `\(registered.glob)`" }
        return switch kind {
        case "name", "path": "its \(kind) matches `\(value)`"
        case "origin": "an attribute records its origin: \(value)"
        case "declared": "the configuration declares it under `\(value):`"
        case "content": Self.clause(content: value)
        case "copy", "duplicate": "it is equal to \(value)"
        case "named-by": "\(value) names it"
        case "problem", "error", "siblings", "traffic", "reason", "proof", "not-listed": value
        case "baseline": "the baseline \(value)"
        case "age": "it has not changed for \(value)"
        case "attribute", "mark": value.contains(" ") ? "an attribute has \(value)" : "it has the attribute `\(value)`"
        case "protection": "its protection class is \(value)"
        case "newer": "its SDK uses `\(value)` now"
        case "domain": "\(value) is not the domain of this app"
        case "other": "the other one is “\(value)”"
        case "also": "it contains \(value), too"
        case "entropy": "its bytes look random (\(value))"
        case "target": "it leads to \(value)"
        case "key": "it is under \(value)"
        case "table": "it has the table “\(value)”"
        case "free": "\(value) of it are unused"
        case "credential": "it contains \(value)"
        case "directory": "it is in “\(value)”"
        case "identifier": "its identifier is \(value)"
        case "missing": "\(value) of the files that it names do not exist"
        case "not-searched": "not all stores that may name it could be read: \(value)"
        case "containers": "it is in several containers of the app: \(value)"
        case "kind", "companion", "value", "secret", "secrets", "references", "ahead": nil
        default: "\(kind): \(value)"
        }
    }

    private static func clause(content value: String) -> String {
        if value.hasPrefix("it ") || value.hasPrefix("its ") { return value }
        return value.hasPrefix("named by") ? "it is \(value)" : "its content is that of \(value)"
    }
}
