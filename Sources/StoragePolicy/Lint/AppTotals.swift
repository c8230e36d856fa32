/// The totals of the containers of one app.
package struct AppTotals: Sendable {
    /// The bundle identifier; nil for containers whose app is unknown.
    package let bundleIdentifier: String?
    /// The number of containers.
    package fileprivate(set) var containers = 0
    package fileprivate(set) var content = LintReport.Content()
    fileprivate var counts: [Severity: Int] = [:]

    /// Returns the number of findings with a severity.
    package func count(of severity: Severity) -> Int { counts[severity, default: 0] }
}

extension LintReport {
    /// The totals of each app by bundle identifier; containers whose app is unknown come last.
    package var apps: [AppTotals] {
        var apps: [String?: AppTotals] = [:]
        let names = inputs.map { $0.app ?? $0.bundleIdentifier }
        for (input, name) in zip(inputs, names) {
            apps[name, default: AppTotals(bundleIdentifier: name)].containers += 1
            apps[name]?.content.add(input.content)
        }
        for finding in findings { apps[names[finding.input]]?.counts[finding.severity, default: 0] += 1 }
        return apps.values.sorted { left, right in
            guard let left = left.bundleIdentifier else { return false }
            return right.bundleIdentifier.map { left < $0 } ?? true
        }
    }
}
