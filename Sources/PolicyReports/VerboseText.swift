internal import StoragePolicy
internal import TextOutput

/// The details of a run that `--verbose` prints.
package struct VerboseText {
    private let run: LintRun
    private let baselines: [String]
    private let seconds: Double

    /// - Parameters:
    ///   - run: The run.
    ///   - baselines: The paths of the baselines.
    ///   - seconds: The duration of the lint.
    package init(_ run: LintRun, baselines: [String], after seconds: Double) {
        (self.run, self.baselines, self.seconds) = (run, baselines, seconds)
    }

    /// The text: one fact per line.
    package var text: String { lines.map { "sandboxlint: \($0)\n" }.joined() }

    private var lines: [String] {
        var lines: [String] = []
        for (input, linter) in zip(run.report.inputs, run.linters) {
            let name = input.label.map { ByteText.escaped(Array($0.utf8)) } ?? Self.name(of: input.path)
            let files = linter.configuration.files.map(Self.name)
            lines.append("\(name): configuration: \(files.isEmpty ? "none" : files.joined(separator: ", "))")
            let idle = run.rules.filter { !linter.evaluatedRuleIDs.contains($0.id) }.map(\.id)
            lines.append(
                "\(name): \(run.rules.count - idle.count) of \(run.rules.count) rules enabled"
                    + (idle.isEmpty ? "" : "; disabled: \(idle.joined(separator: ", "))"))
        }
        for finding in run.report.suppressedFindings {
            guard let suppression = finding.suppression else { continue }
            lines.append(
                "suppressed: \(finding.rule.id) \(finding.displayPath): \(suppression.reason) (\(suppression.location))"
            )
        }
        let known = Quantity.count(run.report.baselined, "finding")
        if !baselines.isEmpty {
            lines.append("accepted by the baseline \(baselines.map(Self.name).joined(separator: ", ")): \(known)")
        }
        let tenths = Int((seconds * 100).rounded())
        lines.append("linted in \(tenths / 100).\(tenths % 100 < 10 ? "0" : "")\(tenths % 100) s")
        return lines
    }

    private static func name(of path: String) -> String {
        ByteText.escaped(Array(Repository.current.name(of: path).utf8))
    }
}
