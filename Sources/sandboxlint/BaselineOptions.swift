import ArgumentParser
import StoragePolicy

/// The options that say which findings are known.
struct BaselineOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Findings that are known, and do not fail the run; instead of the configuration's.", valueName: "path"),
        completion: .file())
    var baseline: String?

    @Flag(help: "See through the baseline: report what it holds as well.")
    var noBaseline = false

    func validate() throws {
        if noBaseline, baseline != nil {
            throw ValidationError("--no-baseline and --baseline exclude each other; choose one.")
        }
    }

    /// The baseline for what a linter finds; nil for none.
    func path(for linter: Linter) -> String? { noBaseline ? nil : baseline ?? linter.configuration.baseline }

    /// The baselines of several linters, each file read once and before anything is linted.
    func read(for linters: [Linter]) throws -> [String: Baseline] {
        var baselines: [String: Baseline] = [:]
        for path in linters.compactMap(path) where baselines[path] == nil {
            baselines[path] = try Baseline(reading: path)
        }
        return baselines
    }
}
