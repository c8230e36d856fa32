internal import ContainerTree

/// `name: ["*.part"]`: the item's name is of one of these forms; small and capital letters differ.
struct NameTest: Test {
    static let key = "name"
    static let cost = Cost.free
    private let globs: [Glob]

    init(_ value: YAMLValue) throws(SourceError) { globs = try value.strings().map { Glob($0) } }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.name(globs) }

    func isDecided(by signals: Signals) -> Bool { !signals.isEmpty }

    func holds(for subject: inout Subject) -> Bool {
        guard let glob = globs.first(where: { $0.matches(subject.item.name) }) else { return false }
        subject.note("name", glob.text)
        return true
    }
}
