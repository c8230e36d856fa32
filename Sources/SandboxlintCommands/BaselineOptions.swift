import ArgumentParser
internal import PolicyRecords
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
