internal import AppContainer
internal import ContainerTree

/// The decision about which automatic changes lose nothing of the user's.
///
/// A change is safe if a proof says so: of the item's class for an exclusion or a removal. Place and age are no proof, nor is a
/// pattern of the configuration, which may match more than its author thought of.
enum FixPermission {
    /// Returns the safety of a rule's fix for one item, before it is known whether a store names the item.
    static func safety(
        of fix: RuleFix, for item: Item, in parent: Directory, _ context: DirectoryContext, run: RunContext
    ) -> RuleFix.Safety {
        guard fix.safety == .safe, let action = fix.action else { return fix.safety }
        switch action {
        case .clearFlag, .normaliseFlag, .clearAttributes, .turnFlag: return .safe
        case .removeEmpty: return isKept(parent.location) ? .asks : .safe
        case .move: return .asks
        case .setFlag:
            if fix.isProvenByCondition || parent.exclusion(stateOf: item) == .excluded { return .safe }
            return isRegenerable(item, in: parent, context: context, run: run) ? .safe : .asks
        case .remove:
            return isRegenerable(item, in: parent, context: context, run: run) && !isKept(parent.location)
                ? .safe : .asks
        }
    }

    private static func isRegenerable(
        _ item: Item, in parent: Directory, context: DirectoryContext, run: RunContext
    ) -> Bool {
        guard keeping.isDisjoint(with: run.words(declaring: parent.path(of: item))) else { return false }
        return ItemProof(of: item, in: parent, context, run: run)?.itemClass?.mayLeaveBackups ?? false
    }

    private static let keeping: Set<Configuration.Word> = [.userData, .appState, .mustInclude]

    /// True for the locations in which files may be the user's, whatever a rule says.
    private static func isKept(_ location: Location) -> Bool {
        [.documents, .applicationSupport, .preferences].contains(RuleScope.LocationName.of(location))
    }
}

extension Finding {
    /// True if the fix removes the one item of the finding, and a proof of its class makes that safe.
    var isRemovedSafely: Bool {
        fixSafety == .safe && isFixable && part == .item && rule.fix?.removes == true
    }

    /// Returns the finding with a fix that asks if a store of the app names the item, or may do so.
    func consideringReferences(_ references: References) -> Finding {
        if let reference = references[path] {
            return asking(because: Evidence(kind: "named-by", value: reference.store))
        }
        guard !references.isComplete else { return self }
        let names = references.unread.map { $0.path.isEmpty ? "another container" : $0.displayPath }
        let others = names.count > 1 ? " and \(names.count - 1) more" : ""
        return asking(because: Evidence(kind: "not-searched", value: names[0] + others))
    }
}
