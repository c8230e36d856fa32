package import AppContainer
package import ContainerTree

/// The decisions of a plan in one directory, for a visitor that needs no complete plan.
package struct BackupPosition: Sendable {
    private let container: Container
    private let rules: PlanRules
    private let context: DirectoryContext

    private init(_ context: DirectoryContext, of container: Container, _ rules: PlanRules) {
        (self.context, self.container, self.rules) = (context, container, rules)
    }

    /// Creates the position in the container itself.
    package init(root item: Item, _ directory: Directory, of container: Container, rules: PlanRules = PlanRules()) {
        let verdict = rules.verdict(ofMarksOn: item) ?? PlanVerdict(reason: .userData, decider: PlanDecider(.root))
        self.init(
            DirectoryContext(directory, number: 0, verdict: verdict, in: nil, of: container, rules), of: container,
            rules)
    }

    /// Returns the reason for including or excluding an item of the directory.
    package func reason(for item: Item, in directory: Directory) -> PlanReason {
        verdict(on: item, in: directory).reason
    }

    /// Returns the position in a subdirectory.
    package func entering(_ item: Item, _ subdirectory: Directory, in directory: Directory) -> BackupPosition {
        BackupPosition(
            DirectoryContext(
                subdirectory, number: 0, verdict: verdict(on: item, in: directory), in: context, of: container, rules),
            of: container, rules)
    }

    private func verdict(on item: Item, in directory: Directory) -> PlanVerdict {
        guard context.isExcluded else {
            return rules.verdict(on: item, in: context, path: directory.path(of: item))
        }
        let reason = context.verdict.reason == .ownFlag ? PlanReason.ancestorFlag : context.verdict.reason
        return PlanVerdict(reason: reason, decider: context.verdict.decider)
    }
}
