/// `declared: user-data`: a glob of the configuration names the item.
struct DeclaredTest: Test {
    static let key = "declared"
    static let cost = Cost.free
    private let words: [Configuration.Word]

    init(_ value: YAMLValue) throws(SourceError) { words = try value.words("declaration", Configuration.Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .declared }

    func holds(for subject: inout Subject) -> Bool {
        guard subject.signals.contains(.declared),
            let word = subject.declarations.first(where: { words.contains($0) })
        else { return false }
        subject.note("declared", word.rawValue)
        return true
    }
}
