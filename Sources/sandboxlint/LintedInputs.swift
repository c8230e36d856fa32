import AppContainer
import CommandLineSupport
import FileSystem
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// The containers of a run, linted one after the other.
struct LintedInputs {
    private(set) var report = LintReport()
    /// Why an input could not be linted at all.
    private(set) var failures: [LintRun.Failure] = []
    var isInputWrong: Bool { !failures.isEmpty }
    /// The inputs that were linted, by their places in the report, and the linter of each.
    private(set) var linters: [Linter] = []
    /// How long it took.
    private(set) var seconds = 0.0

    /// None yet, or none at all because of what is wrong before.
    init(failures: [LintRun.Failure] = []) { self.failures = failures }

    /// Lints what can be linted; the reason for what cannot goes to standard error.
    ///
    /// - Parameters:
    ///   - inputs: The paths of the containers.
    ///   - appPath: The bundle of the installed app, where one was given.
    ///   - linters: The linter of each input.
    ///   - progress: Shows how many items have been seen.
    mutating func lint(
        _ inputs: [String], app appPath: String? = nil, by linters: [Linter], showing progress: ProgressLine
    ) {
        let started = Host.uptime
        var app: AppBundle?
        if let appPath {
            do throws(ContainerError) { app = try AppBundle(at: FilePath(appPath)) } catch {
                failures.append(LintRun.Failure(error, of: appPath))
            }
        }
        let containers = inputs.map { path in
            Result { () throws(ContainerError) in try Container.open(FilePath(path)) }
        }
        let opened = containers.compactMap { try? $0.get() }
        progress.count(opened)
        for ((path, linter), container) in zip(zip(inputs, linters), containers) {
            do throws(ContainerError) {
                report.add(try linter.lint(try container.get(), app: app, others: opened) { progress.add($0) })
                self.linters.append(linter)
            } catch { failures.append(LintRun.Failure(error, of: path)) }
        }
        progress.end()
        for failure in failures { Failure.say("sandboxlint: \(failure.said)") }
        Failure.sayIfAccessTimesMoved()
        seconds = Double(Host.uptime - started) / 1e9
    }

    /// Takes what baselines know out of the report, each for the inputs that it is meant for.
    mutating func apply(_ baselines: [String: Baseline], by options: BaselineOptions, isStrict: Bool) {
        for (path, baseline) in baselines.sorted(by: { $0.key < $1.key }) {
            let inputs = Set(linters.indices.filter { options.path(for: linters[$0]) == path })
            report.apply(baseline, toInputs: inputs, isStrict: isStrict)
        }
    }
}
