internal import AppContainer
internal import ContainerTree
internal import TextOutput

extension Linter {
    /// The most other containers of an app that a container is compared with.
    private static let mostOthers = 8

    /// The trees that may hold the same files as a container.
    func references(for container: Container, _ app: AppBundle?, others: [Container]) -> [ReferenceTree] {
        let identifier = configuration.bundleIdentifier ?? container.bundleIdentifier
        var references: [ReferenceTree] = []
        if let app, app.owns(identifier) { references.append(ReferenceTree(.app, tree: DirectoryTree(app.container))) }
        let sameApp = others.filter {
            $0.bundleIdentifier != nil && $0.bundleIdentifier == container.bundleIdentifier
                && !$0.isSameDirectory(as: container)
        }
        return references + sameApp.prefix(Self.mostOthers).map { ReferenceTree(.otherUser, tree: DirectoryTree($0)) }
    }
}

/// The sum of a rule with a budget for the container, in one container.
struct ContainerTotal: Sendable {
    let finding: Finding
    /// True if the container alone exceeds the budget, so that the finding is in its report.
    let isPassed: Bool
}

extension Linter {
    /// Adds the findings for budgets that the containers of an app exceed together. A finding is in the report of the
    /// app's own container, or else of the one with the most bytes, in place of those of single containers.
    func addTotals(of containers: [[ContainerTotal]], names: [String?], to reports: inout [LintReport?]) {
        for rule in forms.map(\.rule) {
            guard let aggregate = rule.aggregate else { continue }
            let parts = containers.indices.flatMap { index in
                containers[index].filter { $0.finding.rule.id == rule.id }.map { (index: index, total: $0) }
            }
            guard parts.count > 1 else { continue }
            var sum = ItemSum()
            for part in parts { sum.add(items: part.total.finding.items, bytes: part.total.finding.bytes) }
            guard
                aggregate.isPassed(items: sum.items, bytes: sum.bytes, budget: configuration.budget(of: rule)),
                let carrier = parts.first(where: { $0.index == 0 })
                    ?? parts.max(by: { $0.total.finding.bytes < $1.total.finding.bytes })
            else { continue }
            for part in parts where part.total.isPassed {
                reports[part.index]?.findings.removeAll { $0.rule.id == rule.id && $0.part == part.total.finding.part }
            }
            let shares = parts.map { part in
                "\(names[part.index] ?? "the container"): \(Quantity.bytes(part.total.finding.bytes))"
            }
            let finding = carrier.total.finding.comprising(sum)
                .adding(Evidence(kind: "containers", value: shares.joined(separator: ", ")))
            reports[carrier.index]?.insert(finding)
        }
    }
}
