internal import ContainerTree
internal import FileSystem

/// `expired: [regenerable]`: a known SDK wrote the file, that is what it holds, and the SDK's own term for it has
/// passed.
struct ExpiredTest: Test {
    static let key = "expired"
    static let cost = Cost.free
    private let kinds: [RegistryEntry.Holds]

    init(_ value: YAMLValue) throws(SourceError) {
        kinds = try value.words("kind of content", RegistryEntry.Holds.self)
    }

    func signals(_ slots: inout SignalSlots) -> Signals { [.registered, .file] }

    func holds(for subject: inout Subject) -> Bool {
        guard subject.item.status.kind == .file else { return false }
        let age = subject.policy.now.seconds - subject.item.status.modified.seconds
        for entry in subject.registryEntries where kinds.contains(entry.holds) {
            guard let expiry = entry.expiry else { continue }
            switch expiry {
            case .modificationDate:
                guard age > 0 else { continue }
                subject.note("expired", "\(AgeTest.text(age)) since the expiry date that \(entry.sdk) set")
            case .after(let term):
                guard age >= term else { continue }
                subject.note("expired", "\(AgeTest.text(age)) old; \(entry.sdk) keeps files for \(AgeTest.text(term))")
            }
            subject.note("registry", "\(entry.sdk) (\(entry.path.text))")
            return true
        }
        return false
    }
}
