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
    private var findings: [Finding] { run.report.findings }

    init(_ run: LintRun) {
        self.run = run
        rules = SARIFRules(run.rules)
        var repetitions = Repetitions()
        ordinals = run.report.findings.map { repetitions.next($0.fingerprint) }
    }

    /// Returns one log with all findings, in as many runs as necessary.
    func write(to output: @escaping (String) -> Void) { write(Array(files.joined()), to: output) }

    /// Returns as many logs as GitHub's limits require, the most severe findings first.
    var logs: [(@escaping (String) -> Void) -> Void] {
        files.map { ranges in { output in write(ranges, to: output) } }
    }

    /// Writes a run of some findings. Its number starts at 0.
    private typealias Part = (number: Int, findings: Range<Int>)

    private func write(_ parts: [Part], to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            json.field("version", "2.1.0")
            json.array("runs") { json in
                for part in parts { json.object { write(part, &$0) } }
            }
        }
        output("\n")
    }

    /// Returns the findings of each run of each file.
    private var files: [[Part]] {
        let frame = Self.bytes { write((0, 0..<0), &$0) } + 200
        var files: [[Part]] = [[]]
        var (start, bytes, number) = (0, frame, 0)
        func end(before index: Int, file isFull: Bool) {
            files[files.count - 1].append((number, start..<index))
            (start, number) = (index, number + 1)
            let isLast = isFull || files[files.count - 1].count == Self.mostRuns
            bytes = isLast ? frame : bytes + frame
            if isLast { files.append([]) }
        }
        for index in findings.indices {
            let size = Self.bytes { write(index, &$0) }
            if bytes + size > Self.mostBytes, index > start {
                end(before: index, file: true)
            } else if index - start == Self.mostResults {
                end(before: index, file: false)
            }
            bytes += size
        }
        files[files.count - 1].append((number, start..<findings.count))
        return files
    }

    private static func bytes(of write: (inout JSONWriter) -> Void) -> Int {
        var count = 0
        var json = JSONWriter { count += $0.utf8.count }
        json.object(nil, write)
        return count + 1
    }

    private func write(_ part: Part, _ json: inout JSONWriter) {
        json.object("tool") { json in
            json.object("driver") { json in
                json.field("name", "sandboxlint")
                json.field("semanticVersion", run.version)
                json.field("informationUri", Project.address)
                rules.write(to: &json)
            }
        }
        // GitHub accepts one run per category in an upload, so each run has a category of its own.
        json.object("automationDetails") {
            $0.field("id", "sandboxlint\(part.number == 0 ? "" : "-\(part.number + 1)")/")
        }
        json.array("invocations") { json in
            json.object { json in
                json.field("executionSuccessful", run.isComplete)
                json.array("toolExecutionNotifications") { writeGaps(&$0) }
            }
        }
        json.field("columnKind", "utf16CodeUnits")
        json.array("results") { json in
            for index in part.findings { json.object { write(index, &$0) } }
        }
    }

    private func writeGaps(_ json: inout JSONWriter) {
        let gaps = run.gaps
        for gap in gaps.prefix(Self.mostNotifications) {
            json.object { json in
                json.field("level", "error")
                json.object("message") { $0.field("text", gap.text) }
                guard gap.path != nil else { return }
                json.array("locations") { json in
                    json.object { Self.write(run.anchors.anchor(of: gap), hasRegion: false, &$0) }
                }
            }
        }
        guard gaps.count > Self.mostNotifications else { return }
        json.object { json in
            json.field("level", "error")
            json.object("message") {
                $0.field("text", "\(gaps.count - Self.mostNotifications) more items were not read")
            }
        }
    }

    private func write(_ index: Int, _ json: inout JSONWriter) {
        let finding = findings[index]
        let anchor = run.anchors.anchor(of: finding)
        json.field("ruleId", finding.rule.id)
        if let index = rules.index(of: finding.rule) { json.field("ruleIndex", index) }
        json.field("level", finding.severity.rawValue)
        // In narrow views, GitHub shows only the first sentence.
        json.object("message") {
            $0.field("text", "\(run.message(finding.message, in: finding.input)).\n\(run.remedy(finding.rule))")
        }
        json.array("locations") { json in json.object { Self.write(anchor, hasRegion: true, &$0) } }
        if anchor.kind != .container {
            json.array("relatedLocations") { json in
                json.object { json in
                    json.field("id", 1)
                    Self.write(run.anchors.item(of: finding), hasRegion: false, &json)
                    json.object("message") { $0.field("text", "item in the container") }
                }
            }
        }
        json.object("partialFingerprints") { json in
            json.field("primaryLocationLineHash", "\(finding.fingerprint):\(ordinals[index])")
            json.field("sandboxlint/v1", "\(finding.fingerprint):\(ordinals[index])")
        }
        // The rank of a result in SARIF, from 0 to 100.
        if let confidence = finding.confidence { json.number("rank", EvidenceJSON.confidence(confidence) * 100) }
        json.object("properties") { json in
            if let container = run.anchors.label(of: finding.input) { json.field("container", container) }
            json.field("path", finding.displayPath)
            json.field("items", finding.items)
            json.field("bytes", finding.bytes)
            json.field("backedUp", finding.isBackedUp)
            if let confidence = finding.confidence { json.number("confidence", EvidenceJSON.confidence(confidence)) }
            if !finding.evidence.isEmpty { EvidenceJSON.write(finding.evidence, to: &json) }
        }
    }

    private static func write(_ anchor: Anchor, hasRegion: Bool, _ json: inout JSONWriter) {
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
