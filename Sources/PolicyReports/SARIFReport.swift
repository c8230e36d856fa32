internal import ContainerLifecycle
internal import StoragePolicy
internal import TextOutput

/// SARIF 2.1.0 in the profile of GitHub code scanning. It contains all rules, so that GitHub closes the alerts of rules
/// without findings. Each finding has one location with a region and a relative URI, and a fingerprint, because GitHub
/// cannot compute one for a file outside the repository.
///
/// Sources: OASIS, sarif-v2.1.0; GitHub, "SARIF support for code scanning" and "SARIF results exceed one or more limits".
struct SARIFReport {
    /// The maximum number of findings per run on GitHub.
    private static let mostResults = 5_000
    /// The maximum number of runs per file on GitHub.
    private static let mostRuns = 20
    /// The maximum size of a file in bytes. GitHub accepts 10 MB of compressed data, so it always accepts a file of this size.
    private static let mostBytes = 10_000_000
    /// The maximum number of gaps. The rest is only counted.
    private static let mostNotifications = 1_000

    private let run: LintRun
    private let rules: SARIFRules
    private let ordinals: [Int]
    private let causes: CauseNames
    /// The changes of findings since an earlier run, if it was compared.
    private let changes: [String: String]?
    /// The tool and the invocations of a run, which are the same in each.
    private let tool: String
    private let invocations: String
    /// The bytes of a run without results.
    private let frame: Int
    /// The first finding that is not written yet, and its text if it did not fit into the last run.
    private var next = 0
    private var pending: String?
    /// The number of runs that were written.
    private var runs = 0
    /// The findings, and after them those that are suppressed or accepted.
    private let findings: [Finding]

    init(_ run: LintRun) {
        self.run = run
        let rules = SARIFRules(run.rules)
        self.rules = rules
        var repetitions = Repetitions()
        let findings = run.report.findings + run.report.suppressedFindings + run.report.acceptedFindings
        self.findings = findings
        (causes, changes) = (CauseNames(run.report), run.comparison?.changes)
        ordinals = findings.map { repetitions.next($0.fingerprint) }
        let tool = Self.text { Self.writeTool(run, rules: rules, into: &$0) }
        let invocations = Self.text { Self.writeInvocations(run, into: &$0) }
        (self.tool, self.invocations) = (tool, invocations)
        let empty = Self.text { json in
            json.object { Self.writeRun(0, tool: tool, invocations: invocations, into: &$0) { _ in } }
        }
        // Room for what a later run or another file has in addition.
        frame = empty.utf8.count + 1 + 200
    }

    /// Writes one log with all findings, in as many runs as they need.
    mutating func write(to output: @escaping (String) -> Void) {
        writeLog(to: output) { report, json in
            repeat { report.writeFile(&json) } while report.hasMore
        }
    }

    /// True if findings remain after a log was written.
    var hasMore: Bool { next < findings.count }

    /// Writes one log with as many findings as GitHub accepts in one file, most severe first.
    mutating func writeNext(to output: @escaping (String) -> Void) {
        writeLog(to: output) { report, json in report.writeFile(&json) }
    }

    private mutating func writeLog(
        to output: @escaping (String) -> Void, _ writeRuns: (inout SARIFReport, inout JSONWriter) -> Void
    ) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            json.field("version", "2.1.0")
            json.array("runs") { writeRuns(&self, &$0) }
        }
        output("\n")
    }

    /// Writes the runs of one file: until it is full, or all findings are written.
    private mutating func writeFile(_ json: inout JSONWriter) {
        var (bytes, count) = (0, 0)
        var isFull = false
        repeat {
            bytes += frame
            json.object { json in
                Self.writeRun(runs, tool: tool, invocations: invocations, into: &json) {
                    isFull = writeResults(&bytes, into: &$0)
                }
            }
            runs += 1
            count += 1
        } while hasMore && !isFull && count < Self.mostRuns
    }

    /// Writes the results of one run. Returns true if the next result would make the file too large.
    ///
    /// Each result is serialized once: its text is measured, then written to this run or kept for the next one.
    private mutating func writeResults(_ bytes: inout Int, into json: inout JSONWriter) -> Bool {
        let start = next
        while hasMore {
            let index = next
            let text = pending ?? Self.text { json in json.object { write(index, into: &$0) } }
            let size = text.utf8.count + 1
            let isFull = index > start && bytes + size > Self.mostBytes
            guard !isFull, index - start < Self.mostResults else {
                pending = text
                return isFull
            }
            json.element(json: text)
            pending = nil
            bytes += size
            next += 1
        }
        return false
    }

    private static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var text = ""
        var json = JSONWriter { text += $0 }
        write(&json)
        return text
    }

    private static func writeRun(
        _ number: Int, tool: String, invocations: String, into json: inout JSONWriter,
        results: (inout JSONWriter) -> Void
    ) {
        json.field("tool", json: tool)
        // GitHub accepts one run of a category from each upload, so each run has its own category.
        json.object("automationDetails") { $0.field("id", "sandboxlint\(number == 0 ? "" : "-\(number + 1)")/") }
        json.field("invocations", json: invocations)
        json.field("columnKind", "utf16CodeUnits")
        json.array("results") { results(&$0) }
    }

    private static func writeTool(_ run: LintRun, rules: SARIFRules, into json: inout JSONWriter) {
        json.object { json in
            json.object("driver") { json in
                json.field("name", "sandboxlint")
                json.field("semanticVersion", run.version)
                if let link = Project.link { json.field("informationUri", link) }
                rules.write(to: &json)
            }
        }
    }

    private static func writeInvocations(_ run: LintRun, into json: inout JSONWriter) {
        json.array { json in
            json.object { json in
                json.field("executionSuccessful", run.isComplete)
                json.array("toolExecutionNotifications") { writeGaps(run, into: &$0) }
            }
        }
    }

    private static func writeGaps(_ run: LintRun, into json: inout JSONWriter) {
        let gaps = run.gaps
        for gap in gaps.prefix(mostNotifications) {
            json.object { json in
                json.field("level", "error")
                json.object("message") { $0.field("text", gap.text) }
                guard gap.path != nil else { return }
                json.array("locations") { json in
                    json.object { write(run.anchors.anchor(of: gap), hasRegion: false, into: &$0) }
                }
            }
        }
        guard gaps.count > mostNotifications else { return }
        json.object { json in
            json.field("level", "error")
            json.object("message") {
                $0.field("text", "\(gaps.count - mostNotifications) more items were not read")
            }
        }
    }

    private func write(_ index: Int, into json: inout JSONWriter) {
        let finding = findings[index]
        let anchor = run.anchors.anchor(of: finding)
        json.field("ruleId", finding.rule.id)
        if let index = rules.index(of: finding.rule) { json.field("ruleIndex", index) }
        json.field("level", finding.severity.rawValue)
        if let changes, finding.suppression == nil {
            json.field("baselineState", Self.state(changes[finding.fingerprint]))
        }
        // In narrow views, GitHub shows only the first sentence.
        json.object("message") {
            let doubt = run.doubt(of: finding).map { "\($0).\n" } ?? ""
            $0.field("text", "\(run.message(finding.message, in: finding.input)).\n\(doubt)\(run.remedy([finding]))")
        }
        json.array("locations") { json in
            json.object { json in
                Self.write(anchor, hasRegion: true, into: &json)
                json.array("logicalLocations") { json in json.object { writeItem(of: finding, &$0) } }
            }
        }
        if anchor.kind != .container {
            json.array("relatedLocations") { json in
                json.object { json in
                    json.field("id", 1)
                    Self.write(run.anchors.item(of: finding), hasRegion: false, into: &json)
                    json.object("message") { $0.field("text", "item in the container") }
                }
            }
        }
        if let event = finding.after {
            json.array("codeFlows") { json in json.object { writeFlow(from: event, to: finding, &$0) } }
        }
        json.object("partialFingerprints") { json in
            json.field("primaryLocationLineHash", "\(finding.fingerprint):\(ordinals[index])")
            json.field("sandboxlint/v1", "\(finding.fingerprint):\(ordinals[index])")
        }
        if let suppression = finding.suppression {
            json.array("suppressions") { json in json.object { Self.write(suppression, into: &$0) } }
        }
        // The rank of a result in SARIF, from 0 to 100.
        if let confidence = finding.confidence { json.number("rank", EvidenceJSON.confidence(confidence) * 100) }
        json.object("properties") { json in
            if let container = run.anchors.label(of: finding.input) { json.field("container", container) }
            json.field("path", finding.displayPath)
            json.field("items", finding.items)
            json.field("bytes", finding.bytes)
            json.field("backedUp", finding.isBackedUp)
            if let cause = causes[index] { json.field("cause", cause) }
            if let event = finding.after { json.field("after", event.rawValue) }
            if let confidence = finding.confidence { json.number("confidence", EvidenceJSON.confidence(confidence)) }
            if !finding.evidence.isEmpty { EvidenceJSON.write(finding.evidence, to: &json) }
        }
    }

    /// Returns the state of a result since an earlier run. Source: SARIF 3.27.24.
    private static func state(_ change: String?) -> String {
        change.map { $0 == "new" ? "new" : "updated" } ?? "unchanged"
    }

    /// Writes a suppression. The configuration and the baseline are not in the item, so they are external.
    private static func write(_ suppression: Finding.Suppression, into json: inout JSONWriter) {
        json.field("kind", suppression.kind == .attribute ? "inSource" : "external")
        json.field("status", "accepted")
        json.field("justification", suppression.reason)
        json.object("properties") { json in
            json.field("place", suppression.location)
            if let owner = suppression.owner { json.field("owner", owner) }
            if let until = suppression.until { json.field("until", until) }
        }
    }

    /// Writes the item in its container, which exists independently of files on this machine.
    private func writeItem(of finding: Finding, _ json: inout JSONWriter) {
        let input = run.report.inputs[finding.input]
        let container = ByteText.escaped(Array((input.bundleIdentifier ?? input.label ?? "container").utf8))
        let name = finding.path.split(separator: UInt8(ascii: "/")).last.map { ByteText.escaped(Array($0)) }
        json.field("name", name ?? container)
        json.field("fullyQualifiedName", finding.path.isEmpty ? container : "\(container)/\(finding.displayPath)")
        // SARIF 3.33.7 has no kind for a file in a container, and allows others.
        json.field("kind", finding.path.isEmpty ? "container" : "item")
    }

    /// Writes the flow from an event to the item: the event happens to the container, and the item shows the effect.
    private func writeFlow(from event: LifecycleEvent, to finding: Finding, _ json: inout JSONWriter) {
        func step(_ json: inout JSONWriter, anchor: Anchor, text: String) {
            json.object { json in
                json.object("location") { json in
                    Self.write(anchor, hasRegion: true, into: &json)
                    json.object("message") { $0.field("text", text) }
                }
            }
        }
        json.array("threadFlows") { json in
            json.object { json in
                json.array("locations") { json in
                    step(&json, anchor: run.anchors.anchor(of: finding), text: "event: \(event.rawValue)")
                    step(&json, anchor: run.anchors.item(of: finding), text: "item: \(finding.displayPath)")
                }
            }
        }
    }

    private static func write(_ anchor: Anchor, hasRegion: Bool, into json: inout JSONWriter) {
        json.object("physicalLocation") { json in
            json.object("artifactLocation") { $0.field("uri", anchor.uri) }
            guard hasRegion else { return }
            // On one line, since GitHub shows an alert in a pull request only if the request changes all its lines.
            json.object("region") { json in
                json.field("startLine", anchor.line)
                json.field("startColumn", 1)
                json.field("endLine", anchor.line)
                json.field("endColumn", 2)
            }
        }
    }
}

/// A counter for equal texts.
struct Repetitions {
    private var counts: [String: Int] = [:]

    /// Returns 1 for the first occurrence of a text, 2 for the second, and so on.
    mutating func next(_ text: String) -> Int {
        counts[text, default: 0] += 1
        return counts[text, default: 1]
    }
}
