/// `registry: [regenerable]`: a known SDK wrote the item, and that is what it holds.
struct RegistryTest: Test {
    static let key = "registry"
    static let cost = Cost.free
    private let kinds: [RegistryEntry.Holds]

    init(_ value: YAMLValue) throws(SourceError) {
        kinds = try value.words("kind of content", RegistryEntry.Holds.self)
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .registered }

    func isDecided(by signals: Signals) -> Bool { false }

    func holds(for subject: inout Subject) -> Bool {
        // Layouts that were observed prove nothing against a file; they count as evidence of a verdict.
        let entries = subject.registryEntries.filter { kinds.contains($0.holds) && ($0.isProof || $0.isKept) }
        guard let entry = entries.first else { return false }
        subject.note("registry", "\(entry.sdk) (\(entry.path.text))")
        return true
    }
}
