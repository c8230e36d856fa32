internal import AppContainer
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// Carries a plan out on a clone of the container and lints that again, until only units are left that do what they are
/// to do and nothing else.
struct FixProof {
    let linter: Linter
    let container: Container
    /// Where the clone is made; on the container's disk.
    let workplace: Folder
    let before: Set<FindingKey>
    let progress: @Sendable (Int) -> Void

    /// The units with those refused that do not hold, and what a lint finds after the others; each turn refuses at least
    /// one, so that there are as many turns as units at most.
    func prove(_ units: [FixUnit]) throws -> (units: [FixUnit], after: LintReport) {
        var units = units
        var after = LintReport()
        while units.contains(where: { $0.outcome == .planned }) {
            let refusals: [Int: String]
            (refusals, after) = try trial(try FixPlan(units, in: container.folder), units)
            if refusals.isEmpty { break }
            for (index, reason) in refusals { units[index].outcome = .refused(reason) }
        }
        return (units, after)
    }

    /// Each unit that must go, and why; the clone is removed again.
    private func trial(_ plan: FixPlan, _ units: [FixUnit]) throws -> ([Int: String], LintReport) {
        for name in ["trial", "trial-aside"] as [FilePath] where try workplace.statusIfPresent(name) != nil {
            try workplace.remove(name)
        }
        let own = plan.journal.steps.filter { !$0.changesNames }.flatMap(\.paths)
        try container.folder.clone(as: "trial", in: workplace, own: Set(own))
        try workplace.makeDirectory("trial-aside", permissions: 0o700)
        defer { for name in ["trial", "trial-aside"] as [FilePath] { try? workplace.remove(name) } }
        let clone = try Container.open(try workplace.absolutePath().appending("trial"))
        let sum = try TreeSum(clone.folder, except: plan.journal.steps)
        do throws(FailedStep) {
            try plan.journal.apply(to: clone.folder, aside: try aside())
        } catch {
            guard let unit = error.number.flatMap({ plan.owners[$0] }) else { throw ContainerError(error.cause) }
            return ([unit: "it cannot be done: \(error.cause.errno)"], LintReport())
        }
        let planned = units.indices.filter { units[$0].outcome == .planned }
        guard try TreeSum(clone.folder, except: plan.journal.steps) == sum else {
            return (Self.all(planned, "it would change what is not in the plan"), LintReport())
        }
        let report = try linter.lintTellingEach(clone, progress: progress)
        guard report.isComplete else {
            return (Self.all(planned, "what it leads to cannot be wholly read"), report)
        }
        return (refusals(units, planned, report), report)
    }

    private func aside() throws(FailedStep) -> Folder {
        do throws(FileSystemError) { return try workplace.folder(noFollow: "trial-aside") } catch {
            throw FailedStep(number: nil, cause: error)
        }
    }

    private func refusals(_ units: [FixUnit], _ planned: [Int], _ report: LintReport) -> [Int: String] {
        let after = Set(report.findings.map { FindingKey($0) })
        var refusals: [Int: String] = [:]
        for index in planned where !units[index].keys.isDisjoint(with: after) {
            refusals[index] = "it would not do away with what was found"
        }
        let expected = before.union(
            before.flatMap { key in
                planned.compactMap { units[$0].moved(key.path).map { FindingKey(rule: key.rule, path: $0) } }
            })
        for finding in report.findings where !expected.contains(FindingKey(finding)) {
            for index in Self.blamed(for: finding.path, units, planned) where refusals[index] == nil {
                refusals[index] = "it would lead to \(finding.rule.id) at \(finding.displayPath)"
            }
        }
        return refusals
    }

    /// The units that touch a path, else those that touch what lies in the same directory, else all.
    private static func blamed(for path: [UInt8], _ units: [FixUnit], _ planned: [Int]) -> [Int] {
        let above = Set(ItemPath.lineage(path))
        let touching = planned.filter { index in
            units[index].steps.flatMap(\.paths).contains { above.contains($0) || ItemPath.lineage($0).contains(path) }
        }
        if !touching.isEmpty { return touching }
        let parent = ItemPath.parent(path)
        let near = planned.filter { units[$0].steps.flatMap(\.paths).contains { ItemPath.parent($0) == parent } }
        return near.isEmpty ? planned : near
    }

    private static func all(_ units: [Int], _ reason: String) -> [Int: String] {
        Dictionary(uniqueKeysWithValues: units.map { ($0, reason) })
    }
}

/// The steps of all planned units in the order in which they are done.
struct FixPlan {
    let journal: FixJournal
    /// The unit of each step; none for directories that several need.
    let owners: [Int?]

    init(_ units: [FixUnit], in container: Folder) throws(FileSystemError) {
        var steps: [(FixStep, Int?)] = []
        var made: Set<[UInt8]> = []
        // Attributes first, so that what is moved or put aside is found where the findings name it.
        let owned = units.enumerated().filter { $0.element.outcome == .planned }.flatMap { index, unit in
            unit.steps.map { ($0, index) }
        }
        for (step, index) in owned where !step.changesNames { steps.append((step, index)) }
        for (step, index) in owned where step.changesNames {
            if case .move(_, let to) = step {
                for directory in ItemPath.lineage(ItemPath.parent(Array(to))).reversed() {
                    let isMissing = try container.statusIfPresent(FilePath(bytes: directory)) == nil
                    guard isMissing, made.insert(directory).inserted else { continue }
                    steps.append((.makeDirectory(path: Data(directory)), nil))
                }
            }
            var step = step
            if case .putAside(let path, _) = step { step = .putAside(path: path, number: steps.count) }
            steps.append((step, index))
        }
        owners = steps.map(\.1)
        journal = try FixJournal(steps.map(\.0), in: container)
    }
}

extension FixUnit {
    /// Where a path is after the unit's moves; nil where it stays.
    fileprivate func moved(_ path: [UInt8]) -> [UInt8]? {
        for case .move(let from, let to) in steps {
            if path.elementsEqual(from) { return Array(to) }
            if path.starts(with: from), path.count > from.count, path[from.count] == UInt8(ascii: "/") {
                return Array(to) + path[from.count...]
            }
        }
        return nil
    }
}
