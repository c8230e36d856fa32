/// An address as tools show it: the scheme, the host, and the path as far as each component is an ordinary name or
/// number.
///
/// Paths of addresses contain secrets, too: those of webhooks, bots, password resets and signed links. User, password,
/// port, query and fragment are never shown.
package struct ShownAddress: Sendable, Hashable {
    /// The host and the path: `example.com/photos/…`.
    package let withoutScheme: String
    /// The scheme, the host and the path: `https://example.com/photos/…`.
    package let text: String

    /// Creates the shown form of an address; nil for a text without a scheme and a host.
    package init?(_ text: some StringProtocol) {
        guard let separator = text.firstRange(of: "://"), !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f })
        else {
            return nil
        }
        let scheme = text[..<separator.lowerBound]
        guard !scheme.isEmpty, scheme.utf8.count <= 20, scheme.utf8.allSatisfy(Self.isOfScheme) else { return nil }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { !"/?#;\\".contains($0) }
        let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let isLiteral = server.hasPrefix("[")
        let host = server.prefix { $0 != (isLiteral ? "]" : ":") }.lowercased() + (isLiteral ? "]" : "")
        guard !host.isEmpty else { return nil }
        let shownHost = host.utf8.count <= 253 && host.utf8.allSatisfy(Self.isOfHost) ? host : "…"
        var shown = shownHost
        for component in rest[authority.endIndex...].prefix(while: { !"?#".contains($0) }).split(separator: "/") {
            guard Self.isOrdinary(component), shown.utf8.count < Self.longest else {
                shown += "/…"
                break
            }
            shown += "/" + component
            // A secret or the identifier of a person follows such a word.
            if Self.isBeforeSecret(component) {
                shown += "/…"
                break
            }
        }
        // Several components may be a secret together.
        for candidate in [shown, shownHost + "/…", "…"] {
            shown = candidate
            if !SecretShape.isContained(in: scheme.lowercased() + "://" + shown) { break }
        }
        withoutScheme = shown
        self.text = scheme.lowercased() + "://" + shown
    }

    /// Letters and digits of any script, and the signs of names and of IPv6 addresses.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        SecretPattern.Characters.isAlphanumeric(byte) || byte >= 0x80 || ".-_[]:".utf8.contains(byte)
    }

    /// Bytes after which no further component is shown.
    private static let longest = 120

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        SecretPattern.Characters.isAlphanumeric(byte) || "+-.".utf8.contains(byte)
    }

    /// Returns true for words and numbers, joined by `.`, `-`, `_` or `~`, and placeholders in braces: `IMG_1234.jpg`,
    /// `v2`, `2026`, `RemoteConfig`.
    static func isOrdinary(_ component: some StringProtocol) -> Bool {
        guard component.utf8.count <= 48,
            component.utf8.allSatisfy({ SecretPattern.Characters.isAlphanumeric($0) || ".-_~{}".utf8.contains($0) })
        else { return false }
        let pieces = Array(component.utf8).split { ".-_~{}".utf8.contains($0) }
        // Random texts in Base64 for URLs have separators, too, and then pieces of all lengths with letters and digits.
        return pieces.allSatisfy { isPlain($0) } && pieces.count { !isWord($0) } <= 3
    }

    /// Returns true for a word, a number, or a short term of both.
    private static func isPlain(_ piece: some Collection<UInt8>) -> Bool {
        if isWord(piece) { return true }
        if piece.allSatisfy(SecretPattern.Characters.isDigit) { return piece.count <= 10 }
        // A word with a number at its end or beginning: `chapter12`, `1080p`; a short term: `h264`, `mp3`.
        let letters = piece.prefix { !SecretPattern.Characters.isDigit($0) }
        let digits = piece.dropFirst(letters.count)
        if isWord(letters), digits.allSatisfy(SecretPattern.Characters.isDigit) { return digits.count <= 6 }
        return piece.count <= 5
    }

    /// Returns true for letters whose capitals begin words of three letters on average, with a vowel in each five.
    private static func isWord(_ piece: some Collection<UInt8>) -> Bool {
        guard !piece.isEmpty, piece.count <= 28 else { return false }
        guard piece.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= $0 | 0x20 }) else { return false }
        let capitals = piece.dropFirst().count { $0 < UInt8(ascii: "a") }
        let isUpper = capitals + 1 >= piece.count
        guard isUpper || capitals * 3 <= piece.count else { return false }
        var (run, longest) = (0, 0)
        for byte in piece {
            run = "aeiouyAEIOUY".utf8.contains(byte) ? 0 : run + 1
            longest = max(longest, run)
        }
        return piece.count <= 4 || longest <= 5
    }

    private static let wordsBeforeSecrets = Set(
        """
        token tokens reset webhook webhooks webhookb2 hook hooks services verify confirm invite invitation magic activate
        unsubscribe secret key session sessions login auth signed share bot password otp
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    private static func isBeforeSecret(_ component: some StringProtocol) -> Bool {
        wordsBeforeSecrets.contains(component.lowercased())
    }
}
