internal import FileSystem
internal import Foundation
internal import StoragePolicy
internal import TextOutput

/// The commands that continue after a run with findings, at the end of the text report.
struct NextSteps {
    private let run: LintRun
    private var findings: [Finding] { run.report.findings }

    init(_ run: LintRun) { self.run = run }

    /// One sentence with at most two commands, each of which works for this run, and the option for App Review's test
    /// of a first launch, unless this was it; nil without findings.
    var text: String? {
        guard let first = findings.first else { return nil }
        var steps: [String] = []
        if let fix { steps.append(fix) }
        if first.rule.isBuiltIn { steps.append("`sandboxlint explain \(first.rule.id)` explains the rule") }
        if steps.count < 2, run.hasFailingFindings, !run.hasBaseline {
            steps.append("`sandboxlint baseline write \(input ?? "CONTAINER")` accepts the findings")
        }
        if !run.isFreshInstall { steps.append("`--fresh-install` tests a container after a first launch") }
        return steps.isEmpty ? nil : steps.joined(separator: "; ") + "."
    }

    /// The command that shows fixes, if there is one for a finding. Containers in archives, backups and packages cannot
    /// be fixed.
    private var fix: String? {
        guard !findings.isEmpty else { return nil }
        let containers = run.report.inputs.indices.filter(isContainer)
        let fixes = findings.compactMap { finding in
            containers.contains(finding.input) && finding.isFixable ? finding.fixSafety : nil
        }
        guard !fixes.isEmpty else { return nil }
        let isSafe = fixes.contains(.safe)
        return "`sandboxlint fix \(input ?? "CONTAINER")\(isSafe ? "" : " --unsafe") --diff` shows the available fixes"
    }

    /// Returns true if an input is the directory of a container, as the user specified it.
    private func isContainer(_ index: Int) -> Bool {
        let input = run.report.inputs[index]
        return input.label == nil && input.carriesAttributes
            && ["Documents", "Library", "tmp"].contains {
                FileManager.default.fileExists(
                    atPath: Invocation.current.workingDirectory.resolved(input.path) + "/" + $0)
            }
    }

    /// The only input as a word of a shell; nil for several inputs, for a container that was found in an input, and for
    /// an absolute path, which is specific to this machine.
    private var input: String? {
        guard run.report.inputs.count == 1, run.report.inputs.first?.label == nil,
            let path = run.report.inputs.first?.path, !path.hasPrefix("/"),
            !path.hasPrefix("-"), path == ByteText.printable(path), !path.contains("`")
        else { return nil }
        return ByteText.shellWord(path)
    }
}
