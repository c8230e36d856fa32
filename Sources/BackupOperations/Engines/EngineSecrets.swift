internal import Foundation

/// Passwords and keys that an external program may print, and that are masked in messages in any spelling.
struct EngineSecrets: Sendable {
    /// The masked texts, the longest first.
    private let texts: [String]

    /// - Parameters: + location: The repository as the user named it, possibly a URL with a password. + password: The
    ///   password of the repository. + environment: The variables of the program. Those with secrets are recognized by
    ///   their names.
    init(location: String = "", password: String? = nil, environment: [String: String] = [:]) {
        var secrets = [location, password ?? ""].filter { !$0.isEmpty } + Self.passwords(in: location)
        for (name, value) in environment where !value.isEmpty {
            if Self.passwordVariables.contains(name) || (value.count >= 6 && Self.namesSecret(name)) {
                secrets.append(value)
            }
            if Self.repositoryVariables.contains(name) { secrets += [value] + Self.passwords(in: value) }
        }
        texts = Set(secrets.flatMap(Self.spellings)).filter { !$0.isEmpty }
            .sorted { $0.count == $1.count ? $0 < $1 : $0.count > $1.count }
    }

    /// Returns a text with secrets replaced. Passwords in URLs are replaced too.
    func masked(_ text: String) -> String {
        var text = text
        for secret in texts { text = text.replacing(secret, with: "…") }
        return text.replacing(#/(://[^\s/:@]*):[^\s"'|]*@/#) { "\($0.output.1):…@" }
    }

    private static let repositoryVariables: Set = ["RESTIC_REPOSITORY", "BORG_REPO"]
    /// Variables whose value is masked whatever its length. A short password makes messages less readable.
    private static let passwordVariables: Set = [
        "RESTIC_PASSWORD", "RESTIC_FROM_PASSWORD", "RESTIC_REST_PASSWORD", "BORG_PASSPHRASE", "BORG_NEW_PASSPHRASE",
        "BORG_OTHER_PASSPHRASE",
    ]

    /// Returns true if the name of a variable suggests a secret, and not the location of one.
    private static func namesSecret(_ name: String) -> Bool {
        let name = name.uppercased()
        let suffixes = ["_FILE", "_COMMAND", "_PATH", "_ID", "_FD", "_HINT", "_SOCK"]
        guard !suffixes.contains(where: name.hasSuffix) else { return false }
        return ["PASSWORD", "PASSPHRASE", "PASSWD", "SECRET", "TOKEN"].contains(where: name.contains)
            || ["_KEY", "_SAS"].contains(where: name.hasSuffix)
    }

    /// Returns the passwords in a URL such as `rest:https://user:password@host/`, including those with an unescaped
    /// slash.
    private static func passwords(in location: String) -> [String] {
        guard let scheme = location.range(of: "://") else { return [] }
        let rest = location[scheme.upperBound...]
        return [rest.prefix { $0 != "/" }, rest].compactMap { part in
            guard let end = part.lastIndex(of: "@"), let colon = part[..<end].firstIndex(of: ":") else { return nil }
            let password = part[part.index(after: colon)..<end]
            return password.isEmpty ? nil : String(password)
        }
    }

    /// Returns the spellings of a secret: literal, percent-escaped, and quoted as in JSON and Go.
    private static func spellings(of secret: String) -> [String] {
        let plain = secret.removingPercentEncoding ?? secret
        var unreserved = CharacterSet(charactersIn: "-._~")
        for (first, last) in [("a", "z"), ("A", "Z"), ("0", "9")] as [(Unicode.Scalar, Unicode.Scalar)] {
            unreserved.insert(charactersIn: first...last)
        }
        var spellings = [secret, plain]
        for allowed in [CharacterSet.urlUserAllowed, .urlPasswordAllowed, .urlPathAllowed, unreserved] {
            guard let escaped = plain.addingPercentEncoding(withAllowedCharacters: allowed) else { continue }
            spellings += [escaped, escaped.replacing(#/%[0-9A-F]{2}/#) { $0.output.lowercased() }]
        }
        return spellings + spellings.map { $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }
    }
}
