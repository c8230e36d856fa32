/// The secrets in a file's texts, or in its bytes where those tell nothing; at most 200. No value is kept.
///
/// A text is one by its shape alone (a token with its maker's prefix, a private key), or by its name and its shape.
enum SecretsFact: Fact {
    static let name = "secrets"
    static let cost = Cost.read
    private static let most = 200

    struct Found: Sendable {
        /// Where it is; nil in bytes.
        let pointer: String?
        let secret: SecretShape.Match
    }

    static func value(of facts: ItemFacts) -> [Found] {
        var found: [Found] = []
        for value in facts[TextValuesFact.self] where found.count < most {
            guard let secret = secret(value) else { continue }
            found.append(Found(pointer: value.pointer, secret: secret))
        }
        // A database keeps in its bytes what has been deleted, and blobs of any form.
        if found.isEmpty, facts[TextValuesFact.self].isEmpty || facts[MagicFact.self] == .sqlite {
            found = facts[RawContentFact.self].secrets.map { Found(pointer: nil, secret: $0) }
        }
        return found
    }

    private static func secret(_ value: TextValue) -> SecretShape.Match? {
        if let strong = SecretShape.strong(in: value.text) { return strong }
        guard SecretName.isSecret(value.key), SecretShape.isOpaque(value.text) else { return nil }
        return SecretShape.Match(shape: .opaque, length: value.text.utf8.count)
    }
}
