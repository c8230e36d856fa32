internal import AppContainer
package import StoragePolicy
internal import TextOutput

// The records of a run that is written. `RecordReader` reads them.

extension ReportContent.Tool {
    /// This program.
    package init(version: String, rules: RuleDigest) {
        self.init(name: .sandboxlint, version: version, rules: rules.text)
    }
}

extension ReportContent.Run {
    /// The record of a run.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - tool: The program that wrote it.
    ///   - now: The time from which ages were computed; nil for the time of the run.
    ///   - disabled: The ids of the rules that were not evaluated, for each input.
    ///   - usedSuppressions: The positions of the configured suppressions that were used.
    ///   - isComplete: True if the run is complete.
    ///   - failures: The failures, one sentence each.
    ///   - notes: The notes, one sentence each.
    package init(
        _ report: LintReport, by tool: ReportContent.Tool, now: String?, disabled: [Set<String>],
        usedSuppressions: [String], isComplete: Bool, failures: [String], notes: [String]
    ) {
        self.init(
            schema: .current, tool: tool, now: now,
            inputs: zip(report.inputs, disabled).map { ReportContent.Input($0, disabled: $1) },
            summary: ReportContent.Summary(report), apps: report.apps.map { ReportContent.App($0) },
            locations: ReportContent.Content.list(report.locations), usedSuppressions: usedSuppressions,
            complete: isComplete, failures: failures, notes: notes.isEmpty ? nil : notes)
    }
}

extension ReportContent.Lists {
    /// The lists of a report.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - record: Returns the record of a finding and its position in the report; nil if it is suppressed or accepted.
    package init(_ report: LintReport, _ record: @escaping (Finding, Int?) -> ReportContent.Finding) {
        func suppressed(_ finding: Finding) -> ReportContent.SuppressedFinding {
            guard let suppression = finding.suppression else { fatalError("the finding is not suppressed") }
            return Joined(record(finding, nil), ReportContent.Suppression(suppression))
        }
        self.init(
            incidents: Records(report.incidents) {
                ReportContent.Incident(input: $0.input, path: $0.displayPath, reason: $0.reason.rawValue)
            },
            findings: Records(Array(report.findings.indices)) { record(report.findings[$0], $0) },
            suppressed: Records(report.suppressedFindings, suppressed),
            accepted: Records(report.acceptedFindings, suppressed))
    }
}

extension ReportContent.Input {
    fileprivate init(_ input: LintReport.Input, disabled: Set<String>) {
        let evidence: ExclusionEvidence = input.isFromDeviceBackup ? .manifest : .xattr
        self.init(
            path: input.path, kind: "directory", bundleID: input.bundleIdentifier,
            exclusionEvidence: input.carriesAttributes ? evidence : .none,
            label: input.label.map { ByteText.printable($0) }, app: input.app, items: input.content.items,
            bytes: input.content.bytes, backedUpBytes: input.content.backedUpBytes,
            undecidedBackedUpBytes: input.undecidedBytes, ignored: input.ignored, baselined: input.baselined,
            freshInstall: input.isFreshInstall ? true : nil, disabled: disabled.sorted(),
            locations: ReportContent.Content.list(input.locations))
    }
}

extension ReportContent.Content {
    init(_ content: LintReport.Content) {
        self.init(items: content.items, bytes: content.bytes, backedUpBytes: content.backedUpBytes)
    }

    fileprivate static func list(_ contents: [Location: LintReport.Content]) -> [ReportContent.Location] {
        contents.sorted { $0.key.path < $1.key.path }.map {
            Joined(ReportContent.LocationPath(location: $0.key.path), Self($0.value))
        }
    }
}

extension ReportContent.Summary {
    fileprivate init(_ report: LintReport) {
        let content = report.content
        self.init(
            items: content.items, bytes: content.bytes, backedUpBytes: content.backedUpBytes,
            regenerableBackedUpBytes: report.regenerableBackedUpBytes,
            undecidedBackedUpBytes: report.undecidedBackedUpBytes, findings: ReportContent.Counts(report.count(of:)),
            suppressed: report.suppressed, baselined: report.baselined,
            fixable: report.findings.count { $0.fixSafety == .safe })
    }
}

extension ReportContent.Counts {
    fileprivate init(_ count: (Severity) -> Int) {
        self.init(error: count(.error), warning: count(.warning), note: count(.note))
    }
}

extension ReportContent.App {
    fileprivate init(_ app: AppTotals) {
        self.init(
            bundleID: app.bundleIdentifier, containers: app.containers, items: app.content.items,
            bytes: app.content.bytes, backedUpBytes: app.content.backedUpBytes,
            findings: ReportContent.Counts(app.count(of:)))
    }
}

extension ReportContent.Finding {
    /// The record of a finding.
    ///
    /// - Parameters:
    ///   - finding: The finding.
    ///   - anchor: The line that a reviewer can change; nil for an item of the container.
    ///   - writtenBy: The lines that probably write the item.
    ///   - writer: The system or the SDK that writes it.
    ///   - cause: The name of the cause; nil for a suppressed finding.
    ///   - name: Returns the identifier of a position in a configuration, without paths of this machine.
    package init(
        _ finding: Finding, anchor: ReportContent.Anchor?, writtenBy: [ReportContent.ProbableLine] = [],
        writer: String? = nil, cause: String? = nil, name: (String) -> String
    ) {
        // An item whose save recorded no line may have one that the configuration declares.
        let source = finding.source.map { (file: ByteText.escaped(Array($0.fileID.utf8)), line: $0.line) }
        let declared = anchor.flatMap {
            $0.kind == "source" && writtenBy.isEmpty ? (file: $0.file, line: $0.line) : nil
        }
        self.init(
            rule: finding.rule.id, group: finding.rule.group, severity: finding.severity, input: finding.input,
            path: finding.displayPath, pointer: finding.pointer, items: finding.items, bytes: finding.bytes,
            message: finding.message, after: finding.after.map { Word(wrappedValue: $0) },
            confidence: finding.confidence.map { Probability($0) },
            evidence: finding.evidence.map {
                ReportContent.Evidence(kind: $0.kind, value: $0.value, weight: $0.weight)
            },
            exclusion: ReportContent.Exclusion(
                state: finding.exclusion.state, decidedBy: .init(finding.exclusion.mark),
                at: finding.exclusion.carrier.map { ByteText.escaped(Array($0.utf8)) }),
            location: finding.location.path, backedUp: finding.isBackedUp,
            largest: finding.largest.map(ByteText.escaped), fingerprint: finding.fingerprint,
            part: finding.part == .item ? nil : finding.part.word,
            ordinal: finding.ordinal > 0 ? UInt32(clamping: finding.ordinal) : nil,
            declared: finding.declaredAt.map { name($0.identity) }, anchor: anchor,
            source: (source ?? declared).map { ReportContent.Line(file: $0.file, line: $0.line) },
            writtenBy: writtenBy.isEmpty ? nil : writtenBy, writer: writer, cause: cause,
            fix: finding.rule.fix.map {
                ReportContent.Fix(safety: finding.fixSafety ?? $0.safety, title: $0.title)
            })
    }
}

extension ReportContent.Suppression {
    fileprivate init(_ suppression: Finding.Suppression) {
        self.init(
            by: suppression.kind, place: suppression.location, reason: suppression.reason, owner: suppression.owner,
            until: suppression.until)
    }
}
