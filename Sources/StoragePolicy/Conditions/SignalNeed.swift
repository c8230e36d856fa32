/// What a condition asks of an item's signals.
struct SignalNeed: Sendable, Hashable {
    /// Signals without which the condition cannot hold.
    var must: Signals
    /// Signals with any of which it cannot hold.
    var mustNot: Signals
    /// Whether the condition asks nothing else, so that the signals are the answer.
    var isWhole: Bool

    static let nothing = SignalNeed(must: [], mustNot: [], isWhole: false)

    @inline(__always)
    func isMet(by signals: Signals) -> Bool { must.isSubset(of: signals) && mustNot.isDisjoint(with: signals) }
}

extension Condition {
    /// What it asks of the signals; several are alternatives.
    func needs(_ slots: inout SignalSlots) -> [SignalNeed] {
        switch self {
        case .all(let parts):
            var alternatives = [SignalNeed(must: [], mustNot: [], isWhole: true)]
            for part in parts {
                let choices = part.needs(&slots)
                alternatives = alternatives.flatMap { old in
                    choices.map {
                        SignalNeed(
                            must: old.must.union($0.must), mustNot: old.mustNot.union($0.mustNot),
                            isWhole: old.isWhole && $0.isWhole)
                    }
                }
                // More than this is no gain; fewer signals only let more items through to the tests.
                if alternatives.count > 64 { alternatives = [.nothing] }
            }
            return alternatives
        case .any(let parts):
            let choices = parts.flatMap { $0.needs(&slots) }
            guard let open = choices.first(where: { $0.must.isEmpty && $0.mustNot.isEmpty }) else { return choices }
            // Any item may pass, but those that a choice decides by its signals alone need no further test.
            return open.isWhole ? [open] : choices.filter(\.isWhole) + [open]
        case .not(let part):
            // What one signal decides cannot hold where it is there; the rest is put to the tests.
            let choices = part.needs(&slots)
            let decided = choices.filter { $0.isWhole && $0.mustNot.isEmpty && $0.must.count == 1 }
            let refused = decided.reduce(Signals()) { $0.union($1.must) }
            // Without the one signal that a test needs, what it refuses is settled as well: a word that the
            // configuration does not say, an item that the registry does not know.
            if decided.isEmpty, choices.count == 1, let asked = choices.first?.must, asked.count == 1,
                slots.isSeldom(asked)
            {
                return [
                    SignalNeed(must: [], mustNot: asked, isWhole: true),
                    SignalNeed(must: asked, mustNot: [], isWhole: false),
                ]
            }
            return [SignalNeed(must: [], mustNot: refused, isWhole: decided.count == choices.count)]
        case .test(let test, _):
            if test is NoteReferencesTest, !slots.notesReferences { return [] }
            let signals = test.signals(&slots)
            return [SignalNeed(must: signals, mustNot: [], isWhole: test.isDecided(by: signals))]
        }
    }
}
