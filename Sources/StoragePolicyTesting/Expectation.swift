internal import PolicyRecords
internal import TextOutput
internal import AppContainer
internal import StoragePolicy

/// The expectation that a container has no findings of a certain severity.
struct Expectation {
    let select: [String]
    let ignore: [String]
    let configuration: ConfigurationChoice
    let failOn: Severity

    /// Returns a text for each finding of at least the severity `failOn`, and for each part that could not be read.
    func complaints(of open: () throws -> Container, inTestOf sourceFile: String) -> [String] {
        do {
            let container = try open()
            let report = try report(on: container, configuration.configuration(for: sourceFile))
            return report.incidents.map { incident in
                "not read: \(incident.path.isEmpty ? "the container itself" : incident.displayPath): \(incident.reason.rawValue)"
            } + report.findings.filter { $0.severity >= failOn }.map(Self.text)
        } catch { return ["the container could not be linted: \(error)"] }
    }

    private func report(on container: Container, _ configuration: Configuration) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        for folder in configuration.rulesFolders { try catalogue.add(folder: folder) }
        try catalogue.restrict(select: select, ignore: ignore)
        let linter = try Linter(catalogue: catalogue, configuration: configuration)
        var report = try linter.lint(container)
        if let path = configuration.baseline {
            let baseline = try Baseline(reading: path)
            try Linter.check(baseline, for: [linter])
            report.apply(baseline, toInputs: [0])
        }
        return report
    }

    private static func text(of finding: Finding) -> String {
        var lines = ["\(finding.severity.rawValue)[\(finding.rule.id)]: \(finding.message)"]
        let place = finding.path.isEmpty ? "the container itself" : finding.displayPath
        lines.append("  --> \(place)" + (finding.items > 1 ? "/   (\(finding.items) items)" : ""))
        if let source = finding.source {
            lines.append("   = written by  \(ByteText.escaped(Array(source.description.utf8)))")
        }
        lines.append("   = help  \(finding.rule.help)")
        lines.append("   = why  `sandboxlint explain \(finding.rule.id)`")
        return lines.joined(separator: "\n")
    }
}
