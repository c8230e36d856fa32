internal import AppContainer
internal import ChangeHistory
internal import PolicyFixes
internal import StoragePolicy
internal import SystemPackage

/// The automatic fixes of the findings of items, as a preview or applied.
package struct ItemFix: Sendable {
    /// The changes as a diff of the tree, then those that need consent, and the refused ones with their reasons.
    package let lines: [String]
    /// The number of changes that were made, or that would be.
    package let changes: Int
    /// The number of changes that are only made with `allowsUnsafe`.
    package let unsafeChanges: Int
    /// The number of findings of the items that are left, or would be left without a fix.
    package let findingsLeft: Int
    /// The number in the history; nil if nothing was changed.
    package let number: Int?

    init(_ outcome: Fixer.Outcome) {
        var lines: [String] = []
        for unit in outcome.units {
            let text =
                switch unit.outcome {
                case .planned: unit.lines()
                case .asks: unit.lines(before: "unsafe  ")
                case .refused(let reason): unit.lines(before: "refused  ", after: ": \(reason)")
                }
            lines += text.split(separator: "\n").map(String.init)
        }
        self.lines = lines
        changes = outcome.units.count { $0.outcome == .planned }
        unsafeChanges = outcome.units.count { $0.outcome == .asks }
        findingsLeft = outcome.left.count
        number = outcome.number
    }
}

extension ContainerEditor {
    /// Plans the automatic fixes of the findings of items, tries them on a clone of the container, and applies them as one
    /// change of the history.
    ///
    /// - Parameters:
    ///   - paths: The items, relative to the container. The findings of other items remain.
    ///   - rules: The identifiers of the rules to fix; nil for all.
    ///   - path: The path from which the configuration of the linter is searched; nil for that of the container.
    ///   - allowsUnsafe: True to make the changes that may delete user data or remove it from backups.
    ///   - isPlan: True to change nothing.
    /// - Returns: The fixes.
    /// - Throws: An invalid configuration; `ContainerError`, with the container unchanged.
    package func fix(
        _ paths: [[UInt8]], rules: Set<String>? = nil, configuredAt path: String? = nil, allowsUnsafe: Bool = false,
        isPlan: Bool
    ) throws -> ItemFix {
        let linter = try Linter(configuredFor: path ?? container.location.string)
        let chosen = linter.catalogue.rules.filter { rules?.contains($0.id) ?? true }.map(\.number)
        let fixer = try Fixer(linter, chosen: Set(chosen), allowsUnsafe: allowsUnsafe)
        return ItemFix(
            try fixer.fix(container, at: Set(paths), showingOnly: isPlan, keepingIn: history))
    }
}
