internal import AppContainer
internal import ChangeHistory
internal import FileSystem
internal import Foundation
internal import PolicyTexts
internal import StoragePolicy
internal import SystemPackage

/// A trial of a fix on a clone of the container. Units that do not fix their findings, or that cause new ones, are
/// refused.
struct FixTrial {
    let linter: Linter
    let container: Container
    /// The folder for the clone, on the container's disk.
    let workFolder: Folder
    let before: Set<FindingKey>
    let chosen: Set<Int>
    /// Creates plans for the findings in a clone.
    let planner: (Container, LintReport) -> FixPlanner
    let progress: @Sendable (Int) -> Void

    /// The result of one trial.
    private struct Result {
        /// The refused units and the reasons.
        var refusals: [Int: String] = [:]
        /// The units that fix new findings, such as a directory that is now empty.
        var followers: [FixUnit] = []
        var report = LintReport()
    }

    /// Returns the units in execution order, including refused and added units, and the report of the last trial. Each
    /// round refuses at least one unit, except a few that add units.
    func run(_ units: [FixUnit]) throws -> (units: [FixUnit], after: LintReport) {
        var units = units
        var after = LintReport()
        var turns = 0
        while units.contains(where: { $0.outcome == .planned }) {
            turns += 1
            let trial = try trial(
                try FixPlan(units, in: container.folder), units: units, mayFollow: turns <= Self.maximumFollowUpRounds)
            after = trial.report
            units += trial.followers
            for (index, reason) in trial.refusals { units[index].outcome = .refused(reason) }
            if trial.refusals.isEmpty, trial.followers.isEmpty { break }
        }
        return (units, after)
    }

    private static let maximumFollowUpRounds = 3

    /// Applies a plan to a clone and lints it. Removes the clone.
    private func trial(_ plan: FixPlan, units: [FixUnit], mayFollow: Bool) throws -> Result {
        for name in ["trial", "trial-aside"] as [FilePath] where try workFolder.statusIfPresent(name) != nil {
            try workFolder.remove(name)
        }
        let own = plan.journal.steps.filter { !$0.changesNames }.flatMap(\.paths)
        try container.folder.clone(as: "trial", in: workFolder, own: Set(own))
        try workFolder.createDirectory("trial-aside", permissions: 0o700)
        defer { for name in ["trial", "trial-aside"] as [FilePath] { try? workFolder.remove(name) } }
        let clone = try Container.open(try workFolder.absolutePath().appending("trial"))
        let sum = try TreeSum(clone.folder, except: plan.journal.steps)
        do throws(FailedStep) {
            try plan.journal.apply(to: clone.folder, aside: try aside())
        } catch {
            guard let unit = error.number.flatMap({ plan.owners[$0] }) else { throw ContainerError(error.cause) }
            return Result(refusals: [unit: "the trial failed: \(error.cause.errno)"])
        }
        let planned = units.indices.filter { units[$0].outcome == .planned }
        func all(_ reason: String) -> [Int: String] { Dictionary(uniqueKeysWithValues: planned.map { ($0, reason) }) }
        guard try TreeSum(clone.folder, except: plan.journal.steps) == sum else {
            return Result(refusals: all("it would change other items, or another process is changing the container"))
        }
        var trial = Result(report: try linter.lintReportingEach(clone, progress: progress))
        guard trial.report.isComplete else {
            trial.refusals = all("the result of the trial cannot be read completely")
            return trial
        }
        let after = Set(trial.report.findings.map { FindingKey($0) })
        for index in planned where !units[index].keys.isDisjoint(with: after) {
            trial.refusals[index] = "it would not remove the finding"
        }
        let new = newFindings(trial.report, units: units, planned: planned)
        if mayFollow, trial.refusals.isEmpty {
            trial.followers = try planner(clone, trial.report).units(
                for: new.filter { chosen.contains($0.rule.number) }
            )
            .filter { $0.outcome == .planned }
        }
        if trial.followers.isEmpty, !new.isEmpty {
            let blame = Blame(units, planned: planned)
            for finding in new {
                for index in blame.units(for: finding.path) where trial.refusals[index] == nil {
                    trial.refusals[index] = "it would cause a new finding, \(finding.rule.id) at \(finding.displayPath)"
                }
            }
        }
        return trial
    }

    private func aside() throws(FailedStep) -> Folder {
        do throws(FileSystemError) { return try workFolder.openFolder(noFollow: "trial-aside") } catch {
            throw FailedStep(number: nil, cause: error)
        }
    }

    private func newFindings(_ report: LintReport, units: [FixUnit], planned: [Int]) -> [Finding] {
        let movers = planned.filter { units[$0].verb == .move }
        let expected = before.union(
            before.flatMap { key in
                movers.compactMap { units[$0].moved(key.path).map { FindingKey(rule: key.rule, path: $0) } }
            })
        return report.findings.filter { !expected.contains(FindingKey($0)) }
    }
}

/// The units that may have caused a new finding.
private struct Blame {
    private var touching: [[UInt8]: Set<Int>] = [:]
    private var beneath: [[UInt8]: Set<Int>] = [:]
    private var beside: [[UInt8]: Set<Int>] = [:]
    private let planned: [Int]

    init(_ units: [FixUnit], planned: [Int]) {
        self.planned = planned
        for index in planned {
            for path in units[index].steps.flatMap(\.paths) {
                touching[path, default: []].insert(index)
                for above in ItemPath.lineage(path).dropFirst() { beneath[above, default: []].insert(index) }
                beside[ItemPath.parent(path), default: []].insert(index)
            }
        }
    }

    /// Returns the units that touch the path, its ancestors or its content; otherwise those that touch its siblings;
    /// otherwise all.
    func units(for path: [UInt8]) -> [Int] {
        var found = beneath[path] ?? []
        for above in ItemPath.lineage(path) { found.formUnion(touching[above] ?? []) }
        if found.isEmpty { found = beside[ItemPath.parent(path)] ?? [] }
        return found.isEmpty ? planned : Array(found)
    }
}

/// The steps of all planned units, in execution order.
struct FixPlan {
    let journal: ChangeJournal
    /// The unit of each step; nil for directories that several units need.
    let owners: [Int?]

    init(_ units: [FixUnit], in container: Folder) throws(FileSystemError) {
        var steps: [(ChangeStep, Int?)] = []
        var made: Set<[UInt8]> = []
        // Attributes first, so that what is moved or put aside is found where the findings name it.
        let owned = units.enumerated().filter { $0.element.outcome == .planned }.flatMap { index, unit in
            unit.steps.map { ($0, index) }
        }
        for (step, index) in owned where !step.changesNames { steps.append((step, index)) }
        for (step, index) in owned where step.changesNames {
            if case .move(_, let to, _) = step {
                for directory in ItemPath.lineage(ItemPath.parent(Array(to))).reversed() {
                    let isMissing = try container.statusIfPresent(FilePath(bytes: directory)) == nil
                    guard isMissing, made.insert(directory).inserted else { continue }
                    steps.append((.createDirectory(path: Data(directory)), nil))
                }
            }
            var step = step
            if case .putAside(let path, _, _) = step { step = .putAside(path: path, number: steps.count) }
            steps.append((step, index))
        }
        owners = steps.map(\.1)
        journal = try ChangeJournal(steps.map(\.0), in: container)
    }
}

extension FixUnit {
    /// Returns the path after the unit's moves; nil if it does not change.
    fileprivate func moved(_ path: [UInt8]) -> [UInt8]? {
        for case .move(let from, let to, _) in steps {
            if path.elementsEqual(from) { return Array(to) }
            if path.starts(with: from), path.count > from.count, path[from.count] == UInt8(ascii: "/") {
                return Array(to) + path[from.count...]
            }
        }
        return nil
    }
}

/// A checksum of a tree, which changes with any item except those of a plan.
///
/// The inode of a file that is not to be touched, its dates, that of its last change among them, its size, mode and
/// owner tell that nothing of it has changed; a directory in which names come or go has its attributes read instead.
struct TreeSum: Equatable {
    private var sum = 0
    private var items = 0

    init(_ folder: Folder, except steps: [ChangeStep]) throws(FileSystemError) {
        var touched: Set<[UInt8]> = []
        var holders: Set<[UInt8]> = []
        var moved: Set<[UInt8]> = []
        for step in steps {
            for path in step.paths {
                touched.insert(path)
                guard step.changesNames else { continue }
                holders.insert(ItemPath.parent(path))
                moved.insert(path)
            }
        }
        if !touched.contains([]) { add([], status: try folder.status(""), isHolder: true, file: try folder.open(".")) }
        try folder.visit("") { entry throws(FileSystemError) in
            let path = entry.path.bytes
            // A directory of which an attribute is changed keeps what is in it.
            guard !touched.contains(path) else { return !moved.contains(path) }
            let isHolder = holders.contains(path)
            add(path, status: entry.status, isHolder: isHolder, file: isHolder ? try entry.open() : nil)
            return true
        }
    }

    private mutating func add(
        _ path: [UInt8], status: FileStatus, isHolder: Bool, file: OpenFile?
    ) {
        var hasher = Hasher()
        hasher.combine(path)
        hasher.combine(status.kind)
        hasher.combine(status.identity.inode)
        hasher.combine(status.permissions)
        hasher.combine(status.owner.user)
        hasher.combine(status.owner.group)
        hasher.combine(status.modified)
        if status.kind != .directory { hasher.combine(status.size) }
        if !isHolder { hasher.combine(status.changed) }
        if let file {
            for name in ((try? file.attributes()) ?? []).sorted() {
                hasher.combine(name)
                hasher.combine((try? file.attribute(name)) ?? [])
            }
        }
        // A sum, since the order in which directories come says nothing.
        sum &+= hasher.finalize()
        items += 1
    }
}
