package import PolicyRecords
package import StoragePolicy
internal import TextOutput

/// The reports of parallel or distributed runs as one report.
///
/// Containers are in the order of the reports. A container that several reports contain with the same result is kept once. If
/// containers of several reports have the same name and different results, the name of the report precedes it.
package struct MergedReports {
    package let report: LintReport
    /// The ids of the rules that were not evaluated, for each input.
    let disabled: [Set<String>]
    /// The failures of the runs.
    let failures: [String]
    /// False if a run was incomplete.
    let isComplete: Bool
    /// The time from which ages were computed, if it was given and is the same in all reports.
    let moment: String?
    /// Facts about the merging that a reader of the report must know, one sentence each.
    package let notes: [String]

    /// Merges reports.
    ///
    /// - Parameters:
    ///   - runs: The reports.
    ///   - version: The version of this tool.
    ///   - rules: The rules of this run.
    package init(_ runs: [RecordedRun], version: String, rules: [Rule]) {
        var duplicates = Duplicates()
        let dropped = runs.map { duplicates.dropped(of: $0) }
        let kept = zip(runs, dropped).map { $0.report(without: $1) }
        disabled = zip(runs, dropped).flatMap { run, dropped in
            run.disabled.indices.filter { !dropped.contains($0) }.map { run.disabled[$0] }
        }
        failures = runs.flatMap { run in
            // An incomplete run states a reason. A report that does not was changed.
            run.isComplete || !run.failures.isEmpty || !run.report.isComplete
                ? run.failures : ["the run of \(Self.name(run.path)) was incomplete"]
        }
        isComplete = runs.allSatisfy(\.isComplete)
        let moments = Set(runs.map(\.now))
        moment = moments.count == 1 ? moments.first ?? nil : nil
        var merged = LintReport()
        merged.add(kept)
        let origins = zip(runs, kept).flatMap { run, report in report.inputs.map { _ in run.path } }
        let renamed = Self.distinguish(&merged, origins: origins)
        merged.setOwners(InputOwners(of: merged).owners)
        report = merged
        notes =
            [duplicates.note, renamed, Self.versions(of: runs, version, rules: RuleDigest(rules).text)].compactMap(
                \.self)
    }

    /// The containers that several reports contain with the same result.
    private struct Duplicates {
        private struct Key: Hashable {
            let path: String
            let label: String?
            let bundleIdentifier: String?
            let content: LintReport.Content
        }
        private var seen: [Key: [(run: RecordedRun, input: Int)]] = [:]
        private var names: [String] = []

        /// Returns the inputs of a run that an earlier run contains with the same result.
        mutating func dropped(of run: RecordedRun) -> Set<Int> {
            var dropped: Set<Int> = []
            var own: [(Key, Int)] = []
            for (index, input) in run.report.inputs.enumerated() {
                let key = Key(
                    path: input.path, label: input.label, bundleIdentifier: input.bundleIdentifier,
                    content: input.content)
                if seen[key, default: []].contains(where: { run.hasSame(input: index, as: $0.run, $0.input) }) {
                    dropped.insert(index)
                    names.append(input.label ?? input.path)
                } else {
                    own.append((key, index))
                }
            }
            for (key, index) in own { seen[key, default: []].append((run, index)) }
            return dropped
        }

        var note: String? {
            guard !names.isEmpty else { return nil }
            return "\(Quantity.count(names.count, "container")) of several reports with the same result "
                + "\(names.count == 1 ? "is" : "are") counted once: \(MergedReports.list(names))"
        }
    }

    /// Puts the name of the report before the names of containers of different reports that have the same.
    ///
    /// - Returns: A note; nil if all names are different.
    private static func distinguish(_ report: inout LintReport, origins: [String]) -> String? {
        let names = InputNames(report.inputs.map { ($0.path, $0.label) })
        var users: [String: Set<String>] = [:]
        for (index, origin) in origins.enumerated() { users[names.name(of: index), default: []].insert(origin) }
        let shared = users.filter { $0.value.count > 1 }
        guard !shared.isEmpty else { return nil }
        let places = InputNames(origins.map { ($0, nil) })
        for index in origins.indices {
            let name = names.name(of: index)
            guard shared[name] != nil else { continue }
            report.setLabel("\(places.name(of: index))/\(name)", ofInput: index)
        }
        return "containers with the same name and different results are preceded by the name of their report: "
            + list(shared.keys.sorted())
    }

    /// Returns a note on different versions or rules; nil if all reports have those of this run.
    private static func versions(of runs: [RecordedRun], _ version: String, rules: String) -> String? {
        let others = runs.filter { $0.version != version }
        if let other = others.first {
            return "\(Quantity.count(others.count, "report")) of another version (\(other.version)): "
                + "\(list(others.map(\.path))). Findings are merged as recorded; remedies are those of \(version)."
        }
        let changed = runs.filter { $0.rules != rules }
        guard !changed.isEmpty else { return nil }
        return "\(Quantity.count(changed.count, "report")) with other rules than this run: "
            + "\(list(changed.map(\.path))). Findings are merged as recorded; specify the same --rules."
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(3).map(name).joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }

    private static func name(_ path: String) -> String { ByteText.escaped(Array(path.utf8)) }
}
