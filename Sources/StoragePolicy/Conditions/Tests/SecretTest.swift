/// `secret: any`: the file holds a token, a password or a private key in the clear. `secret: by-name`: and only the name
/// and the mixed letters of a short value show it. Of the value only its form is reported, and the length of a long one.
struct SecretTest: Test {
    static let key = "secret"
    static let cost = Cost.read

    private enum Word: String, CaseIterable {
        case any
        case byName = "by-name"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("secret", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals {
        slots.size(SecretsFact.smallestFile...UInt64.max)
    }

    func holds(for subject: inout Subject) -> Bool {
        let found = subject.facts[SecretsFact.self]
        // Those that more than a name speaks for come first.
        guard let first = found.first, word == .any || first.isByName else { return false }
        let length = first.isByName ? "" : " of \(first.secret.length) characters"
        subject.note("secret", first.secret.shape.rawValue + length)
        subject.note("key", first.pointer ?? "raw bytes")
        if found.count > 1 { subject.note("secrets", "\(found.count)") }
        return true
    }
}
