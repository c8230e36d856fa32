internal import AppContainer
internal import ContainerLifecycle
internal import StoragePolicy
internal import TextOutput

/// The report as one JSON object, `sandboxlint-report/1`. Keys are stable; later versions may add keys.
///
/// As JSON lines: one object per finding and incident, then an object with everything else, each with its `type`.
struct JSONReport {
    private let run: LintRun
    /// Found once: the search looks at each directory above the working directory.
    private let repository = Repository.current
    private var report: LintReport { run.report }

    init(_ run: LintRun) { self.run = run }

    func write(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            frame(&json)
            json.array("incidents") { json in
                for incident in report.incidents { json.object { write(incident, &$0) } }
            }
            json.array("findings") { json in
                for finding in report.findings { json.object { write(finding, &$0) } }
            }
            json.array("suppressed") { json in
                for finding in report.suppressedFindings { json.object { write(finding, &$0) } }
            }
            json.array("accepted") { json in
                for finding in report.acceptedFindings { json.object { write(finding, &$0) } }
            }
        }
        output("\n")
    }

    func writeLines(to output: @escaping (String) -> Void) {
        func line(_ type: String, _ body: (inout JSONWriter) -> Void) {
            var json = JSONWriter(to: output)
            json.object { json in
                json.field("type", type)
                body(&json)
            }
            output("\n")
        }
        for finding in report.findings { line("finding") { write(finding, &$0) } }
        for incident in report.incidents { line("incident") { write(incident, &$0) } }
        for finding in report.suppressedFindings { line("suppressed") { write(finding, &$0) } }
        for finding in report.acceptedFindings { line("accepted") { write(finding, &$0) } }
        line("run") { frame(&$0) }
    }

    private func frame(_ json: inout JSONWriter) {
        json.field("schema", "sandboxlint-report/1")
        json.object("tool") { json in
            json.field("name", "sandboxlint")
            json.field("version", run.version)
            json.field("rules", RuleDigest(run.rules).text)
        }
        json.field("now", run.givenMoment)
        json.array("inputs") { json in
            for (index, input) in report.inputs.enumerated() {
                json.object { json in
                    json.field("path", input.path)
                    json.field("kind", "directory")
                    json.field("bundleID", input.bundleIdentifier)
                    let known = input.isFromDeviceBackup ? "manifest" : "xattr"
                    json.field("exclusionEvidence", input.carriesAttributes ? known : "none")
                    if let label = input.label { json.field("label", ByteText.printable(label)) }
                    json.field("app", input.app)
                    json.field("items", input.content.items)
                    json.field("bytes", input.content.bytes)
                    json.field("backedUpBytes", input.content.backedUpBytes)
                    json.field("undecidedBackedUpBytes", input.undecidedBytes)
                    json.field("ignored", input.ignored)
                    json.field("baselined", input.baselined)
                    json.array("disabled") { json in run.disabled[index].sorted().forEach { json.element($0) } }
                    write(input.locations, to: &json)
                }
            }
        }
        json.object("summary") { summary(&$0) }
        json.array("apps") { json in
            for app in report.apps { json.object { write(app, &$0) } }
        }
        write(report.locations, to: &json)
        json.array("usedSuppressions") { json in
            for position in Set(report.usedSuppressions.map(name)).sorted() { json.element(position) }
        }
        json.field("complete", run.isComplete)
        json.array("failures") { json in run.failures.forEach { json.element($0.reason) } }
        let notes = [run.exclusionNote].compactMap(\.self) + run.mergeNotes + run.configurationNotes
        if !notes.isEmpty { json.array("notes") { json in notes.forEach { json.element($0) } } }
    }

    private func write(_ locations: [Location: LintReport.Content], to json: inout JSONWriter) {
        json.array("locations") { json in
            for (location, content) in locations.sorted(by: { $0.key.path < $1.key.path }) {
                json.object { json in
                    json.field("location", location.path)
                    json.field("items", content.items)
                    json.field("bytes", content.bytes)
                    json.field("backedUpBytes", content.backedUpBytes)
                }
            }
        }
    }

    private func write(_ app: AppTotals, _ json: inout JSONWriter) {
        json.field("bundleID", app.bundleIdentifier)
        json.field("containers", app.containers)
        json.field("items", app.content.items)
        json.field("bytes", app.content.bytes)
        json.field("backedUpBytes", app.content.backedUpBytes)
        json.object("findings") { json in
            for severity in Severity.allCases { json.field(severity.rawValue, app.count(of: severity)) }
        }
    }

    /// Returns the identifier of a position in a configuration, without paths of this machine.
    private func name(of position: String) -> String {
        guard !run.isMerged, let end = position.split(separator: ":").dropLast(2).last?.endIndex else {
            return position
        }
        return repository.name(of: String(position[..<end])) + position[end...]
    }

    private func write(_ incident: Incident, _ json: inout JSONWriter) {
        json.field("input", incident.input)
        json.field("path", incident.displayPath)
        json.field("reason", incident.reason.rawValue)
    }

    private func summary(_ json: inout JSONWriter) {
        json.field("items", report.items)
        json.field("bytes", report.bytes)
        json.field("backedUpBytes", report.backedUpBytes)
        json.field("regenerableBackedUpBytes", report.regenerableBackedUpBytes)
        json.field("undecidedBackedUpBytes", report.undecidedBackedUpBytes)
        json.object("findings") { json in
            for severity in Severity.allCases { json.field(severity.rawValue, report.count(of: severity)) }
        }
        json.field("suppressed", report.suppressed)
        json.field("baselined", report.baselined)
        json.field("fixable", report.findings.count { $0.fixSafety == .safe })
    }

    /// Writes the parts of the fingerprint that other fields do not contain.
    private func writeIdentity(of finding: Finding, _ json: inout JSONWriter) {
        if finding.part != .item { json.field("part", finding.part.word) }
        if finding.ordinal > 0 { json.field("ordinal", finding.ordinal) }
    }

    private func write(_ finding: Finding, _ json: inout JSONWriter) {
        json.field("rule", finding.rule.id)
        json.field("group", finding.rule.group.rawValue)
        json.field("severity", finding.severity.rawValue)
        json.field("input", finding.input)
        json.field("path", finding.displayPath)
        json.field("pointer", finding.pointer)
        json.field("items", finding.items)
        json.field("bytes", finding.bytes)
        json.field("message", finding.message)
        json.field("after", finding.after?.rawValue)
        json.number("confidence", finding.confidence.map(EvidenceJSON.confidence))
        EvidenceJSON.write(finding.evidence, to: &json)
        json.object("exclusion") { json in
            json.field("state", finding.exclusion.state.rawValue)
            json.field("decidedBy", finding.exclusion.mark?.rawValue ?? "none")
            json.field("at", finding.exclusion.carrier.map { ByteText.escaped(Array($0.utf8)) })
        }
        json.field("location", finding.location.path)
        json.field("backedUp", finding.isBackedUp)
        json.field("largest", finding.largest.map(ByteText.escaped))
        json.field("fingerprint", finding.fingerprint)
        writeIdentity(of: finding, &json)
        if let position = finding.declaredAt { json.field("declared", name(of: position.identity)) }
        let anchor = run.anchors.anchor(of: finding)
        if anchor.kind != .container {
            json.object("anchor") { json in
                json.field("kind", anchor.kind.rawValue)
                json.field("file", anchor.shown)
                json.field("line", anchor.line)
            }
        }
        if let source = finding.source {
            json.object("source") { json in
                json.field("file", ByteText.escaped(Array(source.fileID.utf8)))
                json.field("line", source.line)
            }
        } else if let source = run.anchors.declaredSource(of: finding) {
            json.object("source") { json in
                json.field("file", source.shown)
                json.field("line", source.line)
            }
        } else {
            json.field("source", nil)
        }
        if let fix = finding.rule.fix {
            json.object("fix") { json in
                json.field("safety", (finding.fixSafety ?? fix.safety).rawValue)
                json.field("title", fix.title)
            }
        } else {
            json.field("fix", nil)
        }
        if let suppression = finding.suppression {
            json.field("by", suppression.kind.rawValue)
            json.field("place", suppression.location)
            json.field("reason", suppression.reason)
            json.field("owner", suppression.owner)
            json.field("until", suppression.until)
        }
    }
}
