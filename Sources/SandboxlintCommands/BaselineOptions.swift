import ArgumentParser
internal import PolicyRecords
import PolicyReports
import StoragePolicy

/// The options that select a baseline.
struct BaselineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this baseline of accepted findings. (default: `baseline` of the configuration)", valueName: "path"),
        completion: .file())
    var baseline: String?

    @Flag(help: "Ignore the baseline and report its findings as well.")
    var noBaseline = false

    func validate() throws {
        if noBaseline, baseline != nil {
            throw ValidationError("--no-baseline and --baseline cannot be combined.")
        }
    }

    /// The path of the baseline for a linter's findings; nil without a baseline.
    func path(for linter: Linter) -> String? { noBaseline ? nil : baseline ?? linter.configuration.baseline }

    /// Reads the baselines of several linters, each file once.
    func read(for linters: [Linter]) throws -> [String: Baseline] {
        var baselines: [String: Baseline] = [:]
        for path in linters.compactMap(path) where baselines[path] == nil {
            let baseline = try Baseline(reading: path)
            try Linter.check(baseline, for: linters.filter { self.path(for: $0) == path })
            baselines[path] = baseline
        }
        return baselines
    }
}

/// The option that compares a run with an earlier one.
struct CompareOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Also report what changed since this JSON report of an earlier run (text, markdown, html and sarif).",
            discussion: """
                The exit code is that of all findings; `sandboxlint diff` exits with 1 for new findings only. The report is \
                read before any report is written, so that --output may replace it.
                """, valueName: "report"),
        completion: .file(extensions: ["json"]))
    var compare: String?

    /// Reads the report; nil without the option. Prints an error for a report that cannot be compared.
    ///
    /// - Parameters:
    ///   - rules: The rules of the run.
    ///   - version: The version of the tool.
    /// - Returns: The earlier run, and true if the report is missing or not valid.
    func read(rules: [Rule], version: String) -> (run: ComparedRun?, isWrong: Bool) {
        guard let compare else { return (nil, false) }
        do throws(UnreadableSource) {
            return (try ComparedRun(reading: compare, rules: rules, version: version), false)
        } catch {
            Failure.printMessage("sandboxlint: \(error)")
            return (nil, true)
        }
    }
}
