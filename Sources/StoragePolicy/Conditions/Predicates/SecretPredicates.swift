internal import Secrets
internal import TextOutput

/// `secret: any`: the file contains a token, a password or a private key in plain text. `secret: by-name`: only the
/// name and the entropy of a short value indicate it. Only the form of the value is reported, and the length of a long
/// one; of the other secrets of the file the forms and keys, and their number.
struct SecretPredicate: Predicate {
    static let key = "secret"
    static let cost = Cost.read

    private enum Word: String, CaseIterable {
        case any
        case byName = "by-name"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("secret", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        allocator.size(SecretsFact.smallestFile...UInt64.max)
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let found = evaluation.facts[SecretsFact.self]
        // Secrets that more than a name speaks for come first.
        guard let first = found.first, word == .any || first.isByName else { return false }
        evaluation.addEvidence("secret", value: first.phrase)
        evaluation.addEvidence("key", value: first.location, in: found.map(\.location))
        for other in found.dropFirst().prefix(Self.mostOthers) {
            evaluation.addEvidence("also") { "\(other.phrase) under \(other.location)" }
        }
        if found.count > 1 { evaluation.addEvidence("secrets", value: "\(found.count)") }
        return true
    }

    /// The number of secrets after the first that are reported with their keys.
    private static let mostOthers = 20
}

/// `private-key: any`: the file is a private key or a key store. Does not match certificates.
struct PrivateKeyPredicate: Predicate {
    static let key = "private-key"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case any }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("key", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let form = evaluation.facts[PrivateKeyFact.self] else { return false }
        evaluation.addEvidence("content", value: form)
        return true
    }
}

/// `cookie: session`: the file contains a secure or HTTP-only cookie whose name indicates a signed-in session. Only
/// names are reported.
struct CookiePredicate: Predicate {
    static let key = "cookie"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case session }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("cookie", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let cookies = evaluation.facts[CookiesFact.self].filter {
            ($0.isSecure || $0.isHTTPOnly || $0.hasToken) && Self.isSession($0.name)
        }
        guard !cookies.isEmpty else { return false }
        let names = Set(cookies.map { ByteText.escaped(Array($0.name.utf8.prefix(40))) }).sorted()
        evaluation.addEvidence(
            "cookie", value: names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : ""), in: names)
        return true
    }

    /// The name prefixes of analytics and bot detection cookies.
    private static let measuring = [
        "_ga", "_gid", "_gat", "_gcl", "_fbp", "_fbc", "__utm", "__cf", "cf_", "_hj", "_pk_", "amplitude", "mp_",
        "ajs_",
        "amcv", "optimizely", "_clck", "_clsk", "__hs", "hubspot",
    ]
    private static let words = [
        "sess", "auth", "token", "jwt", "login", "logged", "remember", "identity", "credential",
    ]

    static func isSession(_ name: String) -> Bool {
        let name = name.lowercased()
        guard !measuring.contains(where: name.hasPrefix), !name.contains("csrf"), !name.contains("xsrf") else {
            return false
        }
        return name == "sid" || name.hasSuffix(".sid") || name.hasSuffix("_sid") || name.hasSuffix("-sid")
            || words.contains(where: name.contains)
    }
}
