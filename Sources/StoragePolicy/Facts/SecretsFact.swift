/// The secrets in a file's texts, or in its bytes where it has no texts of a known form; at most 200. No value is kept.
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
        let texts = facts[TextValuesFact.self]
        guard !texts.isEmpty else {
            return facts[RawContentFact.self].secrets.map { Found(pointer: nil, secret: $0) }
        }
        var found: [Found] = []
        for value in texts where found.count < most {
            guard let secret = secret(value) else { continue }
            found.append(Found(pointer: value.pointer, secret: secret))
        }
        return found
    }

    private static func secret(_ value: TextValue) -> SecretShape.Match? {
        if let strong = SecretShape.strong(in: value.text) { return strong }
        guard SecretName.isSecret(value.key), SecretShape.isOpaque(value.text) else { return nil }
        return SecretShape.Match(shape: .opaque, length: value.text.utf8.count)
    }
}
