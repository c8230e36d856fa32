internal import TextOutput

/// `cookie: session`: the file keeps a cookie that a server set for itself or for safe connections only, and whose name
/// says that it stands for a person who has signed in. Only names are told.
struct CookieTest: Test {
    static let key = "cookie"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case session }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("cookie", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        let cookies = subject.facts[CookiesFact.self].filter {
            ($0.isSecure || $0.isHTTPOnly) && Self.isSession($0.name)
        }
        guard !cookies.isEmpty else { return false }
        let names = Set(cookies.map { ByteText.escaped(Array($0.name.utf8.prefix(40))) }).sorted()
        subject.note("cookie", names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : ""))
        return true
    }

    /// What cookies go by that count visitors or tell robots from people.
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
