/// `superseded: true`: a known SDK kept its files here and keeps them elsewhere now, and that place is there as well.
/// Answered when the whole container has been read.
struct SupersededTest: Test {
    static let key = "superseded"
    static let cost = Cost.later

    init(_ value: YAMLValue) throws(SourceError) {
        guard try value.boolean() else { throw value.error("expected “superseded: true”") }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .registered }

    func holds(for subject: inout Subject) -> Bool {
        let policy = subject.policy
        var found: RegistryEntry?
        for entry in subject.registryEntriesBeginning {
            if policy.registry.successors.contains(entry.path.text) { policy.notes.see(Self.name(entry.path.text)) }
            if found == nil, entry.supersededBy != nil { found = entry }
        }
        guard let found, let newer = found.supersededBy else { return false }
        subject.note("registry", "\(found.sdk) (\(found.path.text))")
        subject.note("newer", newer)
        return subject.ask(.wasSeen(Self.name(newer)))
    }

    private static func name(_ path: String) -> String { "registry \(path)" }
}
