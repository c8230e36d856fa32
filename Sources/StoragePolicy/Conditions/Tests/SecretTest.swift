/// `secret: any`: the file holds a token, a password or a private key in the clear. Of the value only its form and
/// length are told.
struct SecretTest: Test {
    static let key = "secret"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case any }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("secret", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals {
        slots.size(UInt64(SecretShape.shortest)...UInt64.max)
    }

    func holds(for subject: inout Subject) -> Bool {
        let found = subject.facts[SecretsFact.self]
        guard let first = found.first else { return false }
        subject.note("secret", "\(first.secret.shape.rawValue) of \(first.secret.length) characters")
        subject.note("key", first.pointer ?? "its bytes")
        if found.count > 1 { subject.note("secrets", "\(found.count)") }
        return true
    }
}
