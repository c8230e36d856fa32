import AppContainer
import CommandLineSupport
import ContainerInputs
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

    /// Lints the containers of every input that can be opened, and prints an error to standard error for the others.
    ///
    /// - Parameters:
    ///   - sources: The inputs.
    ///   - appPath: The path of the app bundle, if given.
    ///   - linters: The linter of each input.
    ///   - progress: The progress line, which counts items.
    mutating func lint(
        _ sources: [InputSource], app appPath: String? = nil, by linters: [Linter], showing progress: ProgressLine
    ) {
        let started = Host.uptime
        var app: AppBundle?
        if let appPath {
            do throws(ContainerError) { app = try AppBundle(at: FilePath(appPath)) } catch {
                failures.append(LintRun.Failure(error, of: appPath))
            }
        }
        let inputs = sources.map { source in Result { () throws(InputError) in try Input(source) } }
        let opened = inputs.compactMap { try? $0.get() }.flatMap(\.containers).map(\.container)
        progress.count(opened)
        for ((source, linter), input) in zip(zip(sources, linters), inputs) {
            do throws(InputError) {
                for found in try input.get().containers {
                    lint(found, of: source, app: app, others: opened, by: linter, showing: progress)
                }
            } catch { failures.append(LintRun.Failure(error.description, of: source.name)) }
        }
        progress.end()
        for note in inputs.compactMap({ try? $0.get() }).flatMap(\.notes) { Failure.say("sandboxlint: \(note)") }
        for failure in failures { Failure.say("sandboxlint: \(failure.said)") }
        Failure.sayIfAccessTimesMoved()
        seconds = Double(Host.uptime - started) / 1e9
    }

    private mutating func lint(
        _ found: InputContainer, of source: InputSource, app: AppBundle?, others: [Container], by linter: Linter,
        showing progress: ProgressLine
    ) {
        do throws(ContainerError) {
            report.add(try linter.lint(found.container, app: app, others: others) { progress.add($0) })
            report.setLabel(found.label, ofInput: report.inputs.count - 1)
            linters.append(linter)
        } catch { failures.append(LintRun.Failure(error.description, of: source.name)) }
    }

    /// Applies each baseline to the findings of its inputs.
    mutating func apply(_ baselines: [String: Baseline], by options: BaselineOptions, isStrict: Bool) {
        for (path, baseline) in baselines.sorted(by: { $0.key < $1.key }) {
            let inputs = Set(linters.indices.filter { options.path(for: linters[$0]) == path })
            report.apply(baseline, toInputs: inputs, isStrict: isStrict)
        }
    }
}
