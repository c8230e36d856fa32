import AppContainer
import CommandLineSupport
import FileSystem
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// The results of linting the containers of a run, one after the other.
struct LintedInputs {
    private(set) var report = LintReport()
    /// The inputs that could not be opened, with the reasons.
    private(set) var failures: [LintRun.Failure] = []
    var isInputWrong: Bool { !failures.isEmpty }
    /// The linter of each linted input, by its index in the report.
    private(set) var linters: [Linter] = []
    /// The duration of the run in seconds.
    private(set) var seconds = 0.0

    /// Creates an empty result, with the errors that prevented linting.
    init(failures: [LintRun.Failure] = []) { self.failures = failures }

    /// Lints every input that can be opened, and prints an error to standard error for the others.
    ///
    /// - Parameters:
    ///   - inputs: The paths of the containers.
    ///   - appPath: The path of the app bundle, if given.
    ///   - linters: The linter of each input.
    ///   - progress: The progress line, which counts items.
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

    /// Applies each baseline to the findings of its inputs.
    mutating func apply(_ baselines: [String: Baseline], by options: BaselineOptions, isStrict: Bool) {
        for (path, baseline) in baselines.sorted(by: { $0.key < $1.key }) {
            let inputs = Set(linters.indices.filter { options.path(for: linters[$0]) == path })
            report.apply(baseline, toInputs: inputs, isStrict: isStrict)
        }
    }
}
