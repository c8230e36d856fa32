/// `exception: unused`: a suppression, or an entry of a baseline, of which that is true. No item is ever asked; the
/// engine itself answers, when a run is over.
struct ExceptionTest: Test {
    static let key = "exception"
    static let cost = Cost.free

    /// What can be wrong with what lets findings be.
    enum Word: String, CaseIterable {
        /// An entry of the baseline whose finding is no longer there.
        case staleInBaseline = "stale-in-baseline"
        /// A suppression that has nothing to let be.
        case unused
        /// A suppression whose time is over.
        case expired
        /// A suppression on an item that cannot be understood.
        case malformed
    }
    let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("exception", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool { false }
}
