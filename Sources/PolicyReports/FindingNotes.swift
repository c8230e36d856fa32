internal import AppContainer
internal import StoragePolicy
internal import TextOutput

/// The lines below a block of the text report: the evidence, the source code and the solution.
struct FindingNotes {
    private let run: LintRun
    private let worst: Severity

    init(_ run: LintRun) {
        self.run = run
        worst = run.report.findings.first?.severity ?? .note
    }

    /// Returns the lines with their labels. A short report has those of the leading rules, and no solution for a block of
    /// notes if there is an error or a warning.
    func notes(on block: LocationBlock) -> [(String, String)] {
        var notes: [(String, String)] = []
        let parts = run.isVerbose ? block.parts[...] : block.leading
        for part in parts {
            for (label, text) in evidence(of: part) where !notes.contains(where: { $0 == (label, text) }) {
                notes.append((label, text))
            }
            if part.findings.count == 1, let largest = part.first.largest {
                notes.append(("largest", ByteText.escaped(largest)))
            }
        }
        let findings = block.parts.flatMap(\.findings)
        let sources = Set(findings.map { run.anchors.anchor(of: $0) })
        if let source = sources.first, sources.count == 1, source.kind == .source {
            notes.append(("written by", "\(source.shown):\(source.line)"))
        }
        guard run.isVerbose || block.first.severity > .note || worst == .note else { return notes }
        for part in parts {
            let rule = part.first.rule
            // Below several rules, each line names the one that it is about.
            let label = block.parts.count > 1 ? "\(rule.id): " : ""
            notes.append(("help   ", label + rule.help))
            // The remedy of a fix by hand is the help.
            if let fix = rule.fix, run.isVerbose || fix.isMechanical {
                notes.append(("fix    ", "\(label)\(part.findings.fixLabel ?? fix.label()): \(fix.title)"))
            }
        }
        return notes
    }

    private func evidence(of part: FindingBlock) -> [(String, String)] {
        if let weighed = part.weighed {
            return VerdictText.notes(on: weighed, most: part.findings.compactMap(\.confidence).max())
        }
        guard let first = part.largestFirst.first else { return [] }
        let listed = first.evidence.filter { $0.kind == UndeclaredDirectory.evidenceKind }
        // The message contains some evidence already. The heading of several findings is the title, without the equal file.
        let others = first.evidence.filter {
            $0.kind != UndeclaredDirectory.evidenceKind
                && (run.isVerbose || part.findings.count > 1 && Evidence.equalFiles.contains($0.kind)
                    || !Self.isStated($0, in: first))
        }
        var notes: [(String, String)] = []
        if !others.isEmpty {
            let isShared = part.findings.allSatisfy { $0.evidence == first.evidence }
            let more = isShared ? "" : " (and \(part.findings.count - 1) more)"
            notes.append(("because", others.map { "\($0.kind): \($0.value)" }.joined(separator: "; ") + more))
        }
        return notes + listed.map { ("       ", $0.value) }
    }

    private static func isStated(_ evidence: Evidence, in finding: Finding) -> Bool {
        finding.message.split(separator: " ").contains { $0 == evidence.value }
            || evidence.value.contains(" ") && finding.message.contains(evidence.value)
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
