import AppContainer
import PolicyReports
import StoragePolicy
import SystemPackage

/// The containers of a run, linted one after the other.
struct LintedInputs {
    private(set) var report = LintReport()
    /// Why an input could not be linted at all.
    private(set) var failures: [LintRun.Failure] = []
    var isInputWrong: Bool { !failures.isEmpty }
    /// The inputs that were linted, by their places in the report, and the linter of each.
    private(set) var linters: [Linter] = []
    private let progress = Progress()

    /// None yet, or none at all because of what is wrong before.
    init(failures: [LintRun.Failure] = []) { self.failures = failures }

    /// Lints what can be linted; the reason for what cannot goes to standard error.
    mutating func lint(_ inputs: [String], by linters: [Linter]) {
        for (path, linter) in zip(inputs, linters) {
            do throws(ContainerError) {
                let container = try Container.open(FilePath(path))
                report.add(try linter.lint(container) { [progress] in progress.add($0) })
                self.linters.append(linter)
            } catch {
                failures.append(LintRun.Failure(error, of: path))
                progress.clear()
                Failure.say("sandboxlint: \(error)")
            }
        }
        progress.clear()
    }

    /// Takes what baselines know out of the report, each for the inputs that it is meant for.
    mutating func apply(_ baselines: [String: Baseline], by options: BaselineOptions) {
        for (path, baseline) in baselines.sorted(by: { $0.key < $1.key }) {
            report.apply(baseline, toInputs: Set(linters.indices.filter { options.path(for: linters[$0]) == path }))
        }
    }
}
