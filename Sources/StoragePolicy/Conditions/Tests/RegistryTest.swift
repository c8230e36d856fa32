/// `registry: [regenerable]`: a known SDK wrote the item, and that is what it holds.
struct RegistryTest: Test {
    static let key = "registry"
    static let cost = Cost.free
    private let kinds: [RegistryEntry.Holds]

    init(_ value: YAMLValue) throws(SourceError) {
        kinds = try value.words("kind of content", RegistryEntry.Holds.self)
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .registered }

    func isDecided(by signals: Signals) -> Bool { Set(kinds).count == RegistryEntry.Holds.allCases.count }

    func holds(for subject: inout Subject) -> Bool {
        guard let entry = subject.registryEntries.first(where: { kinds.contains($0.holds) }) else { return false }
        subject.note("registry", "\(entry.sdk) (\(entry.path.text))")
        return true
    }
}
