/// `url-cache: credential`: the database is a URL cache, and requests or answers in it carry what lets someone in.
struct URLCacheTest: Test {
    static let key = "url-cache"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case credential }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("content", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        let found = subject.facts[URLCacheFact.self]
        guard !found.isEmpty else { return false }
        subject.note("credential", found.prefix(3).joined(separator: ", "))
        return true
    }
}
