/// The fix of a rule and its safety.
public struct RuleFix: Sendable {
    /// The safety of the fix.
    public enum Safety: String, Sendable, CaseIterable { case safe, asks }
    /// The greatest safety of the fix. That for an item is in `Finding.fixSafety`.
    public let safety: Safety
    /// The title, in one phrase.
    public let title: String
    /// The action of `sandboxlint fix`; nil for a manual fix.
    package let action: Action?
    /// The findings of the rule that it is for; nil for all.
    let condition: Condition?

    /// True if `condition` proves that the user loses nothing by it.
    let isProvenByCondition: Bool

    /// True if `sandboxlint fix` can do it.
    public var isMechanical: Bool { action != nil }

    /// A safety as shown to users; nil for the greatest that the fix has.
    package func label(_ safety: Safety? = nil) -> String {
        isMechanical ? (safety ?? self.safety) == .safe ? "safe" : "needs --unsafe" : "by hand"
    }

    /// An action on an item. Each can be reverted.
    package enum Action: Sendable, Hashable {
        /// Excludes the item from backup; with `ofDirectory` the app's own directory that holds nothing else, where
        /// there is one.
        case setFlag(ofDirectory: Bool)
        /// Removes every mark that Apple's backups honor.
        case clearFlag
        /// Writes existing exclusion attributes with the value that macOS writes.
        case normaliseFlag
        /// Sets the flag on what has none of its own, and takes it off what has one.
        case turnFlag
        /// Takes these attributes off.
        case clearAttributes([String])
        /// Takes the item away, with all that is in it and what of `companions` lies beside it.
        case remove(companions: [String])
        /// Takes a directory away that holds nothing.
        case removeEmpty
        /// Moves it into a directory, with its companions.
        case move(to: String, companions: [String])
    }

    /// True if the fix removes items.
    var removes: Bool {
        if case .remove? = action { return true }
        return false
    }

    private enum Word: String, CaseIterable {
        case setFlag = "set-flag"
        case clearFlag = "clear-flag"
        case normaliseFlag = "normalise-flag"
        case turnFlag = "turn-flag"
        case clearAttributes = "clear-attributes"
        case remove
        case removeEmpty = "remove-empty"
        case move
    }
    private enum Target: String, CaseIterable { case item, directory }
    private enum Proof: String, CaseIterable { case when }

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields([
            "safety", "title", "action", "target", "attributes", "with", "to", "when", "proof",
        ])
        safety = try value.required("safety", of: fields).word("safety", type: Safety.self)
        title = try value.required("title", of: fields).shownString()
        let word = try fields["action"]?.word("action", type: Word.self)
        let target = try fields["target"]?.word("target", type: Target.self)
        let attributes = try fields["attributes"]?.strings()
        let companions = try fields["with"]?.strings()
        let destination = try fields["to"]?.string()
        condition = try fields["when"].map { value throws(SourceError) in try Condition(value) }
        isProvenByCondition = try fields["proof"]?.word("proof", type: Proof.self) == .when
        func refuse(_ key: String, unless actions: [Word]) throws(SourceError) {
            guard let given = fields[key], value.recorder == nil else { return }
            guard word.map(actions.contains) ?? false else {
                throw given.error("“\(key)” is only valid with \(actions.map(\.rawValue).joined(separator: " and "))")
            }
        }
        try refuse("target", unless: [.setFlag])
        try refuse("attributes", unless: [.clearAttributes])
        try refuse("with", unless: [.remove, .move])
        try refuse("to", unless: [.move])
        try refuse("when", unless: Word.allCases)
        try refuse("proof", unless: [.setFlag])
        switch word {
        case nil: action = nil
        case .setFlag?: action = .setFlag(ofDirectory: target == .directory)
        case .clearFlag?: action = .clearFlag
        case .normaliseFlag?: action = .normaliseFlag
        case .turnFlag?: action = .turnFlag
        case .clearAttributes?:
            guard let attributes else { throw value.error("`clear-attributes` needs `attributes`") }
            action = .clearAttributes(attributes)
        case .remove?: action = .remove(companions: companions ?? [])
        case .removeEmpty?: action = .removeEmpty
        case .move?:
            guard let destination, safety == .asks else { throw value.error("`move` needs `to` and `safety: asks`") }
            action = .move(to: destination, companions: companions ?? [])
        }
    }
}
