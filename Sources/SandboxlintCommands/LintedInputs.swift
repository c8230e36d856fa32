import AppContainer
import CommandLineSupport
import ContainerInputs
import FileSystem
internal import PolicyRecords
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
    /// The duration of each input of the report in seconds. The first container of an app has that of all its containers.
    private(set) var secondsOfInputs: [Double] = []
    /// The duration of the run in seconds.
    private(set) var seconds = 0.0
    /// The linted containers, by their index in the report.
    private(set) var containers: [Container] = []
    /// True if a container is a copy of an archive, a package or a backup, which does not change.
    private(set) var hasCopies = false
    /// False for a run that prints no errors and notes.
    var printsMessages = true

    /// Creates an empty result, with the errors that prevented linting.
    init(failures: [LintRun.Failure] = []) { self.failures = failures }

    /// Lints the containers of every input that can be opened, and prints an error to standard error for the others.
    ///
    /// - Parameters:
    ///   - sources: The inputs.
    ///   - bundleIdentifiers: The apps to lint; empty for all.
    ///   - appPath: The path of the app bundle, if given.
    ///   - linters: The linter of each input.
    ///   - progress: The progress line, which counts items.
    ///   - password: Returns the password of an encrypted backup.
    /// - Throws: `Interrupted` after an interruption of the run, before anything is printed.
    mutating func lint(
        _ sources: [InputSource], only bundleIdentifiers: [String] = [], app appPath: String? = nil,
        by linters: [Linter], showing progress: ProgressLine, password: @escaping BackupPassword = { _ in nil }
    ) throws(Interrupted) {
        let interruption = Invocation.current.interruption
        let started = Host.uptime
        var bundle: AppBundle?
        var contents: AppContents?
        if let appPath {
            do throws(ContainerError) {
                bundle = try AppBundle(at: FilePath(appPath))
                contents = try AppContents(at: FilePath(appPath))
            } catch { failures.append(LintRun.Failure(error, of: appPath)) }
        }
        var opened: [(input: Input, linter: Linter)] = []
        for (source, linter) in zip(sources, linters) {
            do throws(InputError) {
                let input = try Input(source, only: bundleIdentifiers, bundle: contents, password: password)
                failures += input.gaps.map { LintRun.Failure($0, of: source.name) }
                for note in input.notes where printsMessages { Failure.printMessage("sandboxlint: \(note)") }
                opened.append((input, linter))
            } catch {
                try interruption.check()
                failures.append(LintRun.Failure(error.description, of: source.name))
            }
        }
        let inputs = Input.distinguished(Input.withoutRepetitions(opened.map(\.input)))
        for (index, input) in inputs.enumerated() { opened[index].input = input }
        let all = opened.flatMap(\.input.containers).map(\.container)
        progress.count(all)
        var identities = ContainerIdentities(opened.map(\.input))
        for (input, linter) in opened {
            for app in input.apps {
                let containers = app.containers
                let linted = containers.map { identities.next($0) }
                let linter = linter.completed(by: bundle, for: containers.first?.container)
                let begin = Host.uptime
                let results = linter.lint(containersOfApp: linted, app: bundle, others: all) { progress.add($0) }
                try interruption.check()
                var time = Double(Host.uptime - begin) / 1e9
                for (container, result) in zip(containers, results) {
                    add(result, of: container, app: app.bundleIdentifier, in: input, by: linter)
                    guard secondsOfInputs.count < linters.count else { continue }
                    secondsOfInputs.append(time)
                    time = 0
                }
            }
        }
        progress.end()
        if printsMessages {
            for failure in failures { Failure.printMessage("sandboxlint: \(failure.message)") }
            Failure.sayIfAccessTimesMoved()
        }
        seconds = Double(Host.uptime - started) / 1e9
    }

    private mutating func add(
        _ result: Result<LintReport, ContainerError>, of container: InputContainer, app: String?, in input: Input,
        by linter: Linter
    ) {
        do throws(ContainerError) {
            var new = try result.get()
            if let label = container.label {
                new.setLabel(label, isCopy: container.isCopy, isFromDeviceBackup: input.kind == .backup)
            }
            new.setApp(app)
            report.add(new)
            linters.append(linter)
            containers.append(container.container)
            hasCopies = hasCopies || container.isCopy
        } catch { failures.append(LintRun.Failure(error, of: input.source.name)) }
    }

    /// Applies a baseline to the findings of all inputs.
    mutating func apply(_ baseline: Baseline) {
        sayIfForeign(baseline)
        report.apply(baseline, toInputs: Set(report.inputs.indices))
    }

    /// Prints a note on a baseline whose entries all belong to other apps than some inputs, or than all inputs.
    func sayIfForeign(
        _ baseline: Baseline, toInputs inputs: Set<Int>? = nil,
        hint: String = "Specify the baseline of this app, or write one with `sandboxlint baseline write`."
    ) {
        let inputs = inputs ?? Set(report.inputs.indices)
        guard let note = report.note(onForeign: baseline, ofInputs: inputs) else { return }
        Failure.printMessage("sandboxlint: note: \(note) \(hint)")
    }

    /// Applies each baseline to the findings of its inputs.
    mutating func apply(_ baselines: [String: Baseline], by options: BaselineOptions, isStrict: Bool) {
        for (path, baseline) in baselines.sorted(by: { $0.key < $1.key }) {
            let inputs = Set(linters.indices.filter { options.path(for: linters[$0]) == path })
            if printsMessages { sayIfForeign(baseline, toInputs: inputs) }
            report.apply(baseline, toInputs: inputs, isStrict: isStrict)
        }
    }
}

/// The containers of a run with their owners in fingerprints and baselines.
struct ContainerIdentities {
    private let owners: [String?]
    private var position = 0

    init(_ inputs: [Input]) {
        let containers = inputs.flatMap(\.containers)
        owners =
            InputOwners(
                identifiers: containers.map(\.container.bundleIdentifier),
                names: containers.map { ($0.isCopy ? $0.label ?? "" : $0.container.location.string, $0.label) }
            ).owners
    }

    /// Returns the next container with its identity.
    mutating func next(_ container: InputContainer) -> ContainerOfApp {
        defer { position += 1 }
        return ContainerOfApp(container.container, name: container.label, owner: owners[position])
    }
}
