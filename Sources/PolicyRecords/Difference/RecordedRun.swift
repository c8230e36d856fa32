internal import AppContainer
internal import ContainerLifecycle
package import StoragePolicy
internal import TextOutput

/// A run that an earlier report records, for reports in every format.
package struct RecordedRun: Sendable {
    /// The path of the report as given.
    package let path: String
    /// The version of the tool.
    package let version: String
    /// The digest of the rules.
    package let rules: String
    /// The time from which ages were computed; nil for the time of the run.
    package let now: String?
    /// The findings, with inputs in the order of the report.
    package let report: LintReport
    /// The ids of the rules that were not evaluated, for each input.
    package let disabled: [Set<String>]
    /// The failures, one sentence each.
    package let failures: [String]
    /// True if the run was complete.
    package let isComplete: Bool
    /// A hash of each input with its findings and incidents as recorded, to compare containers of several reports.
    private let hashes: [Int]

    /// Validates a report.
    ///
    /// - Parameters:
    ///   - earlier: The report.
    ///   - catalogue: The rules that its findings may have.
    /// - Throws: `UnreadableSource` for a report that is damaged or has findings of unknown rules.
    package init(_ earlier: EarlierReport, rules catalogue: [String: Rule]) throws(UnreadableSource) {
        let content = earlier.content
        let reader = RecordReader(path: earlier.path, rules: catalogue, inputs: content.inputs)
        path = earlier.path
        version = ByteText.printable(content.tool.version.prefix(40))
        rules = ByteText.printable(content.tool.rules.prefix(40))
        now = content.now.map { ByteText.printable($0.prefix(40)) }
        (isComplete, failures) = (content.complete, content.failures.map { ByteText.printable($0) })
        var report = LintReport()
        var hashers: [Hasher] = []
        for (index, input) in reader.inputs.enumerated() {
            report.inputs.append(try reader.input(input, at: index))
            var hasher = Hasher()
            hasher.combine(input)
            hashers.append(hasher)
        }
        disabled = reader.inputs.map { Set($0.disabled) }
        // The hash does not contain the index of the input, which is another in each report.
        func read(
            _ record: ReportContent.Finding, suppression: ReportContent.Suppression?, at position: (String, Int)
        ) throws(UnreadableSource) -> Finding {
            let read = try reader.finding(record, suppression: suppression, at: position)
            var record = record
            record.input = 0
            hashers[read.input].combine(record)
            hashers[read.input].combine(suppression)
            return read
        }
        for (index, record) in content.findings.enumerated() {
            report.findings.append(try read(record, suppression: nil, at: ("findings", index)))
        }
        for (index, record) in content.suppressed.enumerated() {
            report.suppressedFindings.append(
                try read(record.first, suppression: record.second, at: ("suppressed", index)))
        }
        for (index, record) in content.accepted.enumerated() {
            report.acceptedFindings.append(try read(record.first, suppression: record.second, at: ("accepted", index)))
        }
        for (index, incident) in content.incidents.enumerated() {
            let read = try reader.incident(incident, at: index)
            var record = incident
            record.input = 0
            hashers[read.input].combine(record)
            report.incidents.append(read)
        }
        report.usedSuppressions = Set(content.usedSuppressions)
        self.report = report
        hashes = hashers.map { $0.finalize() }
    }

    /// Returns true if an input is recorded as in another report: the same container with the same result.
    package func hasSame(input: Int, as other: RecordedRun, _ otherInput: Int) -> Bool {
        hashes[input] == other.hashes[otherInput]
    }

    /// Returns the report without some inputs.
    package func report(without dropped: Set<Int>) -> LintReport {
        report.without(dropped)
    }
}

extension LintReport {
    /// Returns the report without some inputs and everything about them.
    fileprivate func without(_ dropped: Set<Int>) -> LintReport {
        guard !dropped.isEmpty else { return self }
        let kept = inputs.indices.filter { !dropped.contains($0) }
        var positions: [Int: Int] = [:]
        for (position, index) in kept.enumerated() { positions[index] = position }
        var report = LintReport()
        report.inputs = kept.map { inputs[$0] }
        report.findings = findings.compactMap { finding in
            positions[finding.input].map { finding.moved(byInputs: $0 - finding.input) }
        }
        report.suppressedFindings = suppressedFindings.compactMap { finding in
            positions[finding.input].map { finding.moved(byInputs: $0 - finding.input) }
        }
        report.acceptedFindings = acceptedFindings.compactMap { finding in
            positions[finding.input].map { finding.moved(byInputs: $0 - finding.input) }
        }
        report.incidents = incidents.compactMap { incident in
            positions[incident.input].map { position in
                var incident = incident
                incident.input = position
                return incident
            }
        }
        report.usedSuppressions = usedSuppressions
        return report
    }
}
