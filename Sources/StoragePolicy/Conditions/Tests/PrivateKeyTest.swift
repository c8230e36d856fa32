/// `private-key: any`: the file is a private key or a store of keys. A certificate is none.
struct PrivateKeyTest: Test {
    static let key = "private-key"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case any }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("key", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        guard let form = subject.facts[PrivateKeyFact.self] else { return false }
        subject.note("content", form)
        return true
    }
}
