package import AppContainer
package import ChangeHistory
internal import FileSystem
internal import Foundation
package import StoragePolicy
internal import SystemPackage

/// A fixer of findings. Plans the automatic fixes, tries them on a clone, and applies them so that they can be
/// reverted.
package struct Fixer: Sendable {
    private let linter: Linter
    private let chosen: Set<Int>
    private let allowsUnsafe: Bool

    /// The outcome of a fix.
    package struct Outcome: Sendable {
        /// The units by path: applied or planned, unsafe, and refused with their reasons.
        package fileprivate(set) var units: [FixUnit] = []
        /// The number of findings of each rule that must be fixed by hand.
        package fileprivate(set) var byHand: [(rule: Rule, findings: Int)] = []
        /// The remaining findings of the chosen rules, each reported separately.
        package fileprivate(set) var left: [Finding] = []
        /// The parts that could not be read. If there are any, no fix is applied.
        package fileprivate(set) var incidents: [Incident] = []
        /// True if an interrupted fix was reverted first.
        package fileprivate(set) var hasRecovered = false
        /// True if the plan was applied.
        package fileprivate(set) var isDone = false
        /// The number of the entry in the history of the file manager; nil if the fix is not in it.
        package fileprivate(set) var number: Int?
        /// The name of the undo folder beside the container.
        package fileprivate(set) var undoName = ""
    }

    /// Creates a fixer.
    ///
    /// - Parameters:
    ///   - linter: The linter for the container and the clone.
    ///   - chosen: The numbers of the rules to fix.
    ///   - allowsUnsafe: True to apply unsafe fixes.
    /// - Throws: An invalid rule setting of the configuration.
    package init(_ linter: Linter, chosen: Set<Int>, allowsUnsafe: Bool) throws(SourceError) {
        // One moment for all that is judged, or what ages meanwhile would be blamed on the fix.
        self.linter = try Linter(
            catalogue: linter.catalogue, configuration: linter.configuration,
            now: linter.now ?? Timestamp.now.seconds, threads: linter.threads,
            honorsItemSuppressions: linter.honorsItemSuppressions
        ).comparing(with: linter.traffic)
        self.chosen = chosen
        self.allowsUnsafe = allowsUnsafe
    }

    /// Plans, tries and, unless only a preview is requested, applies the fix, under the container's lock.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - paths: The paths of the items whose findings are fixed; nil for all items.
    ///   - showingOnly: True to change nothing.
    ///   - history: The history that keeps the fix instead of the undo folder of the linter.
    ///   - progress: Receives the number of linted items since the last call.
    /// - Returns: The outcome.
    /// - Throws: `ContainerError` or `UnfinishedFix`, with the container unchanged.
    package func fix(
        _ container: Container, at paths: Set<[UInt8]>? = nil, showingOnly: Bool, keepingIn history: UndoHistory? = nil,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> Outcome {
        try container.withLock { () throws in
            do {
                return try fixLocked(container, at: paths, showingOnly: showingOnly, history, progress)
            } catch let error as FileSystemError {
                throw ContainerError(error, onDisk: "The container is unchanged.")
            }
        }
    }

    private func fixLocked(
        _ container: Container, at paths: Set<[UInt8]>?, showingOnly: Bool, _ history: UndoHistory?,
        _ progress: @escaping @Sendable (Int) -> Void
    ) throws -> Outcome {
        var outcome = Outcome()
        let beside = try UndoFolder(of: container.folder)
        outcome.undoName = beside.name.string
        outcome.hasRecovered =
            try history.map { try !$0.recover().isEmpty } ?? Undo.recover(container, beside: beside)
        let report = try linter.lintReportingEach(container, progress: progress)
        outcome.incidents = report.incidents
        let findings = report.findings.filter { finding in
            chosen.contains(finding.rule.number) && paths?.contains(finding.path) ?? true
        }
        outcome.left = findings
        guard report.isComplete else { return outcome }
        let byHand = Dictionary(grouping: findings.filter { !$0.isFixable }, by: \.rule.number)
        outcome.byHand = byHand.sorted { $0.key < $1.key }.compactMap { _, findings in
            findings.first.map { ($0.rule, findings.count) }
        }
        let identifier = linter.configuration.bundleIdentifier ?? container.bundleIdentifier
        let planner = { (container: Container, report: LintReport) in
            FixPlanner(
                container, bundleIdentifier: identifier, allowsUnsafe: allowsUnsafe, found: report.findings)
        }
        outcome.units = try TakenFiles.counted(
            in: planner(container, report).units(for: findings), of: container, by: linter)
        guard outcome.hasPlan else { return outcome }

        let workFolder = try beside.make()
        defer { try? beside.tidy() }
        let proof = FixTrial(
            linter: linter, container: container, workFolder: workFolder,
            before: Set(report.findings.map { FindingKey($0) }), chosen: chosen, planner: planner, progress: progress)
        let (units, after) = try proof.run(outcome.units)
        // The order of reports; they are applied in the order of the trial.
        outcome.units = units.sorted(by: FixUnit.precedes)
        guard outcome.hasPlan, !showingOnly else { return outcome }
        if let history {
            outcome.number = try carryOut(units, on: container, keepingIn: history)
        } else {
            let entry = ChangeEntry(workFolder)
            try entry.forget()
            try carryOut(units, on: container, entry, summary: nil)
        }
        outcome.isDone = true
        outcome.left = after.findings.filter { finding in
            chosen.contains(finding.rule.number) && paths?.contains(finding.path) ?? true
        }
        return outcome
    }

    /// Applies the units as an entry of a history. Returns its number.
    private func carryOut(_ units: [FixUnit], on container: Container, keepingIn history: UndoHistory) throws -> Int {
        let planned = units.filter { $0.outcome == .planned }
        let kept = try planned.filter { $0.verb == .remove }.reduce(UInt64(0)) { sum, unit in
            sum &+ (try container.usage(of: container.containerPath(FilePath(bytes: unit.path)), naming: 0).all.logical)
        }
        let summary = ChangeSummary(
            "fixed", paths: planned.map(\.path), items: planned.count, bytes: kept, kept: kept)
        let open = try history.begin()
        do { try carryOut(units, on: container, open.entry, summary: summary) } catch {
            if try open.entry.state() == nil { history.discard(open) } else { history.end(open) }
            throw error
        }
        history.end(open)
        return open.number
    }

    /// Applies the units. The next run can revert them if the process is interrupted.
    private func carryOut(
        _ units: [FixUnit], on container: Container, _ entry: ChangeEntry, summary: ChangeSummary?
    ) throws {
        let aside = try entry.aside()
        let journal = try FixPlan(units, in: container.folder).journal.with(summary)
        try entry.write(journal)
        do {
            do throws(FailedStep) { try journal.apply(to: container.folder, aside: aside) } catch { throw error.cause }
            try journal.finish(in: container.folder, aside: aside)
        } catch let error as FileSystemError {
            guard try Undo.takeBack(container, entry).isEmpty else {
                throw UnfinishedFix(container.location)
            }
            throw ContainerError(error, onDisk: "All earlier changes have been reverted.")
        }
        do { try entry.turn(from: .begun, to: .done) } catch {
            throw ContainerError(
                error, onDisk: "All changes are applied, but the next fix or undo may revert them first.")
        }
    }
}

extension Fixer.Outcome {
    /// True if the plan has changes.
    package var hasPlan: Bool { units.contains { $0.outcome == .planned } }
}
