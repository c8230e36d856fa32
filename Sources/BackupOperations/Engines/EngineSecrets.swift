internal import Foundation

/// Passwords and keys that a program of someone else's may print, and that no message of ours repeats, however the
/// program spells them.
struct EngineSecrets: Sendable {
    /// What is masked, the longest first.
    private let texts: [String]

    /// - Parameters:
    ///   - location: The repository as it was named, which may be a URL with a password.
    ///   - password: The repository's own.
    ///   - environment: Variables that the program gets; those that hold secrets are known by their names.
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

    /// A text without them. What stands for a password in any URL goes as well.
    func masked(_ text: String) -> String {
        var text = text
        for secret in texts { text = text.replacing(secret, with: "…") }
        return text.replacing(#/(://[^\s/:@]*):[^\s"'|]*@/#) { "\($0.output.1):…@" }
    }

    private static let repositoryVariables: Set = ["RESTIC_REPOSITORY", "BORG_REPO"]
    /// Of any length; a user who chose a short one is told less.
    private static let passwordVariables: Set = [
        "RESTIC_PASSWORD", "RESTIC_FROM_PASSWORD", "RESTIC_REST_PASSWORD", "BORG_PASSPHRASE", "BORG_NEW_PASSPHRASE",
        "BORG_OTHER_PASSPHRASE",
    ]

    /// Whether a variable is called as those are that hold a secret, and not where one is found.
    private static func namesSecret(_ name: String) -> Bool {
        let name = name.uppercased()
        let places = ["_FILE", "_COMMAND", "_PATH", "_ID", "_FD", "_HINT", "_SOCK"]
        guard !places.contains(where: name.hasSuffix) else { return false }
        return ["PASSWORD", "PASSPHRASE", "PASSWD", "SECRET", "TOKEN"].contains(where: name.contains)
            || ["_KEY", "_SAS"].contains(where: name.hasSuffix)
    }

    /// The password in a URL such as `rest:https://user:password@host/`, also one that holds a slash as it is.
    private static func passwords(in location: String) -> [String] {
        guard let scheme = location.range(of: "://") else { return [] }
        let rest = location[scheme.upperBound...]
        return [rest.prefix { $0 != "/" }, rest].compactMap { part in
            guard let end = part.lastIndex(of: "@"), let colon = part[..<end].firstIndex(of: ":") else { return nil }
            let password = part[part.index(after: colon)..<end]
            return password.isEmpty ? nil : String(password)
        }
    }

    /// A secret as it is, with what URLs escape escaped or not, and as JSON and Go quote it.
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
