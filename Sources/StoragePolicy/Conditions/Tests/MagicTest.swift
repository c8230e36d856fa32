/// `magic: [sqlite, realm]`: the content begins as that format's does.
struct MagicTest: Test {
    static let key = "magic"
    static let cost = Cost.read
    private let formats: [Magic]

    init(_ value: YAMLValue) throws(SourceError) { formats = try value.words("format", Magic.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        guard let format = subject.facts[MagicFact.self], formats.contains(format) else { return false }
        subject.note("content", format.title)
        return true
    }
}
